package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
)

// errKilled is what a node meets that is killed: nothing of what it wanted to
// know comes back.
var errKilled = errors.New("killed")

// killer is a hook of a client: now and then a command is not sent, or is
// carried out and the answer is lost.
type killer struct {
	mu     sync.Mutex
	random *rand.Rand
}

func (k *killer) strikes() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.random.IntN(12) == 0
}

func (k *killer) DialHook(next redis.DialHook) redis.DialHook { return next }

func (k *killer) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if k.strikes() {
			cmd.SetErr(errKilled)
			return errKilled
		}
		err := next(ctx, cmd)
		if k.strikes() {
			cmd.SetErr(errKilled)
			return errKilled
		}
		return err
	}
}

func (k *killer) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if k.strikes() {
			return errKilled
		}
		return next(ctx, cmds)
	}
}

// disturbed is a store that, whenever a test reads the hall's events, has
// several nodes follow them at the same time, some of which are killed.
type disturbed struct {
	hall.Store

	s      *scene
	nodes  []*metrics.Centre
	random *rand.Rand
	put    []string // definitions still to be put
	has    map[string]bool
	checks int
	calls  int
}

func (d *disturbed) Events(ctx context.Context, id, after string, page hall.Page) (hall.List[hall.Event], error) {
	var together sync.WaitGroup
	for _, node := range d.nodes {
		if d.random.IntN(3) > 0 {
			together.Go(func() { _ = node.Follow(ctx, id) })
		}
	}
	together.Wait()
	if len(d.put) > 0 && d.random.IntN(40) == 0 {
		d.s.put(d.put[0])
		d.put = d.put[1:]
		d.has["seenCount"], d.has["seenLast"] = true, len(d.put) == 0
	}
	if d.random.IntN(8) == 0 && d.due() {
		d.check(ctx, id)
	}
	return d.Store.Events(ctx, id, after, page)
}

// due has long days compared less often.
func (d *disturbed) due() bool {
	d.calls++
	return d.calls < 200 || d.calls%40 == 0
}

// check compares the present day, live and made anew, with the figures worked
// out, and the closed days.
func (d *disturbed) check(ctx context.Context, id string) {
	d.checks++
	s := d.s
	h, err := d.Hall(ctx, id)
	s.must(err)
	days, err := d.Days(ctx, id, hall.Page{})
	s.must(err)
	for i, day := range days.Items {
		number := len(days.Items) - i
		events, err := d.DayEvents(ctx, id, number, "", 1_000_000)
		s.must(err)
		name := day.ID
		if i == 0 {
			name = ""
		}
		machines := []string{}
		for _, m := range h.Layout.Machines {
			machines = append(machines, m.ID)
		}
		want := figuresOf(events.Events, h.Location())
		has := d.has
		if i > 0 {
			has = nil // a closed day has the definitions that there were
		}
		if differences := s.sameFigures(id, name, want, machines, has); len(differences) > 0 {
			s.Fatalf("hall %q, day %d of %d: %v", id, number, len(days.Items), differences)
		}
	}
	live := s.dump(id)
	if _, err := s.centre.Rebuild(ctx, id); err != nil {
		s.Fatal(err)
	}
	if anew := s.dump(id); !maps.Equal(live, anew) {
		s.Fatalf("hall %q: live figures\n%v\nand made anew\n%v", id, live, anew)
	}
}

// dump reads all keys of the present day's figures.
func (s *scene) dump(id string) map[string]string {
	s.Helper()
	ctx := s.Context()
	base := s.prefix + "{" + escaped.Replace(id) + "}:metrics:"
	day, err := s.client.HGet(ctx, base+"followed", "day").Result()
	if errors.Is(err, redis.Nil) {
		day = "1"
	}
	generation, err := s.client.HGet(ctx, base+"followed", "live:"+day).Result()
	s.must(err)
	of := base + day + ":" + generation + ":"
	names, err := s.client.SMembers(ctx, of+"names").Result()
	s.must(err)
	figures := map[string]string{}
	for _, name := range names {
		kind, err := s.client.Type(ctx, name).Result()
		s.must(err)
		value := ""
		switch kind {
		case "hash":
			value = fmt.Sprint(s.client.HGetAll(ctx, name).Val())
		case "set":
			members := s.client.SMembers(ctx, name).Val()
			slices.Sort(members)
			value = fmt.Sprint(members)
		case "zset":
			value = fmt.Sprint(s.client.ZRangeWithScores(ctx, name, 0, -1).Val())
		case "string":
			value = s.client.Get(ctx, name).Val()
		case "none":
			continue
		}
		figures[name[len(of):]] = value
	}
	figures["head"] = fmt.Sprint(s.client.HMGet(ctx, of+"head", "after", "events", "aside").Val())
	figures["aside"] = fmt.Sprint(s.client.LRange(ctx, of+"aside", 0, -1).Val())
	return figures
}

// seen are definitions that are put in the middle of a day.
var seen = []string{
	`{"metricsName": "seenCount", "metricsQueryMeta": {"keyTemplate": "seen", "fieldTemplate": "#machine#", "queryCommand": "HGET"},
	  "metricsSaveAndDelMeta": {"keyTemplate": "seen", "fieldTemplate": "#machine#", "saveCommand": "HINCRBY"},
	  "on": [{"event": "x_seen", "do": "save", "value": "1"}]}`,
	`{"metricsName": "seenLast", "metricsQueryMeta": {"keyTemplate": "last:#machine#", "queryCommand": "GET"},
	  "metricsSaveAndDelMeta": {"keyTemplate": "last:#machine#", "saveCommand": "SET"},
	  "on": [{"event": "x_seen", "do": "save", "value": "c#candidate#"}]}`,
}

// TestRandomDays plays random days with undos, closings and layouts on a store
// whose events three nodes follow at once, two of which are killed now and
// then, with definitions put in the middle.
func TestRandomDays(t *testing.T) {
	t.Parallel()
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d *disturbed
			halltest.Random(t, func(tb testing.TB) (hall.Store, *halltest.Clock) {
				tb.Helper()
				client, prefix := server(tb)
				s := &scene{TB: tb, client: client, prefix: prefix, clock: halltest.NewClock(), id: "none"}
				s.store = hallredis.New(client, hallredis.Options{Prefix: prefix, Now: s.clock.Now})
				s.centre = s.another(0)
				d = &disturbed{Store: s.store, s: s, random: rand.New(rand.NewPCG(1, 2)), has: map[string]bool{}, put: seen}
				for i, batch := range []int{3, 200} {
					d.nodes = append(d.nodes, s.killed(uint64(i), batch))
				}
				d.nodes = append(d.nodes, s.another(7))
				return d, s.clock
			})
			if d.checks == 0 {
				t.Error("nothing was compared")
			}
			d.has = map[string]bool{"seenCount": len(d.put) < 2, "seenLast": len(d.put) == 0}
			ids, err := d.HallIDs(t.Context())
			d.s.must(err)
			for _, id := range ids {
				d.check(t.Context(), id)
			}
		})
	}
}

// killed is a node that is killed now and then.
func (s *scene) killed(seed uint64, batch int) *metrics.Centre {
	s.Helper()
	known, _ := s.client.(*redis.Client)
	client := redis.NewClient(known.Options())
	s.Cleanup(func() { _ = client.Close() })
	client.AddHook(&killer{random: rand.New(rand.NewPCG(seed, 7))})
	store := hallredis.New(client, hallredis.Options{Prefix: s.prefix, Now: s.clock.Now})
	c, err := metrics.New(client, store, metrics.Options{Prefix: s.prefix, Now: s.clock.Now, Batch: batch})
	s.must(err)
	return c
}
