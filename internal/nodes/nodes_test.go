package nodes_test

import (
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/nodes"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

func onBoth(t *testing.T, test func(t *testing.T, client redis.UniversalClient, prefix string)) {
	t.Helper()
	for name, server := range map[string]func(testing.TB) (redis.UniversalClient, string){"redis": redistest.Client, "memory": redistest.Memory} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := server(t)
			test(t, client, prefix)
		})
	}
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestPositionIsMovedByWhoeverKnowsIt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		n, yes := nodes.New(client, prefix), must[bool](t)
		const id = "a{b}"
		begin, next := hall.Position{Day: 1, After: ""}, hall.Position{Day: 1, After: "7-0"}
		if !yes(n.Move(t.Context(), id, hall.Position{}, begin, 0)) || yes(n.Move(t.Context(), id, hall.Position{}, next, 0)) {
			t.Error("a position must begin once")
		}
		if !yes(n.Move(t.Context(), id, begin, next, 2)) || yes(n.Move(t.Context(), id, begin, hall.Position{Day: 9}, 1)) {
			t.Error("a position must be moved from where it is only")
		}
		if at, err := n.Position(t.Context(), id); err != nil || at != next {
			t.Errorf("position %v, %v", at, err)
		}
		if lost, err := n.Lost(t.Context(), id); err != nil || lost != 2 {
			t.Errorf("%d lost, %v", lost, err)
		}
		if at, err := n.Position(t.Context(), "other"); err != nil || at != (hall.Position{}) {
			t.Errorf("position of another hall: %v, %v", at, err)
		}
		keys, err := client.Keys(t.Context(), prefix+"*").Result()
		if err != nil || len(keys) != 1 || keys[0] != prefix+"{a%7Bb%7D}:webhook" {
			t.Errorf("keys %q, %v", keys, err)
		}
	})
}

func TestLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		n := nodes.New(client, prefix)
		take := func(node string, length time.Duration) time.Duration {
			t.Helper()
			_, wait, err := n.Lease(t.Context(), "h", node, length)
			if err != nil {
				t.Fatal(err)
			}
			return wait
		}
		for range 2 {
			if take("a", time.Hour) != 0 {
				t.Error("a free hall, and one's own, must be given")
			}
		}
		if wait := take("b", time.Hour); wait < time.Minute || wait > time.Hour {
			t.Errorf("the other one waits %v", wait)
		}
		if err := n.Release(t.Context(), "h", "b"); err != nil || take("b", time.Hour) == 0 {
			t.Error("a node gave back what it does not have", err)
		}
		if err := n.Release(t.Context(), "h", "a"); err != nil || take("b", time.Hour) != 0 {
			t.Error("a hall that was given back must be free", err)
		}
		take("b", time.Millisecond) // its end is near
		for deadline := time.Now().Add(5 * time.Second); take("a", time.Hour) != 0; {
			if time.Now().After(deadline) {
				t.Fatal("a lease that is over must be given to another node")
			}
		}
		// The lease of a node whose Redis had a clock far ahead.
		client.HSet(t.Context(), prefix+"{h}:webhook", "node", "lost", "until", time.Now().Add(24*time.Hour).UnixMilli())
		if take("a", time.Minute) != 0 {
			t.Error("a lease without an end must be given to another node")
		}
	})
}

func TestOutagesAreNamedByAllNodesAlike(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, client redis.UniversalClient, prefix string) {
		t.Helper()
		a, b, name := nodes.New(client, prefix), nodes.New(client, prefix), must[string](t)
		first := name(a.NextOutage(t.Context()))
		if got := name(b.NextOutage(t.Context())); first == "" || got != first {
			t.Errorf("%q and %q", first, got)
		}
		for _, n := range []*nodes.Nodes{a, b} { // both were out
			if err := n.EndOutage(t.Context(), first); err != nil {
				t.Fatal(err)
			}
		}
		second := name(a.NextOutage(t.Context()))
		if got := name(b.NextOutage(t.Context())); second == first || got != second {
			t.Errorf("%q, then %q and %q", first, second, got)
		}
	})
}
