package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// ownKept is how many messages of its own a node keeps.
const ownKept = 100

// own are the messages of the node itself, in order. They are in its memory
// only: they are about what all others are kept in.
type own struct {
	mu     sync.Mutex
	queue  []message
	wake   chan struct{}
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup
}

func newOwn() *own { return &own{wake: make(chan struct{}, 1)} }

// Redis tells that Redis is not reachable (hall.EventAlertRaised), or that it
// is again. Nodes that call the outage by the same name send the same ids. It
// returns at once.
func (w *Webhook) Redis(event hall.EventName, outage string, at time.Time) {
	suffix := "raised"
	if event == hall.EventAlertCleared {
		suffix = "cleared"
	}
	id := string(hall.AlertRedis) + "_" + outage + "_" + suffix
	m, err := newMessage(id, nil, &hall.Event{ID: id, Event: event, At: at, By: hall.System.By, Alert: hall.AlertRedis}, w.c.Encode)
	if err != nil {
		w.log.Error("an alert cannot be told", "id", id, "error", err)
		return
	}
	w.own.put(m)
}

func (o *own) put(m message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == ownKept {
		o.queue = o.queue[1:]
	}
	o.queue = append(o.queue, m)
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// next waits for a message and takes it out; false when ctx is over.
func (o *own) next(ctx context.Context) (message, bool) {
	for ctx.Err() == nil {
		o.mu.Lock()
		if len(o.queue) > 0 {
			m := o.queue[0]
			o.queue = o.queue[1:]
			o.mu.Unlock()
			return m, true
		}
		o.mu.Unlock()
		select {
		case <-o.wake:
		case <-ctx.Done():
		}
	}
	return message{}, false
}

// start begins to send. It is called once between two stops.
func (o *own) start(ctx context.Context, w *Webhook) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var life context.Context
	life, o.cancel = context.WithCancel(context.WithoutCancel(ctx))
	o.done.Go(func() {
		for {
			m, ok := o.next(life)
			if !ok {
				return
			}
			w.insist(life, &m)
		}
	})
}

func (o *own) stop() {
	o.mu.Lock()
	cancel := o.cancel
	o.cancel = nil
	o.mu.Unlock()
	if cancel != nil {
		cancel()
		o.done.Wait()
	}
}

// insist sends a message again and again until there is nothing more to do with it.
func (w *Webhook) insist(life context.Context, m *message) {
	for t := (&tries{}); life.Err() == nil; {
		_, wait := w.attempt(life, m, t)
		if wait <= 0 {
			return
		}
		select {
		case <-time.After(wait):
		case <-life.Done():
		}
	}
}
