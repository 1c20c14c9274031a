// Package outage notices that Redis does not answer. While it lasts no event
// can say so: this node tells it outside by itself, and has it written down
// once Redis is back.
package outage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

const (
	every   = time.Second      // between two looks
	limit   = time.Second      // for one look
	steady  = 10 * time.Second // that Redis has to answer before an outage is over: one that flaps is one outage
	records = 30 * time.Second // for all halls to have an outage written down
)

// Names gives an outage the same name on all nodes.
type Names interface {
	// NextOutage is what the next one will be called. It fails if Redis does not answer.
	NextOutage(ctx context.Context) (string, error)
	// EndOutage says that one is over, however many nodes say so.
	EndOutage(ctx context.Context, name string) error
}

// Store is what is needed of hall.Store.
type Store interface {
	HallIDs(ctx context.Context) ([]string, error)
	RecordOutage(ctx context.Context, id string, since, until time.Time) error
}

// Tell tells outside that an outage began (hall.EventAlertRaised) or is over
// (hall.EventAlertCleared). It returns at once.
type Tell func(event hall.EventName, name string, at time.Time)

// Config is what a Watcher needs. Tell and Log may be left out.
type Config struct {
	Names Names
	Store Store
	Tell  Tell
	Now   func() time.Time // the time of the store, as far as this node knows it
	Log   *slog.Logger
}

// Watcher looks whether Redis answers between Start and Stop.
type Watcher struct {
	c         Config
	threshold time.Duration // that Redis has not answered before it is an alert

	mu     sync.Mutex
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup

	// What follows belongs to the goroutine that looks.
	name   string    // of the next outage, or of the one that is
	since  time.Time // begin of the outage, zero while there is none
	back   time.Time // since when Redis answers again, zero while it does not
	raised bool      // it lasted long enough to be told
	over   []ended   // to be written down
}

// ended is an outage that is over.
type ended struct {
	name         string
	since, until time.Time
}

// New returns a watcher that does nothing until Start.
func New(c Config) *Watcher {
	if c.Tell == nil {
		c.Tell = func(hall.EventName, string, time.Time) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	rule := hall.AlertRuleOf(hall.AlertRules(), hall.AlertRedis)
	return &Watcher{c: c, threshold: rule.Threshold(nil, 0) + rule.Hold()}
}

// Start starts to look. It fails if Redis does not answer now or the watcher
// runs already. The end of ctx does not end it.
func (w *Watcher) Start(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		return errors.New("outage: watcher runs already")
	}
	var err error
	if w.name, err = w.c.Names.NextOutage(ctx); err != nil {
		return fmt.Errorf("outage: %w", err)
	}
	var life context.Context
	life, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.done.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				w.look(life)
			case <-life.Done():
				return
			}
		}
	})
	return nil
}

// Stop ends the watcher and waits for it. It may be called twice, and before Start.
func (w *Watcher) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel == nil {
		return
	}
	w.cancel()
	w.done.Wait()
	w.cancel = nil
}

// look looks once.
func (w *Watcher) look(life context.Context) {
	asked := w.c.Now()
	ctx, cancel := context.WithTimeout(life, limit)
	name, err := w.c.Names.NextOutage(ctx)
	cancel()
	switch {
	case life.Err() != nil:
	case err != nil:
		w.silent(asked, err)
	default:
		w.answered(asked, name)
		w.write(life)
	}
}

// silent notes that Redis did not answer.
func (w *Watcher) silent(asked time.Time, err error) {
	w.back = time.Time{}
	if w.since.IsZero() {
		w.since = asked
	}
	if w.raised || w.c.Now().Sub(w.since) < w.threshold {
		return
	}
	w.raised = true
	w.c.Log.Error("redis is unreachable", "since", w.since, "error", err)
	w.c.Tell(hall.EventAlertRaised, w.name, w.since)
}

// answered notes that Redis answered. An outage that was told is over only when
// it has answered for a while.
func (w *Watcher) answered(asked time.Time, name string) {
	if !w.raised {
		w.name, w.since = name, time.Time{}
		return
	}
	if w.back.IsZero() {
		w.back = asked
	}
	if w.c.Now().Sub(w.back) < steady {
		return
	}
	w.c.Log.Info("redis is reachable again", "since", w.back)
	w.c.Tell(hall.EventAlertCleared, w.name, w.back)
	w.over = append(w.over, ended{w.name, w.since, w.back})
	w.since, w.back, w.raised = time.Time{}, time.Time{}, false
}

// write has the outages that are over written down, each hall by hall, and
// gives the next one another name. What fails is tried again at the next look.
func (w *Watcher) write(life context.Context) {
	ctx, cancel := context.WithTimeout(life, records)
	defer cancel()
	for len(w.over) > 0 {
		o := w.over[0]
		if err := w.writeOne(ctx, &o); err != nil {
			w.c.Log.Warn("an outage cannot be written down yet", "error", err)
			return
		}
		w.over = w.over[1:]
	}
}

func (w *Watcher) writeOne(ctx context.Context, o *ended) error {
	if err := w.c.Names.EndOutage(ctx, o.name); err != nil {
		return err
	}
	ids, err := w.c.Store.HallIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		err := w.c.Store.RecordOutage(ctx, id, o.since, o.until)
		switch {
		case err == nil, hall.CodeOf(err) == hall.CodeUnknownHall:
		case errors.Is(err, hall.ErrUnavailable), ctx.Err() != nil:
			return err
		default: // a fault of this hall keeps no other from having it
			w.c.Log.Error("an outage cannot be written down", "hall", id, "error", err)
		}
	}
	return nil
}
