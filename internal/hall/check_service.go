package hall

import (
	"maps"
	"slices"
)

// service checks that estimates know the machines in service, and no others.
func (c *checker) service() {
	for _, id := range slices.Sorted(maps.Keys(c.s.Machines)) {
		m := c.s.Machines[id]
		got, known := c.s.Service[id]
		if known != m.State.InService() {
			c.add(2, "machine %q is %s, known to estimates: %v", id, m.State, known)
		} else if want := c.serviceOf(&m); known && !want.same(&got) {
			c.add(2, "machine %q is %+v, to estimates %+v", id, want, got)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.s.Service)) {
		if _, known := c.s.Machines[id]; !known {
			c.add(2, "unknown machine %q is known to estimates", id)
		}
	}
}

func (c *checker) serviceOf(m *Machine) ServiceMachine {
	_, paused := c.s.Hall.Day.PausedRooms[m.Room]
	s := c.s.Sittings[m.Sitting]
	return ServiceMachine{
		Subjects: m.Subjects, State: m.State, Subject: m.Subject, Paused: paused, Began: s.Began(),
	}
}

func (m *ServiceMachine) same(other *ServiceMachine) bool {
	return slices.Equal(m.Subjects, other.Subjects) && m.State == other.State && m.Subject == other.Subject &&
		m.Paused == other.Paused && m.Began.Equal(other.Began)
}
