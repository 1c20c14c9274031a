package halltest

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseUndoApart takes back commands that had no part in what happened since.
func exerciseUndoApart(t *testing.T, factory Factory) {
	layout := Layout("one", "two", "three", "one")
	layout.Machines[3].Spare = true
	layout.Rules.RecallLimit, layout.Rules.RestSeconds = 0, 60
	d := open(t, factory, layout, Row("a", "1"), Row("b", "1"), Row("c", "2", "3"))
	d.checkIn("a", "b")
	undoClassOfCalled(d)
	d.seat("a")
	undoGivesIdleTimeBack(d)
	changesNothing(d)
	d.sound()
}

func (d *desk) class(candidate string, class hall.Class) string {
	d.Helper()
	_, err := d.store.SetClass(d.Context(), d.id, candidate, class, "", testCaller)
	d.must(err)
	return d.lastCommand().ID
}

// undoClassOfCalled: neither the clock of an open call nor what became of the
// call has to do with the class.
func undoClassOfCalled(d *desk) {
	d.Helper()
	d.clock.Move(170 * time.Second)
	d.undo(d.class("a", hall.ClassVIP))
	d.clock.Move(10 * time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Called}) // a's time was not begun anew
	d.clock.Move(time.Second)
	change := d.class("b", hall.ClassVIP)
	d.clock.Move(179 * time.Second)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Called, "b": hall.Waiting})
	_, err := d.store.Undo(d.Context(), d.id, change, false, testCaller)
	d.refused(err, hall.CodeUndoBlocked)
	d.states(map[string]hall.CandidateState{"a": hall.Called, "b": hall.Waiting})
	if noShows := d.entry("b").NoShows; noShows != 1 {
		d.Errorf("b has %d no-shows", noShows)
	}
}

// undoGivesIdleTimeBack: a machine whose call is withdrawn stands where it stood
// among the idle ones.
func undoGivesIdleTimeBack(d *desk) {
	d.Helper()
	d.checkIn("c")
	at := d.seat("c").Machine
	other := map[string]string{"m2": "m3", "m3": "m2"}[at]
	since := d.machine(other).Since
	d.end("c")
	end := d.lastCommand().ID
	d.clock.Move(time.Minute)
	d.elapse()
	if called := d.calledTo("c"); called.Machine != other {
		d.Fatalf("c is called to %s, want %s", called.Machine, other)
	}
	d.undo(end)
	if got := d.machine(other); got.State != hall.MachineIdle || !got.Since.Equal(since) {
		d.Errorf("%s is %s since %v, want idle since %v", other, got.State, got.Since, since)
	}
	d.end("c")
	d.clock.Move(time.Minute)
	d.elapse()
}

// changesNothing: a second reason and the same layout once more are no changes.
func changesNothing(d *desk) {
	d.Helper()
	_, err := d.store.SetMachineState(d.Context(), d.id, "m4", hall.MachineOutOfService, hall.OutageReason{Text: "first"}, testCaller)
	d.must(err)
	out := d.lastCommand().ID
	before, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	m, err := d.store.SetMachineState(d.Context(), d.id, "m4", hall.MachineOutOfService, hall.OutageReason{Text: "second"}, testCaller)
	d.must(err)
	after := d.putHall(before.Layout)
	if m.Reason != "first" || after.Version != before.Version || after.LayoutTag != before.LayoutTag {
		d.Errorf("reason %q, version %d, was %d", m.Reason, after.Version, before.Version)
	}
	d.undo(out)
}

// exerciseHoldLimit changes how long a hold may last while people are on hold.
func exerciseHoldLimit(t *testing.T, factory Factory) {
	layout := Layout("one", "two", "three")
	layout.Machines[0].Spare = true // a waits for it
	d := open(t, factory, layout, Row("a", "1"))
	d.checkIn("a")
	limit := func(seconds int) {
		layout.Rules.MaxHoldSeconds = seconds
		d.putHall(layout)
	}
	_, err := d.store.Hold(d.Context(), d.id, "a", testCaller)
	d.must(err)
	d.clock.Move(50 * time.Second)
	limit(60)
	limit(0)
	d.clock.Move(time.Hour)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Held})
	limit(3660)
	d.clock.Move(10*time.Second - time.Millisecond)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Held})
	d.clock.Move(time.Millisecond)
	d.elapse()
	d.states(map[string]hall.CandidateState{"a": hall.Waiting})
	d.sound()
}
