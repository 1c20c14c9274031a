package halltest

import (
	"slices"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Estimates is how long each of a list of people in line, in its order, will
// wait, by the same function as in a store but from the facts of the model.
func (m *Model) Estimates(list []*hall.Candidate) []*time.Duration {
	var stretch []hall.InLine
	before := map[string]int{}
	for _, c := range m.Line() {
		if len(stretch) < len(list) && c == list[len(stretch)] {
			in := hall.InLine{Candidate: c}
			for due, n := range before {
				in.Before = append(in.Before, hall.Group{Due: strings.Split(due, "|"), Count: n})
			}
			stretch, before = append(stretch, in), map[string]int{}
			continue
		}
		before[strings.Join(slices.Sorted(slices.Values(c.Remaining())), "|")]++
	}
	o := m.outlook()
	return o.Estimate(stretch)
}

func (m *Model) outlook() hall.Outlook {
	o := hall.Outlook{Now: m.Now, Rules: *m.rules(), Paused: m.Paused, Loads: m.Loads()}
	for _, machine := range m.Machines {
		if !machine.State.InService() {
			continue
		}
		known := hall.ServiceMachine{
			Subjects: machine.Subjects, State: machine.State, Subject: machine.Subject, Paused: m.Rooms[machine.Room],
		}
		if s := m.Sittings[machine.Sitting]; s != nil {
			known.Began = s.Began()
			c := m.Candidates[s.Candidate]
			known.Back = &hall.Returning{Class: c.Class, Place: c.FirstPlace, At: c.FirstPlace.Time(m.Base), Due: c.Remaining()}
		}
		o.Machines = append(o.Machines, known)
	}
	return o
}
