package halltest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	c.State, c.HeldSince = hall.Held, m.Now
	if limit := m.rules().MaxHoldSeconds; limit > 0 {
		m.Due["hold "+id] = m.Now.Add(time.Duration(limit) * time.Second)
	}
	return nil
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

// Seat is hall.Sittings.Seat.
func (m *Model) Seat(id string) error {
	s, err := m.sitting(id, hall.SittingCalled, hall.SittingSeated)
	if err != nil || s.State == hall.SittingSeated {
		return err
	}
	s.State, s.SeatedAt, s.Left = hall.SittingSeated, m.Now, 0
	delete(m.Due, "call "+id)
	m.Candidates[s.Candidate].State = hall.Seated
	machine := m.Machines[s.Machine]
	machine.State, machine.Since = hall.MachineInUse, m.Now
	return nil
}

// End is hall.Sittings.End.
func (m *Model) End(id string) error {
	s, err := m.sitting(id, hall.SittingCalled, hall.SittingSeated)
	if err != nil {
		if s != nil && s.Outcome == hall.Finished {
			return nil
		}
		return err
	}
	if s.SeatedAt.IsZero() {
		s.SeatedAt = m.Now
	} else {
		m.lengths[s.Subject] = append(m.lengths[s.Subject], m.Now.Sub(s.SeatedAt))
	}
	c, machine := m.close(s, hall.Finished)
	c.Sat = append(c.Sat, s.Subject)
	switch {
	case len(c.Remaining()) == 0:
		c.State = hall.Done
	case m.rules().RestSeconds > 0:
		c.State = hall.Resting
		m.Due["rest "+c.ID] = m.Now.Add(m.rules().Rest())
	default:
		m.comeBack(c)
	}
	m.release(machine)
	m.seek(c)
	return nil
}

// Recall is hall.Sittings.Recall.
func (m *Model) Recall(id string, announcement int) error {
	s, err := m.sitting(id, hall.SittingCalled)
	switch {
	case err != nil:
		return err
	case announcement <= s.Announcement():
		return nil
	case s.Recalls >= m.rules().RecallLimit:
		return refuse(hall.CodeRecallLimit)
	case announcement > s.Announcement()+1:
		return refuse(hall.CodeWrongState)
	}
	m.announceAgain(s)
	return nil
}

func (m *Model) announceAgain(s *hall.Sitting) {
	s.Recalls++
	s.AnnouncedAt = m.Now
	m.expect(s)
}

// NoShow is hall.Sittings.NoShow.
func (m *Model) NoShow(id string) error {
	s, err := m.sitting(id, hall.SittingCalled)
	if err != nil {
		return err
	}
	c, machine := m.close(s, hall.NoShow)
	c.NoShows++
	after, behind := m.rules().NoShowAfter()
	switch {
	case m.rules().NoShow == hall.NoShowAbsent || c.NoShows >= m.rules().MaxNoShows:
		c.State = hall.Absent
	case behind:
		m.wait(c, m.behind(after, c))
	default:
		m.wait(c, m.tail())
	}
	m.release(machine)
	m.seek(c)
	return nil
}

// Abort is hall.Sittings.Abort.
func (m *Model) Abort(id string, a hall.Abort) error {
	s, err := m.sitting(id, hall.SittingCalled, hall.SittingSeated)
	if err != nil {
		return err
	}
	outcome := hall.Aborted
	if a.Withdraw {
		outcome = hall.WithdrawnOutcome
	}
	c, machine := m.close(s, outcome)
	switch {
	case a.Withdraw:
		c.State = hall.Withdrawn
	case a.Fault == hall.FaultMachine:
		m.wait(c, m.before(c))
	default:
		m.wait(c, m.tail())
	}
	if a.Fault == hall.FaultMachine && !a.KeepMachine {
		m.takeOut(machine, a.Reason)
	} else {
		m.release(machine)
	}
	m.seek(c)
	return nil
}

// Transfer is hall.Sittings.Transfer.
func (m *Model) Transfer(id string, t hall.Transfer) error {
	s, err := m.sitting(id, hall.SittingCalled, hall.SittingSeated)
	if err != nil {
		return err
	}
	to := m.Machines[t.Machine]
	switch {
	case t.Machine == s.Machine:
		return nil
	case t.Machine == "" && len(m.IdleMachines(s.Subject)) == 0:
		return refuse(hall.CodeNoMachine)
	case t.Machine == "":
		to = m.IdleMachines(s.Subject)[0]
	case to == nil:
		return refuse(hall.CodeUnknownMachine)
	case to.State != hall.MachineIdle:
		return refuse(hall.CodeMachineNotIdle)
	case !slices.Contains(to.Subjects, s.Subject):
		return refuse(hall.CodeNoMachine)
	}
	from := m.Machines[s.Machine]
	to.State, to.Since, to.Sitting, to.Subject = from.State, m.Now, s.ID, s.Subject
	s.Machine, s.Room = to.ID, to.Room
	if s.State == hall.SittingCalled {
		s.AnnouncedAt = m.Now
		m.expect(s)
	}
	if t.OutOfService {
		m.takeOut(from, t.Reason)
	} else {
		m.release(from)
	}
	return nil
}

// SetMachineState is hall.Machines.SetMachineState.
func (m *Model) SetMachineState(id string, state hall.MachineState, reason string) error {
	machine := m.Machines[id]
	switch {
	case machine == nil:
		return refuse(hall.CodeUnknownMachine)
	case machine.Sitting != "" && state == hall.MachineIdle:
		return nil
	case machine.Sitting != "":
		return refuse(hall.CodeInUse)
	case state == hall.MachineOutOfService && machine.State == state:
		machine.Reason = reason
	case machine.State == state:
	case state == hall.MachineIdle:
		machine.State = state // in service from now on, also for the choice of subject
		m.release(machine)
	default:
		machine.State, machine.Since, machine.Reason = state, m.Now, ""
		if state == hall.MachineOutOfService {
			machine.Reason = reason
		}
	}
	return nil
}

// Pause is hall.Halls.Pause.
func (m *Model) Pause(room string) {
	if room == "" {
		m.Paused = true
	} else {
		m.Rooms[room] = true
	}
	m.setClocks()
}

// Resume is hall.Halls.Resume.
func (m *Model) Resume(room string) {
	if room == "" {
		m.Paused = false
	} else {
		delete(m.Rooms, room)
	}
	m.setClocks()
	m.drain()
}

// SetRules is hall.Halls.PutHall with other rules.
func (m *Model) SetRules(rules hall.Rules) {
	m.Layout.Rules = rules
	for _, s := range m.Sittings {
		if _, due := m.Due["call "+s.ID]; s.State == hall.SittingCalled && !due && s.Left == 0 {
			m.expect(s)
		}
		if !rules.ConfirmSeat {
			delete(m.Due, "call "+s.ID)
			s.Left = 0
		}
	}
	m.drain()
}

// Move is hall.Halls.PutHall with a machine in another room; calls to it are
// announced anew.
func (m *Model) Move(id, room string) {
	m.Layout.Machines = slices.Clone(m.Layout.Machines)
	for i := range m.Layout.Machines {
		if m.Layout.Machines[i].ID == id {
			m.Layout.Machines[i].Room = room
		}
	}
	machine := m.Machines[id]
	moved := machine.Room != room
	machine.Room = room
	if s := m.Sittings[machine.Sitting]; s != nil && moved {
		s.Room = room
		if s.State == hall.SittingCalled {
			s.AnnouncedAt = m.Now
			m.expect(s)
		}
	}
	m.drain()
}

// Elapse is hall.Clock.Elapse: what was due by now, earliest first, equal ones by name.
func (m *Model) Elapse() {
	var over []string
	for name, at := range m.Due {
		if !at.After(m.Now) {
			over = append(over, name)
		}
	}
	slices.SortFunc(over, func(a, b string) int { return cmp.Or(m.Due[a].Compare(m.Due[b]), cmp.Compare(a, b)) })
	for _, name := range over {
		kind, id, _ := strings.Cut(name, " ")
		if _, still := m.Due[name]; !still {
			continue
		}
		switch hall.DueKind(kind) {
		case hall.DueCall:
			m.unanswered(m.Sittings[id])
		case hall.DueRest:
			delete(m.Due, name)
			m.comeBack(m.Candidates[id])
			m.seek(m.Candidates[id])
		case hall.DueHold:
			_ = m.Return(id)
		}
	}
	m.markOverTarget()
}

// markOverTarget marks everybody whose wait has reached the target.
func (m *Model) markOverTarget() {
	for _, c := range m.Line() {
		if c.Wait(m.Now) >= time.Duration(m.rules().WaitTargetSeconds)*time.Second {
			c.OverTarget = true
		}
	}
}

func (m *Model) unanswered(s *hall.Sitting) {
	switch {
	case s.Recalls < m.rules().RecallLimit:
		m.announceAgain(s)
	default:
		_ = m.NoShow(s.ID)
	}
}

// SittingIDs lists all sittings, first call first.
func (m *Model) SittingIDs() []string {
	ids := slices.Collect(maps.Keys(m.Sittings))
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}
