package hallredis

import (
	"context"

	"github.com/hallcall/hallcall/internal/hall"
)

// SetMachineState implements hall.Machines.
func (s *Store) SetMachineState(ctx context.Context, id, machine string, state hall.MachineState, why hall.OutageReason, by hall.Caller) (hall.Machine, error) {
	switch state {
	case hall.MachineIdle, hall.MachineSpare, hall.MachineOutOfService:
	default:
		return hall.Machine{}, &hall.Error{Code: hall.CodeInvalid, Message: "A machine cannot be put in that state."}
	}
	code, err := why.Code.Clean()
	if err != nil {
		return hall.Machine{}, err
	}
	_, r, err := s.run(ctx, machineState, id, by, machine, string(state), why.Text, string(code))
	if err != nil {
		return hall.Machine{}, err
	}
	m, err := machineOf(r.text(0))
	if err != nil {
		return hall.Machine{}, err
	}
	if r.text(2) != "" {
		sitting, err := sittingOf(r.text(2), r.text(1))
		if err != nil {
			return hall.Machine{}, err
		}
		m.Current = &sitting
	}
	h, err := s.Hall(ctx, id)
	if err != nil {
		return hall.Machine{}, err
	}
	label(&m, &h.Layout)
	return m, nil
}

// label gives a machine what only the layout knows.
func label(m *hall.Machine, l *hall.Layout) {
	for _, spec := range l.Machines {
		if spec.ID == m.ID && spec.Label != "" {
			m.Label = spec.Label
		}
	}
}

// Machines implements hall.Machines.
func (s *Store) Machines(ctx context.Context, id string, filter hall.MachineFilter, page hall.Page) (hall.List[hall.Machine], error) {
	snap, err := s.snapshot(ctx, id, 1, 1)
	if err != nil {
		return hall.List[hall.Machine]{}, err
	}
	p := newPager[hall.Machine](page)
	for _, m := range snap.Machines {
		if machineAllowed(filter, &m) {
			p.add(m)
		}
	}
	return p.list, nil
}

func machineAllowed(f hall.MachineFilter, m *hall.Machine) bool {
	return (f.State == "" || m.State == f.State) && (f.Room == "" || m.Room == f.Room) &&
		(f.Model == "" || m.Model == f.Model) && (f.Subject == "" || contains(m.Subjects, f.Subject))
}

// MachineStatistics implements hall.Machines.
func (s *Store) MachineStatistics(ctx context.Context, id string) (hall.MachineStatistics, error) {
	snap, err := s.snapshot(ctx, id, 1, 1)
	if err != nil {
		return hall.MachineStatistics{}, err
	}
	stats := hall.MachineStatistics{Idle: newCount(&snap.Hall.Layout), Used: newCount(&snap.Hall.Layout)}
	for _, m := range snap.Machines {
		switch m.State {
		case hall.MachineIdle:
			count(&stats.Idle, m.Model, m.Subjects...)
		case hall.MachineCalled, hall.MachineInUse:
			count(&stats.Used, m.Model, m.Subject)
		case hall.MachineSpare, hall.MachineOutOfService:
		}
	}
	return stats, nil
}

func newCount(l *hall.Layout) hall.MachineCount {
	c := hall.MachineCount{BySubject: map[string]int{}, ByModel: map[string]int{}}
	for _, s := range l.Subjects {
		c.BySubject[s.Code] = 0
	}
	for _, m := range l.Models {
		c.ByModel[m.ID] = 0
	}
	return c
}

func count(c *hall.MachineCount, model string, subjects ...string) {
	c.Total++
	c.ByModel[model]++
	for _, s := range subjects {
		c.BySubject[s]++
	}
}
