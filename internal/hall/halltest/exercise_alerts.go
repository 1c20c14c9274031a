package halltest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// active lists the keys of the alerts that are active, and checks that all that shows them agrees.
func (d *desk) active() []string {
	d.Helper()
	d.sound()
	list, err := d.store.Alerts(d.Context(), d.id, hall.Page{})
	d.must(err)
	snap, err := d.store.Snapshot(d.Context(), d.id)
	d.must(err)
	if !slices.Equal(snap.Alerts, list.Items) {
		d.Errorf("a snapshot has the alerts %+v, the list %+v", snap.Alerts, list.Items)
	}
	keys := []string{}
	for _, a := range list.Items {
		keys = append(keys, a.Key())
	}
	return keys
}

func (d *desk) wantActive(want ...string) {
	d.Helper()
	if got := d.active(); !slices.Equal(got, want) {
		d.Errorf("active are %q, want %q", got, want)
	}
}

// said counts the events of an alert by name.
func (d *desk) said(event hall.EventName, name hall.AlertName) (events []hall.Event) {
	d.Helper()
	list, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	for _, e := range list.Items {
		if e.Event == event && e.Alert == name {
			events = append(events, e)
		}
	}
	return events
}

// until plays the hall's own time up to an instant, as a node that looks
// whenever something is due; it looks at the instant only if that is due.
func (d *desk) until(at time.Time) {
	d.Helper()
	for {
		next, err := d.store.Elapse(d.Context(), d.id)
		d.must(err)
		now := d.clock.Now()
		if next.IsZero() || next.After(at) {
			d.clock.Move(at.Sub(now))
			return
		}
		if !next.After(now) {
			d.Fatalf("again and again due at %s, it is %s", next, now)
		}
		d.clock.Move(next.Sub(now))
	}
}

// showBoard connects a board for good, so that no alert is about that.
func (d *desk) showBoard() {
	d.Helper()
	d.must(d.store.ReportScreens(d.Context(), d.id, "node", 1))
}

// alertHall has one machine for each subject, calls that run out late and no recalls by itself.
func alertHall(t *testing.T, factory Factory, rows ...hall.RosterRow) *desk {
	t.Helper()
	rules := func(r *hall.Rules) { r.WaitTargetSeconds, r.CallTimeoutSeconds = 7200, 3600 }
	return open(t, factory, with(Layout("one", "two", "three"), rules), rows...)
}

// raisedAt fails unless an alert is raised by the hall's own time at an
// instant, not a millisecond sooner, and once.
func (d *desk) raisedAt(key string, at time.Time) {
	d.Helper()
	has := func() bool { return slices.Contains(d.active(), key) }
	d.until(at.Add(-time.Millisecond))
	d.elapse()
	if has() {
		d.Errorf("%q is active a millisecond too soon", key)
	}
	d.until(at)
	d.elapse()
	if !has() {
		d.Errorf("%q is not active at %s; active are %q", key, at, d.active())
	}
}

func exerciseAlerts(t *testing.T, factory Factory) {
	d := alertHall(t, factory, Row("a", "1"), Row("b", "1"))
	begin := d.clock.Now()
	d.checkIn("a", "b")
	first := d.calledTo("a")
	d.raisedAt("no_screen ", begin.Add(60*time.Second))
	d.raisedAt("call_unanswered m1", begin.Add(180*time.Second))
	d.wantActive("no_screen ", "call_unanswered m1")
	list, err := d.store.Alerts(d.Context(), d.id, hall.Page{Number: 2, Size: 1})
	d.must(err)
	want := hall.Alert{
		Name: hall.AlertCallUnanswered, Machine: "m1", Candidate: "a", Ticket: first.Ticket, Subject: "1", Room: "A",
		Sitting: first.ID, Since: begin, Raised: begin.Add(180 * time.Second),
	}
	if list.Total != 2 || len(list.Items) != 1 || list.Items[0] != want {
		t.Errorf("the second alert is %+v, want %+v", list, want)
	}

	d.seat("a")
	d.wantActive("no_screen ")
	seated := d.clock.Now()
	d.raisedAt("sitting_long m1", seated.Add(20*time.Minute)) // twice the minutes of subject 1
	d.raisedAt("wait_over_target b", begin.Add(2*time.Hour))
	d.wantActive("no_screen ", "sitting_long m1", "wait_over_target b")
	d.end("a") // b is called in the same step
	d.wantActive("no_screen ")

	for _, name := range []hall.AlertName{hall.AlertCallUnanswered, hall.AlertSittingLong, hall.AlertWait} {
		raised, cleared := d.said(hall.EventAlertRaised, name), d.said(hall.EventAlertCleared, name)
		if len(raised) != 1 || len(cleared) != 1 {
			t.Fatalf("%s was raised %d times and cleared %d times", name, len(raised), len(cleared))
		}
		up, down := raised[0], cleared[0]
		if up.By != "system" || up.Ticket == "" || up.Since.IsZero() || !down.Since.Equal(up.Since) || down.Machine != up.Machine ||
			down.Candidate != up.Candidate || down.Cause == "" || down.At.Before(up.At) {
			t.Errorf("%s was raised by %+v and cleared by %+v", name, up, down)
		}
	}
	_, err = d.store.Alerts(d.Context(), "nowhere", hall.Page{})
	d.refused(err, hall.CodeUnknownHall)
}

// exerciseClearing has what ends alerts, and what brings them back.
func exerciseClearing(t *testing.T, factory Factory) {
	t.Run("pause", func(t *testing.T) {
		d := alertHall(t, factory, Row("a", "1"))
		d.showBoardFor(2 * time.Hour)
		begin := d.clock.Now()
		d.checkIn("a")
		d.until(begin.Add(175 * time.Second))
		for _, room := range []string{"A", ""} { // the clock stands all the time, not twice where two pauses meet
			_, err := d.store.Pause(d.Context(), d.id, room, "", testCaller)
			d.must(err)
			d.until(d.clock.Now().Add(5 * time.Minute))
		}
		d.until(d.clock.Now().Add(277 * time.Second))
		for _, room := range []string{"A", ""} {
			_, err := d.store.Resume(d.Context(), d.id, room, testCaller)
			d.must(err)
			if room != "" {
				d.until(d.clock.Now().Add(5 * time.Minute))
			}
		}
		d.raisedAt("call_unanswered m1", begin.Add(180*time.Second+19*time.Minute+37*time.Second))
		// Once it is active a pause does not end it.
		_, err := d.store.Pause(d.Context(), d.id, "", "", testCaller)
		d.must(err)
		d.until(d.clock.Now().Add(time.Minute))
		d.wantActive("call_unanswered m1")
	})
	t.Run("rules", func(t *testing.T) {
		d := alertHall(t, factory, Row("a", "1"))
		d.showBoardFor(2 * time.Hour)
		begin := d.clock.Now()
		d.checkIn("a")
		d.raisedAt("call_unanswered m1", begin.Add(3*time.Minute))
		// Nobody confirms calls any more: people sit from then on.
		d.putHall(with(Layout("one", "two", "three"), func(r *hall.Rules) { r.ConfirmSeat = false }))
		d.elapse()
		d.wantActive()
		d.raisedAt("sitting_long m1", begin.Add(20*time.Minute))
		layout := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.ConfirmSeat = false })
		layout.Subjects[0].Minutes = 30
		d.putHall(layout)
		d.elapse()
		d.wantActive()
		d.raisedAt("sitting_long m1", begin.Add(time.Hour))
	})
	t.Run("transfer and undo", func(t *testing.T) {
		rules := func(r *hall.Rules) { r.CallTimeoutSeconds = 3600 }
		d := open(t, factory, with(Layout("one", "one", "two", "three"), rules), Row("a", "1"))
		d.showBoardFor(2 * time.Hour)
		begin := d.clock.Now()
		d.checkIn("a")
		s := d.seat("a")
		d.raisedAt("sitting_long m1", begin.Add(20*time.Minute))
		_, err := d.store.Transfer(d.Context(), d.id, s.ID, hall.Transfer{Machine: "m2"}, testCaller)
		d.must(err)
		d.wantActive()
		d.elapse()
		d.wantActive("sitting_long m2") // it takes too long there too
		d.end("a")
		d.wantActive()
		done := d.undo(d.lastCommand().ID)
		d.wantActive()
		d.elapse()
		d.wantActive("sitting_long m2")
		events, err := d.store.Events(d.Context(), d.id, done.Event, hall.Page{})
		d.must(err)
		for _, e := range events.Items {
			if e.Event == hall.EventUndone && e.Alert != "" {
				t.Errorf("an alert was taken back: %+v", e)
			}
		}
		if n := len(d.said(hall.EventAlertRaised, hall.AlertSittingLong)); n != 3 {
			t.Errorf("raised %d times, want 3", n)
		}
	})
	t.Run("hold", func(t *testing.T) {
		rules := func(r *hall.Rules) { r.WaitTargetSeconds, r.CallTimeoutSeconds = 600, 3600 }
		d := open(t, factory, with(Layout("one", "two", "three"), rules), Row("a", "1"), Row("b", "1"))
		d.showBoardFor(2 * time.Hour)
		begin := d.clock.Now()
		d.checkIn("a", "b")
		d.seat("a")
		d.raisedAt("wait_over_target b", begin.Add(10*time.Minute))
		d.clock.Move(time.Second)
		_, err := d.store.SetClass(d.Context(), d.id, "b", hall.ClassVIP, "", testCaller)
		d.must(err)
		d.wantActive("wait_over_target b")
		if raised := d.said(hall.EventAlertRaised, hall.AlertWait); len(raised) != 1 {
			t.Errorf("raised %d times", len(raised))
		}
		_, err = d.store.Hold(d.Context(), d.id, "b", testCaller)
		d.must(err)
		d.wantActive()
		_, err = d.store.Return(d.Context(), d.id, "b", testCaller)
		d.must(err)
		d.wantActive("wait_over_target b")
		d.must(d.store.Leave(d.Context(), d.id, "b", testCaller))
		d.wantActive()
	})
	t.Run("machine gone", func(t *testing.T) {
		d := alertHall(t, factory, Row("a", "1"), Row("b", "2"))
		d.showBoardFor(2 * time.Hour)
		begin := d.clock.Now()
		d.checkIn("a", "b")
		d.raisedAt("call_unanswered m1", begin.Add(3*time.Minute))
		d.wantActive("call_unanswered m1", "call_unanswered m2")
		d.noShow("a")
		d.wantActive("call_unanswered m2") // a is called again, from now on
		_, err := d.store.Abort(d.Context(), d.id, d.calledTo("b").ID, hall.Abort{Fault: hall.FaultMachine}, testCaller)
		d.must(err)
		d.wantActive()
		d.raisedAt("call_unanswered m1", begin.Add(6*time.Minute))
	})
}

// showBoardFor has a board for so long, as a node that goes on reporting it.
func (d *desk) showBoardFor(long time.Duration) {
	d.Helper()
	at := d.clock.Now()
	d.clock.Move(long)
	d.showBoard()
	d.clock.Move(at.Sub(d.clock.Now()))
}

func exerciseScreens(t *testing.T, factory Factory) {
	d := alertHall(t, factory, Row("a", "1"), Row("b", "1"))
	report := func(node string, boards int) {
		t.Helper()
		d.must(d.store.ReportScreens(t.Context(), d.id, node, boards))
	}
	d.until(d.clock.Now().Add(10 * time.Minute))
	d.elapse()
	d.wantActive() // nobody needs one
	d.checkIn("a")
	d.elapse()
	d.wantActive("no_screen ")
	before, err := d.store.Hall(t.Context(), d.id)
	d.must(err)
	report("n1", 0)
	d.wantActive("no_screen ")
	report("n1", 2)
	d.wantActive()
	after, err := d.store.Hall(t.Context(), d.id)
	d.must(err)
	if after.Version != before.Version+1 {
		t.Errorf("the version went from %d to %d", before.Version, after.Version)
	}
	report("n2", 1)
	report("n1", 0) // one node still has boards, until it is forgotten
	if h, err := d.store.Hall(t.Context(), d.id); err != nil || h.Version != after.Version {
		t.Errorf("a report changed the hall to version %d (%v)", h.Version, err)
	}
	gone := d.clock.Now().Add(hall.ScreensForgotten)
	d.raisedAt("no_screen ", gone.Add(60*time.Second))
	if a := d.said(hall.EventAlertRaised, hall.AlertNoScreen); len(a) != 2 || !a[1].Since.Equal(gone) || a[1].Machine != "" {
		t.Errorf("raised by %+v", a)
	}
	report("n2", 1)
	d.clock.Move(time.Second)
	report("n2", 0) // said so itself: gone since then
	gone = d.clock.Now()
	report("n2", 0)
	d.raisedAt("no_screen ", gone.Add(60*time.Second))
	d.seat("a")
	d.wantActive("no_screen ")
	d.until(d.clock.Now().Add(5 * time.Second))
	d.elapse()
	d.wantActive() // nobody waits or is called any more

	d.refused(d.store.ReportScreens(t.Context(), d.id, "n1", -1), hall.CodeInvalid)
	d.refused(d.store.ReportScreens(t.Context(), d.id, "", 1), hall.CodeInvalid)
	d.refused(d.store.ReportScreens(t.Context(), "nowhere", "n1", 1), hall.CodeUnknownHall)
}

func exerciseOutages(t *testing.T, factory Factory) {
	d := alertHall(t, factory)
	opened := d.clock.Now()
	d.clock.Move(time.Hour)
	record := func(since, until time.Duration) int {
		t.Helper()
		d.must(d.store.RecordOutage(t.Context(), d.id, opened.Add(since), opened.Add(until)))
		d.wantActive()
		return len(d.said(hall.EventAlertRaised, hall.AlertRedis))
	}
	for _, one := range []struct {
		name         string
		since, until time.Duration
		want         int
	}{
		{"before the day", -time.Minute, 0, 0},
		{"too short", time.Minute, time.Minute + 4999*time.Millisecond, 0},
		{"first", time.Minute, time.Minute + 5*time.Second, 1},
		{"again", time.Minute, time.Minute + 5*time.Second, 1},
		{"as another node saw it", time.Minute + time.Second, time.Minute + 20*time.Second, 1},
		{"later", 10 * time.Minute, 15 * time.Minute, 2},
		{"before the last", 5 * time.Minute, 9 * time.Minute, 2},
	} {
		if got := record(one.since, one.until); got != one.want {
			t.Errorf("%s: %d outages, want %d", one.name, got, one.want)
		}
	}
	var together sync.WaitGroup
	for range 8 {
		together.Go(func() {
			if err := d.store.RecordOutage(t.Context(), d.id, opened.Add(20*time.Minute), opened.Add(21*time.Minute)); err != nil {
				t.Error(err)
			}
		})
	}
	together.Wait()
	raised, cleared := d.said(hall.EventAlertRaised, hall.AlertRedis), d.said(hall.EventAlertCleared, hall.AlertRedis)
	if len(raised) != 3 || len(cleared) != 3 {
		t.Fatalf("raised %d times, cleared %d times", len(raised), len(cleared))
	}
	for _, e := range []hall.Event{raised[2], cleared[2]} {
		if !e.Since.Equal(opened.Add(20*time.Minute)) || !e.Until.Equal(opened.Add(21*time.Minute)) || !e.At.Equal(d.clock.Now()) {
			t.Errorf("the outage is %+v", e)
		}
	}
	d.refused(d.store.RecordOutage(t.Context(), d.id, opened, opened.Add(-1)), hall.CodeInvalid)
	d.refused(d.store.RecordOutage(t.Context(), d.id, time.Time{}, opened), hall.CodeInvalid)
	d.refused(d.store.RecordOutage(t.Context(), "nowhere", opened, opened.Add(time.Minute)), hall.CodeUnknownHall)
	_, err := d.store.CloseDay(t.Context(), d.id, "", testCaller)
	d.must(err)
	d.must(d.store.RecordOutage(t.Context(), d.id, opened.Add(30*time.Minute), opened.Add(40*time.Minute)))
	if n := len(d.said(hall.EventAlertRaised, hall.AlertRedis)); n != 0 {
		t.Errorf("%d outages while no day is open", n)
	}
}

// exerciseAlertDays closes a day with alerts, and has nodes that look at once.
func exerciseAlertDays(t *testing.T, factory Factory) {
	d := alertHall(t, factory, Row("a", "1"), Row("b", "2"), Row("c", "1"))
	d.checkIn("a", "b", "c")
	d.seat("b")
	d.clock.Move(3 * time.Hour)
	var together sync.WaitGroup
	for range 8 {
		together.Go(func() {
			if _, err := d.store.Elapse(t.Context(), d.id); err != nil {
				t.Error(err)
			}
		})
	}
	together.Wait()
	active := d.active()
	slices.Sort(active)
	if want := []string{"call_unanswered m1", "no_screen ", "sitting_long m2", "wait_over_target c"}; !slices.Equal(active, want) {
		t.Errorf("active are %q, want %q", active, want)
	}
	for _, name := range hall.AlertNames {
		if n := len(d.said(hall.EventAlertRaised, name)); n > 1 {
			t.Errorf("%s was raised %d times", name, n)
		}
	}
	d.showBoard() // clears one
	closed, err := d.store.CloseDay(t.Context(), d.id, "", testCaller)
	d.must(err)
	d.wantActive()
	st, err := d.store.DayState(t.Context(), d.id, closed.ID)
	d.must(err)
	if broken := hall.Check(&st); len(broken) > 0 || len(st.Alerts) > 0 {
		t.Errorf("the closed day has alerts %+v, broken: %v", st.Alerts, broken)
	}
	cleared := 0
	for _, e := range st.Events {
		if e.Event == hall.EventAlertCleared {
			cleared++
		}
	}
	if cleared != 4 {
		t.Errorf("%d were cleared, want 4", cleared)
	}
	if next, err := d.store.Elapse(t.Context(), d.id); err != nil || !next.IsZero() {
		t.Errorf("while the next day is prepared, something is due at %s (%v)", next, err)
	}
	_, err = d.store.OpenDay(t.Context(), d.id, testCaller)
	d.must(err)
	opened := d.clock.Now()
	d.putRoster(Row("a", "1"))
	d.checkIn("a")
	d.raisedAt("no_screen ", opened.Add(hall.ScreensForgotten+60*time.Second)) // the board of before is still there
	d.raisedAt("call_unanswered m1", opened.Add(180*time.Second))
}

// exerciseBackLate has somebody who comes back from a hold and is over the
// target in one step: the alert stays.
func exerciseBackLate(t *testing.T, factory Factory) {
	layout := Layout("one", "two", "three")
	layout.Rules.WaitTargetSeconds, layout.Rules.MaxHoldSeconds = 10, 60
	d := open(t, factory, layout, Row("a", "1"), Row("b", "1"))
	d.checkIn("a", "b") // b waits
	d.clock.Move(11 * time.Second)
	_, err := d.store.Hold(d.Context(), d.id, "b", testCaller)
	d.must(err)
	d.clock.Move(61 * time.Second)
	for range 2 {
		_, err = d.store.Elapse(d.Context(), d.id)
		d.must(err)
		list, err := d.store.Alerts(d.Context(), d.id, hall.Page{})
		d.must(err)
		if !slices.ContainsFunc(list.Items, func(a hall.Alert) bool { return a.Name == hall.AlertWait && a.Candidate == "b" }) {
			t.Errorf("the alerts are %+v", list.Items)
		}
		d.sound()
		d.clock.Move(time.Second)
	}
}
