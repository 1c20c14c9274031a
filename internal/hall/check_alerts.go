package hall

import (
	"maps"
	"slices"
)

// alerts checks that those kept are those that the events leave active, that
// whoever is marked as waiting too long is one of them, and that they can be.
func (c *checker) alerts(folded map[string]Alert) {
	kept := map[string]Alert{}
	for _, a := range c.s.Alerts {
		kept[a.Key()] = a
		if !slices.Contains(AlertNames, a.Name) {
			c.add(8, "there is an unknown alert %q", a.Key())
		}
		if m := c.s.Machines[a.Machine]; a.Machine != "" && (m.Sitting != a.Sitting || !slices.Contains(alertStates[a.Name], m.State)) {
			c.add(8, "alert %q is active for sitting %q, the machine is %q with %q", a.Key(), a.Sitting, m.State, m.Sitting)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(kept)) {
		if got := folded[key]; got != kept[key] {
			c.add(8, "events make alert %q %+v, kept is %+v", key, got, kept[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(folded)) {
		if _, known := kept[key]; !known {
			c.add(8, "events leave alert %q active, it is not", key)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.s.Candidates)) {
		candidate := c.s.Candidates[id]
		marked := candidate.State == Waiting && candidate.OverTarget && c.s.Hall.Day.State != DayClosed
		if a, active := kept[string(AlertWait)+" "+id]; active != marked {
			c.add(8, "candidate %q is %s, over the target: %v, alert: %+v", id, candidate.State, candidate.OverTarget, a)
		}
	}
}

// alertStates are the states of a machine in which an alert about it may be active.
var alertStates = map[AlertName][]MachineState{
	AlertCallUnanswered: {MachineCalled}, AlertSittingLong: {MachineCalled, MachineInUse}, AlertMachineIdle: {MachineIdle},
}
