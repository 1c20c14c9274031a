package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
)

// about is an estimate in words that promise no more than it can: in steps of
// five minutes from ten on. It is empty where nothing can be said.
func about(t *locale.Texts, d *time.Duration) string {
	const step = 5 * time.Minute
	if d == nil {
		return ""
	}
	if *d < 2*step {
		return t.Text("wait.fewMinutes")
	}
	return t.Text("wait.about", "Wait", inMinutes(t, d.Round(step)))
}

// nbsp stands between a number and its unit, which belong on one line.
const nbsp = "\u00a0"

// inMinutes is a duration in hours and whole minutes.
func inMinutes(t *locale.Texts, d time.Duration) string {
	minutes := int(d.Minutes())
	var words string
	switch {
	case d < time.Minute:
		return t.Text("wait.lessThanMinute")
	case minutes < 60:
		words = t.Text("wait.minutes", "Minutes", minutes)
	case minutes%60 == 0:
		words = t.Text("wait.hours", "Hours", minutes/60)
	default:
		words = t.Text("wait.hoursMinutes", "Hours", minutes/60, "Minutes", minutes%60)
	}
	return strings.ReplaceAll(words, " ", nbsp)
}

// clock is a time of day in the hall's time zone.
func clock(t time.Time, zone *time.Location) string { return t.In(zone).Format("15:04") }

// millis is a time as the page scripts take it, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// subjectNames lists subjects by their names in English.
func subjectNames(layout *hall.Layout, codes []string) string {
	names := make([]string, 0, len(codes))
	for _, code := range codes {
		names = append(names, subjectName(layout, code))
	}
	return strings.Join(names, ", ")
}

func subjectName(layout *hall.Layout, code string) string {
	subject, ok := layout.Subject(code)
	if !ok {
		return code
	}
	return subject.Title()
}

func roomName(layout *hall.Layout, id string) string {
	room, ok := layout.Room(id)
	if !ok {
		return id
	}
	return room.Title()
}

func machineLabel(m *hall.Machine) string {
	if m.Label != "" {
		return m.Label
	}
	return m.ID
}

// className is a class in words, "" for the normal one.
func className(c hall.Class) string {
	switch c {
	case hall.ClassManagement:
		return "Management"
	case hall.ClassVIP:
		return "VIP"
	case hall.ClassPriority:
		return "Priority"
	case hall.ClassNormal:
	}
	return ""
}

// timesWord says how often something was done.
func timesWord(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// roomTitle is the room that a page shows, "" for all of them.
func roomTitle(layout *hall.Layout, room string) string {
	if room == "" {
		return ""
	}
	return roomName(layout, room)
}

// dotted puts what there is into one line.
func dotted(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}
