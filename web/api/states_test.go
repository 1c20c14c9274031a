package api_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// realHall is a client of a hall "h" on a real store. Its machines a-1 and a-2
// serve subject 1, b-1 serves subject 2; rules are those of the hall.
func realHall(t *testing.T, rules string) *client {
	t.Helper()
	redis, prefix := redistest.Client(t)
	c := newClient(t, hallredis.New(redis, hallredis.Options{Prefix: prefix}))
	c.do(http.MethodPut, "/halls/h", fmt.Sprintf(`{
		"name": "H", "timeZone": "UTC", "rules": {%s},
		"subjects": [{"code": "1", "minutes": 10}, {"code": "2", "minutes": 10}],
		"rooms": [{"id": "a"}, {"id": "b"}],
		"models": [{"id": "A", "subjects": ["1"]}, {"id": "B", "subjects": ["2"]}],
		"machines": [{"id": "a-1", "room": "a", "model": "A"}, {"id": "a-2", "room": "a", "model": "A"}, {"id": "b-1", "room": "b", "model": "B"}]
	}`, rules)).is(http.StatusCreated)
	return c
}

// enrol puts candidates on the roster, each as "id,subjects".
func (c *client) enrol(rows ...string) {
	c.t.Helper()
	body := "candidate_id,subjects\n" + strings.Join(rows, "\n")
	c.with("Content-Type", "text/csv").do(http.MethodPost, "/halls/h/roster", body).is(http.StatusOK)
}

// command sends a command that must succeed.
func (c *client) command(method, path, body string) answer {
	c.t.Helper()
	a := c.do(method, "/halls/h"+path, body)
	if a.Code >= http.StatusBadRequest {
		c.t.Fatalf("%s answered %d: %s", a.request, a.Code, a.Body)
	}
	return a
}

// callX calls candidate x to machine a-1 and returns the sitting's id.
func (c *client) callX() string {
	c.t.Helper()
	c.command(http.MethodPut, "/queue/x", "")
	return decode[struct{ ID string }](c.command(http.MethodPost, "/queue/next", `{"machine": "a-1"}`).is(http.StatusOK)).ID
}

// candidateStates brings candidate x of a manual hall into each state.
var candidateStates = map[string]func(c *client){
	"registered": func(*client) {},
	"waiting":    func(c *client) { c.command(http.MethodPut, "/queue/x", "") },
	"held": func(c *client) {
		c.command(http.MethodPut, "/queue/x", "")
		c.command(http.MethodPost, "/queue/x/hold", "")
	},
	"called": func(c *client) { c.callX() },
	"seated": func(c *client) { c.command(http.MethodPost, "/sittings/"+c.callX()+"/seat", "") },
	"resting": func(c *client) {
		c.command(http.MethodPost, "/sittings/"+c.callX()+"/end", "")
	},
	"done": func(c *client) {
		c.enrol("x,1")
		c.command(http.MethodPost, "/sittings/"+c.callX()+"/end", "")
	},
	"absent": func(c *client) { c.command(http.MethodPost, "/sittings/"+c.callX()+"/no-show", "") },
	"withdrawn": func(c *client) {
		c.command(http.MethodPut, "/queue/x", "")
		c.command(http.MethodDelete, "/queue/x", "")
	},
}

// cell is what a command does in one state.
type cell struct {
	status int
	code   string // of the problem
	state  string // afterwards
}

func TestCommandsOnCandidatesInEachState(t *testing.T) {
	t.Parallel()
	conflict := func(state string) cell { return cell{http.StatusConflict, "wrong_state", state} }
	notThere := func(state string) cell { return cell{http.StatusNotFound, "not_in_queue", state} }
	ok := func(state string) cell { return cell{http.StatusOK, "", state} }
	for command, test := range map[string]struct {
		method, path, body string
		cells              map[string]cell
	}{
		"check in": {http.MethodPut, "/queue/x", "", map[string]cell{
			"registered": {http.StatusCreated, "", "waiting"},
			"waiting":    ok("waiting"), "held": ok("held"), "resting": ok("resting"), "called": ok("called"), "seated": ok("seated"),
			"absent":    {http.StatusConflict, "needs_restore", "absent"},
			"withdrawn": {http.StatusConflict, "needs_restore", "withdrawn"},
			"done":      {http.StatusConflict, "already_done", "done"},
		}},
		"leave": {http.MethodDelete, "/queue/x", "", map[string]cell{
			"waiting": {http.StatusNoContent, "", "withdrawn"}, "held": {http.StatusNoContent, "", "withdrawn"},
			"resting": {http.StatusNoContent, "", "withdrawn"},
			"called":  conflict("called"), "seated": conflict("seated"),
			"registered": notThere("registered"), "done": notThere("done"),
			"absent": notThere("absent"), "withdrawn": notThere("withdrawn"),
		}},
		"hold": {http.MethodPost, "/queue/x/hold", "", map[string]cell{
			"waiting": ok("held"), "resting": ok("held"),
			"held": conflict("held"), "registered": conflict("registered"), "called": conflict("called"), "seated": conflict("seated"),
			"done": conflict("done"), "absent": conflict("absent"), "withdrawn": conflict("withdrawn"),
		}},
		"return": {http.MethodPost, "/queue/x/return", "", map[string]cell{
			"held":    ok("waiting"),
			"waiting": conflict("waiting"), "resting": conflict("resting"), "registered": conflict("registered"),
			"called": conflict("called"), "seated": conflict("seated"),
			"done": conflict("done"), "absent": conflict("absent"), "withdrawn": conflict("withdrawn"),
		}},
		"restore": {http.MethodPost, "/queue/x/restore", "", map[string]cell{
			"absent": ok("waiting"), "withdrawn": ok("waiting"),
			"waiting": conflict("waiting"), "resting": conflict("resting"), "registered": conflict("registered"), "held": conflict("held"),
			"called": conflict("called"), "seated": conflict("seated"), "done": conflict("done"),
		}},
		"class": {http.MethodPatch, "/queue/x", `{"class": "vip", "reason": "guide"}`, map[string]cell{
			"registered": ok("registered"), "waiting": ok("waiting"), "held": ok("held"), "resting": ok("resting"),
			"called": ok("called"), "seated": ok("seated"),
			"done": conflict("done"), "withdrawn": conflict("withdrawn"), "absent": conflict("absent"),
		}},
	} {
		for state, enter := range candidateStates {
			t.Run(command+", "+state, func(t *testing.T) {
				t.Parallel()
				want, ok := test.cells[state]
				if !ok {
					t.Fatal("the table has no such cell")
				}
				client := realHall(t, `"mode": "manual", "restSeconds": 600, "maxNoShows": 1`)
				client.enrol("x,1|2")
				enter(client)
				before := client.candidate("x")
				if before.State != state {
					t.Fatalf("x is %s", before.State)
				}
				answer := client.do(test.method, "/halls/h"+test.path, test.body).is(want.status)
				after := client.candidate("x")
				if after.State != want.state {
					t.Errorf("x is %s afterwards, want %s", after.State, want.state)
				}
				if want.code != "" {
					if p := answer.problem(want.status, want.code); p.State != state {
						t.Errorf("the problem says %q, want %q", p.State, state)
					}
				} else if want.status == http.StatusOK {
					if entry := decode[candidate](answer); entry.State != want.state {
						t.Errorf("answered %s, want %s", entry.State, want.state)
					}
				}
				if before.Ticket != "" && after.Ticket != before.Ticket {
					t.Errorf("ticket %s became %s", before.Ticket, after.Ticket)
				}
			})
		}
	}
}

type candidate struct{ State, Ticket, Class string }

func (c *client) candidate(id string) candidate {
	c.t.Helper()
	return decode[candidate](c.do(http.MethodGet, "/halls/h/candidates/"+id, "").is(http.StatusOK))
}

// sittingStates brings a sitting of x on machine a-1 into each state and returns its id.
var sittingStates = map[string]func(c *client) string{
	"called": func(c *client) string { return c.callX() },
	"seated": func(c *client) string { return c.afterwards("seat", "") },
	"ended by end": func(c *client) string {
		return c.afterwards("end", "")
	},
	"ended by abort": func(c *client) string {
		return c.afterwards("abort", `{"fault": "candidate", "then": "withdraw"}`)
	},
	"ended by no-show": func(c *client) string {
		return c.afterwards("no-show", "")
	},
}

// afterwards calls x and then sends a command on the sitting.
func (c *client) afterwards(command, body string) string {
	c.t.Helper()
	id := c.callX()
	c.command(http.MethodPost, "/sittings/"+id+"/"+command, body)
	return id
}

func TestCommandsOnSittingsInEachState(t *testing.T) {
	t.Parallel()
	type result struct {
		status         int
		state, outcome string
	}
	conflict := result{http.StatusConflict, "", ""}
	ok := func(state, outcome string) result { return result{http.StatusOK, state, outcome} }
	for command, test := range map[string]struct {
		body  string
		cells map[string]result
	}{
		"seat": {"", map[string]result{
			"called": ok("seated", ""), "seated": ok("seated", ""),
			"ended by end": conflict, "ended by abort": conflict, "ended by no-show": conflict,
		}},
		"end": {"", map[string]result{
			"called": ok("ended", "finished"), "seated": ok("ended", "finished"), "ended by end": ok("ended", "finished"),
			"ended by abort": conflict, "ended by no-show": conflict,
		}},
		"recall": {`{"recall": 2}`, map[string]result{
			"called": ok("called", ""), "seated": conflict,
			"ended by end": conflict, "ended by abort": conflict, "ended by no-show": conflict,
		}},
		"no-show": {"", map[string]result{
			"called": ok("ended", "no_show"), "seated": conflict,
			"ended by end": conflict, "ended by abort": conflict, "ended by no-show": conflict,
		}},
		"abort": {`{"fault": "machine", "reason": "screen"}`, map[string]result{
			"called": ok("ended", "aborted"), "seated": ok("ended", "aborted"),
			"ended by end": conflict, "ended by abort": conflict, "ended by no-show": conflict,
		}},
		"transfer": {`{"machine": "a-2"}`, map[string]result{
			"called": ok("called", ""), "seated": ok("seated", ""),
			"ended by end": conflict, "ended by abort": conflict, "ended by no-show": conflict,
		}},
	} {
		for state, enter := range sittingStates {
			t.Run(command+", "+state, func(t *testing.T) {
				t.Parallel()
				want, known := test.cells[state]
				if !known {
					t.Fatal("the table has no such cell")
				}
				client := realHall(t, `"mode": "manual"`)
				client.enrol("x,1|2")
				id := enter(client)
				answer := client.do(http.MethodPost, "/halls/h/sittings/"+id+"/"+command, test.body).is(want.status)
				if want.status == http.StatusConflict {
					if p := answer.problem(want.status, "wrong_state"); p.State == "" {
						t.Error("the problem does not say the state")
					}
					return
				}
				if got := decode[sitting](answer); got.ID != id || got.State != want.state || got.Outcome != want.outcome {
					t.Errorf("answered %+v, want %+v", got, want)
				}
			})
		}
	}
}

type sitting struct {
	ID, State, Outcome, Machine, Candidate, Subject string
	Recalls                                         int
}
