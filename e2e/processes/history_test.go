package processes_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/historytest"
)

var (
	historySeed  = flag.Uint64("history.seed", 0, "what the clients of TestHistory choose by; 0 for any")
	historySteps = flag.Int("history.steps", 30, "how many commands each of the 64 clients of TestHistory gives")
)

// historyClients is how many clients there are, half of them on each server.
const historyClients = 64

// TestHistory has 64 clients on two servers check in, leave, come back, call
// and end at once, while one more switches the order of the hall. What they were
// told must agree with the events that the hall wrote: see historytest.
func TestHistory(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{hall.ModeManual, hall.ModeAuto} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			seed := *historySeed
			if seed == 0 {
				seed = rand.Uint64()
			}
			t.Logf("-history.seed=%d", seed)
			h := newHistoryHall(t, mode, seed)
			h.play()
			history := h.history()
			faults := history.Check()
			for i, fault := range faults {
				if i == 20 {
					t.Fatalf("and %d more", len(faults)-i)
				}
				t.Error(fault)
			}
			doctor(t, h.id, "--redis", h.redis)
			h.enough(history)
		})
	}
}

// historyHall is the hall of one run, and what its clients share.
type historyHall struct {
	*testing.T

	id, redis string
	seed      uint64
	servers   []*server
	layout    hall.Layout
	tag       string // of the layout
	rows      []hall.RosterRow
	before    string // id of the last event before the run
	opened    time.Time
	began     time.Time

	mu         sync.Mutex
	operations []*historytest.Operation
	arrived    int // how many of the roster have come
	frontier   int // number of the last sitting that is known
	turns      chan struct{}
}

func newHistoryHall(t *testing.T, mode string, seed uint64) *historyHall {
	t.Helper()
	redis := swiftRedis(t)
	h := &historyHall{
		T: t, id: "no7", redis: redis, seed: seed, layout: historyLayout(mode), turns: make(chan struct{}, 1000),
		servers: []*server{serve(t, "--redis", redis, "--data", shortDir(t)), serve(t, "--redis", redis, "--data", shortDir(t))},
	}
	c := h.servers[0].client
	h.putLayout(c, "")
	h.putRoster(c)
	var shown struct {
		Day struct {
			OpenedAt time.Time `json:"openedAt"`
		} `json:"day"`
	}
	c.must("GET", api+h.id, nil, &shown)
	h.opened = shown.Day.OpenedAt
	events := h.events("")
	h.before = events[len(events)-1].ID
	return h
}

// historyLayout has few machines for many people, some of which serve two
// subjects, and nothing that time brings.
func historyLayout(mode string) hall.Layout {
	l := hall.Layout{
		Name: "Hall 7", TimeZone: "Asia/Shanghai", Rules: hall.DefaultRules(), Rooms: []hall.Room{{ID: "A"}, {ID: "B"}},
		Subjects: []hall.Subject{{Code: "1", Minutes: 10}, {Code: "2", Minutes: 20}, {Code: "3", Minutes: 5}},
		Models: []hall.Model{
			{ID: "one", Subjects: []string{"1"}}, {ID: "two", Subjects: []string{"2"}}, {ID: "both", Subjects: []string{"2", "3"}},
		},
	}
	for i, model := range []string{"one", "one", "one", "two", "two", "both", "both", "both"} {
		l.Machines = append(l.Machines, hall.MachineSpec{ID: fmt.Sprintf("m%d", i+1), Room: []string{"A", "B"}[i%2], Model: model})
	}
	l.Rules.Mode, l.Rules.ConfirmSeat, l.Rules.WaitTargetSeconds, l.Rules.MaxNoShows = mode, false, 86400, 2
	return l
}

// putLayout puts the layout as it is now if that in force has the tag.
func (h *historyHall) putLayout(c *client, tag string) int {
	header := map[string]string{}
	if tag != "" {
		header["If-Match"] = tag
	}
	a := c.exchange("PUT", api+h.id, header, h.layout)
	h.tag = a.header.Get("ETag")
	return a.status
}

func (h *historyHall) putRoster(c *client) {
	random := rand.New(rand.NewPCG(h.seed, 1000))
	var csv strings.Builder
	csv.WriteString("candidate_id,subjects,class\n")
	for i := range 10 * *historySteps {
		subjects := []string{"1", "2", "3"}
		random.Shuffle(3, func(a, b int) { subjects[a], subjects[b] = subjects[b], subjects[a] })
		row := hall.RosterRow{
			Candidate: fmt.Sprintf("%05d", 99999-i), // not in order of arrival
			Subjects:  subjects[:1+random.IntN(3)],
			Class:     hall.Classes[min(3, random.IntN(8))],
		}
		h.rows = append(h.rows, row)
		fmt.Fprintf(&csv, "%s,%s,%s\n", row.Candidate, strings.Join(row.Subjects, "|"), row.Class)
	}
	c.must("POST", api+h.id+"/roster", csv.String(), nil)
}

// play lets all clients loose and waits for them.
func (h *historyHall) play() {
	h.began = time.Now()
	var all, switching sync.WaitGroup
	switching.Go(h.switchOrders)
	for i := range historyClients {
		all.Go(func() {
			c := &historyClient{h: h, client: h.servers[i%2].client, number: i, random: rand.New(rand.NewPCG(h.seed, uint64(i)))}
			for range *historySteps {
				h.note(c.step())
			}
		})
	}
	all.Wait()
	close(h.turns)
	switching.Wait()
}

// note keeps an operation; every so often it is the turn of another order.
func (h *historyHall) note(o *historytest.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, o)
	if len(h.operations)%200 == 0 {
		h.turns <- struct{}{}
	}
}

// switchOrders is the client that replaces the rules.
func (h *historyHall) switchOrders() {
	orders := []string{hall.OrderStrict, hall.OrderAgeing, hall.OrderFIFO}
	turn := 0
	for range h.turns {
		h.layout.Rules.Order = orders[turn%3]
		o := &historytest.Operation{Client: historyClients, Kind: historytest.Rules, Rules: h.layout.Rules, Outcome: historytest.Changed}
		o.Invoked = time.Since(h.began)
		if status := h.putLayout(h.servers[turn%2].client, h.tag); status != http.StatusOK {
			h.Errorf("the order %s was not put: %d", h.layout.Rules.Order, status)
			return
		}
		o.Returned = time.Since(h.began)
		h.mu.Lock()
		h.operations = append(h.operations, o)
		h.mu.Unlock()
		turn++
	}
}

func (h *historyHall) history() *historytest.History {
	before := h.layout
	before.Rules.Order = hall.OrderFIFO
	return &historytest.History{
		Layout: before, Opened: h.opened, Began: h.began, Rows: h.rows, Operations: h.operations, Events: h.events(h.before),
	}
}

// events reads the events after one of them.
func (h *historyHall) events(after string) []hall.Event {
	var read list[struct {
		hall.Event

		WaitSeconds *float64 `json:"waitSeconds"`
	}]
	h.servers[1].must("GET", api+h.id+"/events?size=0&after="+after, nil, &read)
	events := make([]hall.Event, len(read.Items))
	for i, item := range read.Items {
		events[i] = item.Event
		if item.WaitSeconds != nil {
			wait := milliseconds(*item.WaitSeconds)
			events[i].Wait = &wait
		}
	}
	return events
}

// milliseconds is a number of seconds of the API, exactly.
func milliseconds(seconds float64) time.Duration {
	return time.Duration(seconds*1000+0.5) * time.Millisecond
}

// enough fails if the run shows too little: a history without conflicts, or
// without calls under each order, is right by itself. How often the rarer ones
// come up is luck; that they do is not.
func (h *historyHall) enough(history *historytest.History) {
	count := map[string]int{}
	for _, o := range history.Operations {
		count[strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Kind, o.Outcome, o.Code))]++
	}
	order, turn := history.Layout.Rules.Order, 0
	var rules []string
	for _, o := range history.Operations {
		if o.Kind == historytest.Rules {
			rules = append(rules, o.Rules.Order)
		}
	}
	for i := range history.Events {
		switch history.Events[i].Event {
		case hall.EventLayoutChanged:
			order = rules[turn]
			turn++
		case hall.EventCandidateCalled:
			count["called under "+order]++
		default:
		}
	}
	told, err := json.MarshalIndent(count, "", " ")
	if err != nil {
		h.Fatal(err)
	}
	h.Logf("%d operations, %d events in %s: %s", len(history.Operations), len(history.Events), time.Since(h.began).Round(time.Millisecond), told)
	for _, name := range []string{
		"called under fifo", "called under strict", "called under ageing", "check in changed", "check in nothing",
		"leave changed", "leave refused wrong_state", "leave refused not_in_queue", "hold changed", "return changed",
		"restore changed", "class done", "end done", "end refused wrong_state", "look nothing",
	} {
		if count[name] == 0 {
			h.Errorf("never %s: the run shows too little", name)
		}
	}
}
