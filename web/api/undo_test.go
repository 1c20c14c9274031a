package api_test

import (
	"net/http"
	"testing"
)

type undone struct {
	Event, Undoes string
	Withdrawn     []struct{ Ticket, Machine, Sitting string }
}

// happened is what these tests read of an event.
type happened struct{ ID, Event, Cause string }

// events are those of the day.
func (c *client) events() []happened {
	c.t.Helper()
	return decode[struct{ Items []happened }](c.command(http.MethodGet, "/events?size=0", "")).Items
}

func TestUndo(t *testing.T) {
	t.Parallel()
	c := realHall(t, "")
	c.enrol("x,1", "y,1", "z,1")
	for _, id := range []string{"x", "y", "z"} {
		c.command(http.MethodPut, "/queue/"+id, "")
	}
	c.command(http.MethodPost, "/sittings/s1/end", "")
	events := c.events()
	end, call := "", ""
	for _, e := range events {
		switch {
		case e.Event == "sitting_ended":
			end = e.ID
		case e.Event == "candidate_called" && e.Cause == end && end != "":
			call = e.ID
		}
	}

	body := `{"event": "` + end + `"}`
	dry := decode[undone](c.command(http.MethodPost, "/undo?dryRun=true", body).is(http.StatusOK))
	if dry.Event != "" || len(dry.Withdrawn) != 1 || dry.Withdrawn[0].Ticket != "N003" || dry.Withdrawn[0].Machine != "a-1" {
		t.Errorf("a dry run answers %+v", dry)
	}
	first := decode[undone](c.command(http.MethodPost, "/undo", body).is(http.StatusOK))
	again := decode[undone](c.command(http.MethodPost, "/undo", body).is(http.StatusOK))
	if first.Event == "" || first.Undoes != end || first.Event != again.Event || len(first.Withdrawn) != 1 {
		t.Errorf("answered %+v, then %+v", first, again)
	}
	if got := decode[struct{ State string }](c.command(http.MethodGet, "/queue/x", "")).State; got != "called" {
		t.Errorf("x is %s, want called", got)
	}

	c.do(http.MethodPost, "/halls/h/undo", `{"event": "`+call+`"}`).problem(http.StatusConflict, "not_undoable")
	c.do(http.MethodPost, "/halls/h/undo", `{"event": "1-1"}`).problem(http.StatusNotFound, "unknown_event")
	c.do(http.MethodPost, "/halls/h/undo", `{"event": "x"}`).problem(http.StatusUnprocessableEntity, "invalid")
	c.do(http.MethodPost, "/halls/h/undo", `{}`).problem(http.StatusUnprocessableEntity, "invalid")

	c.command(http.MethodPost, "/sittings/s1/end", "")
	c.command(http.MethodPost, "/sittings/s4/seat", "")
	events = c.events()
	for _, e := range events {
		if e.Event == "sitting_ended" {
			end = e.ID
		}
	}
	blocked := c.do(http.MethodPost, "/halls/h/undo", `{"event": "`+end+`"}`).problem(http.StatusConflict, "undo_blocked")
	if len(blocked.Errors) != 1 || blocked.Errors[0].Value != events[len(events)-1].ID {
		t.Errorf("blocked by %+v, want %s", blocked.Errors, events[len(events)-1].ID)
	}
}
