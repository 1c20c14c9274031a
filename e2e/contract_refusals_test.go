package e2e_test

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/e2e/contract"
)

// refusal is a request that no operation takes.
type refusal struct {
	status int
	query  string
	body   string
	header map[string]string // besides the token; a value "" takes it away
	when   func(contract.Operation) bool
}

var (
	takesBody = func(o contract.Operation) bool { return o.TakesBody }
	takesJSON = func(o contract.Operation) bool { return o.TakesBody && o.ID != "put-roster" }
	changes   = func(o contract.Operation) bool { return o.Method != http.MethodGet }
	always    = func(contract.Operation) bool { return true }
)

// How long a body is that is too long.
const (
	tooMuch       = 10<<20 + 1
	tooMuchRoster = 64<<20 + 1
)

// refusals are the ways in which a request for any operation may be wrong.
var refusals = map[string]refusal{
	"no token":       {status: http.StatusUnauthorized, header: map[string]string{"Authorization": ""}, when: always},
	"wrong token":    {status: http.StatusUnauthorized, header: map[string]string{"Authorization": "Bearer wrong"}, when: always},
	"other site":     {status: http.StatusForbidden, header: map[string]string{"Sec-Fetch-Site": "cross-site"}, when: changes},
	"broken query":   {status: http.StatusBadRequest, query: "?a=%zz", when: always},
	"unknown query":  {status: http.StatusUnprocessableEntity, query: "?nonsense=1", when: always},
	"query twice":    {status: http.StatusUnprocessableEntity, query: "?page=1&page=2", when: always},
	"no JSON":        {status: http.StatusBadRequest, body: `{`, when: takesJSON},
	"unknown field":  {status: http.StatusUnprocessableEntity, body: `{"nonsense": 1}`, when: takesJSON},
	"wrong type":     {status: http.StatusUnprocessableEntity, body: `[]`, when: takesJSON},
	"type of a body": {status: http.StatusUnsupportedMediaType, body: `x`, header: map[string]string{"Content-Type": "image/png"}, when: takesBody},
	"encoding":       {status: http.StatusUnsupportedMediaType, body: `{}`, header: map[string]string{"Content-Type": "application/json; charset=gbk"}, when: takesBody},
	"too long a body": {status: http.StatusRequestEntityTooLarge, body: strings.Repeat(" ", tooMuch), when: func(o contract.Operation) bool {
		return slices.Contains([]string{"put-hall", "leave-queue", "list-halls"}, o.ID) // it takes a while
	}},
	"too long a roster": {status: http.StatusRequestEntityTooLarge, body: strings.Repeat(" ", tooMuchRoster), when: func(o contract.Operation) bool {
		return o.ID == "put-roster"
	}},
	"a key that is none": {status: http.StatusUnprocessableEntity, header: map[string]string{"Idempotency-Key": "\u00e9"}, when: changes},
}

// places are what stands in braces in the path of an operation.
var places = regexp.MustCompile(`\{[a-z]+\}`)

// ask sends a request for an operation to a server, about a hall and, where the
// path names something else, about the same word; and returns the status.
func (s *server) ask(t *testing.T, o contract.Operation, hall, other string, r refusal) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var body io.Reader = http.NoBody
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	if o.ID == "get-records" && r.query == "" {
		r.query = "?table=log"
	}
	path := places.ReplaceAllString(strings.ReplaceAll(o.Path, "{hall}", hall), other)
	request, err := http.NewRequestWithContext(ctx, o.Method, s.url+path+r.query, body)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+adminToken)
	for name, value := range r.header {
		request.Header.Del(name)
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := s.transport(t).RoundTrip(request)
	must(t, err)
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode
}

// goodBodies are bodies that operations take, by operation: those of all that
// need one, so that a refusal is of something else.
var goodBodies = map[string]string{
	"abort":            `{"fault": "machine", "reason": "Smoke"}`,
	"add-correction":   `{"table": "attendance", "row": "0012", "text": "Came late", "reason": "Seen at the door"}`,
	"add-note":         `{"text": "Sits again"}`,
	"call-out-of-turn": `{"machine": "m1", "reason": "Has a train"}`,
	"open-incident":    `{"category": "other", "text": "No light"}`,
	"put-candidate":    `{"subjects": ["1"]}`,
	"put-hall": `{"name": "Hall", "timeZone": "UTC", "subjects": [{"code": "1", "minutes": 10}], "rooms": [{"id": "A"}],
		"models": [{"id": "M", "subjects": ["1"]}], "machines": [{"id": "m1", "room": "A", "model": "M"}]}`,
	"put-metric": `{"metricsQueryMeta": {"keyTemplate": "pages:#machine#", "queryCommand": "GET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "pages:#machine#", "saveCommand": "INCRBY", "delCommand": "DEL"},
		"on": [{"event": "x_printed", "do": "save", "value": "#pages#"}]}`,
	"query-metrics":          `{"metricsName": "machinesByState"}`,
	"send-event":             `{"event": "x_printed", "fields": {"machine": "m1", "pages": "3"}}`,
	"put-roster":             "candidate_id,subjects\n001,1\n",
	"recall":                 `{"recall": 2}`,
	"set-class":              `{"class": "vip", "reason": "Guest"}`,
	"undo":                   `{"event": "1-1"}`,
	"machine-out-of-service": `{"reason": "No picture"}`,
}

// good is a request with nothing wrong in itself.
func good(t *testing.T, o contract.Operation) refusal {
	t.Helper()
	r := refusal{body: goodBodies[o.ID]}
	switch {
	case o.ID == "put-roster":
		r.header = map[string]string{"Content-Type": "text/csv"}
	case r.body != "":
		r.header = map[string]string{"Content-Type": "application/json"}
	case o.NeedsBody:
		t.Errorf("%s needs a body, and the test has none", o.ID)
	}
	return r
}

// TestEveryOperationRefusesAsDocumented sends what is wrong with any request to
// every operation.
func TestEveryOperationRefusesAsDocumented(t *testing.T) {
	t.Parallel()
	s := documented(t)
	for name, r := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, o := range s.document.Operations() {
				if !r.when(o) {
					continue
				}
				if status := s.ask(t, o, "nowhere", "nowhere", r); status != r.status {
					t.Errorf("%s answers %d, want %d", o.ID, status, r.status)
				}
			}
		})
	}
}

// TestEveryOperationKnowsWhatIsNotThere asks every operation for a hall that
// does not exist, and for what a hall does not have.
func TestEveryOperationKnowsWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := documented(t)
	h := s.newHall(t, 1, 0, nil)
	for _, o := range s.document.Operations() {
		r, want := good(t, o), http.StatusNotFound
		switch o.ID {
		case "put-hall", "put-metric":
			continue // makes it
		case "list-halls", "list-metrics":
			want = http.StatusOK
		}
		if status := s.ask(t, o, "nowhere", "nobody", r); status != want {
			t.Errorf("%s without a hall answers %d, want %d", o.ID, status, want)
		}
		if len(places.FindAllString(o.Path, -1)) < 2 {
			continue
		}
		if o.ID == "put-candidate" {
			want = http.StatusCreated // makes it
		}
		if status := s.ask(t, o, h.id, "nobody-"+o.ID, r); status != want {
			t.Errorf("%s of nothing answers %d, want %d", o.ID, status, want)
		}
	}
}

// TestEveryOperationSaysThatTheStoreIsGone asks a server without its Redis.
func TestEveryOperationSaysThatTheStoreIsGone(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	s := newServer(t, r.url())
	r.stop(t)
	for _, o := range s.document.Operations() {
		if status := s.ask(t, o, "somewhere", "somebody", good(t, o)); status != http.StatusServiceUnavailable {
			t.Errorf("%s answers %d", o.ID, status)
		}
	}
	r.start(t)
}
