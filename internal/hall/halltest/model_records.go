package halltest

import (
	"fmt"

	"github.com/hallcall/hallcall/internal/hall"
)

// dayNamed is the present day or a closed one as it stood at its end, nil if there is none.
func (m *Model) dayNamed(day string) *Model {
	if day == hall.CurrentDay || day != "" && day == m.dayID {
		return m
	}
	for _, closed := range m.closed {
		if closed.id == day {
			return closed.end
		}
	}
	return nil
}

// Correct is hall.Records.Correct for rows of candidates and sittings.
func (m *Model) Correct(day string, c hall.CorrectionRequest, by string) error {
	c, err := c.Clean()
	if err != nil {
		return err
	}
	d := m.dayNamed(day)
	switch {
	case d == nil:
		return refuse(hall.CodeUnknownDay)
	case d.erased:
		return refuse(hall.CodeWrongState)
	case d == m && !m.Open:
		return refuse(hall.CodeDayNotOpen)
	case c.Table == hall.TableAttendance && d.Candidates[c.Row] == nil:
		return refuse(hall.CodeUnknownCandidate)
	case c.Table == hall.TableSittings && d.Sittings[c.Row] == nil:
		return refuse(hall.CodeUnknownSitting)
	case c.Table == hall.TableIncidents:
		return refuse(hall.CodeUnknownIncident)
	}
	d.Corrections = append(d.Corrections, hall.Correction{
		CorrectionRequest: c, ID: fmt.Sprintf("c%d", len(d.Corrections)+1), At: m.Now, By: by,
	})
	return nil
}

// EraseDay is hall.Days.EraseDay.
func (m *Model) EraseDay(day string) error {
	d := m.dayNamed(day)
	switch d {
	case nil:
		return refuse(hall.CodeUnknownDay)
	case m:
		return refuse(hall.CodeWrongState)
	}
	d.erased = true
	for _, c := range d.Candidates {
		c.Person, c.Notes = hall.Person{}, nil
	}
	for _, machine := range d.Machines {
		machine.Reason = ""
	}
	for _, s := range d.Sittings {
		s.Reason = ""
	}
	for i := range d.Incidents {
		d.Incidents[i].Text, d.Incidents[i].Done = "", ""
	}
	for i := range d.Corrections {
		d.Corrections[i].Text, d.Corrections[i].Reason = "", ""
	}
	for i := range m.closed {
		if m.closed[i].end == d {
			m.closed[i].state = d.describe()
		}
	}
	return nil
}
