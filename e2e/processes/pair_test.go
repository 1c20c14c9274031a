package processes_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// pair is two servers on one Redis, one of which is killed now and then. Whoever
// gets no answer asks the other one, as behind a balancer.
type pair struct {
	*testing.T

	nodes  [2]atomic.Pointer[client]
	done   *acknowledged
	people int
	late   time.Time
}

// ask has one node do something and, if it does not answer, the other one.
func (p *pair) ask(node int, do func(c *client) int) (status int) {
	for try := range 20 {
		if status = do(p.nodes[(node+try)%2].Load()); status != 0 {
			return status
		}
	}
	p.Error("neither server answers")
	return 0
}

// over reports whether everybody is done, or it takes too long.
func (p *pair) over(node int) bool {
	if time.Now().After(p.late) {
		p.Error("the day does not end")
		return true
	}
	var l list[candidate]
	status := p.ask(node, func(c *client) int { return c.try("GET", api+"demo/candidates?size=1&state=done", nil, &l) })
	return status != 200 || l.Total >= p.people
}

// door checks people in.
func (p *pair) door(node int, people <-chan candidate) {
	for person := range people {
		var e entry
		status := p.ask(node, func(c *client) (status int) {
			e, status = c.checkIn("demo", person.ID)
			return status
		})
		if status != 200 && status != 201 {
			p.Errorf("check-in of %s: %d", person.ID, status)
			continue
		}
		p.done.checkIn(p.T, e)
	}
}

// proctor seats, calls again and ends what is open, until all is over. A command
// without an answer is given once more, to the other server.
func (p *pair) proctor(node int, random *rand.Rand) {
	for !p.over(node) {
		for _, state := range []string{"called", "seated"} {
			var open list[sitting]
			p.ask(node, func(c *client) int { return c.try("GET", api+"demo/sittings?size=0&state="+state, nil, &open) })
			for _, s := range open.Items {
				command, body := "end", any(nil)
				switch random.IntN(5) {
				case 0:
					command, body = "recall", map[string]int{"recall": 2}
				case 1, 2:
					command = "seat"
				}
				status := p.ask(node, func(c *client) int { return c.try("POST", api+"demo/sittings/"+s.ID+"/"+command, body, nil) })
				if !slices.Contains([]int{200, 409}, status) { // another proctor may have been quicker
					p.Errorf("%s of %s: %d", command, s.ID, status)
				}
				if command == "end" && status == 200 {
					p.done.end(s.ID)
				}
			}
		}
	}
}

// TestOneOfTwoServersIsKilled kills one server, then the other, while 16
// proctors work on both: the work goes on at the one that is left, nothing that
// was acknowledged is lost, and nobody sits anything twice.
func TestOneOfTwoServersIsKilled(t *testing.T) {
	t.Parallel()
	shared := swiftRedis(t)
	servers := []*server{serve(t, "--redis", shared, "--data", shortDir(t), "--demo"), serve(t, "--redis", shared, "--data", shortDir(t))}
	p := &pair{T: t, done: &acknowledged{tickets: map[string]string{}, ended: map[string]bool{}}, late: time.Now().Add(3 * time.Minute)}
	for i, s := range servers {
		p.nodes[i].Store(s.client)
	}
	people := servers[0].candidates("demo")[:80]
	p.people = len(people)
	coming := make(chan candidate)
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() { p.door(i, coming) })
	}
	for i := range 16 {
		all.Go(func() { p.proctor(i, rand.New(rand.NewPCG(uint64(i), 11))) })
	}
	all.Go(func() {
		defer close(coming)
		for _, person := range people {
			coming <- person
		}
	})
	for round := range 4 {
		killed := round % 2
		killAfter(p.nodes[1-killed].Load(), p.done, 20)
		servers[killed].kill()
		killAfter(p.nodes[1-killed].Load(), p.done, 10) // the other one goes on
		servers[killed] = serve(t, "--redis", shared, "--data", shortDir(t))
		p.nodes[killed].Store(servers[killed].client)
	}
	all.Wait()
	for _, s := range servers {
		p.done.check(t, s.client)
		if n := s.done("demo"); n != len(people) {
			t.Errorf("%d are done, want %d", n, len(people))
		}
	}
	doctor(t, "demo", "--redis", shared)
}
