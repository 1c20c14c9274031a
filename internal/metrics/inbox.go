package metrics

import (
	"context"
	"sync"
)

// inbox holds the halls to be looked at, each once, in order; putting one never waits.
type inbox struct {
	wake chan struct{} // has something in it when there are halls
	all  chan struct{} // has something in it when any hall may have changed

	mu    sync.Mutex
	order []string
	there map[string]bool
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), all: make(chan struct{}, 1), there: map[string]bool{}}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (b *inbox) putAll() { signal(b.all) }

func (b *inbox) put(hall string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.there[hall] {
		b.there[hall] = true
		b.order = append(b.order, hall)
	}
	signal(b.wake)
}

// next waits for a hall and takes it out; false when ctx is over.
func (b *inbox) next(ctx context.Context) (hall string, ok bool) {
	for ctx.Err() == nil {
		if hall, ok := b.take(); ok {
			return hall, true
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
		}
	}
	return "", false
}

func (b *inbox) take() (hall string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.order) == 0 {
		return "", false
	}
	hall, b.order = b.order[0], b.order[1:]
	delete(b.there, hall)
	if len(b.order) > 0 {
		signal(b.wake) // others work too
	}
	return hall, true
}
