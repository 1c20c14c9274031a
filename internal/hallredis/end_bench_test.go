package hallredis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

const (
	shortLine, longLine = 100, 100_000
	endsInRound         = 100 // everybody of the short line sits once, so both lines have the same mix
)

var benchSubjects = []string{"1", "2", "3", "4"}

// BenchmarkEnd measures one event, the end of a sitting with what follows from
// it (back in line, next call), with 100 and with 100,000 people waiting. The
// two are measured in turn in one run, by medians; beside them, on the same
// Redis, the same event by the published algorithm that keeps the line as a
// ZSET of JSON objects. Ratios are what counts:
//
//	long/short            ours, 100,000 against 100
//	published-long/short  the published one
//	published/ours        at 100,000
func BenchmarkEnd(b *testing.B) {
	client, prefix := redistest.Client(b)
	short := newBenchHall(b, client, prefix+"short:", shortLine)
	long := newBenchHall(b, client, prefix+"long:", longLine)
	oldShort := newPublished(b, client, prefix+"old-short:", shortLine)
	oldLong := newPublished(b, client, prefix+"old-long:", longLine)
	var times [4][]time.Duration
	for b.Loop() {
		for range endsInRound {
			times[0] = append(times[0], short.end(b))
			times[1] = append(times[1], long.end(b))
		}
		for range 5 {
			times[2] = append(times[2], oldShort.end(b))
			times[3] = append(times[3], oldLong.end(b))
		}
		b.StopTimer()
		short = newBenchHall(b, client, fmt.Sprintf("%sshort%d:", prefix, len(times[0])), shortLine)
		b.StartTimer()
	}
	ours, ours100k, old, old100k := median(times[0]), median(times[1]), median(times[2]), median(times[3])
	b.ReportMetric(0, "ns/op") // a round is no unit of anything
	b.ReportMetric(ours100k/ours, "long/short")
	b.ReportMetric(old100k/old, "published-long/short")
	b.ReportMetric(old100k/ours100k, "published/ours")
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2])
}

// benchHall is a hall whose machines are all in use and in which n people wait.
type benchHall struct {
	store *hallredis.Store
	open  []string // sittings, in the order in which they will end
}

func newBenchHall(b *testing.B, client redis.UniversalClient, prefix string, n int) *benchHall {
	b.Helper()
	store := hallredis.New(client, hallredis.Options{Prefix: prefix})
	layout := hall.Layout{Name: "Bench", TimeZone: "UTC", Rooms: []hall.Room{{ID: "R"}}, Rules: hall.DefaultRules()}
	for _, code := range benchSubjects {
		layout.Subjects = append(layout.Subjects, hall.Subject{Code: code, Minutes: 15})
		layout.Models = append(layout.Models, hall.Model{ID: code, Subjects: []string{code}})
		for i := range 10 {
			layout.Machines = append(layout.Machines, hall.MachineSpec{ID: fmt.Sprintf("%s-%d", code, i), Room: "R", Model: code})
		}
	}
	ctx, by := context.Background(), hall.Caller{By: "bench"}
	_, _, err := store.PutHall(ctx, "h", layout, "", by)
	fatalIf(b, err)
	rows := make([]hall.RosterRow, n+len(layout.Machines))
	for i := range rows {
		rows[i] = hall.RosterRow{Candidate: fmt.Sprintf("%06d", i), Subjects: benchSubjects, Person: hall.Person{Name: "Somebody"}}
	}
	_, err = store.PutRoster(ctx, "h", rows, false, by)
	fatalIf(b, err)
	h := &benchHall{store: store}
	for _, r := range rows {
		e, _, err := store.CheckIn(ctx, "h", r.Candidate, hall.CheckIn{}, by)
		fatalIf(b, err)
		if e.Current != nil {
			h.open = append(h.open, e.Current.ID)
		}
	}
	return h
}

// end ends the oldest open sitting and returns how long that took.
func (h *benchHall) end(b *testing.B) time.Duration {
	b.Helper()
	ctx, by := context.Background(), hall.Caller{By: "bench"}
	ended := h.open[0]
	begin := time.Now()
	s, err := h.store.End(ctx, "h", ended, by)
	took := time.Since(begin)
	fatalIf(b, err)
	list, err := h.store.Machines(ctx, "h", hall.MachineFilter{Model: s.Subject}, hall.Page{})
	fatalIf(b, err)
	for _, m := range list.Items {
		if m.ID == s.Machine && m.Current != nil {
			h.open = append(h.open[1:], m.Current.ID)
			return took
		}
	}
	b.Fatalf("machine %s called nobody", s.Machine)
	return took
}

// published is the algorithm that this product grows out of: the line is a
// ZSET of JSON objects by time, each subject has a used ZSET of machines as
// JSON objects. An end reads both whole and decodes them.
type published struct {
	client redis.UniversalClient
	prefix string
	clock  float64
}

type (
	publishedCandidate struct {
		ID  string   `json:"id"`
		Due []string `json:"due"`
	}
	publishedMachine struct {
		ID        string             `json:"id"`
		Candidate publishedCandidate `json:"candidate"`
	}
)

func newPublished(b *testing.B, client redis.UniversalClient, prefix string, n int) *published {
	b.Helper()
	ctx := context.Background()
	p := &published{client: client, prefix: prefix}
	for first := 0; first < n; first += 1000 {
		var members []redis.Z
		for i := first; i < min(first+1000, n); i++ {
			members = append(members, p.z(publishedCandidate{fmt.Sprintf("%06d", i), benchSubjects}))
		}
		fatalIf(b, client.ZAdd(ctx, prefix+"wait", members...).Err())
	}
	for i := range 10 {
		m := publishedMachine{strconv.Itoa(i), publishedCandidate{fmt.Sprintf("m%d", i), []string{"1", "2"}}}
		fatalIf(b, client.ZAdd(ctx, prefix+"used:1", p.z(m)).Err())
	}
	return p
}

func (p *published) z(v any) redis.Z {
	p.clock++
	text, _ := json.Marshal(v)
	return redis.Z{Score: p.clock, Member: string(text)}
}

func (p *published) end(b *testing.B) time.Duration {
	b.Helper()
	ctx, subject := context.Background(), "1"
	begin := time.Now()
	used, err := p.client.ZRange(ctx, p.prefix+"used:"+subject, 0, -1).Result()
	fatalIf(b, err)
	var m publishedMachine
	for i, text := range used {
		var each publishedMachine
		fatalIf(b, json.Unmarshal([]byte(text), &each))
		if i == 0 {
			m = each
		}
	}
	waiting, err := p.client.ZRange(ctx, p.prefix+"wait", 0, -1).Result()
	fatalIf(b, err)
	var next publishedCandidate
	var nextText string
	for _, text := range waiting {
		var each publishedCandidate
		fatalIf(b, json.Unmarshal([]byte(text), &each))
		if nextText == "" && slices.Contains(each.Due, subject) {
			next, nextText = each, text
		}
	}
	fatalIf(b, p.client.ZRem(ctx, p.prefix+"used:"+subject, used[0]).Err())
	m.Candidate.Due = m.Candidate.Due[1:]
	fatalIf(b, p.client.ZAdd(ctx, p.prefix+"wait", p.z(m.Candidate)).Err())
	fatalIf(b, p.client.ZRem(ctx, p.prefix+"wait", nextText).Err())
	fatalIf(b, p.client.ZAdd(ctx, p.prefix+"used:"+subject, p.z(publishedMachine{m.ID, next})).Err())
	return time.Since(begin)
}

func fatalIf(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
