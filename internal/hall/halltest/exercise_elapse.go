package halltest

import (
	"sync"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseElapseTogether has as many nodes as there may be take what time
// brings at the same instant: each announcement is made once, and whoever does
// not answer is a no-show once.
func exerciseElapseTogether(t *testing.T, factory Factory) {
	layout := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.RecallLimit = 1 })
	d := open(t, factory, layout, Row("a", "1"), Row("b", "1"))
	d.checkIn("a", "b")
	unanswered := layout.Rules.CallTimeout()

	d.clock.Move(unanswered)
	d.elapseTogether()
	if s := d.calledTo("a"); s.Recalls != 1 {
		t.Errorf("announced again %d times", s.Recalls)
	}
	d.happened(map[hall.EventName]int{hall.EventCandidateRecalled: 1, hall.EventCandidateNoShow: 0, hall.EventCandidateCalled: 1})

	d.clock.Move(unanswered)
	d.elapseTogether()
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Called})
	if s := d.calledTo("b"); s.Recalls != 0 {
		t.Errorf("who was just called was announced again %d times", s.Recalls)
	}
	d.happened(map[hall.EventName]int{hall.EventCandidateRecalled: 1, hall.EventCandidateNoShow: 1, hall.EventCandidateCalled: 2})
	d.sound()
}

// elapseTogether is elapse, many times at once.
func (d *desk) elapseTogether() {
	d.Helper()
	start := make(chan struct{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			<-start
			if _, err := d.store.Elapse(d.Context(), d.id); err != nil {
				d.Error(err)
			}
		})
	}
	close(start)
	all.Wait()
}

// happened fails unless there are so many events of each name today.
func (d *desk) happened(want map[hall.EventName]int) {
	d.Helper()
	st, err := d.store.State(d.Context(), d.id)
	d.must(err)
	got := map[hall.EventName]int{}
	for _, e := range st.Events {
		got[e.Event]++
	}
	for name, n := range want {
		if got[name] != n {
			d.Errorf("%d events %s, want %d", got[name], name, n)
		}
	}
}
