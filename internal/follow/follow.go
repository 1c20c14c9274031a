// Package follow looks at every hall whose events go on: when a hint says so,
// when a look asked for another one, and now and again, since hints may be lost.
package follow

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

// Defaults of a Config.
const (
	DefaultSweep  = 15 * time.Second // between two looks at every hall
	DefaultAtOnce = 4                // halls that a node looks at together
	DefaultLimit  = 5 * time.Minute  // for one look
)

// afterLoss is the time until the store is asked again that did not answer.
const afterLoss = time.Second

// Source is what a Follower needs of hall.Store.
type Source interface {
	HallIDs(ctx context.Context) ([]string, error)
	Watch(ctx context.Context, changed func(hall.Hint)) error
}

// Look does what there is to do in a hall. It is never called for one hall
// twice at a time by one Follower. If again is not 0, the hall is looked at
// again after so long at the latest.
type Look func(ctx context.Context, hallID string) (again time.Duration, err error)

// Config is what a Follower does. All but Source and Look may be left out.
type Config struct {
	Source Source
	Look   Look
	Sweep  time.Duration // between two looks at every hall; 0 is DefaultSweep
	AtOnce int           // halls at a time; 0 is DefaultAtOnce
	Limit  time.Duration // for one look; 0 is DefaultLimit
	Log    *slog.Logger  // is told of trouble and its end, once each; nil drops it
}

// Follower looks at halls between Start and Stop. Followers of any number of
// nodes may look at the same halls.
type Follower struct {
	c     Config
	inbox *inbox

	mu     sync.Mutex
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup

	silent sync.Map // halls in trouble that was logged
}

// New returns a follower that does nothing until Start.
func New(c Config) *Follower {
	c.Sweep, c.AtOnce, c.Limit = cmp.Or(c.Sweep, DefaultSweep), cmp.Or(c.AtOnce, DefaultAtOnce), cmp.Or(c.Limit, DefaultLimit)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Follower{c: c, inbox: newInbox()}
}

// Start starts to follow. It fails if the store does not answer now or the
// follower runs already. The end of ctx does not end it.
func (f *Follower) Start(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		return errors.New("follower runs already")
	}
	if _, err := f.c.Source.HallIDs(ctx); err != nil {
		return fmt.Errorf("follower: %w", err)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	f.done.Go(func() { f.watch(life) })
	f.done.Go(func() { f.sweeps(life) })
	for range f.c.AtOnce {
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
	f.cancel()
	f.done.Wait()
	f.inbox.forget()
	f.cancel = nil
}

// All asks for a look at every hall. It returns at once.
func (f *Follower) All() { f.inbox.putAll() }

// watch feeds the hints of the store to the inbox.
func (f *Follower) watch(life context.Context) {
	for life.Err() == nil {
		_ = f.c.Source.Watch(life, func(h hall.Hint) { // whoever looks meets the same outage and logs it
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
	ticker := time.NewTicker(f.c.Sweep)
	defer ticker.Stop()
	for life.Err() == nil {
		ids, err := f.c.Source.HallIDs(life)
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

// work looks at one hall after the other.
func (f *Follower) work(life context.Context) {
	for {
		id, ok := f.inbox.next(life)
		if !ok {
			return
		}
		ctx, cancel := context.WithTimeout(life, f.c.Limit)
		again, err := f.c.Look(ctx, id)
		cancel()
		f.note(life, id, err)
		if again > 0 {
			f.inbox.putLater(id, again)
		}
		if errors.Is(err, hall.ErrUnavailable) && sleep(life, afterLoss) {
			f.inbox.put(id)
		}
		f.inbox.done(id)
	}
}

// note logs the first of several failures, and their end. A hall in trouble is
// looked at again by the next sweep.
func (f *Follower) note(life context.Context, id string, err error) {
	if err == nil || hall.CodeOf(err) == hall.CodeUnknownHall {
		if _, was := f.silent.LoadAndDelete(id); was {
			f.c.Log.Info("events are followed again", "hall", id)
		}
		return
	}
	if life.Err() != nil {
		return
	}
	if _, was := f.silent.LoadOrStore(id, true); !was {
		f.c.Log.Error("events cannot be followed", "hall", id, "error", err)
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
