package follow

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// source gives the hints that it is told to give.
type source struct{ hints chan hall.Hint }

func (source) HallIDs(context.Context) ([]string, error) { return []string{"a", "b"}, nil }

func (s source) Watch(ctx context.Context, changed func(hall.Hint)) error {
	for {
		select {
		case h := <-s.hints:
			changed(h)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// TestLooks has a hall whose looks take a minute and one that asks for another
// look: no hall is looked at twice at a time, and no hint is lost.
func TestLooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var looks []string
		busy, begin := map[string]bool{}, time.Now()
		look := func(_ context.Context, id string) (time.Duration, error) {
			mu.Lock()
			if busy[id] {
				t.Errorf("%s is looked at twice at a time", id)
			}
			busy[id] = true
			looks = append(looks, id+" "+time.Since(begin).String())
			mu.Unlock()
			if id == "a" {
				time.Sleep(time.Minute) //nolint:forbidigo // the time of the bubble
			}
			mu.Lock()
			defer mu.Unlock()
			busy[id] = false
			if id == "b" && time.Since(begin) < time.Minute {
				return 20 * time.Second, nil
			}
			return 0, nil
		}
		s := source{make(chan hall.Hint)}
		f := New(Config{Source: s, Look: look, Sweep: 10 * time.Hour})
		if err := f.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for range 3 {
			s.hints <- hall.Hint{Hall: "a"} // while it is looked at: once more afterwards
		}
		time.Sleep(90 * time.Second) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		mu.Lock()
		got := slices.Sorted(slices.Values(looks))
		mu.Unlock()
		f.Stop()
		f.Stop()
		if want := []string{"a 0s", "a 1m0s", "b 0s", "b 20s", "b 40s", "b 1m0s"}; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("looks %q, want %q", got, want)
		}
	})
}
