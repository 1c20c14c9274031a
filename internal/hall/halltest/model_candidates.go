package halltest

import (
	"cmp"
	"fmt"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Register puts a new candidate on the roster.
func (m *Model) Register(row hall.RosterRow) {
	m.Candidates[row.Candidate] = &hall.Candidate{
		ID: row.Candidate, Person: row.Person, Class: cmp.Or(row.Class, hall.ClassNormal), Session: row.Session,
		Subjects: row.Subjects, State: hall.Registered,
	}
}

// CheckIn is hall.Queue.CheckIn.
func (m *Model) CheckIn(id string, in hall.CheckIn) (first bool, err error) {
	c := m.Candidates[id]
	back := m.Now.Sub(in.At)
	switch {
	case !m.Open:
		return false, refuse(hall.CodeDayNotOpen)
	case c == nil:
		return false, refuse(hall.CodeUnknownCandidate)
	case c.State == hall.Absent || c.State == hall.Withdrawn:
		return false, refuse(hall.CodeNeedsRestore)
	case c.State == hall.Done:
		return false, refuse(hall.CodeAlreadyDone)
	case c.State != hall.Registered:
		return false, nil
	case !m.Door:
		return false, refuse(hall.CodeCheckInClosed)
	case !in.At.IsZero() && (back < 0 || back > 24*time.Hour):
		return false, refuse(hall.CodeInvalid)
	}
	if err := m.inSession(c, in.At); err != nil {
		return false, err
	}
	m.note(c, nil)
	c.Class = cmp.Or(in.Class, c.Class)
	letter := c.Class.Letter()
	m.lastTicket[letter]++
	c.Ticket = fmt.Sprintf("%s%03d", letter, m.lastTicket[letter])
	c.CheckedInAt = m.Now
	if in.At.IsZero() {
		m.wait(c, m.tail())
	} else {
		c.CheckedInAt = in.At
		m.wait(c, hall.PlaceAt(m.Base, in.At))
		c.WaitingSince = in.At
	}
	c.FirstPlace = c.Place
	m.seek(c)
	return true, nil
}

// inSession refuses whom a session does not take in at a time, zero for now.
func (m *Model) inSession(c *hall.Candidate, at time.Time) error {
	zone := (&hall.Hall{Layout: m.Layout}).Location()
	w := m.Layout.SessionWindows(m.openedAt, zone)[c.Session]
	if at.IsZero() {
		at = m.Now
	}
	switch {
	case !w.From.IsZero() && at.Before(w.From):
		return refuse(hall.CodeTooEarly)
	case !w.Until.IsZero() && at.After(w.Until):
		return refuse(hall.CodeTooLate)
	}
	return nil
}

// Leave is hall.Queue.Leave.
func (m *Model) Leave(id string) error {
	c := m.Candidates[id]
	switch {
	case c == nil:
		return refuse(hall.CodeUnknownCandidate)
	case c.State == hall.Called || c.State == hall.Seated:
		return refuse(hall.CodeWrongState)
	case c.State != hall.Waiting && c.State != hall.Held && c.State != hall.Resting:
		return refuse(hall.CodeNotInQueue)
	}
	m.note(c, nil)
	m.endHold(c)
	delete(m.Due, "rest "+id)
	c.State = hall.Withdrawn
	return nil
}

// Hold is hall.Queue.Hold.
func (m *Model) Hold(id string) error {
	c := m.Candidates[id]
	switch {
	case c == nil:
		return refuse(hall.CodeUnknownCandidate)
	case c.State == hall.Resting:
		delete(m.Due, "rest "+id)
		c.Place, c.WaitingSince, c.HoldInWait, c.OverTarget = m.placeBack(c), m.Now, 0, false
		c.QueuedAt = c.Place.Time(m.Base)
	case c.State != hall.Waiting:
		return refuse(hall.CodeWrongState)
	}
	m.note(c, nil)
	c.State, c.HeldSince = hall.Held, m.Now
	m.limitHold(c)
	return nil
}

func (m *Model) limitHold(c *hall.Candidate) {
	if limit := m.rules().MaxHoldSeconds; limit > 0 {
		m.Due["hold "+c.ID] = c.HeldSince.Add(time.Duration(limit) * time.Second)
	} else {
		delete(m.Due, "hold "+c.ID)
	}
}

func (m *Model) endHold(c *hall.Candidate) {
	if c.State != hall.Held {
		return
	}
	held := m.Now.Sub(c.HeldSince)
	c.Hold, c.HoldInWait, c.HeldSince = c.Hold+held, c.HoldInWait+held, time.Time{}
	delete(m.Due, "hold "+c.ID)
}

// Return is hall.Queue.Return.
func (m *Model) Return(id string) error {
	c := m.Candidates[id]
	if c == nil {
		return refuse(hall.CodeUnknownCandidate)
	}
	if c.State != hall.Held {
		return refuse(hall.CodeWrongState)
	}
	m.note(c, nil)
	m.endHold(c)
	c.Place = m.free(c.Place)
	c.State, c.QueuedAt = hall.Waiting, c.Place.Time(m.Base)
	m.seek(c)
	return nil
}

// Restore is hall.Queue.Restore.
func (m *Model) Restore(id string, kept bool) error {
	c := m.Candidates[id]
	if c == nil {
		return refuse(hall.CodeUnknownCandidate)
	}
	if c.State != hall.Absent && c.State != hall.Withdrawn {
		return refuse(hall.CodeWrongState)
	}
	m.note(c, nil)
	c.NoShows = 0
	if kept {
		m.wait(c, c.Place)
	} else {
		m.wait(c, m.tail())
	}
	m.seek(c)
	return nil
}

// SetClass is hall.Queue.SetClass.
func (m *Model) SetClass(id string, class hall.Class) error {
	c := m.Candidates[id]
	if c == nil {
		return refuse(hall.CodeUnknownCandidate)
	}
	if c.State == hall.Done || c.State == hall.Withdrawn || c.State == hall.Absent {
		return refuse(hall.CodeWrongState)
	}
	if c.Class == class {
		return nil
	}
	m.note(c, nil)
	c.Class = class
	return nil
}

// Call is hall.Queue.Call.
func (m *Model) Call(id, machineID string) error {
	c, machine := m.Candidates[id], m.Machines[machineID]
	switch {
	case c == nil:
		return refuse(hall.CodeUnknownCandidate)
	case machine == nil:
		return refuse(hall.CodeUnknownMachine)
	case c.State != hall.Waiting:
		return refuse(hall.CodeWrongState)
	case machine.State != hall.MachineIdle:
		return refuse(hall.CodeMachineNotIdle)
	case m.Paused || m.Rooms[machine.Room]:
		return refuse(hall.CodePaused)
	case !shares(c.Remaining(), machine.Subjects):
		return refuse(hall.CodeNoMachine)
	}
	m.call(c, machine, m.choose(c, machine.Subjects))
	return nil
}

// Next is hall.Queue.Next; it returns the sitting's id, "" for nobody.
func (m *Model) Next(id string) (string, error) {
	if !m.Open {
		return "", refuse(hall.CodeDayNotOpen)
	}
	if id == "" {
		if m.Paused {
			return "", refuse(hall.CodePaused)
		}
		c := m.firstFor(m.freeSubjects())
		if c == nil {
			return "", nil
		}
		return m.callToIdle(c).ID, nil
	}
	machine := m.Machines[id]
	switch {
	case machine == nil:
		return "", refuse(hall.CodeUnknownMachine)
	case machine.State != hall.MachineIdle:
		return "", refuse(hall.CodeMachineNotIdle)
	case m.Paused || m.Rooms[machine.Room]:
		return "", refuse(hall.CodePaused)
	}
	c := m.firstFor(machine.Subjects)
	if c == nil {
		return "", nil
	}
	return m.call(c, machine, m.choose(c, machine.Subjects)).ID, nil
}
