package halltest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func exerciseEvents(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1", "2"))
	d.checkIn("a")
	d.clock.Move(2 * time.Second)
	d.seat("a")
	d.clock.Move(3 * time.Second)
	first := d.end("a")
	all, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	var names []hall.EventName
	for _, e := range all.Items {
		names = append(names, e.Event)
	}
	want := []hall.EventName{
		hall.EventDayOpened, hall.EventLayoutChanged, hall.EventCandidateRegistered, hall.EventCandidateCheckedIn,
		hall.EventCandidateCalled, hall.EventCandidateSeated, hall.EventSittingEnded, hall.EventCandidateRequeued,
		hall.EventCandidateCalled,
	}
	if !slices.Equal(names, want) || all.Total != len(want) {
		t.Fatalf("events are %v (%d)", names, all.Total)
	}
	called, seated, ended := all.Items[4], all.Items[5], all.Items[6]
	if called.By != "system" || called.Sitting != first.ID || called.Machine != first.Machine || called.Wait == nil || *called.Wait != 0 {
		t.Errorf("call is %+v", called)
	}
	if seated.By != "test" || seated.Walk == nil || *seated.Walk != 2*time.Second {
		t.Errorf("seat is %+v", seated)
	}
	if ended.Length == nil || *ended.Length != 3*time.Second || len(ended.Remaining) != 1 || ended.Subject != first.Subject || ended.Ticket != "N001" {
		t.Errorf("end is %+v", ended)
	}
	later, err := d.store.Events(d.Context(), d.id, ended.ID, hall.Page{Number: 1, Size: 1})
	d.must(err)
	if later.Total != 2 || len(later.Items) != 1 || later.Items[0].ID != all.Items[7].ID {
		t.Errorf("after %s come %+v", ended.ID, later)
	}
	_, err = d.store.Events(d.Context(), d.id, "yesterday", hall.Page{})
	d.refused(err, hall.CodeInvalid)
	_, err = d.store.Events(d.Context(), "nowhere", "", hall.Page{})
	d.refused(err, hall.CodeUnknownHall)
}

func exerciseSnapshot(t *testing.T, factory Factory) {
	rows := []hall.RosterRow{Row("a", "1"), Row("b", "1"), Row("c", "1", "2"), Row("d", "3"), Row("e", "1")}
	d := open(t, factory, Layout("one", "two", "three"), rows...)
	d.checkIn("a", "b", "c", "d", "e")
	d.must(d.store.Leave(d.Context(), d.id, "e", testCaller))
	d.clock.Move(time.Second)
	_, err := d.store.Recall(d.Context(), d.id, d.calledTo("a").ID, 2, testCaller)
	d.must(err)
	snap, err := d.store.Snapshot(d.Context(), d.id)
	d.must(err)
	var calls, line []string
	for _, s := range snap.Calls {
		calls = append(calls, s.Candidate+" "+s.Name)
	}
	for _, e := range snap.Line {
		line = append(line, e.ID)
	}
	if want := []string{"a Name of a", "d Name of d", "c Name of c"}; !slices.Equal(calls, want) {
		t.Errorf("calls are %v, want %v", calls, want)
	}
	if !slices.Equal(line, []string{"b"}) || len(snap.Aside) != 1 || snap.Aside[0].ID != "e" {
		t.Errorf("line is %v, aside %+v", line, snap.Aside)
	}
	if !snap.Now.Equal(d.clock.Now()) || snap.Hall.Version == 0 || snap.Hall.Layout.Name != "Test hall" {
		t.Errorf("snapshot is %+v", snap.Hall)
	}
	if len(snap.Machines) != 3 || snap.Machines[0].Current == nil || snap.Machines[0].Current.Recalls != 1 {
		t.Errorf("machines are %+v", snap.Machines)
	}
	if snap.States[hall.Waiting] != 1 || snap.States[hall.Called] != 3 || snap.States[hall.Withdrawn] != 1 {
		t.Errorf("states are %v", snap.States)
	}
	if snap.Waiting["1"] != 1 || snap.Waiting["2"] != 0 || snap.Waiting["3"] != 0 {
		t.Errorf("waiting are %v", snap.Waiting)
	}
	_, err = d.store.Snapshot(d.Context(), "nowhere")
	d.refused(err, hall.CodeUnknownHall)
}

func exerciseWatch(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"))
	ctx, stop := context.WithCancel(t.Context())
	hints, ended := make(chan hall.Hint, 100), make(chan error, 1)
	go func() { ended <- d.store.Watch(ctx, func(h hall.Hint) { hints <- h }) }()
	await := func() hall.Hint {
		select {
		case h := <-hints:
			return h
		case <-time.After(10 * time.Second):
			t.Fatal("no hint came")
			return hall.Hint{}
		}
	}
	if h := await(); h.Hall != "" {
		t.Errorf("the first hint is %+v, want one for everything", h)
	}
	before, err := d.store.Hall(t.Context(), d.id)
	d.must(err)
	d.checkIn("a")
	h := await()
	if want := d.clock.Now(); h.Hall != d.id || h.Version != before.Version+1 || !h.Due.Equal(want) {
		t.Errorf("hint is %+v, want version %d, due %s", h, before.Version+1, want)
	}
	d.checkIn("a") // changes nothing, so no hint comes before the next one
	d.elapse()     // looks for alerts, now that somebody is there; none of it is news
	d.seat("a")
	if h = await(); h.Version != before.Version+2 || !h.Due.Equal(d.clock.Now().Add(shortestAlert)) {
		t.Errorf("hint is %+v", h)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("watch ended with %v", err)
	}
	d.must(d.store.Ping(t.Context()))
}
