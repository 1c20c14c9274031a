package dispatch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/hallcall/hallcall/internal/dispatch"
	"github.com/hallcall/hallcall/internal/hall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clockwork is a store with nothing but what time brings: the due times of each hall.
type clockwork struct {
	mu     sync.Mutex
	due    map[string][]time.Time // in order
	fails  map[string]error       // by hall; "" is the list of halls
	behind time.Duration          // what the store's clock is behind
	looks  map[string]int
	done   map[string][]time.Time // when each due time was found
	hints  chan hall.Hint
}

func newClockwork() *clockwork {
	return &clockwork{
		due: map[string][]time.Time{}, fails: map[string]error{}, looks: map[string]int{},
		done: map[string][]time.Time{}, hints: make(chan hall.Hint, 100),
	}
}

func (c *clockwork) HallIDs(ctx context.Context) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := errors.Join(ctx.Err(), c.fails[""]); err != nil {
		return nil, err
	}
	ids := []string{}
	for id := range c.due {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

func (c *clockwork) Elapse(ctx context.Context, id string) (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks[id]++
	if err := errors.Join(ctx.Err(), c.fails[id]); err != nil {
		return time.Time{}, err
	}
	now := time.Now().Add(-c.behind)
	for len(c.due[id]) > 0 && !c.due[id][0].After(now) {
		c.due[id] = c.due[id][1:]
		c.done[id] = append(c.done[id], time.Now())
	}
	if len(c.due[id]) == 0 {
		return time.Time{}, nil
	}
	return c.due[id][0], nil
}

func (c *clockwork) Watch(ctx context.Context, changed func(hall.Hint)) error {
	for {
		select {
		case h := <-c.hints:
			if h.Hall == "lost" {
				return hall.ErrUnavailable
			}
			changed(h)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// add makes something due, and hints at it if hint is true.
func (c *clockwork) add(id string, in time.Duration, hint bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := time.Now().Add(in)
	c.due[id] = append(c.due[id], at)
	slices.SortFunc(c.due[id], time.Time.Compare)
	if hint {
		c.hints <- hall.Hint{Hall: id, Due: c.due[id][0]}
	}
}

func (c *clockwork) fail(id string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails[id] = err
}

// found are the times at which what was due in a hall was done, since began.
func (c *clockwork) found(id string, began time.Time) []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := []time.Duration{}
	for _, at := range c.done[id] {
		after = append(after, at.Sub(began))
	}
	return after
}

func (c *clockwork) lookedAt(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.looks[id]
}

// scene is a dispatcher on a store, on a clock that jumps.
type scene struct {
	*clockwork

	t     *testing.T
	began time.Time
	log   bytes.Buffer
}

// run runs a test on a scene.
func run(t *testing.T, test func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{clockwork: newClockwork(), t: t}
		d := dispatch.New(s, dispatch.Config{Log: slog.New(slog.NewTextHandler(&s.log, nil))})
		if err := d.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer d.Stop()
		synctest.Wait()
		s.began = time.Now()
		test(s)
	})
}

// pass lets time pass, which takes none.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// wantFound compares when what was due in a hall was done.
func (s *scene) wantFound(id string, want ...time.Duration) {
	s.t.Helper()
	synctest.Wait()
	if got := s.found(id, s.began); !slices.Equal(got, want) {
		s.t.Errorf("hall %s: done at %v, want %v", id, got, want)
	}
}

func TestHintsAndAnswersGiveTheTime(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.add("a", 3*time.Second, true)
		s.add("a", 7*time.Second, false) // known from the answer to the first
		s.add("b", 5*time.Second, true)
		s.add("b", 2*time.Second, true) // sooner than the last
		pass(10 * time.Second)
		s.wantFound("a", 3*time.Second, 7*time.Second)
		s.wantFound("b", 2*time.Second, 5*time.Second)
	})
}

func TestLostHintIsMadeGoodBySweep(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.add("a", time.Second, false)
		pass(20 * time.Second)
		s.wantFound("a", dispatch.DefaultSweep)
	})
}

func TestHintWithoutHallSweepsAtOnce(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.add("a", 0, false)
		pass(time.Second)
		s.hints <- hall.Hint{}
		s.wantFound("a", time.Second)
	})
}

func TestQuietHallsAreNotPolled(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		for i := range 3000 {
			s.due[fmt.Sprintf("hall %d", i)] = nil
		}
		for range 100 {
			s.hints <- hall.Hint{Hall: "hall 7", Version: 1} // changed, nothing due
			synctest.Wait()
		}
		pass(time.Minute)
		if got := s.lookedAt("hall 7"); got != 4 {
			s.t.Errorf("%d looks in a minute, want 4: one a sweep", got)
		}
	})
}

func TestStoreWithAnotherClock(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.behind = 4 * time.Second
		s.add("a", time.Second, true)
		pass(10 * time.Second)
		s.wantFound("a", 5*time.Second)
		if got := s.lookedAt("a"); got > 20 {
			s.t.Errorf("%d looks while the store's clock was behind", got)
		}
	})
}

// TestClockThatIsPutRight has a node whose own clock goes otherwise, but who
// knows the time of the store: what is due is done at that very time.
func TestClockThatIsPutRight(t *testing.T) {
	t.Parallel()
	for _, behind := range []time.Duration{-5 * time.Second, 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := &scene{clockwork: newClockwork(), t: t}
			s.behind = behind
			d := dispatch.New(s, dispatch.Config{Now: func() time.Time { return time.Now().Add(-behind) }})
			if err := d.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer d.Stop()
			synctest.Wait()
			s.began = time.Now()
			s.add("a", 6*time.Second-behind, true) // by the clock of the store
			pass(time.Minute)
			s.wantFound("a", 6*time.Second)
			if got := s.lookedAt("a"); got > 6 {
				t.Errorf("%d looks in a minute", got)
			}
		})
	}
}

func TestOutage(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.due["a"] = nil
		s.add("a", time.Second, true)
		unavailable := fmt.Errorf("elapse: %w", hall.ErrUnavailable)
		s.fail("", unavailable)
		s.fail("a", unavailable)
		s.hints <- hall.Hint{Hall: "lost"}
		pass(time.Minute)
		if got := strings.Count(s.log.String(), "\n"); got != 1 {
			s.t.Errorf("%d lines in the log, want 1:\n%s", got, s.log.String())
		}
		if got := s.lookedAt("a"); got > 20 {
			s.t.Errorf("%d looks during the outage", got)
		}
		s.fail("", nil)
		pass(6 * time.Second)
		if got := strings.Count(s.log.String(), "\n"); got != 1 {
			s.t.Errorf("%d lines in the log while one hall is away, want 1:\n%s", got, s.log.String())
		}
		s.fail("a", nil)
		pass(5 * time.Second)
		if got := s.found("a", s.began); len(got) != 1 {
			s.t.Errorf("done at %v, want once", got)
		}
		if got := strings.Count(s.log.String(), "answers again"); got != 1 || strings.Count(s.log.String(), "\n") != 2 {
			s.t.Errorf("log of the whole outage:\n%s", s.log.String())
		}
		s.add("a", time.Second, true) // hints are back too
		before := time.Now()
		pass(2 * time.Second)
		if got := s.found("a", before); len(got) != 2 || got[1] != time.Second {
			s.t.Errorf("after the outage: done at %v, want the second after 1s", got)
		}
	})
}

func TestHallInTrouble(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.due["a"], s.due["b"] = nil, nil
		s.fails["a"] = errors.New("unexpected code 9")
		s.add("a", time.Second, true)
		s.add("b", time.Second, true)
		pass(30 * time.Second)
		s.wantFound("b", time.Second)
		if got := strings.Count(s.log.String(), "\n"); got != 1 || !strings.Contains(s.log.String(), "hall=a") {
			s.t.Errorf("want one line about hall a:\n%s", s.log.String())
		}
	})
}

func TestHallThatIsGone(t *testing.T) {
	t.Parallel()
	run(t, func(s *scene) {
		s.fail("a", &hall.Error{Code: hall.CodeUnknownHall})
		s.hints <- hall.Hint{Hall: "a", Due: time.Now()}
		pass(time.Minute)
		if got := s.lookedAt("a"); got != 1 || s.log.Len() > 0 {
			s.t.Errorf("%d looks, log %q; want 1 and nothing", got, s.log.String())
		}
	})
}

func TestStartFailsFast(t *testing.T) {
	t.Parallel()
	c := newClockwork()
	c.fails[""] = hall.ErrUnavailable
	d := dispatch.New(c, dispatch.Config{})
	d.Stop() // before Start
	if err := d.Start(t.Context()); !errors.Is(err, hall.ErrUnavailable) {
		t.Fatalf("Start = %v, want unavailable", err)
	}
	c.fail("", nil)
	if err := d.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.Start(t.Context()); err == nil {
		t.Error("second Start succeeds")
	}
	d.Stop()
	d.Stop()
}

func TestStartAndStopAtRandom(t *testing.T) {
	t.Parallel()
	c := newClockwork()
	d := dispatch.New(c, dispatch.Config{Sweep: time.Millisecond})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				_ = d.Start(t.Context())
				c.add(strconv.Itoa(i), 0, false)
				d.Stop()
			}
		})
	}
	all.Wait()
}
