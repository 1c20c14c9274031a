package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// alert is one as the API sends it.
type alert struct {
	Alert, Machine, Candidate, Ticket, Subject, Room, Since, RaisedAt string
}

func TestAlerts(t *testing.T) {
	t.Parallel()
	called := hall.Alert{
		Name: hall.AlertCallUnanswered, Machine: "a-1", Candidate: "x", Ticket: "N001", Subject: "1", Room: "a", Sitting: "s1",
		Since: noon, Raised: noon.Add(180 * time.Second),
	}
	client := newClient(t, &fakeStore{
		alerts: func(id string, page hall.Page) (hall.List[hall.Alert], error) {
			if id != "h" {
				return hall.List[hall.Alert]{}, &hall.Error{Code: hall.CodeUnknownHall, Message: "There is no such hall."}
			}
			if want := (hall.Page{Number: 2, Size: 1}); page != want {
				t.Errorf("asked for page %+v", page)
			}
			return hall.List[hall.Alert]{Items: []hall.Alert{called}, Total: 2}, nil
		},
	})
	list := decode[page[alert]](client.do(http.MethodGet, "/halls/h/alerts?page=2&size=1", "").is(http.StatusOK))
	want := alert{"call_unanswered", "a-1", "x", "N001", "1", "a", "2026-11-30T04:00:00.000Z", "2026-11-30T04:03:00.000Z"}
	if list.Total != 2 || len(list.Items) != 1 || list.Items[0] != want {
		t.Errorf("the list is %+v, want %+v", list, want)
	}
	client.do(http.MethodGet, "/halls/no/alerts?page=2&size=1", "").problem(http.StatusNotFound, "unknown_hall")
	client.with("Authorization", "").do(http.MethodGet, "/halls/h/alerts", "").problem(http.StatusUnauthorized, "unauthorized")
}

// TestNoAlerts lists those of a new hall of a real store.
func TestNoAlerts(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	if list := decode[page[alert]](client.command(http.MethodGet, "/alerts", "").is(http.StatusOK)); list.Total != 0 || list.Items == nil {
		t.Errorf("there are %+v", list)
	}
}
