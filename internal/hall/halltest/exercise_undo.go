package halltest

import (
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// lastCommand is the event of the last command that may be taken back.
func (d *desk) lastCommand() hall.Event {
	d.Helper()
	snap, err := d.store.Snapshot(d.Context(), d.id)
	d.must(err)
	if len(snap.Commands) == 0 {
		d.Fatal("no command may be taken back")
	}
	return snap.Commands[0]
}

func (d *desk) undo(event string) hall.Undone {
	d.Helper()
	done, err := d.store.Undo(d.Context(), d.id, event, false, testCaller)
	d.must(err)
	d.sound()
	return done
}

// exerciseUndo takes back an end on the wrong tile, after which the next one
// was called.
func exerciseUndo(t *testing.T, factory Factory) {
	layout := Layout("one", "two", "three")
	layout.Machines[1].Spare = true // a waits for it
	d := open(t, factory, layout, Row("a", "1", "2"), Row("b", "1"), Row("c", "1"))
	d.checkIn("a", "b", "c")
	first := d.seat("a")
	before := []hall.Entry{d.entry("a"), d.entry("b"), d.entry("c")}
	d.clock.Move(90 * time.Second)
	d.end("a")
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Called})
	end := d.lastCommand()
	if end.Event != hall.EventSittingEnded || end.Sitting != first.ID || end.By != testCaller.By {
		t.Errorf("the last command is %+v", end)
	}

	would, err := d.store.Undo(d.Context(), d.id, end.ID, true, testCaller)
	d.must(err)
	if would.Event != "" || len(would.Withdrawn) != 1 || would.Withdrawn[0].Candidate != "b" {
		t.Errorf("a dry run says %+v", would)
	}
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Called})

	d.clock.Move(10 * time.Second)
	// A remark does not stand in the way, though it speaks of a as it is now.
	_, err = d.store.AddNote(d.Context(), d.id, "a", "went to the wrong door", testCaller)
	d.must(err)
	done := d.undo(end.ID)
	for i, id := range []string{"a", "b", "c"} {
		was, is := before[i], d.entry(id)
		if is.State != was.State || is.Place != was.Place || is.Ahead != was.Ahead || !is.WaitingSince.Equal(was.WaitingSince) || is.Sitting != was.Sitting {
			t.Errorf("%s is %+v, was %+v", id, is, was)
		}
	}
	if s := d.calledTo("a"); !s.SeatedAt.Equal(first.SeatedAt) || s.State != hall.SittingSeated {
		t.Errorf("the sitting is %+v", s)
	}
	calls, err := d.store.Sittings(d.Context(), d.id, hall.SittingFilter{State: hall.SittingEnded}, hall.Page{})
	d.must(err)
	if len(calls.Items) != 1 || calls.Items[0].Candidate != "b" || calls.Items[0].Outcome != hall.WithdrawnOutcome {
		t.Errorf("ended are %+v", calls.Items)
	}
	if again := d.undo(end.ID); again.Event != done.Event || len(again.Withdrawn) != 1 {
		t.Errorf("the second time it answered %+v, first %+v", again, done)
	}
	exerciseUndoEvents(d, end.ID)
	exerciseUndoBlocked(d)
}

// exerciseUndoEvents reads what an undo says of itself.
func exerciseUndoEvents(d *desk, command string) {
	d.Helper()
	list, err := d.store.Events(d.Context(), d.id, command, hall.Page{})
	d.must(err)
	undoes := []string{}
	for _, e := range list.Items {
		if e.Event == hall.EventUndone {
			undoes = append(undoes, e.Undoes)
		}
	}
	if len(undoes) != 3 || undoes[0] != command { // the end, back in line, the next call
		d.Errorf("taken back are %v", undoes)
	}
	_, err = d.store.Undo(d.Context(), d.id, undoes[1], false, testCaller)
	d.refused(err, hall.CodeNotUndoable)
	for _, unknown := range []string{"1-1", "x", "", "99999999999999999999-1"} {
		_, err = d.store.Undo(d.Context(), d.id, unknown, false, testCaller)
		d.refused(err, hall.CodeUnknownEvent)
	}
	_, err = d.store.Undo(d.Context(), "no8", command, false, testCaller)
	d.refused(err, hall.CodeUnknownHall)
}

// exerciseUndoBlocked takes back only what nothing was built on, and goes back
// step by step.
func exerciseUndoBlocked(d *desk) {
	d.Helper()
	d.end("a")
	end := d.lastCommand().ID
	d.seat("b")
	seat := d.lastCommand().ID
	_, err := d.store.Undo(d.Context(), d.id, end, false, testCaller)
	d.refused(err, hall.CodeUndoBlocked)
	var refused *hall.Error
	if !asError(err, &refused) || len(refused.Faults) != 1 || refused.Faults[0].Value != seat {
		d.Errorf("blocked by %+v, want %s", refused, seat)
	}
	d.undo(seat)
	d.undo(end)
	d.states(map[string]hall.CandidateState{"a": hall.Seated, "b": hall.Waiting, "c": hall.Waiting})

	// Nobody came, the next one is called, and does not come either: all by itself.
	d.end("a")
	end = d.lastCommand().ID
	for range 3 {
		d.clock.Move(180 * time.Second)
		d.elapse()
	}
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Waiting, "c": hall.Called})
	d.undo(end)
	d.states(map[string]hall.CandidateState{"a": hall.Seated, "b": hall.Waiting, "c": hall.Waiting})
	if line := d.line(hall.LineFilter{}); !slices.Equal(line, []string{"b", "c"}) {
		d.Errorf("the line is %v", line)
	}
	if b := d.entry("b"); b.NoShows != 0 {
		d.Errorf("b has %d no-shows", b.NoShows)
	}
}
