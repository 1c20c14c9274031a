package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// alertCounts name alerts beside their number, for one and for several.
var alertCounts = map[hall.AlertName][2]string{
	hall.AlertRedis:          {"Redis did not answer", "Redis did not answer"},
	hall.AlertNoScreen:       {"no board connected", "no board connected"},
	hall.AlertMachineIdle:    {"%d machine idle though needed", "%d machines idle though needed"},
	hall.AlertCallUnanswered: {"%d call unanswered", "%d calls unanswered"},
	hall.AlertSittingLong:    {"%d sitting too long", "%d sittings too long"},
	hall.AlertWait:           {"%d wait over target", "%d waits over target"},
}

// alertMarks are what the tile of a machine says of its alerts.
var alertMarks = map[hall.AlertName]string{
	hall.AlertMachineIdle: "Idle though needed", hall.AlertCallUnanswered: "Unanswered", hall.AlertSittingLong: "Too long",
}

// shown reports whether an alert concerns what the page shows: a room or all.
func (p proctorMapper) shown(a *hall.Alert) bool {
	return p.room == "" || a.Room == "" || a.Room == p.room
}

// alerts are the kinds that are active, each with its number.
func (p proctorMapper) alerts() templates.Count {
	count := templates.Count{URL: hallURL(p.s.Hall.ID, "monitor")}
	numbers := map[hall.AlertName]int{}
	for i := range p.s.Alerts {
		if a := &p.s.Alerts[i]; p.shown(a) {
			numbers[a.Name]++
			count.N++
		}
	}
	var kinds []string
	for _, name := range alertNames(p.s.Alerts) {
		if n := numbers[name]; n > 0 {
			kinds = append(kinds, alertCount(name, n))
		}
	}
	count.Label = dotted(kinds...)
	return count
}

func alertCount(name hall.AlertName, n int) string {
	words := alertCounts[name][min(1, n-1)]
	switch {
	case words == "":
		return fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(name), "_", " "))
	case strings.Contains(words, "%d"):
		return fmt.Sprintf(words, n)
	}
	return words
}

// alertNames are the names of alerts, what stops the hall in front.
func alertNames(alerts []hall.Alert) []hall.AlertName {
	names := slices.Clone(alertOrder)
	for i := range alerts {
		if !slices.Contains(names, alerts[i].Name) {
			names = append(names, alerts[i].Name)
		}
	}
	return names
}

// alertOf says what is wrong at a machine, "" for nothing.
func (p proctorMapper) alertOf(machine string) string {
	var marks []string
	for i := range p.s.Alerts {
		if a := &p.s.Alerts[i]; a.About() == machine && a.Machine == machine {
			marks = append(marks, alertMarks[a.Name])
		}
	}
	return dotted(marks...)
}
