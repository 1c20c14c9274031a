package hall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// soundState is a small day in which everything holds: a sits subject 1 on m1,
// b waits for it, m2 is idle for subject 2.
func soundState() hall.State {
	at := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	rules := hall.DefaultRules()
	event := func(name hall.EventName, candidate, ticket, sitting string) hall.Event {
		e := hall.Event{Event: name, At: at, Candidate: candidate, Ticket: ticket, Class: hall.ClassNormal, Remaining: []string{"1"}}
		if sitting != "" {
			e.Sitting, e.Machine = sitting, "m1"
		}
		return e
	}
	return hall.State{
		Hall: hall.Hall{Layout: hall.Layout{Rules: rules, Subjects: []hall.Subject{{Code: "1"}, {Code: "2"}}}},
		Candidates: map[string]hall.Candidate{
			"a": {ID: "a", Class: hall.ClassNormal, Subjects: []string{"1"}, State: hall.Called, Ticket: "N001", Sitting: "s1", Place: 1},
			"b": {ID: "b", Class: hall.ClassNormal, Subjects: []string{"1"}, State: hall.Waiting, Ticket: "N002", Place: 2},
		},
		Machines: map[string]hall.Machine{
			"m1": {ID: "m1", Subjects: []string{"1"}, State: hall.MachineCalled, Sitting: "s1", Subject: "1"},
			"m2": {ID: "m2", Subjects: []string{"2"}, State: hall.MachineIdle},
		},
		Sittings: map[string]hall.Sitting{"s1": {ID: "s1", Candidate: "a", Subject: "1", Machine: "m1", State: hall.SittingCalled}},
		Wait:     []hall.Queued{{Candidate: "b", Place: 2}},
		Index:    []hall.Queued{{Candidate: "b", Place: 2, Class: hall.ClassNormal, Due: []string{"1"}}},
		Since:    map[string]time.Time{"b": {}},
		Idle:     map[string][]string{"2": {"m2"}},
		Used:     map[string][]string{"1": {"m1"}},
		Service: map[string]hall.ServiceMachine{
			"m1": {Subjects: []string{"1"}, State: hall.MachineCalled, Subject: "1"},
			"m2": {Subjects: []string{"2"}, State: hall.MachineIdle},
		},
		Loads: map[string]hall.SubjectLoad{
			"1": {ToCome: 1, Capacity: hall.CapacityUnit}, "2": {Capacity: hall.CapacityUnit},
		},
		Due:    []hall.DueItem{{Kind: hall.DueCall, ID: "s1"}},
		Counts: map[hall.CandidateState]int{hall.Called: 1, hall.Waiting: 1},
		Events: []hall.Event{
			{Event: hall.EventLayoutChanged, Machines: map[string]hall.MachineState{"m1": hall.MachineIdle, "m2": hall.MachineIdle}},
			event(hall.EventCandidateRegistered, "a", "", ""), event(hall.EventCandidateRegistered, "b", "", ""),
			event(hall.EventCandidateCheckedIn, "a", "N001", ""), event(hall.EventCandidateCalled, "a", "N001", "s1"),
			event(hall.EventCandidateCheckedIn, "b", "N002", ""),
		},
	}
}

// raise adds an active alert and its event.
func raise(s *hall.State, a hall.Alert) {
	s.Alerts = append(s.Alerts, a)
	s.Events = append(s.Events, hall.Event{
		Event: hall.EventAlertRaised, Alert: a.Name, Machine: a.Machine, Candidate: a.Candidate, Sitting: a.Sitting, At: a.Raised,
	})
}

// TestCheck breaks a sound day in one way each: every check can fail.
func TestCheck(t *testing.T) {
	t.Parallel()
	candidate := func(s *hall.State, id string, change func(*hall.Candidate)) {
		c := s.Candidates[id]
		change(&c)
		s.Candidates[id] = c
	}
	for name, test := range map[string]struct {
		broken func(*hall.State)
		want   string
	}{
		"sound": {func(*hall.State) {}, ""},
		"sound with an alert": {func(s *hall.State) {
			raise(s, hall.Alert{Name: hall.AlertCallUnanswered, Machine: "m1", Sitting: "s1"})
		}, ""},
		"alert without an event": {func(s *hall.State) {
			s.Alerts = []hall.Alert{{Name: hall.AlertNoScreen}}
		}, "invariant 8"},
		"event without an alert": {func(s *hall.State) {
			raise(s, hall.Alert{Name: hall.AlertNoScreen})
			s.Alerts = nil
		}, "invariant 8"},
		"another alert than the event says": {func(s *hall.State) {
			raise(s, hall.Alert{Name: hall.AlertNoScreen})
			s.Alerts[0].Raised = s.Alerts[0].Raised.Add(1)
		}, "invariant 8"},
		"unknown alert": {func(s *hall.State) { raise(s, hall.Alert{Name: "fire"}) }, "unknown alert"},
		"alert of a sitting that is over": {func(s *hall.State) {
			raise(s, hall.Alert{Name: hall.AlertSittingLong, Machine: "m2", Sitting: "s0"})
		}, "invariant 8"},
		"alert in another state": {func(s *hall.State) {
			raise(s, hall.Alert{Name: hall.AlertMachineIdle, Machine: "m1", Sitting: "s1"})
		}, "invariant 8"},
		"over the target without an alert": {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.OverTarget = true }) }, "invariant 8"},
		"wait alert without the mark":      {func(s *hall.State) { raise(s, hall.Alert{Name: hall.AlertWait, Candidate: "b"}) }, "invariant 8"},
		"two sittings": {func(s *hall.State) {
			s.Sittings["s2"] = hall.Sitting{ID: "s2", Candidate: "a", Machine: "m2", State: hall.SittingSeated}
		}, "invariant 1"},
		"sitting in another room": {func(s *hall.State) {
			m := s.Machines["m1"]
			m.Room = "B"
			s.Machines["m1"] = m
		}, "invariant 1"},
		"due in a pause":            {func(s *hall.State) { s.Hall.Day.Paused = true }, "invariant 6"},
		"candidate without sitting": {func(s *hall.State) { candidate(s, "a", func(c *hall.Candidate) { c.Sitting = "" }) }, "invariant 1"},
		"sitting of somebody else":  {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.Sitting = "s1" }) }, "invariant 1"},
		"unknown state":             {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.State = "lost" }) }, "invariant 1"},
		"machine without sitting": {func(s *hall.State) {
			s.Machines["m2"] = hall.Machine{ID: "m2", Subjects: []string{"2"}, State: hall.MachineInUse}
		}, "invariant 1"},
		"idle nowhere":         {func(s *hall.State) { s.Idle = nil }, "invariant 2"},
		"idle and used":        {func(s *hall.State) { s.Idle["1"] = []string{"m1"} }, "invariant 2"},
		"used nowhere":         {func(s *hall.State) { s.Used = nil }, "invariant 2"},
		"unknown machine idle": {func(s *hall.State) { s.Idle["1"] = []string{"m9"} }, "invariant 2"},
		"spare but idle": {func(s *hall.State) {
			s.Machines["m2"] = hall.Machine{ID: "m2", Subjects: []string{"2"}, State: hall.MachineSpare}
		}, "invariant 2"},
		"unknown to estimates": {func(s *hall.State) { delete(s.Service, "m2") }, "known to estimates: false"},
		"idle to estimates": {func(s *hall.State) {
			s.Service["m1"] = hall.ServiceMachine{Subjects: []string{"1"}, State: hall.MachineIdle}
		}, "to estimates {"},
		"known only to estimates":   {func(s *hall.State) { s.Service["m9"] = hall.ServiceMachine{} }, "unknown machine"},
		"capacity":                  {func(s *hall.State) { s.Loads["2"] = hall.SubjectLoad{} }, "invariant 2"},
		"not in line":               {func(s *hall.State) { s.Wait = nil }, "invariant 3"},
		"in line without waiting":   {func(s *hall.State) { s.Wait = append(s.Wait, hall.Queued{Candidate: "a", Place: 1}) }, "invariant 3"},
		"not in index":              {func(s *hall.State) { s.Index = nil }, "invariant 3"},
		"twice in index":            {func(s *hall.State) { s.Index = append(s.Index, s.Index[0]) }, "invariant 3"},
		"index of another set":      {func(s *hall.State) { s.Index[0].Due = []string{"2"} }, "invariant 3"},
		"no begin of the wait":      {func(s *hall.State) { s.Since = nil }, "invariant 3"},
		"another begin of the wait": {func(s *hall.State) { s.Since["b"] = time.Unix(1, 0) }, "invariant 3"},
		"another place":             {func(s *hall.State) { s.Wait[0].Place = 3 }, "invariant 3"},
		"idle while waiting":        {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.Subjects = []string{"2"} }) }, "invariant 4"},
		"same place": {func(s *hall.State) {
			s.Candidates["c"] = hall.Candidate{ID: "c", State: hall.Waiting, Subjects: []string{"1"}, Place: 2}
			s.Wait = append(s.Wait, hall.Queued{Candidate: "c", Place: 2})
			s.Since["c"] = time.Time{}
		}, "invariant 5"},
		"states do not add up":  {func(s *hall.State) { s.Counts[hall.Waiting]++ }, "invariant 6"},
		"not set aside":         {func(s *hall.State) { s.Aside = []string{"b"} }, "invariant 6"},
		"work to come":          {func(s *hall.State) { s.Loads["1"] = hall.SubjectLoad{ToCome: 2, Capacity: hall.CapacityUnit} }, "invariant 6"},
		"never due":             {func(s *hall.State) { s.Due = nil }, "invariant 6"},
		"due without need":      {func(s *hall.State) { s.Due = append(s.Due, hall.DueItem{Kind: hall.DueRest, ID: "b"}) }, "invariant 6"},
		"hold due without hold": {func(s *hall.State) { s.Due = append(s.Due, hall.DueItem{Kind: hall.DueHold, ID: "b"}) }, "invariant 6"},
		"same ticket":           {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.Ticket = "N001" }) }, "invariant 7"},
		"no ticket":             {func(s *hall.State) { candidate(s, "b", func(c *hall.Candidate) { c.Ticket = "" }) }, "invariant 7"},
		"event lost":            {func(s *hall.State) { s.Events = s.Events[:len(s.Events)-1] }, "invariant 8"},
		"event twice": {func(s *hall.State) {
			s.Events = append(s.Events, hall.Event{Event: hall.EventMachineOutOfService, Machine: "m2"})
		}, "invariant 8"},
		"phone page of nobody": {func(s *hall.State) { s.Phones = map[string]string{"secret": "a"} }, "invariant 9"},
		"phone page not found": {func(s *hall.State) { s.Secrets = map[string]string{"a": "secret"} }, "invariant 9"},
		"phone page without ticket": {func(s *hall.State) {
			s.Candidates["c"] = hall.Candidate{ID: "c", State: hall.Registered}
			s.Secrets, s.Phones = map[string]string{"c": "secret"}, map[string]string{"secret": "c"}
		}, "invariant 9"},
		"unknown sitting in events": {func(s *hall.State) { delete(s.Sittings, "s1") }, "invariant 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := soundState()
			test.broken(&s)
			got := hall.Check(&s)
			if test.want == "" {
				if len(got) > 0 {
					t.Errorf("a sound day is said to be broken: %q", got)
				}
				return
			}
			if !strings.Contains(strings.Join(got, "\n"), test.want) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
}
