package halltest

import (
	"fmt"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// closedDay is what a closed day must be for ever.
type closedDay struct {
	id      string
	state   []string // as describe says it
	summary hall.DaySummary
	end     *Model // as it stood then, but for corrections
}

// OpenDay is hall.Halls.OpenDay. All idle machines are idle since then.
func (m *Model) OpenDay() error {
	if m.Open {
		return refuse(hall.CodeWrongState)
	}
	m.Open, m.openedAt, m.Base = true, m.Now, m.Now.Add(-hall.BaseBefore)
	m.dayID = m.nextDayID()
	m.noteLayout()
	for _, machine := range m.Machines {
		if machine.State == hall.MachineIdle {
			machine.Since = m.Now
		}
	}
	return nil
}

// nextDayID is the date in the hall's time zone and which day of that date it is.
func (m *Model) nextDayID() string {
	zone := (&hall.Hall{Layout: m.Layout}).Location()
	date, n := hall.DayDate(m.Now, zone), 1
	for _, day := range m.closed {
		if hall.DayDate(day.summary.OpenedAt, zone) == date {
			n++
		}
	}
	return fmt.Sprintf("%s-%d", date, n)
}

// CloseDay is hall.Halls.CloseDay of the present day.
func (m *Model) CloseDay() error {
	if !m.Open {
		return refuse(hall.CodeDayNotOpen)
	}
	m.Alerts = nil
	day := closedDay{id: m.dayID, state: m.describe(), summary: m.Summary()}
	day.summary.State, day.summary.ClosedAt = hall.DayClosed, m.Now
	end := *m
	day.end = &end
	m.closed = append(m.closed, day)

	next := NewModel(m.Layout, m.Now)
	next.Open, next.dayID, next.openedAt = false, "", time.Time{}
	next.Screens, next.Rules, next.By = m.Screens, m.Rules, m.By
	next.lastSitting, next.closed = m.lastSitting, m.closed
	for id, machine := range m.Machines {
		kept := *machine
		if kept.State.InService() {
			kept.State, kept.Since, kept.Sitting, kept.Subject = hall.MachineIdle, m.Now, "", ""
		}
		next.Machines[id] = &kept
	}
	*m = *next
	return nil
}

// Summary is hall.Days.Day of the present day.
func (m *Model) Summary() hall.DaySummary {
	s := hall.DaySummary{
		ID: m.dayID, State: hall.DayPreparing, OpenedAt: m.openedAt, People: map[hall.CandidateState]int{},
		Sittings: len(m.Sittings), Figures: &hall.DayFigures{Machines: map[hall.MachineState]int{}},
	}
	if m.Open {
		s.State = hall.DayOpen
	}
	for _, c := range m.Candidates {
		s.People[c.State]++
	}
	for _, machine := range m.Machines {
		s.Figures.Machines[machine.State]++
	}
	var sittings []hall.Sitting
	for _, id := range m.SittingIDs() {
		sittings = append(sittings, *m.Sittings[id])
	}
	s.Figures.Count(sittings)
	return s
}
