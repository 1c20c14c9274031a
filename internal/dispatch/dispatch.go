// Package dispatch is the loop for what time brings to the halls: calls that
// nobody answered, rests and holds that are over. It may run on several nodes
// at once, since every step it asks the store for is safe to take twice.
package dispatch

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

// Store is what the dispatcher needs of hall.Store.
type Store interface {
	HallIDs(ctx context.Context) ([]string, error)
	Elapse(ctx context.Context, id string) (next time.Time, err error)
	Watch(ctx context.Context, changed func(hall.Hint)) error
}

// Config is how a Dispatcher works; the zero Config is good.
type Config struct {
	// Sweep is the time between two looks at every hall, in case a hint was
	// lost or this clock is not that of the store; 0 means DefaultSweep.
	Sweep time.Duration
	// Now is the time of the store, as far as this node knows it; nil is time.Now.
	Now func() time.Time
	// Log is told when the store does not answer and when it does again; nil drops it.
	Log *slog.Logger
}

// Dispatcher brings the halls of a store what time brings.
type Dispatcher struct {
	store Store
	sweep time.Duration
	now   func() time.Time
	log   *slog.Logger

	mu     sync.Mutex
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup
}

// New makes a Dispatcher that does nothing until Start.
func New(store Store, config Config) *Dispatcher {
	d := &Dispatcher{store: store, sweep: cmp.Or(config.Sweep, DefaultSweep), now: config.Now, log: config.Log}
	if d.now == nil {
		d.now = time.Now //nolint:forbidigo // the clock of who gives none
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d
}

// Start starts the loop. It fails if the store does not answer now or the loop
// runs already; once started it lives through every outage until Stop. The end
// of ctx does not end it.
func (d *Dispatcher) Start(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel != nil {
		return errors.New("dispatcher runs already")
	}
	if _, err := d.store.HallIDs(ctx); err != nil {
		return fmt.Errorf("dispatcher: %w", err)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.cancel = cancel
	l := newLoop(d.store, d.sweep, d.now, d.log)
	d.done.Go(func() { watch(life, d.store, l.inbox) })
	d.done.Go(func() { l.run(life) })
	return nil
}

// Stop ends the loop and waits for it. It may be called twice, and before Start.
func (d *Dispatcher) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel == nil {
		return
	}
	d.cancel()
	d.done.Wait()
	d.cancel = nil
}

// watch feeds the hints of the store to the inbox until life is over. The store
// connects again by itself; should it give up, it is asked again.
func watch(life context.Context, store Store, in *inbox) {
	for delay := time.Duration(0); ; delay = longer(delay) {
		_ = store.Watch(life, in.put) // the loop meets the same outage and logs it
		if !sleep(life, longer(delay)) {
			return
		}
	}
}

const (
	firstDelay = 250 * time.Millisecond // after a failure
	lastDelay  = 5 * time.Second
)

// longer is the delay after one more failure.
func longer(delay time.Duration) time.Duration {
	return min(max(2*delay, firstDelay), lastDelay)
}

// sleep waits, and reports whether ctx lasted as long.
func sleep(ctx context.Context, delay time.Duration) bool {
	select {
	case <-time.After(delay):
		return true
	case <-ctx.Done():
		return false
	}
}
