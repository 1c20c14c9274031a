package processes_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/redisd"
)

// TestWholeDay brings the demo hall's 240 candidates through their day, one
// command after the other, and looks for broken invariants at every hundredth.
func TestWholeDay(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	s := serve(t, "--data", data, "--demo")
	steps := 0
	step := func(status int, want ...int) {
		t.Helper()
		if !slices.Contains(want, status) {
			t.Fatalf("step %d answered %d", steps, status)
		}
		if steps++; steps%100 == 0 {
			doctor(t, "demo", "--data", data)
		}
	}
	people := s.candidates("demo")
	if len(people) != 240 {
		t.Fatalf("the roster has %d people", len(people))
	}
	for _, p := range people {
		_, status := s.checkIn("demo", p.ID)
		step(status, 201)
	}
	for s.done("demo") < len(people) {
		for _, called := range s.sittings("demo", "called") {
			step(s.command("demo", called.ID, "seat"), 200)
			step(s.command("demo", called.ID, "end"), 200)
		}
	}
	doctor(t, "demo", "--data", data)
	everybodySatAll(t, s.client, "demo")
	if code := s.terminate(t); code != 0 {
		t.Errorf("the server ended with %d", code)
	}
	t.Logf("%d steps", steps)
}

// everybodySatAll fails unless each candidate has one finished sitting for each subject.
func everybodySatAll(t *testing.T, c *client, hall string) {
	t.Helper()
	finished := map[string][]string{}
	for _, s := range c.sittings(hall, "ended") {
		if s.Outcome == "finished" {
			finished[s.Candidate] = append(finished[s.Candidate], s.Subject)
		}
	}
	tickets := map[string]bool{}
	for _, p := range c.candidates(hall) {
		want := slices.Sorted(slices.Values(p.Subjects))
		if got := slices.Sorted(slices.Values(finished[p.ID])); !slices.Equal(got, want) {
			t.Errorf("%s sat %v, want %v", p.ID, got, want)
		}
		if p.State != "done" || tickets[p.Ticket] {
			t.Errorf("%s is %s with ticket %s", p.ID, p.State, p.Ticket)
		}
		tickets[p.Ticket] = true
	}
}

// sharedRedis starts a Redis for several servers and returns its URL.
func sharedRedis(t *testing.T) string {
	t.Helper()
	dir := shortDir(t)
	r, err := redisd.Open(t.Context(), redisd.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return "unix://" + dir + "/redis/redis.sock"
}

// swiftRedis is a sharedRedis that waits for no disk: for tests of what happens
// at the same time, not of what is kept.
func swiftRedis(t *testing.T) string {
	t.Helper()
	url := sharedRedis(t)
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	if err := client.ConfigSet(t.Context(), "appendonly", "no").Err(); err != nil {
		t.Fatal(err)
	}
	return url
}

// TestTwoServers has two servers on one Redis: 50 check-ins at once on each,
// then 16 proctors who seat, end, call again and give up at random.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	shared := swiftRedis(t)
	first := serve(t, "--redis", shared, "--data", shortDir(t), "--demo")
	second := serve(t, "--redis", shared, "--data", shortDir(t))
	servers := []*server{first, second}
	people := first.candidates("demo")[:140]

	var mu sync.Mutex
	entries, created := map[string]entry{}, 0
	var all sync.WaitGroup
	for i, s := range servers {
		for _, p := range people[i*40 : i*40+50] { // ten of them at both
			all.Go(func() {
				e, status := s.checkIn("demo", p.ID)
				if status != 200 && status != 201 {
					t.Errorf("check-in of %s: %d", p.ID, status)
				}
				mu.Lock()
				defer mu.Unlock()
				if known, twice := entries[e.Candidate]; twice && known.Ticket != e.Ticket {
					t.Errorf("%s has tickets %s and %s", e.Candidate, known.Ticket, e.Ticket)
				}
				entries[e.Candidate] = e
				if status == 201 {
					created++
				}
			})
		}
	}
	all.Wait()
	if len(entries) != 90 || created != 90 { // the ten at both are new at one of them
		t.Fatalf("%d of 90 checked in, %d of them for the first time", len(entries), created)
	}
	orderIsThatOfRedis(t, first.client, slices.Collect(maps.Values(entries)))
	doctor(t, "demo", "--redis", shared)
	for _, p := range people[90:] {
		if _, status := second.checkIn("demo", p.ID); status != 201 {
			t.Fatalf("check-in of %s: %d", p.ID, status)
		}
	}
	proctors(t, servers, len(people))
	doctor(t, "demo", "--redis", shared)
}

// orderIsThatOfRedis compares the line with the order of the check-in events.
func orderIsThatOfRedis(t *testing.T, c *client, entries []entry) {
	t.Helper()
	var events list[struct {
		Event     string `json:"event"`
		Candidate string `json:"candidate"`
		Ticket    string `json:"ticket"`
	}]
	c.must("GET", api+"demo/events?size=0", nil, &events)
	var order []string
	tickets := map[string]bool{}
	for _, e := range events.Items {
		if e.Event == "candidate_checked_in" {
			order = append(order, e.Candidate)
			if tickets[e.Ticket] {
				t.Errorf("ticket %s was given twice", e.Ticket)
			}
			tickets[e.Ticket] = true
		}
	}
	if len(order) != len(entries) {
		t.Errorf("%d check-ins for %d people", len(order), len(entries))
	}
	var line list[entry]
	c.must("GET", api+"demo/queue?size=0", nil, &line)
	next := 0
	for _, e := range line.Items {
		at := slices.Index(order, e.Candidate)
		if at < next {
			t.Errorf("%s stands behind somebody who came later", e.Candidate)
		}
		next = at
	}
}

// proctors bring a hall to its end from several servers at once, clumsily.
func proctors(t *testing.T, servers []*server, people int) {
	t.Helper()
	const count = 16
	deadline := time.Now().Add(3 * time.Minute)
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() {
			s, random := servers[i%len(servers)], rand.New(rand.NewPCG(uint64(i), 7))
			for s.done("demo") < people-absent(s.client) {
				if time.Now().After(deadline) {
					t.Error("the day does not end")
					return
				}
				proctor(s.client, random)
			}
		})
	}
	all.Wait()
}

func absent(c *client) int {
	var l list[candidate]
	c.must("GET", api+"demo/candidates?size=1&state=absent", nil, &l)
	return l.Total
}

// proctor does one round over the open sittings: seats, ends, calls again, says
// that nobody came, calls the next; every command twice now and then.
func proctor(c *client, random *rand.Rand) {
	for _, state := range []string{"called", "seated"} {
		for _, s := range c.sittings("demo", state) {
			path, body := api+"demo/sittings/"+s.ID, any(nil)
			switch random.IntN(10) {
			case 0:
				path += "/no-show"
			case 1:
				path, body = path+"/recall", map[string]int{"recall": 2}
			case 2:
				path = api + "demo/queue/next"
			case 3, 4, 5:
				path += "/seat"
			default:
				path += "/end"
			}
			for range 1 + random.IntN(2) {
				// Another proctor may have been quicker: 409 is an answer, nothing else is.
				if status := c.try("POST", path, body, nil); !slices.Contains([]int{200, 204, 409}, status) {
					c.Errorf("POST %s: %d", path, status)
				}
			}
		}
	}
}

// TestSecondServeIsRefused starts two servers on one data folder.
func TestSecondServeIsRefused(t *testing.T) {
	t.Parallel()
	data := shortDir(t)
	serve(t, "--data", data, "--demo")
	second := command("serve", "--data", data, "--addr", "127.0.0.1:0")
	out, err := second.CombinedOutput()
	if err == nil || second.ProcessState.ExitCode() != 1 {
		t.Errorf("the second server ended with %v", err)
	}
	if !strings.Contains(string(out), data) {
		t.Errorf("it does not name the folder %s:\n%s", data, out)
	}
}
