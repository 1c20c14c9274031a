package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// How the clock is kept right.
const (
	clockEvery = 10 * time.Second // between two looks at the store's clock
	clockLimit = 2 * time.Second  // for one look
)

// teller knows the time that the halls go by.
type teller interface {
	Now(ctx context.Context) (time.Time, error)
}

// clock shows the store's time on this node: its own clock, put right by what
// the store said last. Nodes whose clocks differ show the same waits, and bring
// what is due at the same time. It is off by no more than the way to the store.
type clock struct {
	node   func() time.Time
	store  teller
	behind atomic.Int64 // the node's clock is behind by so much, a time.Duration

	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newClock(node func() time.Time, store teller) *clock {
	return &clock{node: node, store: store, cancel: func() {}}
}

// Now is the time of the store, as far as this node knows it.
func (c *clock) Now() time.Time { return c.node().Add(time.Duration(c.behind.Load())) }

// start puts the clock right, and again and again until stop.
func (c *clock) start(ctx context.Context) error {
	if err := c.putRight(ctx); err != nil {
		return err
	}
	var life context.Context
	life, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.running.Go(func() {
		tick := time.NewTicker(clockEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = c.putRight(life) // whoever needs the store meets the same outage and says so
			case <-life.Done():
				return
			}
		}
	})
	return nil
}

// stop ends what start began, and waits for it.
func (c *clock) stop() {
	c.cancel()
	c.running.Wait()
}

// putRight asks the store; its answer is taken for that of the middle of the way
// there and back.
func (c *clock) putRight(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, clockLimit)
	defer cancel()
	asked := c.node()
	told, err := c.store.Now(ctx)
	if err != nil {
		return err
	}
	way := c.node().Sub(asked)
	c.behind.Store(int64(told.Sub(asked.Add(way / 2))))
	return nil
}
