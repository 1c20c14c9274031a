package dispatch

import (
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// inbox holds hints until the loop takes them; putting one never waits.
type inbox struct {
	wake chan struct{} // has something in it when there are hints

	mu  sync.Mutex
	due map[string]time.Time // the earliest one hinted at, by hall
	all bool                 // anything may have changed
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), due: map[string]time.Time{}}
}

func (b *inbox) put(h hall.Hint) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case h.Hall == "":
		b.all = true
	case h.Due.IsZero():
		return
	default:
		if at, ok := b.due[h.Hall]; ok && at.Before(h.Due) {
			return
		}
		b.due[h.Hall] = h.Due
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take empties the inbox.
func (b *inbox) take() (due map[string]time.Time, all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	due, all = b.due, b.all
	b.due, b.all = map[string]time.Time{}, false
	return due, all
}
