package web

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// manyMachines is from how many on they are drawn smaller.
const manyMachines = 240

// monitorView maps a hall and the figures of its day to what changes on the
// monitor page.
func monitorView(s *hall.Snapshot, figures *dayFigures) templates.Monitor {
	m := monitorMapper{s: s, figures: figures, layout: &s.Hall.Layout, zone: s.Hall.Location()}
	view := templates.Monitor{
		AsOf: clock(s.Now, m.zone), Alerts: m.alerts(), Tiles: m.tiles(), Waits: m.waits(),
		Machines: m.machines(), Rooms: m.rooms(), Many: len(s.Machines) > manyMachines,
	}
	m.day(&view)
	switch {
	case !m.open() && figures.closed == nil:
		view.NoFigures = "The curves begin when the day is open."
	case !figures.known:
		view.NoFigures = "The curves of the day cannot be drawn now."
	default:
		view.Curves = m.curves()
	}
	return view
}

type monitorMapper struct {
	s       *hall.Snapshot
	figures *dayFigures
	layout  *hall.Layout
	zone    *time.Location
}

func (m monitorMapper) open() bool { return m.s.Hall.Day.State == hall.DayOpen }

// target is the wait that shall not be exceeded.
func (m monitorMapper) target() time.Duration {
	return time.Duration(m.layout.Rules.WaitTargetSeconds) * time.Second
}

const dateFormat = "Monday 2 January 2006"

// day says how the day stands, and of which one the figures are.
func (m monitorMapper) day(view *templates.Monitor) {
	day, closed := &m.s.Hall.Day, m.figures.closed
	status, kind := dayStatus(english, &m.s.Hall)
	switch {
	case m.open():
		view.Day = day.OpenedAt.In(m.zone).Format(dateFormat) + ", open since " + clock(day.OpenedAt, m.zone)
	case closed != nil:
		status = "Closed"
		view.Day = closed.OpenedAt.In(m.zone).Format(dateFormat) + ", " + clock(closed.OpenedAt, m.zone) + " to " + clock(closed.ClosedAt, m.zone)
		view.Notes = append(view.Notes, "This day is closed. Its figures stand here until the next day is opened, for which "+m.registered()+".")
	default:
		view.Day = "The day is not open: " + m.registered()
	}
	view.Tags = append(view.Tags, templates.Tag{Text: status, Kind: kind})
	if m.open() && !day.CheckInOpen {
		view.Tags = append(view.Tags, templates.Tag{Text: "Check-in is closed", Kind: "stop"})
	}
	if m.open() {
		for _, pause := range pausesOf([]*locale.Texts{english}, &m.s.Hall, "") {
			view.Notes = append(view.Notes, pause.Text.First()+" "+pause.Message)
		}
	}
}

// registered says how many are on the roster of a day that is being prepared.
func (m monitorMapper) registered() string {
	switch n := m.s.States[hall.Registered]; n {
	case 0:
		return "no roster is loaded yet"
	case 1:
		return "one candidate is registered"
	default:
		return people(n) + " are registered"
	}
}

// peopleNow are the people of the day that is shown, by state.
func (m monitorMapper) peopleNow() map[hall.CandidateState]int {
	if m.figures.closed != nil {
		return m.figures.closed.People
	}
	return m.s.States
}

func (m monitorMapper) tiles() []templates.Figure {
	states := m.peopleNow()
	count := func(state hall.CandidateState, label string, main bool) templates.Figure {
		return templates.Figure{Key: string(state), Label: label, Value: strconv.Itoa(states[state]), Main: main}
	}
	tiles := []templates.Figure{
		count(hall.Waiting, "Waiting", true), count(hall.Called, "Called", true), count(hall.Seated, "At a machine", true),
		count(hall.Done, "Done", true), count(hall.Absent, "Absent", true),
		count(hall.Registered, "Not here yet", false), count(hall.Held, "Stepped away", false),
	}
	if states[hall.Resting] > 0 || m.layout.Rules.RestSeconds > 0 {
		tiles = append(tiles, count(hall.Resting, "Have a break", false))
	}
	tiles = append(tiles, count(hall.Withdrawn, "Withdrawn", false))
	if m.open() {
		tiles = append(tiles, m.longestNow(), m.lastCall())
	}
	return tiles
}

func (m monitorMapper) longestNow() templates.Figure {
	tile := templates.Figure{Key: "longest", Label: "Longest wait now", Value: "–"}
	if since, ok := m.longest()[""]; ok {
		tile.Since, tile.Limit = millis(since), millis(since.Add(m.target()))
	}
	return tile
}

// lastCall is an estimate, of those only who wait now.
func (m monitorMapper) lastCall() templates.Figure {
	tile := templates.Figure{Key: "last-call", Label: "Last in line called", Value: "–"}
	if at := m.figures.lastCall; !at.IsZero() && m.s.States[hall.Waiting] > 0 && !m.s.Hall.Day.Paused {
		const step = 5 * time.Minute
		tile.Value, tile.Note = "about"+nbsp+clock(m.s.Now.Add(at.Sub(m.s.Now).Round(step)), m.zone), "of those waiting now"
		if at.Sub(m.s.Now) < 2*step {
			tile.Value = "within 10" + nbsp + "min"
		}
	}
	return tile
}

// longest are the begins of the longest waits by subject: of this instant while
// the snapshot has the whole line, else as they were read last.
func (m monitorMapper) longest() map[string]time.Time {
	if len(m.s.Line) == m.s.States[hall.Waiting] {
		return longestWaits(m.s.Line)
	}
	return m.figures.longest
}

func (m monitorMapper) waits() templates.WaitTable {
	table := templates.WaitTable{Target: targetWords(m.target()), Now: m.open()}
	longest := m.longest()
	row := func(key, name string, waiting int, waits waitFigures) {
		r := templates.WaitRow{Key: url.PathEscape(key), Name: name, Waiting: strconv.Itoa(waiting), Calls: "–", Within: "–", Median: "–", P95: "–"}
		if since, ok := longest[key]; ok && waiting > 0 {
			r.Since, r.Limit = millis(since), millis(since.Add(m.target()))
		}
		if m.figures.known && !waits.missing {
			r.Calls = strconv.Itoa(waits.Count)
		}
		if waits.Count > 0 {
			r.Within, r.Short = percent(waits.WithinTarget), waits.WithinTarget < lowShare
			r.Median, r.P95 = withinWords(waits.MedianSeconds), withinWords(waits.P95Seconds)
		}
		table.Rows = append(table.Rows, r)
	}
	for _, subject := range m.layout.Subjects {
		row(subject.Code, subject.Title(), m.s.Waiting[subject.Code], m.figures.bySubject[subject.Code])
	}
	row("", "All subjects", m.s.States[hall.Waiting], m.figures.all)
	table.Rows[len(table.Rows)-1].All = true
	return table
}

// lowShare is below which a share within the target stands out.
const lowShare = 0.9

// percent is a share that is 100 % only if nothing is missing, and 0 % only if
// nothing is there.
func percent(share float64) string {
	n := math.Round(share * 100)
	switch {
	case n == 100 && share < 1:
		return "over 99" + nbsp + "%"
	case n == 0 && share > 0:
		return "under 1" + nbsp + "%"
	}
	return fmt.Sprintf("%.0f%s%%", n, nbsp)
}

// withinWords is a time within which something was, in minutes since figures
// know no better: rounded up, since what is said must hold.
func withinWords(seconds float64) string {
	minutes := math.Ceil(math.Round(seconds) / 60)
	return inMinutes(english, time.Duration(max(1, minutes))*time.Minute)
}

// targetWords are the target of the waits, which may be shorter than a minute.
func targetWords(target time.Duration) string {
	seconds := fmt.Sprintf("%d%ss", int(target.Seconds())%60, nbsp)
	switch {
	case target%time.Minute == 0:
		return inMinutes(english, target)
	case target < time.Minute:
		return seconds
	}
	return inMinutes(english, target) + nbsp + seconds
}
