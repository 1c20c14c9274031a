package e2e_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hallcall/hallcall/e2e/contract"
)

// documented is the shared server with a document of its own, so that what
// other tests call does not count.
func documented(t *testing.T) *server {
	t.Helper()
	s := sharedServer(t)
	document, err := contract.Fetch(t.Context(), http.DefaultTransport, s.url)
	must(t, err)
	return &server{url: s.url, document: document}
}

// TestDayCallsEveryOperation brings a hall through a day in which every
// operation of the document is answered with each of its successes.
func TestDayCallsEveryOperation(t *testing.T) {
	t.Parallel()
	s := documented(t)
	h := s.newHall(t, 3, 7, object{"mode": "manual"})
	h.morning()
	h.line()
	h.calls()
	h.trouble()
	h.interruptions()
	h.figures()
	h.metrics()
	h.evening()
	for _, never := range s.document.Missing() {
		t.Errorf("the day has no %s", never)
	}
}

// morning prepares the hall; nobody is there yet.
func (h *testHall) morning() {
	h.t.Helper()
	var hall object
	h.want(http.StatusOK, http.MethodGet, "", nil, &hall)
	delete(hall, "id")
	delete(hall, "day")
	h.want(http.StatusOK, http.MethodPut, "", hall, nil)
	h.want(http.StatusCreated, http.MethodPut, "/candidates/008", object{"name": "Candidate 8", "subjects": []string{"1", "2"}}, nil)
	h.want(http.StatusOK, http.MethodPut, "/candidates/008", object{"note": "comes late", "subjects": []string{"1"}}, nil)
	h.want(http.StatusNoContent, http.MethodPost, "/queue/next", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/machines/m3/spare", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/machines/m3/out-of-service", object{"reason": "No picture", "code": "hardware"}, nil)
	h.want(http.StatusOK, http.MethodPost, "/machines/m3/in-service", nil, nil)
}

// line has people come, step away, leave and come back.
func (h *testHall) line() {
	h.t.Helper()
	h.checkIn("001", "002", "003", "004", "005", "006")
	h.want(http.StatusOK, http.MethodPut, "/queue/001", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/queue/005/hold", nil, nil)
	h.want(http.StatusOK, http.MethodGet, "/queue/005", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/queue/005/return", nil, nil)
	h.want(http.StatusOK, http.MethodPatch, "/queue/005", object{"class": "vip", "reason": "Guest"}, nil)
	h.want(http.StatusNoContent, http.MethodDelete, "/queue/004", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/queue/004/restore", object{"place": "kept"}, nil)
	h.want(http.StatusOK, http.MethodGet, "/queue/004", nil, nil)
}

// calls brings two candidates to machines, one of them out of turn.
func (h *testHall) calls() {
	h.t.Helper()
	var first sitting
	h.want(http.StatusOK, http.MethodPost, "/queue/next", object{"machine": "m1"}, &first)
	h.command(first, "seat")
	h.want(http.StatusOK, http.MethodGet, "/queue/"+first.Candidate, nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+first.ID+"/transfer", object{"machine": "m2"}, nil)
	h.slip(first)
	h.command(first, "end")
	h.want(http.StatusOK, http.MethodPost, "/queue/003/call", object{"machine": "m1", "reason": "Has a train"}, nil)
}

// slip ends a sitting by mistake and takes it back.
func (h *testHall) slip(s sitting) {
	h.t.Helper()
	h.command(s, "end")
	var list struct{ Items []struct{ ID, Event string } }
	h.want(http.StatusOK, http.MethodGet, "/events?size=0", nil, &list)
	for _, e := range slices.Backward(list.Items) {
		if e.Event == "sitting_ended" {
			h.want(http.StatusOK, http.MethodPost, "/undo?dryRun=true", object{"event": e.ID}, nil)
			h.want(http.StatusOK, http.MethodPost, "/undo", object{"event": e.ID}, nil)
			break
		}
	}
	h.is(s.Candidate, "seated")
}

// trouble is what happens to sittings that do not end well.
func (h *testHall) trouble() {
	h.t.Helper()
	missing := h.sittingOf("003")
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+missing.ID+"/recall", object{"recall": 2}, nil)
	h.command(missing, "no-show")
	h.want(http.StatusOK, http.MethodPost, "/queue/002/call", object{"machine": "m2", "reason": "Has a train"}, nil)
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+h.sittingOf("002").ID+"/abort", object{"fault": "machine", "reason": "Smoke"}, nil)
	h.want(http.StatusCreated, http.MethodPost, "/incidents", object{"category": "machine", "machine": "m2", "candidate": "002", "text": "Smoke", "done": "Unplugged"}, nil)
	h.want(http.StatusCreated, http.MethodPost, "/candidates/002/notes", object{"text": "Sits again,\nhas been told"}, nil)
}

// interruptions stop and go on.
func (h *testHall) interruptions() {
	h.t.Helper()
	for _, pause := range []object{{"message": "Back at ten", "room": "r1"}, {"message": "Lunch"}} {
		h.want(http.StatusOK, http.MethodPost, "/pause", pause, nil)
		h.want(http.StatusOK, http.MethodGet, "", nil, nil)
		delete(pause, "message")
		h.want(http.StatusOK, http.MethodPost, "/resume", pause, nil)
	}
	h.want(http.StatusOK, http.MethodPost, "/check-in/close", nil, nil)
	h.want(http.StatusConflict, http.MethodPut, "/queue/007", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/check-in/open", nil, nil)
}

// figures reads everything that the day has left, whole and in parts.
func (h *testHall) figures() {
	h.t.Helper()
	h.want(http.StatusOK, http.MethodPost, "/queue/statistics", nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/queue/statistics", object{"filters": []string{"vip"}, "statistics": []string{"maxWait"}}, nil)
	if status := h.api(h.t, http.MethodGet, "/halls?size=2", nil, nil); status != http.StatusOK {
		h.t.Errorf("list of halls: %d", status)
	}
	for _, list := range []string{
		"/candidates", "/candidates/001", "/candidates?state=done&q=" + url.QueryEscape("Candidate"), "/queue", "/queue?order=desc&class=vip&size=1&page=1",
		"/machines", "/machines?state=out_of_service", "/machines/statistics", "/sittings", "/sittings?state=ended&page=2&size=1",
		"/incidents", "/alerts", "/alerts?size=1", "/candidates/002", "/events", "/events?size=0",
	} {
		h.want(http.StatusOK, http.MethodGet, list, nil, nil)
	}
}

// metrics defines a figure, feeds it and asks for it beside others.
func (h *testHall) metrics() {
	h.t.Helper()
	name := "pages" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, h.id)
	definition := object{
		"metricsQueryMeta":      object{"keyTemplate": "pages:#machine#", "queryCommand": "GET"},
		"metricsSaveAndDelMeta": object{"keyTemplate": "pages:#machine#", "saveCommand": "INCRBY", "delCommand": "DEL"},
		"on":                    []object{{"event": "x_printed", "do": "save", "value": "#pages#"}},
	}
	for _, want := range []int{http.StatusCreated, http.StatusOK} {
		if status := h.api(h.t, http.MethodPut, "/metrics/"+name, definition, nil); status != want {
			h.t.Errorf("put metric: %d, want %d", status, want)
		}
	}
	if status := h.api(h.t, http.MethodGet, "/metrics", nil, nil); status != http.StatusOK {
		h.t.Errorf("list of metrics: %d", status)
	}
	h.want(http.StatusCreated, http.MethodPost, "/metrics/events", object{"event": "x_printed", "fields": object{"machine": "m1", "pages": "3"}}, nil)
	var pages struct{ Value int }
	h.want(http.StatusOK, http.MethodPost, "/metrics/query", object{"metricsName": name, "params": object{"machine": "m1"}}, &pages)
	if pages.Value != 3 {
		h.t.Errorf("%d pages, want 3", pages.Value)
	}
	h.want(http.StatusOK, http.MethodPost, "/metrics/query", object{"queries": []object{{"metricsName": "machinesByState"}, {"metricsName": "donePerHour"}}}, nil)
}

// records corrects the records of a closed day and reads all of them in every format.
func (h *testHall) records(day string) {
	h.t.Helper()
	for _, correction := range []object{
		{"table": "attendance", "row": "007", "state": "withdrawn", "reason": "Rang up"},
		{"table": "sittings", "row": "s1", "text": "Sat at m3", "reason": "Seen"},
	} {
		h.want(http.StatusCreated, http.MethodPost, day+"/corrections", correction, nil)
	}
	h.want(http.StatusOK, http.MethodGet, day+"/corrections", nil, nil)
	for _, table := range []string{"attendance", "sittings", "incidents", "log"} {
		for _, format := range []string{"", "&page=2&size=3", "&size=0", "&format=json", "&format=csv", "&format=xlsx"} {
			h.want(http.StatusOK, http.MethodGet, day+"/records?table="+table+format, nil, nil)
		}
	}
}

// evening closes the day, looks back on it and opens the next one.
func (h *testHall) evening() {
	h.t.Helper()
	var closed struct{ ID string }
	h.want(http.StatusOK, http.MethodPost, "/close", nil, &closed)
	h.want(http.StatusOK, http.MethodPost, "/close", object{"day": closed.ID}, nil)
	h.want(http.StatusConflict, http.MethodPost, "/close", nil, nil)
	for _, list := range []string{"", "/days", "/days/current", "/days/" + closed.ID} {
		h.want(http.StatusOK, http.MethodGet, list, nil, nil)
	}
	h.records("/days/" + closed.ID)
	h.want(http.StatusNoContent, http.MethodDelete, "/days/"+closed.ID+"/persons", nil, nil)
	h.want(http.StatusOK, http.MethodGet, "/days/"+closed.ID, nil, nil)
	h.want(http.StatusOK, http.MethodPost, "/open", nil, nil)
	h.want(http.StatusOK, http.MethodGet, "/days/current", nil, nil)
}
