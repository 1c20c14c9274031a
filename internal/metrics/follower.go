package metrics

import (
	"context"
	"time"

	"github.com/hallcall/hallcall/internal/follow"
)

// Follower keeps the figures of all halls up to date between Start and Stop.
// It may run on any number of nodes.
type Follower struct {
	*follow.Follower

	centre *Centre
}

// NewFollower returns a follower that does nothing until Start. A sweep of 0 is follow.DefaultSweep.
func NewFollower(c *Centre, sweep time.Duration) *Follower {
	look := func(ctx context.Context, id string) (time.Duration, error) { return 0, c.Follow(ctx, id) }
	return &Follower{follow.New(follow.Config{Source: c.source, Look: look, Sweep: sweep, Log: c.log.With("for", "figures")}), c}
}

// Start starts to follow, also what is put. It fails if the store does not
// answer now or the follower runs already. The end of ctx does not end it.
func (f *Follower) Start(ctx context.Context) error {
	if err := f.Follower.Start(ctx); err != nil {
		return err
	}
	f.centre.onPut(f.All)
	return nil
}

// Stop ends the follower and waits for it. It may be called twice, and before Start.
func (f *Follower) Stop() {
	f.centre.onPut(func() {})
	f.Follower.Stop()
}

// onPut says whom to tell when a definition was put.
func (c *Centre) onPut(told func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put = told
}
