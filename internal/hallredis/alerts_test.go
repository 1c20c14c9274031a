package hallredis_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// watchedHall is a hall whose definitions a test chooses, and its Redis.
type watchedHall struct {
	*testing.T

	store  *hallredis.Store
	clock  *halltest.Clock
	client redis.UniversalClient
	key    func(name string) string
}

var by = hall.Caller{By: "test"}

func onBothServers(t *testing.T, rules []hall.AlertRule, test func(*watchedHall)) {
	t.Helper()
	for server := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := servers[server](t)
			clock := halltest.NewClock()
			w := &watchedHall{
				T: t, clock: clock, client: client, key: func(name string) string { return prefix + "{h}:" + name },
				store: hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now, Alerts: rules}),
			}
			layout := halltest.Layout("one", "two", "three")
			layout.Rules.CallTimeoutSeconds = 3600
			_, _, err := w.store.PutHall(t.Context(), "h", layout, "", by)
			w.must(err)
			_, err = w.store.PutRoster(t.Context(), "h", []hall.RosterRow{halltest.Row("a", "1"), halltest.Row("b", "1")}, false, by)
			w.must(err)
			test(w)
		})
	}
}

func (w *watchedHall) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *watchedHall) checkIn(candidate string) {
	w.Helper()
	_, _, err := w.store.CheckIn(w.Context(), "h", candidate, hall.CheckIn{}, by)
	w.must(err)
}

// after moves the clock, looks, and says whether an alert is active.
func (w *watchedHall) after(d time.Duration, key string) bool {
	w.Helper()
	w.clock.Move(d)
	w.must(w.store.ReportScreens(w.Context(), "h", "node", 1))
	_, err := w.store.Elapse(w.Context(), "h")
	w.must(err)
	list, err := w.store.Alerts(w.Context(), "h", hall.Page{})
	w.must(err)
	for _, a := range list.Items {
		if a.Key() == key {
			return true
		}
	}
	return false
}

// TestIdleMachinesAreWatchedFromOutside loses a machine that is idle from the
// lists that calling goes by: whoever waits for it waits in vain, and the
// alert sees it all the same.
func TestIdleMachinesAreWatchedFromOutside(t *testing.T) {
	t.Parallel()
	const key = "machine_idle m1"
	onBothServers(t, nil, func(w *watchedHall) {
		w.must(w.client.ZRem(w.Context(), w.key("idle:1"), "m1").Err())
		w.after(time.Hour, key)
		w.checkIn("a")
		w.after(0, key)
		if w.after(30*time.Second-time.Millisecond, key) {
			w.Error("raised a millisecond too soon")
		}
		if !w.after(time.Millisecond, key) {
			w.Fatal("not raised")
		}
		_, err := w.store.Pause(w.Context(), "h", "", "", by)
		w.must(err)
		if w.after(5*time.Second, key) {
			w.Error("a machine of a paused hall should not be in use")
		}
		_, err = w.store.Resume(w.Context(), "h", "", by)
		w.must(err)
		if !w.after(30*time.Second, key) {
			w.Error("not raised again")
		}
		_, err = w.store.Pause(w.Context(), "h", "A", "", by)
		w.must(err)
		if w.after(5*time.Second, key) {
			w.Error("a machine of a paused room should not be in use")
		}
		_, err = w.store.Resume(w.Context(), "h", "A", by) // lists it again, and calls
		w.must(err)
		if w.after(time.Minute, key) {
			w.Error("the machine is taken")
		}
	})
}

// TestNoIdleMachineInManualMode has nobody called by itself.
func TestNoIdleMachineInManualMode(t *testing.T) {
	t.Parallel()
	onBothServers(t, nil, func(w *watchedHall) {
		layout := halltest.Layout("one", "two", "three")
		layout.Rules.Mode = hall.ModeManual
		_, _, err := w.store.PutHall(w.Context(), "h", layout, "", by)
		w.must(err)
		w.checkIn("a")
		w.after(0, "")
		if w.after(time.Minute, "machine_idle m1") {
			w.Error("raised")
		}
	})
}

// TestAlertsHold has other thresholds and hold times than those of the file:
// what is over in the hold was no alert.
func TestAlertsHold(t *testing.T) {
	t.Parallel()
	rules := hall.AlertRules()
	for i := range rules {
		switch rules[i].Name {
		case hall.AlertCallUnanswered:
			rules[i].ThresholdSeconds, rules[i].HoldSeconds = 10, 5
		case hall.AlertSittingLong:
			rules[i].Factor, rules[i].HoldSeconds = 0.5, 7
		default:
		}
	}
	onBothServers(t, rules, func(w *watchedHall) {
		w.checkIn("a")
		w.after(0, "")
		if w.after(14999*time.Millisecond, "call_unanswered m1") {
			w.Error("raised a millisecond too soon")
		}
		if !w.after(time.Millisecond, "call_unanswered m1") {
			w.Error("not raised")
		}
		_, err := w.store.Seat(w.Context(), "h", "s1", by)
		w.must(err)
		if w.after(5*time.Minute+6999*time.Millisecond, "sitting_long m1") {
			w.Error("raised a millisecond too soon")
		}
		if !w.after(time.Millisecond, "sitting_long m1") {
			w.Error("not raised")
		}
	})
}
