package halltest

import (
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func exerciseRecall(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"), Row("b", "1"))
	d.checkIn("a", "b")
	id := d.calledTo("a").ID
	recall := func(announcement int) (hall.Sitting, error) {
		return d.store.Recall(d.Context(), d.id, id, announcement, testCaller)
	}
	d.clock.Move(time.Second)
	for range 2 { // a double click is one
		s, err := recall(2)
		d.must(err)
		if s.Recalls != 1 || !s.AnnouncedAt.Equal(s.CalledAt.Add(time.Second)) {
			t.Errorf("recalls %d, announced %s after the call", s.Recalls, s.AnnouncedAt.Sub(s.CalledAt))
		}
	}
	if _, err := recall(4); hall.CodeOf(err) != hall.CodeWrongState {
		t.Errorf("an announcement was left out: %v", err)
	}
	_, err := recall(3)
	d.must(err)
	_, err = recall(4)
	d.refused(err, hall.CodeRecallLimit)
	_, err = d.store.Recall(d.Context(), d.id, "s99", 2, testCaller)
	d.refused(err, hall.CodeUnknownSitting)
	d.sound()
}

func exerciseNoShow(t *testing.T, factory Factory) {
	rows := []hall.RosterRow{Row("a", "1"), Row("b", "1"), Row("c", "1"), Row("d", "1"), Row("e", "1")}
	d := open(t, factory, Layout("one", "two", "three"), rows...)
	d.checkIn("a", "b", "c", "d", "e")
	first := d.calledTo("a")
	// Unanswered: announced again twice, then a no-show, at the tail.
	for recalls := 1; recalls <= 2; recalls++ {
		d.clock.Move(180 * time.Second)
		d.elapse()
		d.elapse() // safe to take twice
		if s := d.calledTo("a"); s.Recalls != recalls {
			t.Fatalf("announced again %d times, want %d", s.Recalls, recalls)
		}
	}
	d.clock.Move(179 * time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Called})
	d.clock.Move(time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Called})
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"c", "d", "e", "a"}) {
		t.Errorf("line is %v", got)
	}
	list, err := d.store.Sittings(d.Context(), d.id, hall.SittingFilter{State: hall.SittingEnded}, hall.Page{})
	d.must(err)
	if list.Total != 1 || list.Items[0].ID != first.ID || list.Items[0].Outcome != hall.NoShow {
		t.Errorf("ended are %+v", list.Items)
	}
	d.end("b")
	d.end("c")
	d.end("d")
	d.end("e")
	// The second time is one too often.
	d.noShow("a")
	d.states(map[string]hall.CandidateState{"a": hall.Absent})
	_, _, err = d.store.CheckIn(d.Context(), d.id, "a", hall.CheckIn{}, testCaller)
	d.refused(err, hall.CodeNeedsRestore)
	d.sound()

	d = open(t, factory, with(Layout("one", "two", "three"), func(r *hall.Rules) { r.NoShow = "after:2" }), rows...)
	d.checkIn("a", "b", "c", "d", "e")
	d.noShow("a") // b is called: a stands behind the first two of b, c, d, e
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"c", "a", "d", "e"}) {
		t.Errorf("line after:2 is %v", got)
	}
	d.noShow("b") // behind c and a; c is called
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"a", "b", "d", "e"}) {
		t.Errorf("line after:2 is %v", got)
	}
	d.sound()

	d = open(t, factory, with(Layout("one", "two", "three"), func(r *hall.Rules) { r.NoShow = hall.NoShowAbsent }), rows...)
	d.checkIn("a")
	d.noShow("a")
	d.states(map[string]hall.CandidateState{"a": hall.Absent})
	e, err := d.store.Restore(d.Context(), d.id, "a", false, testCaller)
	d.must(err)
	if e.State != hall.Called || e.Ticket != "N001" {
		t.Errorf("restored as %s with %s", e.State, e.Ticket)
	}
	d.sound()
}

func exerciseAbort(t *testing.T, factory Factory) {
	rows := []hall.RosterRow{Row("v", "1"), Row("a", "1"), Row("b", "1"), Row("c", "1")}
	rows[0].Class = hall.ClassVIP
	d := open(t, factory, Layout("one", "two", "three", "one"), rows...)
	d.checkIn("a", "v", "b", "c")
	d.seat("a")
	s, err := d.store.Abort(d.Context(), d.id, d.calledTo("a").ID, hall.Abort{Fault: hall.FaultMachine, Reason: "screen"}, testCaller)
	d.must(err)
	if s.Outcome != hall.Aborted || s.State != hall.SittingEnded {
		t.Errorf("sitting is %+v", s)
	}
	if m := d.machine("m1"); m.State != hall.MachineOutOfService || m.Reason != "screen" || m.Sitting != "" {
		t.Errorf("machine is %+v", m)
	}
	d.reason(hall.EventSittingAborted, "screen")
	// Before all others of the class, with the subject still due.
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("line is %v", got)
	}
	d.sound()
	// With the machine kept it takes the first in order: a, who came before v.
	_, err = d.store.Abort(d.Context(), d.id, d.calledTo("v").ID, hall.Abort{Fault: hall.FaultMachine, KeepMachine: true}, testCaller)
	d.must(err)
	d.states(map[string]hall.CandidateState{"v": hall.Waiting, "a": hall.Called})
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"v", "b", "c"}) {
		t.Errorf("line is %v", got)
	}
	_, err = d.store.Abort(d.Context(), d.id, d.calledTo("a").ID, hall.Abort{Fault: hall.FaultCandidate}, testCaller)
	d.must(err)
	d.states(map[string]hall.CandidateState{"v": hall.Called, "a": hall.Waiting})
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"b", "c", "a"}) {
		t.Errorf("line is %v", got)
	}
	s, err = d.store.Abort(d.Context(), d.id, d.calledTo("v").ID, hall.Abort{Fault: hall.FaultCandidate, Withdraw: true}, testCaller)
	d.must(err)
	if s.Outcome != hall.Aborted {
		t.Errorf("outcome is %s", s.Outcome)
	}
	d.states(map[string]hall.CandidateState{"v": hall.Withdrawn, "b": hall.Called})
	d.sound()
	exerciseTransfer(d)
}

// reason fails unless the last event of that name has the reason.
func (d *desk) reason(name hall.EventName, want string) {
	d.Helper()
	st, err := d.store.State(d.Context(), d.id)
	d.must(err)
	for _, e := range slices.Backward(st.Events) {
		if e.Event == name {
			if got := st.Reasons[e.ID]; got != want {
				d.Errorf("the reason of %s is %q, want %q", name, got, want)
			}
			return
		}
	}
	d.Errorf("no event %s", name)
}

// exerciseTransfer moves b, called on m4, while m1 is out of service.
func exerciseTransfer(d *desk) {
	ctx, id := d.Context(), d.seat("b").ID
	transfer := func(t hall.Transfer) (hall.Sitting, error) {
		return d.store.Transfer(ctx, d.id, id, t, testCaller)
	}
	_, err := transfer(hall.Transfer{})
	d.refused(err, hall.CodeNoMachine)
	_, err = transfer(hall.Transfer{Machine: "m1"})
	d.refused(err, hall.CodeMachineNotIdle)
	_, err = transfer(hall.Transfer{Machine: "m2"})
	d.refused(err, hall.CodeNoMachine)
	_, err = transfer(hall.Transfer{Machine: "m9"})
	d.refused(err, hall.CodeUnknownMachine)

	d.must(d.store.Leave(ctx, d.id, "c", testCaller))
	d.must(d.store.Leave(ctx, d.id, "a", testCaller))
	_, err = d.store.SetMachineState(ctx, d.id, "m1", hall.MachineIdle, hall.OutageReason{}, testCaller)
	d.must(err)
	before := d.calledTo("b")
	d.clock.Move(time.Minute)
	s, err := transfer(hall.Transfer{OutOfService: true, Reason: "mouse"})
	d.must(err)
	if s.ID != id || s.Machine != "m1" || s.Room != "A" || !s.SeatedAt.Equal(before.SeatedAt) || s.State != hall.SittingSeated {
		d.Errorf("moved to %+v", s)
	}
	if m := d.machine("m4"); m.State != hall.MachineOutOfService || m.Reason != "mouse" {
		d.Errorf("the machine left is %+v", m)
	}
	d.reason(hall.EventSittingTransferred, "mouse")
	if s, err = transfer(hall.Transfer{Machine: "m1"}); err != nil || s.Machine != "m1" {
		d.Errorf("the second time: %+v (%v)", s, err)
	}
	d.sound()
}

func exerciseMachines(t *testing.T, factory Factory) {
	layout := Layout("one", "both", "three", "one")
	layout.Machines[0].Label, layout.Machines[3].Spare = "01", true
	d := open(t, factory, layout, Row("a", "1"), Row("b", "1"), Row("c", "2"))
	d.checkIn("a", "b", "c")
	set := func(id string, state hall.MachineState, reason string) (hall.Machine, error) {
		return d.store.SetMachineState(d.Context(), d.id, id, state, hall.OutageReason{Text: reason}, testCaller)
	}
	list, err := d.store.Machines(d.Context(), d.id, hall.MachineFilter{}, hall.Page{Number: 1, Size: 2})
	d.must(err)
	if list.Total != 4 || len(list.Items) != 2 || list.Items[0].Label != "01" || list.Items[1].Label != "m2" {
		t.Errorf("machines are %+v", list)
	}
	if m := list.Items[0]; m.Current == nil || m.Current.Candidate != "a" || m.Current.Name != "Name of a" || m.State != hall.MachineCalled {
		t.Errorf("machine is %+v", m)
	}
	for _, f := range []struct {
		filter hall.MachineFilter
		total  int
	}{
		{hall.MachineFilter{State: hall.MachineIdle}, 1},
		{hall.MachineFilter{Room: "A"}, 2},
		{hall.MachineFilter{Subject: "3"}, 2},
		{hall.MachineFilter{Model: "one", State: hall.MachineSpare}, 1},
	} {
		list, err := d.store.Machines(d.Context(), d.id, f.filter, hall.Page{})
		d.must(err)
		if list.Total != f.total || len(list.Items) != f.total {
			t.Errorf("filter %+v finds %d, want %d", f.filter, list.Total, f.total)
		}
	}
	stats, err := d.store.MachineStatistics(d.Context(), d.id)
	d.must(err)
	if stats.Idle.Total != 1 || stats.Idle.BySubject["3"] != 1 || stats.Idle.BySubject["2"] != 0 || stats.Idle.ByModel["three"] != 1 {
		t.Errorf("idle are %+v", stats.Idle)
	}
	if stats.Used.Total != 2 || stats.Used.BySubject["1"] != 1 || stats.Used.BySubject["2"] != 1 || stats.Used.BySubject["3"] != 0 || stats.Used.ByModel["both"] != 1 {
		t.Errorf("used are %+v", stats.Used)
	}

	_, err = set("m1", hall.MachineOutOfService, "smoke")
	d.refused(err, hall.CodeInUse)
	_, err = set("m9", hall.MachineSpare, "")
	d.refused(err, hall.CodeUnknownMachine)
	_, err = set("m1", hall.MachineCalled, "")
	d.refused(err, hall.CodeInvalid)
	m, err := set("m3", hall.MachineOutOfService, "smoke")
	d.must(err)
	if m.State != hall.MachineOutOfService || m.Reason != "smoke" {
		t.Errorf("machine is %+v", m)
	}
	d.sound()
	// A spare that comes in takes who waits for it.
	m, err = set("m4", hall.MachineIdle, "")
	d.must(err)
	if m.State != hall.MachineCalled || m.Current == nil || m.Current.Candidate != "b" {
		t.Errorf("machine is %+v", m)
	}
	d.clock.Move(90 * time.Second)
	m, err = set("m3", hall.MachineIdle, "")
	d.must(err)
	if m.State != hall.MachineIdle || m.Reason != "" {
		t.Errorf("machine is %+v", m)
	}
	events, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	if last := events.Items[len(events.Items)-1]; last.Event != hall.EventMachineInService || last.Outage == nil || *last.Outage != 90*time.Second {
		t.Errorf("last event is %+v", last)
	}
	d.sound()
}

func exerciseRest(t *testing.T, factory Factory) {
	rules := func(r *hall.Rules) { r.RestSeconds, r.MaxHoldSeconds = 600, 300 }
	d := open(t, factory, with(Layout("one", "two", "three"), rules), Row("a", "1", "2"), Row("b", "1"), Row("c", "1"))
	d.checkIn("a")
	d.end("a")
	d.states(map[string]hall.CandidateState{"a": hall.Resting})
	d.clock.Move(599 * time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Resting})
	d.clock.Move(time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Called})
	if s := d.calledTo("a"); s.Wait != 0 {
		t.Errorf("the rest counts as a wait of %s", s.Wait)
	}
	// On hold the place is kept, the clock of the wait stands, and the hold ends by itself.
	d.checkIn("b", "c")
	d.clock.Move(time.Minute)
	place := d.entry("c").QueuedAt
	_, err := d.store.Hold(d.Context(), d.id, "c", testCaller)
	d.must(err)
	d.clock.Move(299 * time.Second)
	if e := d.entry("c"); e.Wait(e.Now) != time.Minute || e.HoldBy(e.Now) != 299*time.Second || e.Position() != 0 {
		t.Errorf("on hold: waited %s, held %s, position %d", e.Wait(e.Now), e.HoldBy(e.Now), e.Position())
	}
	d.clock.Move(time.Second)
	d.elapse()
	e := d.entry("c")
	if e.State != hall.Waiting || !e.QueuedAt.Equal(place) || e.Wait(e.Now) != time.Minute || e.Hold != 300*time.Second {
		t.Errorf("after the hold: %s, queued at %s, waited %s, held %s", e.State, e.QueuedAt, e.Wait(e.Now), e.Hold)
	}
	d.sound()
}

func exerciseOnce(t *testing.T, factory Factory) {
	d := open(t, factory, with(Layout("one", "one", "three", "two"), func(r *hall.Rules) { r.Mode = hall.ModeManual }),
		Row("a", "1"), Row("b", "1"), Row("c", "1"))
	d.checkIn("a", "b", "c")
	once := hall.Caller{By: "test", Key: "k1"}
	first, err := d.store.Next(d.Context(), d.id, "", once)
	d.must(err)
	again, err := d.store.Next(d.Context(), d.id, "", once)
	d.must(err)
	if first == nil || again == nil || first.ID != again.ID || first.Candidate != "a" {
		t.Errorf("the same key gave %+v and %+v", first, again)
	}
	_, err = d.store.Next(d.Context(), d.id, "m2", once)
	d.refused(err, hall.CodeKeyReused)
	other, err := d.store.Next(d.Context(), d.id, "", hall.Caller{By: "other", Key: "k1"})
	d.must(err)
	if other == nil || other.Candidate != "b" {
		t.Errorf("another caller's key gave %+v", other)
	}
	// The first answer is given again even when the hall changed since.
	pauseOnce := hall.Caller{By: "test", Key: "k3"}
	for range 2 {
		h, err := d.store.Pause(d.Context(), d.id, "", "lunch", pauseOnce)
		d.must(err)
		if !h.Day.Paused || h.Day.PauseMessage != "lunch" {
			t.Errorf("pause answered %+v", h.Day)
		}
		_, err = d.store.Resume(d.Context(), d.id, "", testCaller)
		d.must(err)
	}
	rosterOnce := hall.Caller{By: "test", Key: "k4"}
	for range 2 {
		result, err := d.store.PutRoster(d.Context(), d.id, []hall.RosterRow{Row("n", "1")}, false, rosterOnce)
		d.must(err)
		if result.Created != 1 {
			t.Errorf("the roster answered %+v", result)
		}
	}
	another := Row("m", "1")
	another.Row = 7
	_, err = d.store.PutRoster(d.Context(), d.id, []hall.RosterRow{another}, false, rosterOnce)
	d.refused(err, hall.CodeKeyReused)
	entryOnce := hall.Caller{By: "test", Key: "k5"}
	for range 2 {
		e, first, err := d.store.CheckIn(d.Context(), d.id, "n", hall.CheckIn{}, entryOnce)
		d.must(err)
		if !first || e.Person.Name != "Name of n" || e.Ticket == "" {
			t.Errorf("check-in answered %+v, first %v", e, first)
		}
	}
	refusedOnce := hall.Caller{By: "test", Key: "k2"}
	for range 2 {
		_, err = d.store.Next(d.Context(), d.id, "m1", refusedOnce)
		d.refused(err, hall.CodeMachineNotIdle)
	}
	d.sound()
}
