package halltest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// Seat is hall.Sittings.Seat.
func (m *Model) Seat(id string) error {
	s, err := m.sitting(id, hall.SittingCalled, hall.SittingSeated)
	if err != nil || s.State == hall.SittingSeated {
		return err
	}
	m.noteSitting(s)
	s.State, s.SeatedAt = hall.SittingSeated, m.Now
	m.stopClock(s)
	m.last().seated = s.Subject
	m.walks[s.Subject] = append(m.walks[s.Subject], m.Now.Sub(s.CalledAt))
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
	m.noteSitting(s)
	if s.SeatedAt.IsZero() {
		s.SeatedAt = m.Now
	} else {
		m.last().ended = s.Subject
		m.lengths[s.Subject] = append(m.lengths[s.Subject], m.Now.Sub(s.SeatedAt))
	}
	c, machine := m.close(s, hall.Finished)
	c.Sat, c.LastEnded = append(c.Sat, s.Subject), m.Now
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
	m.noteSitting(s)
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
	m.noteSitting(s)
	m.openIncident(hall.EventCandidateNoShow, hall.CategoryPerson, s, "", "", m.last())
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
	m.noteSitting(s)
	usual := hall.CategoryPerson
	if a.Fault == hall.FaultMachine {
		usual = hall.CategoryMachine
	}
	m.openIncident(hall.EventSittingAborted, usual, s, a.Reason, "", m.last())
	s.Reason = a.Reason
	c, machine := m.close(s, hall.Aborted)
	switch {
	case a.Withdraw:
		c.State = hall.Withdrawn
	case a.Fault == hall.FaultMachine:
		m.wait(c, m.before(c))
	default:
		m.wait(c, m.tail())
	}
	if a.Fault == hall.FaultMachine && !a.KeepMachine {
		m.takeOut(machine, hall.OutageReason{Code: a.Code, Text: a.Reason})
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
	m.noteSitting(s)
	m.openIncident(hall.EventSittingTransferred, hall.CategoryMachine, s, t.Reason, to.ID, m.last())
	m.note(m.Candidates[s.Candidate], to)
	to.State, to.Since, to.Sitting, to.Subject = from.State, m.Now, s.ID, s.Subject
	s.Machine, s.Room = to.ID, to.Room
	if s.State == hall.SittingCalled {
		s.AnnouncedAt = m.Now
		m.expect(s)
	}
	if t.OutOfService {
		m.takeOut(from, hall.OutageReason{Code: t.Code, Text: t.Reason})
	} else {
		m.release(from)
	}
	return nil
}

// SittingIDs lists all sittings, first call first.
func (m *Model) SittingIDs() []string {
	ids := slices.Collect(maps.Keys(m.Sittings))
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}
