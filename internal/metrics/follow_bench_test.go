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
// built-in figures costs beside the step that made the events: the end of a
// sitting with what follows from it. What counts:
//
//	saving/step     time in Redis; at most 3
//	trips/batch     scripts run to save one batch; 1
//	events/second   one hall followed from its begin, by one node
func BenchmarkFollow(b *testing.B) {
	s := newScene(b, redistest.Client, "one", "one", "two", "two", "three", "three", "both", "both")
	ctx := context.Background()
	rows := make([]hall.RosterRow, 3000)
	for i := range rows {
		rows[i] = halltest.Row(fmt.Sprintf("%04d", i), "1", "2", "3")
	}
	_, err := s.store.PutRoster(ctx, s.id, rows, false, tester)
	s.must(err)
	for _, row := range rows[:1000] {
		_, _, err := s.store.CheckIn(ctx, s.id, row.Candidate, hall.CheckIn{}, tester)
		s.must(err)
	}
	s.must(s.centre.Follow(ctx, s.id))
	var steps, saves []int
	trips := 0
	for b.Loop() {
		open, err := s.store.Sittings(ctx, s.id, hall.SittingFilter{State: hall.SittingCalled}, hall.Page{Number: 1, Size: 1})
		s.must(err)
		before, _ := s.scripts()
		_, err = s.store.End(ctx, s.id, open.Items[0].ID, tester)
		s.must(err)
		step, calls := s.scripts()
		s.must(s.centre.Follow(ctx, s.id))
		save, after := s.scripts()
		steps, saves, trips = append(steps, step-before), append(saves, save-step), trips+after-calls
	}
	slices.Sort(steps)
	slices.Sort(saves)
	b.ReportMetric(float64(saves[len(saves)/2])/float64(steps[len(steps)/2]), "saving/step")
	b.ReportMetric(float64(trips)/float64(len(steps)), "trips/batch")
	made, err := s.centre.Rebuild(ctx, s.id)
	s.must(err)
	began := time.Now()
	_, err = s.centre.Rebuild(ctx, s.id)
	s.must(err)
	b.ReportMetric(float64(made.Events)/time.Since(began).Seconds(), "events/second")
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
