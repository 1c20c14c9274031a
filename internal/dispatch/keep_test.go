package dispatch_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallcall/hallcall/internal/dispatch"
)

// shelf is a store with old days; the hall "broken" cannot be erased.
type shelf struct {
	mu    sync.Mutex
	looks []string
}

func (s *shelf) HallIDs(context.Context) ([]string, error) { return []string{"a", "broken", "z"}, nil }

func (s *shelf) EraseOldDays(_ context.Context, id string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks = append(s.looks, id)
	if id == "broken" {
		return nil, errors.New("broken")
	}
	return []string{"2026-11-30-1"}, nil
}

func (s *shelf) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.looks)
}

func TestKeeperLooksAtEveryHallAgainAndAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		k := dispatch.NewKeeper(s, time.Hour, nil)
		k.Stop() // before Start
		ctx, cancel := context.WithCancel(t.Context())
		k.Start(ctx)
		k.Start(ctx)
		cancel() // does not end it
		synctest.Wait()
		if want := []string{"a", "broken", "z"}; !slices.Equal(s.seen(), want) {
			t.Errorf("at once it looks at %q, want %q", s.seen(), want)
		}
		time.Sleep(2*time.Hour + time.Minute) //nolint:forbidigo // of the test's own clock
		synctest.Wait()
		if n := len(s.seen()); n != 9 {
			t.Errorf("after two hours it has looked %d times", n)
		}
		k.Stop()
		k.Stop()
	})
}
