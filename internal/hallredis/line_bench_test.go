package hallredis_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// BenchmarkLine measures, under ageing, with 100 and with 100,000 people
// waiting, what is asked of a line: a place in it, leaving from the middle,
// the next one. They are measured in turn in one run, by medians. Beside them
// on the same Redis stand the two published ways:
//
//	classes  four ZSETs with seconds as scores: heads ranked in the client behind one mutex, a place by
//	         reading all members
//	score    one ZSET with score priority × 1e10 + (1e10 − seconds): who waits too long by scanning all
//
// Metrics are ratios: long/short of ours, and published/ours at 100,000.
func BenchmarkLine(b *testing.B) {
	client, prefix := redistest.Client(b)
	long := newBenchLine(b, client, prefix+"long:", longLine)
	classes, score := newClassLines(b, client, prefix+"classes:"), newScoreLine(b, client, prefix+"score:")
	ours := map[string]*[2][]time.Duration{"position": {}, "leave": {}, "next": {}, "waited-over": {}}
	published := map[string][]time.Duration{}
	round := 0
	for b.Loop() {
		b.StopTimer()
		round++
		short := newBenchLine(b, client, fmt.Sprintf("%sshort%d:", prefix, round), shortLine)
		b.StartTimer()
		for i := range 25 {
			for j, line := range []*benchLine{short, long} {
				for name, took := range line.measure(b, i) {
					ours[name][j] = append(ours[name][j], took)
				}
			}
		}
		for range 3 {
			published["position/classes"] = append(published["position/classes"], classes.position(b))
			published["next/classes"] = append(published["next/classes"], classes.next(b))
			published["waited-over/score"] = append(published["waited-over/score"], score.waitedOver(b))
		}
	}
	b.ReportMetric(0, "ns/op") // a round is no unit of anything
	for name, times := range ours {
		b.ReportMetric(median(times[1])/median(times[0]), name+"-long/short")
	}
	b.ReportMetric(median(published["position/classes"])/median(ours["position"][1]), "position-classes/ours")
	b.ReportMetric(median(published["next/classes"])/median(ours["next"][1]), "next-classes/ours")
	b.ReportMetric(median(published["waited-over/score"])/median(ours["waited-over"][1]), "waited-over-score/ours")
}

// benchLine is a hall in manual mode in which n people of all classes wait.
type benchLine struct {
	store *hallredis.Store
	n     int
}

func newBenchLine(b *testing.B, client redis.UniversalClient, prefix string, n int) *benchLine {
	b.Helper()
	store := hallredis.New(client, hallredis.Options{Prefix: prefix})
	ctx, by := context.Background(), hall.Caller{By: "bench"}
	rules := hall.DefaultRules()
	rules.Mode, rules.Order = hall.ModeManual, hall.OrderAgeing
	layout := hall.Layout{Name: "Bench", TimeZone: "UTC", Rooms: []hall.Room{{ID: "R"}}, Rules: rules}
	for _, code := range benchSubjects {
		layout.Subjects = append(layout.Subjects, hall.Subject{Code: code, Minutes: 15})
	}
	layout.Models = []hall.Model{{ID: "all", Subjects: benchSubjects}}
	for i := range 100 {
		layout.Machines = append(layout.Machines, hall.MachineSpec{ID: strconv.Itoa(i), Room: "R", Model: "all"})
	}
	_, _, err := store.PutHall(ctx, "h", layout, "", by)
	fatalIf(b, err)
	rows := make([]hall.RosterRow, n)
	for i := range rows {
		rows[i] = hall.RosterRow{
			Candidate: fmt.Sprintf("%06d", i), Subjects: benchSubjects, Class: hall.Classes[i%4], Person: hall.Person{Name: "Somebody"},
		}
	}
	_, err = store.PutRoster(ctx, "h", rows, false, by)
	fatalIf(b, err)
	at := time.Now().Add(-time.Hour)
	for i, r := range rows {
		// Ten people have waited for an hour, the others come in by now.
		in := hall.CheckIn{}
		if i%(n/10) == 0 {
			in.At = at
		}
		_, _, err := store.CheckIn(ctx, "h", r.Candidate, in, by)
		fatalIf(b, err)
	}
	return &benchLine{store: store, n: n}
}

// measure does each thing once and undoes what it did.
func (l *benchLine) measure(b *testing.B, round int) map[string]time.Duration {
	b.Helper()
	ctx, by := context.Background(), hall.Caller{By: "bench"}
	middle := fmt.Sprintf("%06d", l.n/2+round%10)
	took := map[string]time.Duration{}
	timed := func(name string, do func() error) {
		begin := time.Now()
		err := do()
		took[name] = time.Since(begin)
		fatalIf(b, err)
	}
	timed("position", func() error { _, err := l.store.Entry(ctx, "h", middle); return err })
	timed("leave", func() error { return l.store.Leave(ctx, "h", middle, by) })
	_, err := l.store.Restore(ctx, "h", middle, true, by)
	fatalIf(b, err)
	var called *hall.Sitting
	timed("next", func() error { called, err = l.store.Next(ctx, "h", strconv.Itoa(round%100), by); return err })
	_, err = l.store.Abort(ctx, "h", called.ID, hall.Abort{Fault: hall.FaultMachine, KeepMachine: true}, by)
	fatalIf(b, err)
	timed("waited-over", func() error {
		_, err := l.store.Line(ctx, "h", hall.LineFilter{WaitedOver: 50 * time.Minute}, hall.Page{Number: 1, Size: 50})
		return err
	})
	return took
}

// classLines is the published way with four ZSETs.
type classLines struct {
	client redis.UniversalClient
	prefix string
	mu     sync.Mutex
}

func newClassLines(b *testing.B, client redis.UniversalClient, prefix string) *classLines {
	b.Helper()
	now := float64(time.Now().Unix())
	for c, class := range hall.Classes {
		for first := 0; first < longLine/4; first += 1000 {
			var members []redis.Z
			for i := first; i < first+1000; i++ {
				members = append(members, redis.Z{Score: now - float64(i%3600), Member: fmt.Sprintf("%06d", i*4+c)})
			}
			fatalIf(b, client.ZAdd(context.Background(), prefix+string(class), members...).Err())
		}
	}
	return &classLines{client: client, prefix: prefix}
}

func (l *classLines) position(b *testing.B) time.Duration {
	b.Helper()
	ctx, now := context.Background(), time.Now()
	mine := hall.Rank(hall.ClassNormal, 30*time.Minute)
	ahead := 0
	for _, class := range hall.Classes {
		members, err := l.client.ZRangeWithScores(ctx, l.prefix+string(class), 0, -1).Result()
		fatalIf(b, err)
		for _, m := range members {
			if hall.Rank(class, now.Sub(time.Unix(int64(m.Score), 0))) > mine {
				ahead++
			}
		}
	}
	return time.Since(now)
}

func (l *classLines) next(b *testing.B) time.Duration {
	b.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, begin := context.Background(), time.Now()
	best, bestClass, bestRank := "", "", math.Inf(-1)
	for _, class := range hall.Classes {
		heads, err := l.client.ZRangeWithScores(ctx, l.prefix+string(class), 0, 0).Result()
		fatalIf(b, err)
		for _, h := range heads {
			if rank := hall.Rank(class, begin.Sub(time.Unix(int64(h.Score), 0))); rank > bestRank {
				best, bestClass, bestRank = h.Member.(string), string(class), rank //nolint:errcheck,forcetypeassert // members are strings
			}
		}
	}
	fatalIf(b, l.client.ZRem(ctx, l.prefix+bestClass, best).Err())
	return time.Since(begin)
}

// scoreLine is the published way with one ZSET and a mixed score.
type scoreLine struct {
	client redis.UniversalClient
	key    string
}

func newScoreLine(b *testing.B, client redis.UniversalClient, prefix string) *scoreLine {
	b.Helper()
	now := float64(time.Now().Unix())
	for first := 0; first < longLine; first += 1000 {
		var members []redis.Z
		for i := first; i < first+1000; i++ {
			members = append(members, redis.Z{Score: float64(i%4)*1e10 + 1e10 - now + float64(i%3600), Member: fmt.Sprintf("%06d", i)})
		}
		fatalIf(b, client.ZAdd(context.Background(), prefix+"line", members...).Err())
	}
	return &scoreLine{client: client, key: prefix + "line"}
}

func (l *scoreLine) waitedOver(b *testing.B) time.Duration {
	b.Helper()
	begin := time.Now()
	members, err := l.client.ZRevRangeWithScores(context.Background(), l.key, 0, -1).Result()
	fatalIf(b, err)
	now := float64(begin.Unix())
	_ = slices.DeleteFunc(members, func(m redis.Z) bool { return now-(1e10-math.Mod(m.Score, 1e10)) <= 3000 })
	return time.Since(begin)
}
