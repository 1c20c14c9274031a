package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/e2e/contract"
)

const adminToken = "e2e-token-of-the-administrator"

// sitting is what the tests read of a sitting.
type sitting struct {
	ID, Candidate, Ticket, Machine, State, Outcome string
	CalledAt                                       time.Time
}

// api sends a request with every right and decodes the answer into answer,
// unless that is nil. It returns the status. The answer must be as the API's
// document says.
func (s *server) api(t *testing.T, method, path string, body, answer any) int {
	t.Helper()
	var sent io.Reader
	contentType := "application/json"
	switch body := body.(type) {
	case nil:
	case string:
		sent, contentType = strings.NewReader(body), "text/csv"
	default:
		data, err := json.Marshal(body)
		must(t, err)
		sent = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.url+"/api/v1"+path, sent)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+adminToken)
	if sent != nil {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := s.transport(t).RoundTrip(request)
	must(t, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	must(t, err)
	if answer != nil && response.StatusCode < 300 {
		if err := json.Unmarshal(data, answer); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, data)
		}
	}
	if response.StatusCode >= 400 {
		t.Logf("%s %s: %d %s", method, path, response.StatusCode, data)
	}
	return response.StatusCode
}

// transport carries requests to the API and fails the test when an answer is
// not as the API's document says.
func (s *server) transport(t *testing.T) http.RoundTripper {
	t.Helper()
	return &contract.Transport{Base: http.DefaultTransport, Document: s.document, Report: func(err error) {
		t.Helper()
		t.Error(err)
	}}
}

// testHall is a hall of its own for one test.
type testHall struct {
	*server

	t  *testing.T
	id string
}

type object = map[string]any

// newHall makes a hall with one room, the given number of machines, two
// subjects that every machine serves, and candidates 001, 002, … for subject 1.
func (s *server) newHall(t *testing.T, machines, candidates int, rules object) *testHall {
	t.Helper()
	id := strings.ToLower(strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()))
	return s.newHallWithID(t, id, machines, candidates, rules)
}

func (s *server) newHallWithID(t *testing.T, id string, machines, candidates int, rules object) *testHall {
	t.Helper()
	all := object{"openScreens": true, "callTimeoutSeconds": 600}
	for rule, value := range rules {
		all[rule] = value
	}
	var desks []object
	for i := range machines {
		label := strconv.Itoa(i + 1)
		desks = append(desks, object{
			"id": "m" + label, "label": label, "room": "r1", "model": "A", "spare": false,
		})
	}
	h := &testHall{server: s, t: t, id: id}
	h.want(http.StatusCreated, http.MethodPut, "", object{
		"name": "Hall of the test", "timeZone": "Asia/Shanghai",
		"subjects": []object{
			{"code": "1", "name": object{"en": "Road signs"}, "minutes": 20},
			{"code": "2", "name": object{"en": "Safety"}, "minutes": 20},
		},
		"rooms":    []object{{"id": "r1", "name": "Room 2"}},
		"models":   []object{{"id": "A", "name": "A", "subjects": []string{"1", "2"}}},
		"machines": desks,
		"rules":    all,
	}, nil)
	var roster strings.Builder
	roster.WriteString("candidate_id,name,id_number,subjects\n")
	for i := range candidates {
		fmt.Fprintf(&roster, "%03d,Candidate %d,,1\n", i+1, i+1)
	}
	h.roster(roster.String())
	return h
}

// path is the address of a page of the hall.
func (h *testHall) path(page string) string { return "/halls/" + url.PathEscape(h.id) + "/" + page }

// want sends a request about the hall, which must have this status.
func (h *testHall) want(status int, method, path string, body, answer any) {
	h.t.Helper()
	if got := h.api(h.t, method, "/halls/"+url.PathEscape(h.id)+path, body, answer); got != status {
		h.t.Fatalf("%s %s: status %d, want %d", method, path, got, status)
	}
}

func (h *testHall) roster(csv string) {
	h.t.Helper()
	var answer struct{ Rejected []any }
	h.want(http.StatusOK, http.MethodPost, "/roster", csv, &answer)
	if len(answer.Rejected) > 0 {
		h.t.Fatalf("rejected rows: %v", answer.Rejected)
	}
}

// checkIn checks candidates in, in this order.
func (h *testHall) checkIn(candidates ...string) {
	h.t.Helper()
	for _, c := range candidates {
		h.want(http.StatusCreated, http.MethodPut, "/queue/"+url.PathEscape(c), nil, nil)
	}
}

// command gives a command about a sitting.
func (h *testHall) command(s sitting, command string) {
	h.t.Helper()
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+url.PathEscape(s.ID)+"/"+command, nil, nil)
}

// sittingOf returns the last sitting of a candidate.
func (h *testHall) sittingOf(candidate string) sitting {
	h.t.Helper()
	var list struct{ Items []sitting }
	h.want(http.StatusOK, http.MethodGet, "/sittings?size=0", nil, &list)
	var found sitting
	for _, s := range list.Items {
		if s.Candidate == candidate {
			found = s
		}
	}
	if found.ID == "" {
		h.t.Fatalf("candidate %s has no sitting", candidate)
	}
	return found
}

// is checks the state of a candidate's last sitting.
func (h *testHall) is(candidate, state string) {
	h.t.Helper()
	if s := h.sittingOf(candidate); s.State != state {
		h.t.Fatalf("the sitting of %s is %s, want %s", candidate, s.State, state)
	}
}

// total counts what a list has.
func (h *testHall) total(list string) int {
	h.t.Helper()
	var answer struct{ Total int }
	h.want(http.StatusOK, http.MethodGet, list, nil, &answer)
	return answer.Total
}

// countEvents counts the day's events of one name.
func (h *testHall) countEvents(name string) int {
	h.t.Helper()
	var list struct{ Items []struct{ Event string } }
	h.want(http.StatusOK, http.MethodGet, "/events?size=0", nil, &list)
	n := 0
	for _, e := range list.Items {
		if e.Event == name {
			n++
		}
	}
	return n
}
