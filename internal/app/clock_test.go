package app

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// told is a store with a clock of its own, or one that does not answer.
type told struct {
	slow time.Duration

	mu    sync.Mutex
	ahead time.Duration
	err   error
}

// says sets what the store tells from now on.
func (s *told) says(ahead time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead, s.err = ahead, err
}

// Now implements teller.
func (s *told) Now(context.Context) (time.Time, error) {
	<-time.After(s.slow / 2)
	s.mu.Lock()
	now, err := time.Now().Add(s.ahead), s.err
	s.mu.Unlock()
	<-time.After(s.slow / 2)
	return now, err
}

func TestClockIsPutRight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &told{ahead: time.Hour, slow: 30 * time.Millisecond}
		c := newClock(func() time.Time { return time.Now().Add(-5 * time.Second) }, store)
		if err := c.start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer c.stop()
		ahead := func(want time.Duration) {
			t.Helper()
			synctest.Wait()
			if got := time.Until(c.Now()); got != want {
				t.Errorf("ahead by %v, want %v", got, want)
			}
		}
		ahead(time.Hour)
		store.says(-time.Hour, errors.New("gone"))
		<-time.After(time.Minute)
		ahead(time.Hour) // nothing better is known
		store.says(-time.Hour, nil)
		<-time.After(2 * clockEvery)
		ahead(-time.Hour)
	})
}

func TestClockNeedsTheStore(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	c := newClock(time.Now, &told{err: gone})
	if err := c.start(t.Context()); !errors.Is(err, gone) {
		t.Errorf("start: %v", err)
	}
	c.stop()
}
