package api_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// day is a day as it is answered.
type day struct {
	ID, State, OpenedAt, ClosedAt string
	Candidates                    struct {
		Total   int
		ByState map[string]int
	}
	Sittings struct {
		Total           int
		Open, ByOutcome map[string]int
	}
	Machines *struct{ Total int }
}

func (c *client) day(id string) day {
	c.t.Helper()
	return decode[day](c.do(http.MethodGet, "/halls/h/days/"+id, "").is(http.StatusOK))
}

func TestDayIsClosedAndTheNextOneOpened(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1", "y,1", "z,1", "late,2")
	for _, id := range []string{"x", "y", "z"} {
		client.command(http.MethodPut, "/queue/"+id, "")
	}
	client.command(http.MethodPost, "/sittings/s1/seat", "")
	client.do(http.MethodPost, "/halls/h/open", "").problem(http.StatusConflict, "wrong_state")

	closed := decode[day](client.do(http.MethodPost, "/halls/h/close", "").is(http.StatusOK))
	states := closed.Candidates.ByState
	if closed.State != "closed" || closed.ClosedAt == "" || closed.Candidates.Total != 4 || states["seated"] != 1 || states["called"] != 1 ||
		states["waiting"] != 1 || states["registered"] != 1 || closed.Sittings.Open["seated"] != 1 || closed.Machines.Total != 3 {
		t.Errorf("closed %+v", closed)
	}
	if p := client.do(http.MethodPost, "/halls/h/close", "{}").problem(http.StatusConflict, "day_not_open"); p.State != "preparing" {
		t.Errorf("the problem says %q", p.State)
	}
	named := fmt.Sprintf(`{"day": %q}`, closed.ID)
	if again := decode[day](client.do(http.MethodPost, "/halls/h/close", named).is(http.StatusOK)); !reflect.DeepEqual(again, closed) {
		t.Errorf("closed again: %+v", again)
	}
	client.do(http.MethodPost, "/halls/h/close", `{"day": "2000-01-01-1"}`).problem(http.StatusNotFound, "unknown_day")
	client.do(http.MethodPost, "/halls/h/close", `{"day": ""}`).problem(http.StatusUnprocessableEntity, "invalid")
	client.do(http.MethodPost, "/halls/h/close", `{"date": "2000-01-01"}`).problem(http.StatusUnprocessableEntity, "invalid")

	client.isPrepared()
	opened := decode[struct{ Day map[string]any }](client.do(http.MethodPost, "/halls/h/open", "").is(http.StatusOK)).Day
	if opened["state"] != "open" || opened["id"] == closed.ID || opened["openedAt"] == nil || opened["checkIn"] != "open" {
		t.Errorf("opened %v", opened)
	}
	entry := decode[candidate](client.do(http.MethodPut, "/halls/h/queue/new", "").is(http.StatusCreated))
	if entry.Ticket != "N001" || entry.State != "called" {
		t.Errorf("the first of the new day is %+v", entry)
	}
	if old := client.day(closed.ID); !reflect.DeepEqual(old, closed) {
		t.Errorf("the closed day became %+v", old)
	}
	client.hasDays(closed.ID, fmt.Sprint(opened["id"]))
}

// isPrepared has a hall whose day is being prepared, and puts somebody on its roster.
func (c *client) isPrepared() {
	c.t.Helper()
	if now := c.day("current"); now.ID != "" || now.State != "preparing" || now.OpenedAt != "" || now.Candidates.Total != 0 {
		c.t.Errorf("the next day is %+v", now)
	}
	hall := decode[struct{ Day map[string]any }](c.do(http.MethodGet, "/halls/h", "").is(http.StatusOK))
	if _, has := hall.Day["id"]; has || hall.Day["state"] != "preparing" {
		c.t.Errorf("the hall's day is %v", hall.Day)
	}
	for request, body := range map[string]string{
		"PUT /queue/x": "", "PUT /queue/nobody": "", "POST /queue/next": `{"machine": "a-1"}`,
	} {
		var method, path string
		_, _ = fmt.Sscan(request, &method, &path)
		if p := c.do(method, "/halls/h"+path, body).problem(http.StatusConflict, "day_not_open"); p.State != "preparing" {
			c.t.Errorf("%s: the problem says %q", request, p.State)
		}
	}
	c.enrol("new,1")
	c.do(http.MethodPut, "/halls/h/candidates/one", `{"subjects": ["2"]}`).is(http.StatusCreated)
	c.do(http.MethodPost, "/halls/h/machines/b-1/spare", "").is(http.StatusOK)
	c.do(http.MethodPost, "/halls/h/queue/new/hold", "").problem(http.StatusConflict, "wrong_state")
	c.do(http.MethodDelete, "/halls/h/queue/new", "").problem(http.StatusNotFound, "not_in_queue")
	c.do(http.MethodPost, "/halls/h/sittings/s1/end", "").problem(http.StatusNotFound, "unknown_sitting")
	c.do(http.MethodPost, "/halls/h/machines/a-1/out-of-service", `{"reason": "dark"}`).is(http.StatusOK)
	c.do(http.MethodPost, "/halls/h/machines/a-1/in-service", "").is(http.StatusOK)
}

func (c *client) hasDays(closed, present string) {
	c.t.Helper()
	for query, want := range map[string]string{
		"": present + " " + closed, "?size=1": present, "?size=1&page=2": closed, "?size=1&page=3": "", "?size=0": present + " " + closed,
	} {
		l := decode[page[day]](c.do(http.MethodGet, "/halls/h/days"+query, "").is(http.StatusOK))
		ids := []string{}
		for _, d := range l.Items {
			ids = append(ids, d.ID)
			if d.Machines != nil || d.Sittings.ByOutcome != nil {
				c.t.Errorf("%q lists figures: %+v", query, d)
			}
		}
		if got := strings.Join(ids, " "); got != want || l.Total != 2 {
			c.t.Errorf("%q lists %q of %d, want %q", query, got, l.Total, want)
		}
	}
}

func TestDayCommandsWithAKey(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1")
	keyed := client.with("Idempotency-Key", "evening")
	closed := keyed.do(http.MethodPost, "/halls/h/close", "").is(http.StatusOK).Body.String()
	morning := client.with("Idempotency-Key", "morning")
	opened := morning.do(http.MethodPost, "/halls/h/open", "").is(http.StatusOK).Body.String()
	if again := keyed.do(http.MethodPost, "/halls/h/close", "").is(http.StatusOK).Body.String(); again != closed {
		t.Errorf("closed again: %s, want %s", again, closed)
	}
	client.enrol("y,1")
	if again := morning.do(http.MethodPost, "/halls/h/open", "").is(http.StatusOK).Body.String(); again != opened {
		t.Errorf("opened again: %s, want %s", again, opened)
	}
	if now := client.day("current"); now.State != "open" || now.Candidates.Total != 1 {
		t.Errorf("the day is %+v", now)
	}
	keyed.do(http.MethodPost, "/halls/h/open", "").problem(http.StatusUnprocessableEntity, "idempotency_key_reused")
	client.with("Authorization", "").do(http.MethodPost, "/halls/h/close", "").problem(http.StatusUnauthorized, "unauthorized")
}
