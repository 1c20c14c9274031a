package halltest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// SetMachineState is hall.Machines.SetMachineState.
func (m *Model) SetMachineState(id string, state hall.MachineState, why hall.OutageReason) error {
	machine := m.Machines[id]
	switch {
	case machine == nil:
		return refuse(hall.CodeUnknownMachine)
	case machine.Sitting != "" && state == hall.MachineIdle:
		return nil
	case machine.Sitting != "":
		return refuse(hall.CodeInUse)
	case machine.State == state:
	case state == hall.MachineIdle:
		m.note(nil, machine)
		machine.State = state // in service from now on, also for the choice of subject
		m.release(machine)
	case state == hall.MachineOutOfService:
		m.note(nil, machine)
		m.takeOut(machine, why)
	default:
		m.note(nil, machine)
		machine.State, machine.Since, machine.Reason, machine.Code = state, m.Now, "", ""
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
	if rules == m.Layout.Rules {
		return
	}
	m.noteLayout()
	m.Layout.Rules = rules
	for _, c := range m.Candidates {
		if c.State == hall.Held {
			m.limitHold(c)
		}
	}
	for _, s := range m.Sittings {
		if _, due := m.Due["call "+s.ID]; s.State == hall.SittingCalled && !due && s.Left == 0 {
			m.expect(s)
		}
		if !rules.ConfirmSeat {
			m.stopClock(s)
		}
	}
	m.drain()
}

// Move is hall.Halls.PutHall with a machine in another room; calls to it are
// announced anew.
func (m *Model) Move(id, room string) {
	if m.Machines[id].Room == room {
		return
	}
	m.noteLayout()
	m.Layout.Machines = slices.Clone(m.Layout.Machines)
	for i := range m.Layout.Machines {
		if m.Layout.Machines[i].ID == id {
			m.Layout.Machines[i].Room = room
		}
	}
	machine := m.Machines[id]
	machine.Room = room
	if s := m.Sittings[machine.Sitting]; s != nil {
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
	defer m.byItself()()
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
			m.note(m.Candidates[id], nil)
			m.comeBack(m.Candidates[id])
			m.seek(m.Candidates[id])
		case hall.DueHold:
			_ = m.Return(id)
		case hall.DueAlert: // the model looks each time
		}
	}
	m.markOverTarget()
	m.SettleAlerts()
	m.watch()
}

// markOverTarget marks everybody whose wait has reached the target.
func (m *Model) markOverTarget() {
	for _, c := range m.Line() {
		if !c.OverTarget && c.Wait(m.Now) >= time.Duration(m.rules().WaitTargetSeconds)*time.Second {
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
