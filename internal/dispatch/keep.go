package dispatch

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"
)

// DefaultKeep is the time between two looks for days whose names are kept long enough.
const DefaultKeep = time.Hour

// eraseLimit is how long the days of one hall may take; the next look goes on.
const eraseLimit = time.Minute

// OldDays is what a Keeper needs of hall.Store.
type OldDays interface {
	HallIDs(ctx context.Context) ([]string, error)
	EraseOldDays(ctx context.Context, id string) ([]string, error)
}

// Keeper erases who was there from days that the rules of their hall do not
// keep any longer. It may run on several nodes at once.
type Keeper struct {
	store OldDays
	every time.Duration
	log   *slog.Logger

	mu     sync.Mutex
	cancel context.CancelFunc // nil while not running
	done   sync.WaitGroup
}

// NewKeeper makes a Keeper that does nothing until Start; an interval of 0
// means DefaultKeep, a nil log drops what it says.
func NewKeeper(store OldDays, every time.Duration, log *slog.Logger) *Keeper {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Keeper{store: store, every: cmp.Or(every, DefaultKeep), log: log}
}

// Start begins to look, at once and then at each interval. The end of ctx does
// not end it; a second Start does nothing.
func (k *Keeper) Start(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		return
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	k.cancel = cancel
	k.done.Go(func() {
		for {
			k.look(life)
			if !sleep(life, k.every) {
				return
			}
		}
	})
}

// Stop ends the looking and waits for it. It may be called twice, and before Start.
func (k *Keeper) Stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel == nil {
		return
	}
	k.cancel()
	k.done.Wait()
	k.cancel = nil
}

func (k *Keeper) look(life context.Context) {
	ids, err := k.store.HallIDs(life)
	if err != nil && life.Err() == nil {
		k.log.Warn("old days are not erased now", "error", err)
	}
	for _, id := range ids {
		ctx, cancel := context.WithTimeout(life, eraseLimit)
		erased, err := k.store.EraseOldDays(ctx, id)
		cancel()
		if err != nil && life.Err() == nil {
			k.log.Warn("old days are not erased now", "hall", id, "error", err)
		}
		if len(erased) > 0 {
			k.log.Info("names and texts of old days are erased", "hall", id, "days", erased)
		}
	}
}
