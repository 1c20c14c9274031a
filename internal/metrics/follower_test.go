package metrics_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
)

// eventually waits until a condition holds, for a bounded time.
func (s *scene) eventually(what string, ok func() bool) {
	s.Helper()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			s.Fatalf("not within 20 s: %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// position is the last event in the figures, as they are kept.
func (s *scene) position() string {
	base := s.prefix + "{" + escaped.Replace(s.id) + "}:metrics:"
	generation, _ := s.client.HGet(s.Context(), base+"followed", "live:1").Result()
	after, _ := s.client.HGet(s.Context(), base+"1:"+generation+":head", "after").Result()
	return after
}

// TestFollowers has two nodes that follow a hall by its hints, and a
// definition that one of them puts.
func TestFollowers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		followers := []*metrics.Follower{metrics.NewFollower(s.centre, time.Hour), metrics.NewFollower(s.another(0), time.Hour)}
		for _, f := range followers {
			f.Stop() // before Start
			s.must(f.Start(s.Context()))
			if err := f.Start(s.Context()); err == nil {
				s.Error("started twice")
			}
		}
		s.eventually("the events that there were", func() bool { return s.position() != "" })
		var sending sync.WaitGroup
		for i := range 4 {
			sending.Go(func() {
				for n := range 50 {
					s.send("x_seen", "machine", fmt.Sprint("m", i), "candidate", strconv.Itoa(n))
				}
			})
		}
		sending.Wait()
		last := s.lastEvent()
		s.eventually("all events by hints", func() bool { return s.position() == last })
		s.put(seen[0])
		base := s.prefix + "{" + s.id + "}:metrics:"
		s.eventually("the definition by the node that put it", func() bool {
			generation, _ := s.client.HGet(s.Context(), base+"followed", "live:1").Result()
			return s.client.HGet(s.Context(), base+"1:"+generation+":put:seen", "m2").Val() == "50"
		})
		s.eventually("nothing is left of generations that were replaced", func() bool {
			return s.client.SCard(s.Context(), base+"1:generations").Val() == 1
		})
		for _, f := range followers {
			f.Stop()
			f.Stop()
		}
		s.want("50", "seenCount", "machine", "m3")
	})
}

func (s *scene) lastEvent() string {
	s.Helper()
	events, err := s.store.DayEvents(s.Context(), s.id, 1, "", 1_000_000)
	s.must(err)
	return events.Events[len(events.Events)-1].ID
}

// TestLostHints has a hint that nobody hears: the sweep makes it good.
func TestLostHints(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		f := metrics.NewFollower(s.deaf(), 50*time.Millisecond)
		s.must(f.Start(s.Context()))
		defer f.Stop()
		s.send("x_seen")
		last := s.lastEvent()
		s.eventually("all events by the sweep", func() bool { return s.position() == last })
	})
}

// TestTroubleIsLoggedOnce has a hall whose events cannot be read.
func TestTroubleIsLoggedOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.must(s.client.Set(s.Context(), s.prefix+"{bad}:hall", "no hall", 0).Err())
		s.must(s.client.ZAdd(s.Context(), s.prefix+"halls", redis.Z{Member: "bad"}).Err())
		var log safeBuffer
		c, err := metrics.New(s.client, s.store, metrics.Options{Prefix: s.prefix, Log: slog.New(slog.NewTextHandler(&log, nil))})
		s.must(err)
		f := metrics.NewFollower(c, 20*time.Millisecond)
		s.must(f.Start(s.Context()))
		s.send("x_seen")
		last := s.lastEvent()
		s.eventually("the other hall", func() bool { return s.position() == last && strings.Contains(log.String(), "bad") })
		f.Stop()
		if got := strings.Count(log.String(), "\n"); got != 1 {
			s.Errorf("%d lines:\n%s", got, log.String())
		}
	})
}

// deaf is a centre that hears no hints.
func (s *scene) deaf() *metrics.Centre {
	c, err := metrics.New(s.client, silent{s.store}, metrics.Options{Prefix: s.prefix, Now: s.clock.Now})
	s.must(err)
	return c
}

// silent is a store that gives no hints.
type silent struct{ *hallredis.Store }

func (silent) Watch(ctx context.Context, _ func(hall.Hint)) error {
	<-ctx.Done()
	return ctx.Err()
}

// safeBuffer may be written to and read at the same time.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
