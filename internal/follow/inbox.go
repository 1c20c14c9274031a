package follow

import (
	"context"
	"sync"
	"time"
)

// inbox holds the halls to be looked at, each once, in order; putting one never
// waits. A hall that is being looked at is not given to anybody else.
type inbox struct {
	wake chan struct{} // has something in it when there are halls
	all  chan struct{} // has something in it when any hall may have changed

	mu    sync.Mutex
	order []string
	there map[string]bool
	busy  map[string]bool        // halls that are looked at; true when they were put again since
	later map[string]*time.Timer // halls that are put when their time has come
}

func newInbox() *inbox {
	return &inbox{
		wake: make(chan struct{}, 1), all: make(chan struct{}, 1),
		there: map[string]bool{}, busy: map[string]bool{}, later: map[string]*time.Timer{},
	}
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
	b.add(hall)
}

// add puts a hall; it is called with the lock.
func (b *inbox) add(hall string) {
	if _, busy := b.busy[hall]; busy {
		b.busy[hall] = true
		return
	}
	if !b.there[hall] {
		b.there[hall] = true
		b.order = append(b.order, hall)
	}
	signal(b.wake)
}

// putLater puts a hall after a while, instead of when it was to be put before.
func (b *inbox) putLater(hall string, after time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t, ok := b.later[hall]; ok {
		t.Stop()
	}
	b.later[hall] = time.AfterFunc(after, func() { b.put(hall) })
}

// forget drops what is to be put later.
func (b *inbox) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for hall, t := range b.later {
		t.Stop()
		delete(b.later, hall)
	}
}

// next waits for a hall and takes it out until done; false when ctx is over.
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
	b.busy[hall] = false
	if len(b.order) > 0 {
		signal(b.wake) // others work too
	}
	return hall, true
}

// done says that a hall was looked at.
func (b *inbox) done(hall string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	again := b.busy[hall]
	delete(b.busy, hall)
	if again {
		b.add(hall)
	}
}
