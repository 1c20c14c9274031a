package processes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/historytest"
)

// historyClient is one of the many clients at one hall.
type historyClient struct {
	h      *historyHall
	client *client
	number int
	random *rand.Rand
}

// kinds are what a client asks for, as often as they stand here.
var kinds = []historytest.Kind{
	historytest.CheckIn, historytest.CheckIn, historytest.CheckIn, historytest.CheckIn, historytest.CheckIn, historytest.CheckIn,
	historytest.Leave, historytest.Leave, historytest.Leave, historytest.Restore, historytest.Restore, historytest.Restore,
	historytest.Hold, historytest.Hold, historytest.Return, historytest.Return, historytest.Return, historytest.Return, historytest.Return,
	historytest.Class, historytest.Look, historytest.Look,
	historytest.Next, historytest.Next, historytest.Next, historytest.Next, historytest.Next, historytest.Next,
	historytest.End, historytest.End, historytest.End, historytest.End, historytest.End, historytest.End, historytest.End,
	historytest.NoShow,
}

// step gives one command and notes what came of it.
func (c *historyClient) step() *historytest.Operation {
	o := &historytest.Operation{Client: c.number, Kind: kinds[c.random.IntN(len(kinds))]}
	if c.h.layout.Rules.Mode == hall.ModeAuto && o.Kind == historytest.End && c.random.IntN(2) == 0 {
		o.Kind = historytest.CheckIn // where every end calls, the line is short otherwise
	}
	method, path, body := c.choose(o)
	o.Invoked = time.Since(c.h.began)
	a := c.client.exchange(method, api+c.h.id+path, nil, body)
	o.Returned = time.Since(c.h.began)
	c.read(o, a)
	return o
}

// choose draws the rest of a command, and says how it is asked for.
func (c *historyClient) choose(o *historytest.Operation) (method, path string, body any) {
	switch o.Kind {
	case historytest.Next:
		o.Machine = c.machine()
		return http.MethodPost, "/queue/next", map[string]any{"machine": o.Machine}
	case historytest.End, historytest.NoShow:
		o.Sitting = c.sitting()
		return http.MethodPost, "/sittings/" + o.Sitting + "/" + string(o.Kind), nil
	default:
	}
	o.Candidate = c.candidate(o.Kind == historytest.CheckIn)
	path = "/queue/" + o.Candidate
	switch o.Kind {
	case historytest.CheckIn:
		return http.MethodPut, path, c.checkIn(o)
	case historytest.Leave:
		return http.MethodDelete, path, nil
	case historytest.Class:
		o.Class = c.class()
		return http.MethodPatch, path, map[string]any{"class": o.Class}
	case historytest.Look:
		return http.MethodGet, path, nil
	case historytest.Restore:
		if o.Kept = c.random.IntN(2) == 0; o.Kept {
			body = map[string]string{"place": "kept"}
		}
	default:
	}
	return http.MethodPost, path + "/" + string(o.Kind), body
}

// checkIn is now as a rule, else some seconds back, so that the ranks of ageing cross.
func (c *historyClient) checkIn(o *historytest.Operation) any {
	body := map[string]any{}
	if c.random.IntN(3) == 0 {
		o.Class = c.class()
		body["class"] = o.Class
	}
	if back := c.random.IntN(30_000); c.random.IntN(2) == 0 {
		o.At = time.Now().Add(-time.Second - time.Duration(back)*time.Millisecond).Truncate(time.Millisecond)
		body["at"] = o.At
	}
	return body
}

func (c *historyClient) class() hall.Class { return hall.Classes[c.random.IntN(len(hall.Classes))] }

// machine is one of the hall, "" for any.
func (c *historyClient) machine() string {
	if i := c.random.IntN(len(c.h.layout.Machines) + 2); i < len(c.h.layout.Machines) {
		return c.h.layout.Machines[i].ID
	}
	return ""
}

// candidate is one of those who come next, or of those who came last.
func (c *historyClient) candidate(next bool) string {
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	from, to := max(0, c.h.arrived-40), c.h.arrived+3
	if next {
		from, to = max(0, c.h.arrived-2), c.h.arrived+10
	}
	return c.h.rows[min(from+c.random.IntN(to-from), len(c.h.rows)-1)].Candidate
}

// sitting is one of the last ones, or the next.
func (c *historyClient) sitting() string {
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	return "s" + strconv.Itoa(max(1, c.h.frontier+1-c.random.IntN(len(c.h.layout.Machines)+3)))
}

// shown is what the answers of all commands have, as far as it is looked at.
type shown struct {
	ID           string    `json:"id"`
	Ticket       string    `json:"ticket"`
	State        string    `json:"state"`
	Code         string    `json:"code"`
	WaitingSince time.Time `json:"waitingSince"`
	QueuedAt     time.Time `json:"queuedAt"`
	WaitSeconds  float64   `json:"waitSeconds"`
	Ahead        int       `json:"ahead"`
	Sitting      *sitting  `json:"sitting"`
}

// read notes an answer.
func (c *historyClient) read(o *historytest.Operation, a answer) {
	var s shown
	if len(a.body) > 0 {
		if err := json.Unmarshal(a.body, &s); err != nil {
			c.client.Errorf("%s: %v in %s", o, err, a.body)
		}
	}
	o.Ticket, o.State, o.Since, o.Queued = s.Ticket, s.State, s.WaitingSince, s.QueuedAt
	o.Wait, o.Ahead = milliseconds(s.WaitSeconds), s.Ahead
	switch {
	case a.status == 0 || a.status == http.StatusServiceUnavailable:
		o.Outcome = historytest.Lost // a machine that is too busy
	case a.status == http.StatusConflict || a.status == http.StatusNotFound:
		o.Outcome, o.Code = historytest.Refused, hall.Code(s.Code)
	case a.status == http.StatusNoContent && o.Kind == historytest.Leave, a.status == http.StatusCreated:
		o.Outcome = historytest.Changed
	case a.status == http.StatusNoContent && o.Kind == historytest.Next:
		o.Outcome = historytest.Nothing
	case a.status != http.StatusOK:
		c.client.Errorf("%s: %d %s", o, a.status, a.body)
	case o.Kind == historytest.CheckIn || o.Kind == historytest.Look:
		o.Outcome = historytest.Nothing
	case o.Kind == historytest.End || o.Kind == historytest.Class:
		o.Outcome = historytest.Done
	default:
		o.Outcome = historytest.Changed
	}
	c.learn(o, &s)
}

// learn remembers how far the day has come.
func (c *historyClient) learn(o *historytest.Operation, s *shown) {
	id := ""
	switch {
	case o.Kind == historytest.Next && o.Outcome == historytest.Changed:
		o.Called, id = s.ID, s.ID
	case s.Sitting != nil:
		id = s.Sitting.ID
	}
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	if o.Outcome == historytest.Changed && o.Kind == historytest.CheckIn {
		c.h.arrived++
	}
	var number int
	if _, err := fmt.Sscanf(id, "s%d", &number); err == nil {
		c.h.frontier = max(c.h.frontier, number)
	}
	switch {
	case o.Kind != historytest.End || c.h.layout.Rules.Mode == hall.ModeManual:
	case o.Outcome == historytest.Done:
		c.h.frontier++ // somebody may have been called
	case o.Code == hall.CodeUnknownSitting:
		if _, err := fmt.Sscanf(o.Sitting, "s%d", &number); err == nil {
			c.h.frontier = min(c.h.frontier, number-1) // nobody was
		}
	}
}
