package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

const (
	stepLimit = 5 * time.Second // for the store to answer
	// shortest is the least time between two looks at a hall: a store whose
	// clock is behind this one says again and again that it is not time yet.
	shortest = 250 * time.Millisecond
)

// loop is one run of a Dispatcher. All of it belongs to one goroutine, but the inbox.
type loop struct {
	store      Store
	sweepEvery time.Duration
	now        func() time.Time
	log        *slog.Logger
	inbox      *inbox

	queue      *queue
	troubles   map[string]trouble // by hall whose last look failed
	nextSweep  time.Time
	sweepDelay time.Duration // not 0 after a sweep that failed
	outage     bool          // the store does not answer, and that was logged
}

// trouble is what came of the last look at a hall.
type trouble struct {
	delay  time.Duration // until the next look
	outage bool          // the store did not answer; otherwise the hall itself is in trouble
}

func newLoop(store Store, sweepEvery time.Duration, now func() time.Time, log *slog.Logger) *loop {
	return &loop{
		store: store, sweepEvery: sweepEvery, now: now, log: log,
		inbox: newInbox(), queue: newQueue(), troubles: map[string]trouble{},
	}
}

// run does what is due until life is over.
func (l *loop) run(life context.Context) {
	for life.Err() == nil {
		l.readHints()
		if !l.now().Before(l.nextSweep) {
			l.sweep(life)
		}
		if id, ok := l.queue.due(l.now()); ok {
			l.elapse(life, id)
			continue
		}
		l.wait(life)
	}
}

// readHints brings looks forward. A hint never puts one off: if it is older
// than the last look, it costs a look for nothing, but nothing is forgotten.
func (l *loop) readHints() {
	due, all := l.inbox.take()
	for id, at := range due {
		if l.troubles[id].delay == 0 { // one that failed has its time already
			l.queue.bring(id, at)
		}
	}
	if all {
		l.nextSweep = l.now()
	}
}

// wait waits until there is something to do.
func (l *loop) wait(life context.Context) {
	until := l.nextSweep
	if at, ok := l.queue.next(); ok && at.Before(until) {
		until = at
	}
	timer := time.NewTimer(until.Sub(l.now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.inbox.wake:
	case <-life.Done():
	}
}

// sweep looks at every hall there is.
func (l *loop) sweep(life context.Context) {
	ctx, cancel := context.WithTimeout(life, stepLimit)
	defer cancel()
	ids, err := l.store.HallIDs(ctx)
	now := l.now()
	if err != nil {
		l.sweepDelay = longer(l.sweepDelay)
		l.nextSweep = now.Add(min(l.sweepDelay, l.sweepEvery))
		l.silent(life, err)
		return
	}
	l.sweepDelay, l.nextSweep = 0, now.Add(l.sweepEvery)
	for _, id := range ids {
		if l.troubles[id].delay == 0 {
			l.queue.bring(id, now)
		}
	}
	l.answered()
}

// elapse does what is due in a hall and notes when to look at it next.
func (l *loop) elapse(life context.Context, id string) {
	ctx, cancel := context.WithTimeout(life, stepLimit)
	defer cancel()
	next, err := l.store.Elapse(ctx, id)
	now := l.now()
	if err == nil || hall.CodeOf(err) == hall.CodeUnknownHall {
		delete(l.troubles, id)
		l.answered()
		if !next.IsZero() {
			l.queue.set(id, later(next, now.Add(shortest)))
		}
		return
	}
	last := l.troubles[id]
	t := trouble{delay: longer(last.delay), outage: outage(err)}
	l.troubles[id] = t
	l.queue.set(id, now.Add(t.delay))
	switch {
	case t.outage:
		l.silent(life, err)
	case last.delay == 0 && life.Err() == nil:
		l.log.Error("time cannot go on in a hall", "hall", id, "error", err)
	}
}

// outage reports whether an error says nothing about the hall itself.
func outage(err error) bool {
	return errors.Is(err, hall.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// silent logs that the store does not answer, once an outage.
func (l *loop) silent(life context.Context, err error) {
	if !l.outage && life.Err() == nil {
		l.outage = true
		l.log.Error("time cannot go on: the store does not answer", "error", err)
	}
}

// answered logs the end of an outage, once the store answers for every hall:
// a part of a cluster may be gone while the rest answers.
func (l *loop) answered() {
	if !l.outage || l.sweepDelay != 0 {
		return
	}
	for _, t := range l.troubles {
		if t.outage {
			return
		}
	}
	l.outage = false
	l.log.Info("time goes on: the store answers again")
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
