package web_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// call is a request to the API, and who may send it. The first who may must
// get the status; the others are only not refused.
type call struct {
	name, method, path, row, body string

	status  int // 200 if 0
	prepare func(s *staffed)
}

// seatFirst seats c1, by another one of the staff, and returns the event.
func seatFirst(s *staffed) (event string) {
	s.t.Helper()
	if _, err := s.store.Seat(s.t.Context(), hallID, s.candidate("c1").Sitting, staff); err != nil {
		s.t.Fatal(err)
	}
	return s.lastEvent()
}

func (s *staffed) lastEvent() string {
	s.t.Helper()
	events, err := s.store.Events(s.t.Context(), hallID, "", hall.Page{})
	if err != nil {
		s.t.Fatal(err)
	}
	return events.Items[len(events.Items)-1].ID
}

func closeDay(s *staffed) {
	s.t.Helper()
	if _, err := s.store.CloseDay(s.t.Context(), hallID, "", staff); err != nil {
		s.t.Fatal(err)
	}
}

func withdraw(s *staffed) {
	s.t.Helper()
	if err := s.store.Leave(s.t.Context(), hallID, "c3", staff); err != nil {
		s.t.Fatal(err)
	}
}

func hold(s *staffed) {
	s.t.Helper()
	if _, err := s.store.Hold(s.t.Context(), hallID, "c3", staff); err != nil {
		s.t.Fatal(err)
	}
}

// freeMachine makes m2 idle: the last candidate who waits steps away first.
func freeMachine(s *staffed) {
	s.t.Helper()
	hold(s)
	if _, err := s.store.End(s.t.Context(), hallID, s.candidate("c2").Sitting, staff); err != nil {
		s.t.Fatal(err)
	}
}

func layoutBody(t *testing.T) string {
	t.Helper()
	data, err := json.Marshal(halltest.Layout("one", "one", "two", "three"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// calls are those of every operation. c1 is called to m1 (s1), c2 to m2, c3 waits.
func calls(t *testing.T) []call {
	t.Helper()
	metric := `{"metricsQueryMeta": {"keyTemplate": "x:#metricsName#", "queryCommand": "GET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "x:#metricsName#", "saveCommand": "INCRBY", "delCommand": "DEL"},
		"on": [{"event": "x_rest", "do": "save", "value": "1"}]}`
	return []call{
		{method: "GET", path: "/halls", row: rowAnyHall},
		{method: "GET", path: "/halls/{hall}", row: rowRead},
		{method: "PUT", path: "/halls/{hall}", row: rowArrange, body: layoutBody(t)},
		{name: "of a new hall", method: "PUT", path: "/halls/new", row: rowAdmin, body: layoutBody(t), status: 201},
		{method: "POST", path: "/halls/{hall}/pause", row: rowManager},
		{method: "POST", path: "/halls/{hall}/resume", row: rowManager},
		{method: "POST", path: "/halls/{hall}/check-in/open", row: rowManager},
		{method: "POST", path: "/halls/{hall}/check-in/close", row: rowManager},
		{method: "POST", path: "/halls/{hall}/open", row: rowManager, prepare: closeDay},
		{method: "POST", path: "/halls/{hall}/close", row: rowManager},
		{method: "GET", path: "/halls/{hall}/days", row: rowRead},
		{method: "GET", path: "/halls/{hall}/days/{day}", row: rowRead},
		{method: "GET", path: "/halls/{hall}/days/{day}/records?table=attendance", row: rowManager},
		{method: "GET", path: "/halls/{hall}/days/{day}/corrections", row: rowManager},
		{method: "POST", path: "/halls/{hall}/days/{day}/corrections", row: rowManager, body: `{}`, status: 422},
		{method: "DELETE", path: "/halls/{hall}/days/{day}/persons", row: rowManager, status: 409},
		{method: "POST", path: "/halls/{hall}/roster", row: rowManager, body: "candidate_id,subjects\nc6,1\n"},
		{method: "GET", path: "/halls/{hall}/candidates", row: rowRead},
		{method: "GET", path: "/halls/{hall}/candidates/{candidate}", row: rowRead},
		{method: "PUT", path: "/halls/{hall}/candidates/{candidate}", row: rowManager, body: `{"subjects": ["1"]}`},
		{method: "POST", path: "/halls/{hall}/candidates/{candidate}/notes", row: rowProctor, body: `{"text": "late"}`, status: 201},
		{method: "GET", path: "/halls/{hall}/queue", row: rowRead},
		{method: "GET", path: "/halls/{hall}/queue/{candidate}", row: rowRead},
		{method: "PUT", path: "/halls/{hall}/queue/{candidate}", row: rowCheckIn},
		{name: "with a class", method: "PUT", path: "/halls/{hall}/queue/{candidate}", row: rowManager, body: `{"class": "vip"}`},
		{name: "with a time", method: "PUT", path: "/halls/{hall}/queue/{candidate}", row: rowManager, body: `{"at": "2026-11-30T00:00:00Z"}`},
		{method: "DELETE", path: "/halls/{hall}/queue/{candidate}", row: rowProctor, status: 204},
		{method: "POST", path: "/halls/{hall}/queue/{candidate}/hold", row: rowProctor},
		{method: "POST", path: "/halls/{hall}/queue/{candidate}/return", row: rowProctor, prepare: hold},
		{method: "POST", path: "/halls/{hall}/queue/{candidate}/restore", row: rowProctor, prepare: withdraw},
		{name: "at the kept place", method: "POST", path: "/halls/{hall}/queue/{candidate}/restore", row: rowManager, body: `{"place": "kept"}`, prepare: withdraw},
		{method: "PATCH", path: "/halls/{hall}/queue/{candidate}", row: rowManager, body: `{"class": "vip"}`},
		{method: "POST", path: "/halls/{hall}/queue/{candidate}/call", row: rowManager, body: `{"machine": "m1", "reason": "ill"}`, status: 409},
		{method: "POST", path: "/halls/{hall}/queue/next", row: rowRoomA, body: `{"machine": "m3"}`, status: 204},
		{name: "for any machine", method: "POST", path: "/halls/{hall}/queue/next", row: rowAnyRoom, status: 204},
		{method: "POST", path: "/halls/{hall}/queue/statistics", row: rowRead},
		{method: "GET", path: "/halls/{hall}/machines", row: rowRead},
		{method: "GET", path: "/halls/{hall}/machines/statistics", row: rowRead},
		{method: "POST", path: "/halls/{hall}/machines/{machine}/out-of-service", row: rowRoomA},
		{method: "POST", path: "/halls/{hall}/machines/{machine}/in-service", row: rowRoomA},
		{method: "POST", path: "/halls/{hall}/machines/{machine}/spare", row: rowRoomA},
		{name: "in room B", method: "POST", path: "/halls/{hall}/machines/m4/spare", row: rowRoomB},
		{method: "GET", path: "/halls/{hall}/sittings", row: rowRead},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/seat", row: rowRoomA},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/end", row: rowRoomA},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/recall", row: rowRoomA, body: `{"recall": 2}`},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/no-show", row: rowRoomA},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/abort", row: rowRoomA, body: `{"fault": "machine"}`},
		{method: "POST", path: "/halls/{hall}/sittings/{sitting}/transfer", row: rowAnyRoom, prepare: freeMachine},
		{name: "to room B", method: "POST", path: "/halls/{hall}/sittings/{sitting}/transfer", row: rowAnyRoom, body: `{"machine": "m2"}`, prepare: freeMachine},
		{method: "POST", path: "/halls/{hall}/undo", row: rowUndoOther, body: `{"event": "EVENT"}`, prepare: func(s *staffed) { seatFirst(s) }},
		{method: "GET", path: "/halls/{hall}/incidents", row: rowRead},
		{method: "POST", path: "/halls/{hall}/incidents", row: rowProctor, body: `{"category": "other", "text": "a fire alarm"}`, status: 201},
		{name: "about a machine", method: "POST", path: "/halls/{hall}/incidents", row: rowRoomA, body: `{"category": "other", "text": "loud", "machine": "m1"}`, status: 201},
		{method: "GET", path: "/halls/{hall}/alerts", row: rowRead},
		{method: "GET", path: "/halls/{hall}/events", row: rowRead},
		{method: "GET", path: "/metrics", row: rowAnyHall},
		{method: "PUT", path: "/metrics/{name}", row: rowAdmin, body: metric, status: 201},
		{method: "POST", path: "/halls/{hall}/metrics/query", row: rowRead, body: `{"metricsName": "machineOutCount", "params": {"machine": "m1"}}`},
		{method: "POST", path: "/halls/{hall}/metrics/events", row: rowManager, body: `{"event": "x_rest"}`, status: 201},
	}
}

// tokens makes a token of each visitor.
func (s *staffed) tokens() map[string]string {
	s.t.Helper()
	tokens := map[string]string{nobody: ""}
	for who, g := range visitors {
		if !g.Whole() {
			continue // no program is a printer
		}
		tokens[who] = s.token(who, g)
	}
	return tokens
}

func (s *staffed) token(name string, g access.Grant) string {
	s.t.Helper()
	shown, err := s.accounts.MakeToken(s.t.Context(), access.Token{Name: name, Grant: g, By: access.Admin}, "form of "+name)
	if err != nil {
		s.t.Fatal(err)
	}
	return shown
}

// ask sends a request to the API with a token.
func (s *staffed) ask(token, method, path, body string) *page {
	s.t.Helper()
	kind := "application/json"
	if strings.HasSuffix(path, "/roster") {
		kind = "text/csv"
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body == "" {
		request.Body = nil
	} else {
		request.Header.Set("Content-Type", kind)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return s.do(request)
}

func TestEveryOperationWithEveryRole(t *testing.T) {
	t.Parallel()
	fill := strings.NewReplacer("{hall}", hallID, "{day}", "current", "{candidate}", "c3", "{machine}", "m3", "{sitting}", "s1", "{name}", "restCount")
	for _, c := range calls(t) {
		t.Run(strings.TrimSpace(c.method+" "+c.path+" "+c.name), func(t *testing.T) {
			t.Parallel()
			s := setupStaffed(t)
			tokens := s.tokens()
			s.checkIn("c1", "c2", "c3")
			if c.prepare != nil {
				c.prepare(s)
			}
			body := strings.ReplaceAll(c.body, "EVENT", s.lastEvent())
			first := true
			for _, who := range denyFirst(c.row) {
				p := s.ask(tokens[who], c.method, fill.Replace(c.path), body)
				switch want := mayOf(c.row, who); {
				case !want && who == nobody:
					p.problem(t, http.StatusUnauthorized, "unauthorized")
				case !want:
					p.problem(t, http.StatusForbidden, "forbidden")
				case first:
					first = false
					if want := max(c.status, 200); p.status != want && p.status != c.status {
						t.Errorf("%s gets %d, want %d: %s", who, p.status, want, p.body)
					}
				case p.status == http.StatusForbidden || p.status == http.StatusUnauthorized || p.status >= 500:
					t.Errorf("%s gets %d: %s", who, p.status, p.body)
				}
			}
		})
	}
}

// denyFirst puts those first who may not: what they are refused changes nothing
// for the others.
func denyFirst(row string) []string {
	who := []string{nobody}
	for name, g := range visitors {
		if g.Whole() {
			who = append(who, name)
		}
	}
	slices.SortStableFunc(who, func(a, b string) int {
		switch {
		case mayOf(row, a) == mayOf(row, b):
			return strings.Compare(a, b)
		case mayOf(row, b):
			return -1
		}
		return 1
	})
	return who
}

// problem checks what an answer says of itself.
func (p *page) problem(t *testing.T, status int, code string) {
	t.Helper()
	var said struct{ Code, Detail string }
	if err := json.Unmarshal([]byte(p.body), &said); err != nil || p.status != status || said.Code != code || said.Detail == "" ||
		p.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("status %d and %q, want %d and %s", p.status, p.body, status, code)
	}
}

// No operation is there that the walk does not call.
func TestTheWalkCallsEveryOperation(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(s.get("/api/openapi.json").body), &document); err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, c := range calls(t) {
		path, _, _ := strings.Cut(c.path, "?")
		called[c.method+" /api/v1"+path] = true
	}
	for path, operations := range document.Paths {
		for method := range operations {
			if name := strings.ToUpper(method) + " " + path; !called[name] {
				t.Errorf("nobody calls %s", name)
			}
		}
	}
}
