package outage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// site is a Redis that can go away, with what nodes wrote and told.
type site struct {
	mu     sync.Mutex
	gone   bool
	number int
	broken string // hall that cannot be written to
	told   []string
	wrote  []string
	begin  time.Time
}

func (s *site) set(gone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = gone
}

func (s *site) answer() error {
	if s.gone {
		return fmt.Errorf("%w: gone", hall.ErrUnavailable)
	}
	return nil
}

func (s *site) NextOutage(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint("outage", s.number), s.answer()
}

func (s *site) EndOutage(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answer() == nil && name == fmt.Sprint("outage", s.number) {
		s.number++
	}
	return s.answer()
}

func (s *site) HallIDs(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []string{"a", "b", "c"}, s.answer()
}

func (s *site) RecordOutage(_ context.Context, id string, since, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answer() == nil && id == s.broken {
		return errors.New("broken")
	}
	if s.answer() == nil {
		s.wrote = append(s.wrote, fmt.Sprint(id, " ", since.Sub(s.begin), " ", until.Sub(s.begin)))
	}
	return s.answer()
}

func (s *site) tell(event hall.EventName, name string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, fmt.Sprint(event, " ", name, " ", at.Sub(s.begin)))
}

func (s *site) want(t *testing.T, told, wrote []string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.told, told) {
		t.Errorf("told %q, want %q", s.told, told)
	}
	if !slices.Equal(s.wrote, wrote) {
		t.Errorf("wrote %q, want %q", s.wrote, wrote)
	}
}

// inBubble runs watchers of some nodes; pass lets time pass there. Looks are
// at whole seconds, so tests act between them.
func inBubble(t *testing.T, nodes int, test func(t *testing.T, s *site, pass func(time.Duration))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &site{begin: time.Now()}
		for range nodes {
			w := New(Config{Names: s, Store: s, Tell: s.tell, Now: time.Now})
			w.Stop() // before Start
			if err := w.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := w.Start(t.Context()); err == nil {
				t.Error("started twice")
			}
			defer w.Stop()
		}
		pass := func(d time.Duration) {
			time.Sleep(d) //nolint:forbidigo // the time of the bubble
			synctest.Wait()
		}
		pass(500 * time.Millisecond)
		test(t, s, pass)
	})
}

func TestOutage(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, s *site, pass func(time.Duration)) {
		t.Helper()
		s.set(true) // at 0.5 s
		pass(5 * time.Second)
		s.want(t, nil, nil)
		pass(time.Second)
		raised := []string{"alert_raised outage0 1s"}
		s.want(t, raised, nil)
		pass(time.Minute)
		s.want(t, raised, nil) // once
		s.set(false)           // at 66.5 s
		pass(10 * time.Second)
		s.want(t, raised, nil)
		pass(time.Second)
		both := append(raised, "alert_cleared outage0 1m7s")
		wrote := []string{"a 1s 1m7s", "b 1s 1m7s", "c 1s 1m7s"}
		s.want(t, both, wrote)
		pass(time.Minute)
		s.want(t, both, wrote)
		s.set(true) // the next one is another
		pass(6 * time.Second)
		s.want(t, append(both, "alert_raised outage1 2m18s"), wrote)
	})
}

func TestShortOutagesAreNone(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, s *site, pass func(time.Duration)) {
		t.Helper()
		for range 20 {
			s.set(true)
			pass(4 * time.Second)
			s.set(false)
			pass(time.Second)
		}
		s.want(t, nil, nil)
	})
}

func TestFlappingIsOneOutage(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, s *site, pass func(time.Duration)) {
		t.Helper()
		for range 20 {
			s.set(true)
			pass(7 * time.Second)
			s.set(false)
			pass(7 * time.Second)
		}
		pass(time.Minute)
		s.want(t, []string{"alert_raised outage0 1s", "alert_cleared outage0 4m34s"}, []string{"a 1s 4m34s", "b 1s 4m34s", "c 1s 4m34s"})
	})
}

// TestTwoNodes has both tell the same outage by the same name.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	inBubble(t, 2, func(t *testing.T, s *site, pass func(time.Duration)) {
		t.Helper()
		for range 2 {
			s.set(true)
			pass(30 * time.Second)
			s.set(false)
			pass(30 * time.Second)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		times := map[string]int{}
		for _, told := range s.told {
			times[told]++
		}
		for _, want := range []string{
			"alert_raised outage0 1s", "alert_cleared outage0 31s", "alert_raised outage1 1m1s", "alert_cleared outage1 1m31s",
		} {
			if times[want] != 2 {
				t.Errorf("%q was told %d times: %v", want, times[want], times)
			}
		}
	})
}

// TestOutageIsWrittenDownLater has Redis go again before the halls were written to.
func TestOutageIsWrittenDownLater(t *testing.T) {
	t.Parallel()
	inBubble(t, 1, func(t *testing.T, s *site, _ func(time.Duration)) {
		t.Helper()
		w := New(Config{Names: s, Store: s, Tell: s.tell, Now: time.Now})
		s.broken = "b"
		w.over = []ended{{"outage0", s.begin, s.begin.Add(time.Minute)}}
		s.set(true)
		w.write(t.Context())
		s.want(t, nil, nil)
		s.set(false)
		w.write(t.Context())
		w.write(t.Context())
		s.want(t, nil, []string{"a 0s 1m0s", "c 0s 1m0s"})
	})
}
