package metrics_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// BenchmarkFollow measures, by Redis' own clock of commands, what saving all
// built-in figures of an event costs beside the step that made the event: a
// check-in, a seat, and the end of a sitting with what follows from it. What counts:
//
//	saving/…        time in Redis, by medians; at most 3
//	trips/batch     scripts run to save one batch; 1
//	events/second   one hall followed from its begin, by one node
func BenchmarkFollow(b *testing.B) {
	s := newScene(b, redistest.Client, "one", "one", "two", "two", "three", "three", "both", "both")
	ctx := context.Background()
	const waiting = 1000
	rows := make([]hall.RosterRow, 20*waiting)
	for i := range rows {
		rows[i] = halltest.Row(fmt.Sprintf("%05d", i), "1", "2", "3")
	}
	_, err := s.store.PutRoster(ctx, s.id, rows, false, tester)
	s.must(err)
	arrived := 0
	checkIn := func() {
		_, _, err := s.store.CheckIn(ctx, s.id, rows[arrived%len(rows)].Candidate, hall.CheckIn{}, tester)
		s.must(err)
		arrived++
	}
	for range waiting {
		checkIn()
	}
	s.must(s.centre.Follow(ctx, s.id))
	steps, saves := map[string][]int{}, map[string][]int{}
	trips, batches := 0, 0
	measure := func(kind string, step func()) {
		before, _ := s.scripts()
		step()
		stepped, calls := s.scripts()
		s.must(s.centre.Follow(ctx, s.id))
		saved, after := s.scripts()
		steps[kind], saves[kind] = append(steps[kind], stepped-before), append(saves[kind], saved-stepped)
		trips, batches = trips+after-calls, batches+1
	}
	for b.Loop() {
		if arrived < len(rows) {
			measure("check-in", checkIn)
		}
		open, err := s.store.Sittings(ctx, s.id, hall.SittingFilter{State: hall.SittingCalled}, hall.Page{Number: 1, Size: 1})
		s.must(err)
		sitting := open.Items[0].ID
		measure("seat", func() { _, err := s.store.Seat(ctx, s.id, sitting, tester); s.must(err) })
		measure("end", func() { _, err := s.store.End(ctx, s.id, sitting, tester); s.must(err) })
	}
	b.ReportMetric(0, "ns/op") // a round is no unit of anything
	for kind := range steps {
		b.ReportMetric(middle(saves[kind])/middle(steps[kind]), "saving/"+kind)
	}
	b.ReportMetric(float64(trips)/float64(batches), "trips/batch")
	made, err := s.centre.Rebuild(ctx, s.id)
	s.must(err)
	began := time.Now()
	_, err = s.centre.Rebuild(ctx, s.id)
	s.must(err)
	b.ReportMetric(float64(made.Events)/time.Since(began).Seconds(), "events/second")
}

// middle is the median.
func middle[T int | time.Duration](values []T) float64 {
	slices.Sort(values)
	return float64(values[len(values)/2])
}

var evalStats = regexp.MustCompile(`cmdstat_evalsha:calls=(\d+),usec=(\d+)`)

// scripts is how long, in microseconds, and how often Redis ran scripts so far.
func (s *scene) scripts() (usec, calls int) {
	s.Helper()
	m := evalStats.FindStringSubmatch(s.client.Info(context.Background(), "commandstats").Val())
	if m == nil {
		s.Fatal("no statistics of scripts")
	}
	calls, _ = strconv.Atoi(m[1])
	usec, _ = strconv.Atoi(m[2])
	return usec, calls
}
