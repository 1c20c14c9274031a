package processes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

const (
	raceRounds = 60  // at least
	racePeople = 700 // enough for as many rounds as it may take until both have won often enough
	raceWins   = 5
)

// race is a hall with one machine, in which somebody leaves while being called.
type race struct {
	*testing.T

	servers []*server
	hall    string
	people  []string
}

// TestLeaveAgainstCall has somebody leave on one server at the very time when
// the other one calls: exactly one of them wins and the other is told, whether
// the call is that of the next, of this very one, or follows from an end.
func TestLeaveAgainstCall(t *testing.T) {
	t.Parallel()
	redis := swiftRedis(t)
	servers := []*server{serve(t, "--redis", redis, "--data", shortDir(t)), serve(t, "--redis", redis, "--data", shortDir(t))}
	for name, test := range map[string]struct {
		mode  string
		round func(r *race, leaving, calling *client) (left bool)
	}{
		"next":        {hall.ModeManual, (*race).next},
		"this one":    {hall.ModeManual, (*race).thisOne},
		"by an end":   {hall.ModeAuto, (*race).byEnd},
		"next behind": {hall.ModeManual, (*race).nextBehind},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRace(t, servers, strings.ReplaceAll(name, " ", "-"), test.mode)
			wins := map[bool]int{}
			for i := 0; i < raceRounds || wins[true] < raceWins || wins[false] < raceWins; i++ {
				if len(r.people) < 2 {
					t.Fatalf("after %d rounds: %d left, %d were called", i, wins[true], wins[false])
				}
				wins[test.round(r, servers[i%2].client, servers[1-i%2].client)]++
				if t.Failed() {
					t.Fatalf("in round %d", i)
				}
			}
			t.Logf("%d left, %d were called", wins[true], wins[false])
			doctor(t, r.hall, "--redis", redis)
		})
	}
}

func newRace(t *testing.T, servers []*server, id, mode string) *race {
	t.Helper()
	layout := historyLayout(mode)
	layout.Subjects, layout.Models, layout.Machines = layout.Subjects[:1], layout.Models[:1], layout.Machines[:1]
	r := &race{T: t, servers: servers, hall: id}
	r.on(0).must("PUT", api+id, layout, nil)
	var csv strings.Builder
	csv.WriteString("candidate_id,subjects\n")
	for i := range racePeople {
		r.people = append(r.people, fmt.Sprintf("%04d", i))
		fmt.Fprintf(&csv, "%04d,1\n", i)
	}
	r.on(1).must("POST", api+id+"/roster", csv.String(), nil)
	return r
}

// on is a client of one server whose faults are those of this test.
func (r *race) on(server int) *client { return r.of(r.servers[server].client) }

func (r *race) of(c *client) *client { return &client{T: r.T, url: c.url, http: c.http} }

// comes checks in somebody who was not there yet.
func (r *race) comes() string {
	r.Helper()
	id := r.people[0]
	r.people = r.people[1:]
	r.on(0).await("check-in", func() bool { // again if a busy machine does not answer
		_, status := r.on(0).checkIn(r.hall, id)
		return status == http.StatusCreated || status == http.StatusOK
	})
	return id
}

// together leaves and calls at the same time.
func (r *race) together(leaving, calling *client, candidate, path string, body any) (left, called answer) {
	gate := make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() {
		<-gate
		left = r.of(leaving).exchange("DELETE", api+r.hall+"/queue/"+candidate, nil, nil)
	})
	both.Go(func() {
		<-gate
		called = r.of(calling).exchange("POST", api+r.hall+path, nil, body)
	})
	close(gate)
	both.Wait()
	return left, called
}

// told checks what both were told: that the candidate has left, or is called.
func (r *race) told(candidate string, left, called answer, beaten int) (hasLeft bool) {
	r.Helper()
	var problem, sitting shown
	state := hall.Withdrawn
	switch hasLeft = left.status == http.StatusNoContent; hasLeft {
	case true:
		if called.status != beaten {
			r.Errorf("%s has left, and the call answered %d %s", candidate, called.status, called.body)
		}
	default:
		state = hall.Called
		if err := json.Unmarshal(left.body, &problem); err != nil || left.status != http.StatusConflict ||
			problem.Code != string(hall.CodeWrongState) || problem.State != string(hall.Called) {
			r.Errorf("%s was not told why: %d %s", candidate, left.status, left.body)
		}
		if err := json.Unmarshal(called.body, &sitting); err != nil || called.status != http.StatusOK {
			r.Errorf("neither has won: %d %s", called.status, called.body)
		}
	}
	for i := range r.servers { // both servers know
		if got := r.stateOf(i, candidate); got != string(state) {
			r.Errorf("%s is %s, want %s", candidate, got, state)
		}
	}
	return hasLeft
}

func (r *race) stateOf(server int, id string) string {
	r.Helper()
	var c candidate
	r.on(server).must("GET", api+r.hall+"/candidates/"+id, nil, &c)
	return c.State
}

// open is the open sitting, if there is one.
func (r *race) open() *sitting {
	r.Helper()
	var open *sitting
	for _, s := range r.on(0).sittings(r.hall, "called") {
		if open != nil {
			r.Errorf("two sittings are open on one machine: %s and %s", open.ID, s.ID)
		}
		open = &s
	}
	return open
}

// end ends the open sitting, which must be that of a candidate; "" for none.
func (r *race) end(candidate string) {
	r.Helper()
	switch s := r.open(); {
	case s == nil && candidate == "":
	case s == nil || s.Candidate != candidate:
		r.Errorf("open is %+v, want that of %q", s, candidate)
	case r.on(1).command(r.hall, s.ID, "end") != http.StatusOK:
		r.Errorf("%s does not end", s.ID)
	}
}

// next: one waits and leaves, somebody calls the next.
func (r *race) next(leaving, calling *client) bool {
	x := r.comes()
	left, called := r.together(leaving, calling, x, "/queue/next", map[string]string{"machine": "m1"})
	if r.told(x, left, called, http.StatusNoContent) {
		r.end("")
		return true
	}
	r.end(x)
	return false
}

// nextBehind is next with somebody else behind, who is called if the first has left.
func (r *race) nextBehind(leaving, calling *client) bool {
	x, y := r.comes(), r.comes()
	left, called := r.together(leaving, calling, x, "/queue/next", nil)
	if r.told(x, left, called, http.StatusOK) {
		r.end(y)
		return true
	}
	r.end(x)
	if status := r.of(leaving).try("DELETE", api+r.hall+"/queue/"+y, nil, nil); status != http.StatusNoContent {
		r.Errorf("%s cannot leave: %d", y, status)
	}
	return false
}

// thisOne: one waits and leaves, somebody calls this very one.
func (r *race) thisOne(leaving, calling *client) bool {
	x := r.comes()
	left, called := r.together(leaving, calling, x, "/queue/"+x+"/call", map[string]string{"machine": "m1", "reason": "in a hurry"})
	if r.told(x, left, called, http.StatusConflict) {
		r.end("")
		return true
	}
	r.end(x)
	return false
}

// byEnd: one waits for a machine and leaves, somebody ends the sitting on it.
func (r *race) byEnd(leaving, calling *client) bool {
	z, x := r.comes(), r.comes()
	s := r.open()
	if s == nil || s.Candidate != z {
		r.Fatalf("open is %+v, want that of %s", s, z)
	}
	left, called := r.together(leaving, calling, x, "/sittings/"+s.ID+"/end", nil)
	if r.told(x, left, called, http.StatusOK) {
		r.end("")
		return true
	}
	r.end(x)
	return false
}
