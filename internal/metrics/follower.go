package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// DefaultSweep is the time between two looks at every hall.
const DefaultSweep = 15 * time.Second

const (
	atOnce    = 4               // halls that a node follows at a time
	afterLoss = time.Second     // until the store is asked again that did not answer
	stepLimit = 5 * time.Minute // for one hall, also for its figures to be made anew
)

// Follower keeps the figures of all halls up to date between Start and Stop.
// It may run on any number of nodes.
type Follower struct {
	centre *Centre
	sweep  time.Duration
	log    *slog.Logger
	inbox  *inbox

	mu     sync.Mutex
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup

	silent sync.Map // halls in trouble that was logged
}

// NewFollower returns a follower that does nothing until Start. A sweep of 0 is DefaultSweep.
func NewFollower(c *Centre, sweep time.Duration) *Follower {
	return &Follower{centre: c, sweep: cmp.Or(sweep, DefaultSweep), log: c.log, inbox: newInbox()}
}

// Start starts to follow. It fails if the store does not answer now or the
// follower runs already. The end of ctx does not end it.
func (f *Follower) Start(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		return errors.New("metrics: follower runs already")
	}
	if _, err := f.centre.source.HallIDs(ctx); err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	f.centre.onPut(f.inbox.putAll)
	f.done.Go(func() { f.watch(life) })
	f.done.Go(func() { f.sweeps(life) })
	for range atOnce {
		f.done.Go(func() { f.work(life) })
	}
	return nil
}

// Stop ends the follower and waits for it. It may be called twice, and before Start.
func (f *Follower) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel == nil {
		return
	}
	f.centre.onPut(func() {})
	f.cancel()
	f.done.Wait()
	f.cancel = nil
}

// onPut says whom to tell when a definition was put.
func (c *Centre) onPut(told func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put = told
}

// watch feeds the hints of the store to the inbox.
func (f *Follower) watch(life context.Context) {
	for life.Err() == nil {
		_ = f.centre.source.Watch(life, func(h hall.Hint) { // whoever follows meets the same outage and logs it
			if h.Hall == "" {
				f.inbox.putAll()
			} else {
				f.inbox.put(h.Hall)
			}
		})
		sleep(life, afterLoss)
	}
}

// sweeps looks at every hall there is, now and again and when anything may have changed.
func (f *Follower) sweeps(life context.Context) {
	ticker := time.NewTicker(f.sweep)
	defer ticker.Stop()
	for life.Err() == nil {
		ids, err := f.centre.source.HallIDs(life)
		f.note(life, "", err)
		for _, id := range ids {
			f.inbox.put(id)
		}
		select {
		case <-ticker.C:
		case <-f.inbox.all:
		case <-life.Done():
		}
	}
}

// work follows one hall after the other.
func (f *Follower) work(life context.Context) {
	for {
		id, ok := f.inbox.next(life)
		if !ok {
			return
		}
		ctx, cancel := context.WithTimeout(life, stepLimit)
		err := f.centre.Follow(ctx, id)
		cancel()
		f.note(life, id, err)
		if errors.Is(err, hall.ErrUnavailable) && sleep(life, afterLoss) {
			f.inbox.put(id)
		}
	}
}

// note logs the first of several failures, and their end. A hall in trouble is
// looked at again by the next sweep.
func (f *Follower) note(life context.Context, id string, err error) {
	if err == nil || hall.CodeOf(err) == hall.CodeUnknownHall {
		if _, was := f.silent.LoadAndDelete(id); was {
			f.log.Info("figures are followed again", "hall", id)
		}
		return
	}
	if life.Err() != nil {
		return
	}
	if _, was := f.silent.LoadOrStore(id, true); !was {
		f.log.Error("figures cannot be followed", "hall", id, "error", err)
	}
}

// sleep waits, and reports whether ctx lasted as long.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
