package metrics_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

const (
	feedFor  = 20 * time.Second
	feedRate = 1000 // events a second
	feedTick = 20 * time.Millisecond
)

// BenchmarkLag feeds a hall with 1,000 events a second for 20 s, all of which
// change figures, while one node follows it by hints as it always does:
//
//	fed/second                       events that there were
//	first-ms, middle-ms, last-ms     lag, by the figure of it, in the first, middle and last third; medians
//	behind-ms                        until the last event was in the figures, after the feeding
func BenchmarkLag(b *testing.B) {
	s := newScene(b, redistest.Client, "one", "two", "both")
	s.store = hallredis.New(s.client, hallredis.Options{Prefix: s.prefix}) // by Redis' clock, as lag is
	c, err := metrics.New(s.client, s.store, metrics.Options{Prefix: s.prefix})
	s.must(err)
	ctx := context.Background()
	s.id = "fed"
	layout := halltest.Layout("one", "two", "both")
	layout.Rules.MaxHoldSeconds = 0
	_, _, err = s.store.PutHall(ctx, s.id, layout, "", tester)
	s.must(err)
	rows := make([]hall.RosterRow, 203)
	for i := range rows {
		rows[i] = halltest.Row(fmt.Sprintf("%03d", i), "1", "2")
	}
	_, err = s.store.PutRoster(ctx, s.id, rows, false, tester)
	s.must(err)
	for _, row := range rows {
		_, _, err := s.store.CheckIn(ctx, s.id, row.Candidate, hall.CheckIn{}, tester)
		s.must(err)
	}
	f := metrics.NewFollower(c, 0)
	s.must(f.Start(ctx))
	defer f.Stop()
	for b.Loop() {
		s.feed(b, rows[3:])
	}
}

// feed has people step aside and come back, at the rate, and reports.
func (s *scene) feed(b *testing.B, rows []hall.RosterRow) {
	b.Helper()
	ctx := context.Background()
	before := s.eventNumber()
	work := make(chan string, 10*feedRate)
	var feeding sync.WaitGroup
	for range 8 {
		feeding.Go(func() {
			for id := range work {
				_, err := s.store.Hold(ctx, s.id, id, tester)
				if err == nil {
					_, err = s.store.Return(ctx, s.id, id, tester)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	var lags []time.Duration
	began, given := time.Now(), 0
	for ticker := time.NewTicker(feedTick); time.Since(began) < feedFor; <-ticker.C {
		for due := int(time.Since(began).Seconds() * feedRate / 2); given < due; given++ {
			work <- rows[given%len(rows)].Candidate
		}
		if lag, err := s.client.HGet(ctx, s.head(), "lag").Int(); err == nil {
			lags = append(lags, time.Duration(lag)*time.Millisecond)
		}
	}
	close(work)
	feeding.Wait()
	fed := float64(s.eventNumber()-before) / time.Since(began).Seconds()
	ended := time.Now()
	for s.behind() && time.Since(ended) < feedFor {
		<-time.After(time.Millisecond)
	}
	third := len(lags) / 3
	ms := func(lags []time.Duration) float64 { return middle(lags) / 1e6 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(fed, "fed/second")
	b.ReportMetric(ms(lags[:third]), "first-ms")
	b.ReportMetric(ms(lags[third:2*third]), "middle-ms")
	b.ReportMetric(ms(lags[2*third:]), "last-ms")
	b.ReportMetric(float64(time.Since(ended).Milliseconds()), "behind-ms")
}

// behind reports whether there are events that are not in the figures.
func (s *scene) behind() bool {
	s.Helper()
	after, err := s.client.HGet(context.Background(), s.head(), "after").Result()
	s.must(err)
	day, err := s.store.DayEvents(context.Background(), s.id, 1, after, 1)
	s.must(err)
	return len(day.Events) > 0
}

// head is the key of the day's head in use.
func (s *scene) head() string {
	base := s.prefix + "{" + escaped.Replace(s.id) + "}:metrics:"
	generation, _ := s.client.HGet(context.Background(), base+"followed", "live:1").Result()
	return base + "1:" + generation + ":head"
}

// eventNumber is how many events there are.
func (s *scene) eventNumber() int {
	s.Helper()
	list, err := s.store.Events(context.Background(), s.id, "", hall.Page{Number: 1, Size: 1})
	s.must(err)
	return list.Total
}
