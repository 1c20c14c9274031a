package processes_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// acknowledged is what the API said had been done.
type acknowledged struct {
	mu      sync.Mutex
	tickets map[string]string // by candidate
	ended   map[string]bool   // sittings
}

func (a *acknowledged) checkIn(t *testing.T, e entry) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.tickets[e.Candidate]; known != "" && known != e.Ticket {
		t.Errorf("%s has tickets %s and %s", e.Candidate, known, e.Ticket)
	}
	a.tickets[e.Candidate] = e.Ticket
}

func (a *acknowledged) end(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended[id] = true
}

func (a *acknowledged) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.tickets) + len(a.ended)
}

// check fails unless everything acknowledged is there, and nothing twice.
func (a *acknowledged) check(t *testing.T, c *client) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	tickets := map[string]string{}
	for _, p := range c.candidates("demo") {
		tickets[p.ID] = p.Ticket
	}
	for id, ticket := range a.tickets {
		if tickets[id] != ticket {
			t.Errorf("%s had ticket %s, now %q", id, ticket, tickets[id])
		}
	}
	finished, there := map[string]int{}, map[string]bool{}
	for _, s := range c.sittings("demo", "ended") {
		there[s.ID] = true
		if s.Outcome == "finished" {
			if finished[s.Candidate+" "+s.Subject]++; finished[s.Candidate+" "+s.Subject] > 1 {
				t.Errorf("%s sat subject %s twice", s.Candidate, s.Subject)
			}
		}
	}
	for id := range a.ended { // all of them, those of earlier rounds too
		if !there[id] {
			t.Errorf("the end of %s was lost", id)
		}
	}
}

// traffic checks people in and ends sittings until stop is closed, whatever the server does.
func traffic(t *testing.T, c *client, people []candidate, a *acknowledged, stop <-chan struct{}) *sync.WaitGroup {
	t.Helper()
	var all sync.WaitGroup
	next := make(chan string)
	all.Go(func() {
		defer close(next)
		for _, p := range people {
			select {
			case next <- p.ID:
			case <-stop:
				return
			}
		}
	})
	for range 4 {
		all.Go(func() {
			for id := range next {
				if e, status := c.checkIn("demo", id); status == 200 || status == 201 {
					a.checkIn(t, e)
				}
			}
		})
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var open list[sitting]
				if c.try("GET", api+"demo/sittings?size=0&state=called", nil, &open) != 200 {
					continue
				}
				for _, s := range open.Items {
					if c.command("demo", s.ID, "end") == 200 {
						a.end(s.ID)
					}
				}
			}
		})
	}
	return &all
}

// TestKilledServer kills the server in the middle of it, several times, and
// starts it again: nothing acknowledged is lost, nothing is done twice.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	s := serve(t, "--data", data, "--demo")
	people := s.candidates("demo")
	a := &acknowledged{tickets: map[string]string{}, ended: map[string]bool{}}
	for round := range 4 {
		stop := make(chan struct{})
		running := traffic(t, s.client, people, a, stop)
		killAfter(s.client, a, 15+10*round)
		s.kill()
		close(stop)
		running.Wait()
		s = serve(t, "--data", data)
		doctor(t, "demo", "--data", data)
		a.check(t, s.client)
	}
	if code := s.terminate(t); code != 0 {
		t.Errorf("the server ended with %d", code)
	}
}

// killAfter waits until so many more commands are acknowledged, and a little longer.
func killAfter(c *client, a *acknowledged, more int) {
	goal := a.count() + more
	c.await("traffic", func() bool { return a.count() >= goal })
	wait := time.NewTimer(time.Duration(rand.IntN(5000)) * time.Microsecond)
	<-wait.C
}

// TestKilledRedis kills the private Redis in the middle of it: the server says
// so, starts it again, and goes on with everything that it had acknowledged.
func TestKilledRedis(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	s := serve(t, "--data", data, "--demo")
	people := s.candidates("demo")
	a := &acknowledged{tickets: map[string]string{}, ended: map[string]bool{}}
	for round := range 4 {
		stop := make(chan struct{})
		running := traffic(t, s.client, people, a, stop)
		killAfter(s.client, a, 15+10*round)
		if err := syscall.Kill(redisPID(t, data), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.await("the server to go on", func() bool { return s.try("GET", "/readyz", nil, nil) == 200 })
		close(stop)
		running.Wait()
		doctor(t, "demo", "--data", data)
		a.check(t, s.client)
	}
}

// redisPID asks the Redis of a data folder for its process.
func redisPID(t *testing.T, data string) int {
	t.Helper()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: data + "/redis/redis.sock"})
	defer func() { _ = client.Close() }()
	info, err := client.Info(context.Background(), "server").Result()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(info) {
		if digits, ok := strings.CutPrefix(strings.TrimSpace(line), "process_id:"); ok {
			pid, err := strconv.Atoi(digits)
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("Redis does not tell its process")
	return 0
}
