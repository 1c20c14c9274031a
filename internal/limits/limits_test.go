package limits_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/limits"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// slow is a limit that nothing comes back to while a test runs.
var slow = limits.Rates{access.LimitPhone: redis_rate.Limit{Rate: 1, Burst: 3, Period: time.Hour}}

// both runs a test on a real Redis and on the one within the process.
func both(t *testing.T, test func(t *testing.T, client redis.UniversalClient, prefix string)) {
	t.Helper()
	for name, open := range map[string]func(testing.TB) (redis.UniversalClient, string){"redis": redistest.Client, "memory": redistest.Memory} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := open(t)
			test(t, client, prefix)
		})
	}
}

func newLimits(client redis.UniversalClient, prefix string) *limits.Limits {
	return limits.New(client, prefix, slow, slog.New(slog.DiscardHandler))
}

// waitOf is how long an error says to wait.
func waitOf(t *testing.T, err error) time.Duration {
	t.Helper()
	var locked *access.LockedError
	if err != nil && !errors.As(err, &locked) {
		t.Fatal(err)
	}
	if locked == nil {
		return 0
	}
	return locked.Wait
}

func TestNodesShareALimit(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		nodes := []*limits.Limits{newLimits(client, prefix), newLimits(client, prefix)}
		for i := range 5 {
			wait := waitOf(t, nodes[i%2].Take(t.Context(), access.LimitPhone, "192.0.2.1"))
			if (wait > 0) != (i >= 3) || wait > time.Hour {
				t.Errorf("request %d waits %v", i+1, wait)
			}
		}
		if wait := waitOf(t, nodes[0].Take(t.Context(), access.LimitPhone, "192.0.2.2")); wait > 0 {
			t.Errorf("another address waits %v", wait)
		}
		if wait := waitOf(t, nodes[0].Take(t.Context(), access.LimitSocket, "192.0.2.1")); wait > 0 {
			t.Errorf("what has no rate waits %v", wait)
		}
		if err := newLimits(client, prefix+"other:").Take(t.Context(), access.LimitPhone, "192.0.2.1"); err != nil {
			t.Errorf("another site: %v", err)
		}
	})
}

func TestWhoeverGuessesWaitsLonger(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		at := time.UnixMilli(1_796_000_000_000)
		clock := func() time.Time { return at }
		nodes := []*limits.Limits{newLimits(client, prefix).At(clock), newLimits(client, prefix).At(clock)}
		begin := func(i int) time.Duration { return waitOf(t, nodes[i%2].Begin(t.Context(), "device:a", "192.0.2.1")) }
		for i := range 6 {
			if wait := begin(i); wait > 0 {
				t.Fatalf("miss %d waits %v", i+1, wait)
			}
		}
		var waits []time.Duration
		for i := range 7 {
			wait := begin(i)
			waits = append(waits, wait)
			at = at.Add(wait)
			if left := begin(i + 1); left > 0 {
				t.Fatalf("after %v it waits %v more", wait, left)
			}
			nodes[0].Found(t.Context(), "device:a", "192.0.2.1", false) // a number that was checked in before: no way around
			if begin(i) == 0 {
				t.Fatal("a number that is known gets around the waits")
			}
			at = at.Add(wait)
			if left := begin(i); left > 0 {
				t.Fatalf("another miss after %v waits %v more", wait, left)
			}
		}
		if waits[0] != time.Second || waits[1] != 2*time.Second || waits[6] != 20*time.Second {
			t.Errorf("waits %v, want them doubled from 1 s up to 20 s", waits)
		}
		if wait := waitOf(t, nodes[0].Begin(t.Context(), "device:b", "192.0.2.1")); wait > 0 {
			t.Errorf("the kiosk beside it waits %v", wait)
		}
		nodes[0].Found(t.Context(), "device:a", "192.0.2.1", true)
		if wait := begin(1); wait > 0 {
			t.Errorf("after a first check-in it waits %v", wait)
		}
	})
}

// A queue of nervous people at the kiosks of one address, in which two of three
// tries are wrong, is never slowed.
func TestAnHonestQueueHardlyNotices(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		at := time.UnixMilli(1_796_000_000_000)
		l := newLimits(client, prefix).At(func() time.Time { return at })
		for person := range 100 {
			for try := range 3 {
				at = at.Add(100 * time.Millisecond)
				if wait := waitOf(t, l.Begin(t.Context(), "", "192.0.2.1")); wait > 0 {
					t.Fatalf("person %d waits %v", person+1, wait)
				}
				if try == 2 {
					l.Found(t.Context(), "", "192.0.2.1", true)
				}
			}
		}
	})
}

func TestWithoutRedisNothingIsLimited(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	l := newLimits(client, "x:")
	for range 100 {
		if err := l.Take(t.Context(), access.LimitPhone, "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
		if err := l.Begin(t.Context(), "device:a", "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
		l.Found(t.Context(), "device:a", "192.0.2.1", true)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Take(gone, access.LimitPhone, "192.0.2.1"); err != nil {
		t.Error(err)
	}
}

func TestEveryLimitHasARate(t *testing.T) {
	t.Parallel()
	rates := limits.Defaults()
	for _, of := range []access.Limit{
		access.LimitDevice, access.LimitKiosks, access.LimitPairing, access.LimitLogin, access.LimitToken, access.LimitAnonymous, access.LimitPhone, access.LimitSocket,
	} {
		if r := rates[of]; r.Rate <= 0 || r.Burst < r.Rate {
			t.Errorf("%s has %v", of, r)
		}
	}
}
