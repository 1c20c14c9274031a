package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// note and incident are what these tests read of what the staff wrote down.
type note struct{ ID, At, By, Text string }

type incident struct {
	ID, At, By, Category, Machine, Room, Candidate, Ticket, Text, Done string
}

func (c *client) notes(candidate string) []note {
	c.t.Helper()
	return decode[struct{ Notes []note }](c.do(http.MethodGet, "/halls/h/candidates/"+candidate, "").is(http.StatusOK)).Notes
}

func TestNotesInEachState(t *testing.T) {
	t.Parallel()
	for state, enter := range candidateStates {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			client := realHall(t, `"mode": "manual", "restSeconds": 600, "maxNoShows": 1`)
			client.enrol("x,1|2")
			enter(client)
			before := client.candidate("x")
			got := decode[note](client.do(http.MethodPost, "/halls/h/candidates/x/notes", `{"text": "  left his glasses\r\nat the door "}`).is(http.StatusCreated))
			if got.ID == "" || got.At == "" || got.By != "admin-token" || got.Text != "left his glasses\nat the door" {
				t.Errorf("answered %+v", got)
			}
			second := decode[note](client.command(http.MethodPost, "/candidates/x/notes", `{"text": "<b>doctor's letter</b> seen"}`).is(http.StatusCreated))
			if all := client.notes("x"); len(all) != 2 || all[0] != got || all[1] != second {
				t.Errorf("the candidate has %+v", all)
			}
			if after := client.candidate("x"); after != before {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	}
}

func TestNotesThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.with("Content-Type", "text/csv").do(http.MethodPost, "/halls/h/roster", "candidate_id,subjects,note\nx,1,left-handed").is(http.StatusOK)
	const path = "/halls/h/candidates/x/notes"
	for body, location := range map[string]string{
		`{"text": " "}`: "body.text", `{"text": "a\u0000b"}`: "body.text", `{"text": "a\tb"}`: "body.text", `{}`: "body.text",
		`{"text": "` + strings.Repeat("字", 1001) + `"}`: "body.text", `{"text": "x", "by": "eve"}`: "body.by",
	} {
		p := client.do(http.MethodPost, path, body).problem(http.StatusUnprocessableEntity, "invalid")
		if got := p.locations(); len(got) != 1 || got[0] != location {
			t.Errorf("%.40s: faults at %q", body, got)
		}
	}
	client.do(http.MethodPost, "/halls/h/candidates/z/notes", `{"text": "x"}`).problem(http.StatusNotFound, "unknown_candidate")
	client.do(http.MethodPost, "/halls/no/candidates/x/notes", `{"text": "x"}`).problem(http.StatusNotFound, "unknown_hall")
	client.with("Authorization", "").do(http.MethodPost, path, `{"text": "x"}`).problem(http.StatusUnauthorized, "unauthorized")
	client.do(http.MethodGet, path, "").problem(http.StatusMethodNotAllowed, "method_not_allowed")
	if all := client.notes("x"); len(all) != 0 {
		t.Errorf("the candidate has %+v", all)
	}
	for i := range 100 {
		client.command(http.MethodPost, "/candidates/x/notes", fmt.Sprintf(`{"text": "%d"}`, i)).is(http.StatusCreated)
	}
	client.do(http.MethodPost, path, `{"text": "one more"}`).problem(http.StatusConflict, "too_many_notes")
	if own := decode[struct{ Note string }](client.do(http.MethodGet, "/halls/h/candidates/x", "")).Note; own != "left-handed" {
		t.Errorf("the roster's note is %q", own)
	}
	if l := client.do(http.MethodGet, "/halls/h/candidates", "").is(http.StatusOK).Body.String(); strings.Contains(l, `"notes"`) {
		t.Errorf("the list has notes: %s", l)
	}
}

func TestAKeyWritesOneNoteAndOneIncident(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1")
	for path, body := range map[string]string{
		"/candidates/x/notes": `{"text": "left his glasses"}`, "/incidents": `{"category": "other", "text": "Fire drill", "done": "led out"}`,
	} {
		keyed := client.with("Idempotency-Key", "one press "+path)
		first := keyed.command(http.MethodPost, path, body).is(http.StatusCreated).Body.String()
		if again := keyed.command(http.MethodPost, path, body).is(http.StatusCreated).Body.String(); again != first {
			t.Errorf("%s answered %s, then %s", path, first, again)
		}
		keyed.do(http.MethodPost, "/halls/h"+path, strings.Replace(body, "F", "f", 1)[:len(body)-2]+`!"}`).
			problem(http.StatusUnprocessableEntity, "idempotency_key_reused")
	}
	if all := client.notes("x"); len(all) != 1 {
		t.Errorf("the candidate has %+v", all)
	}
	if all := decode[page[incident]](client.command(http.MethodGet, "/incidents", "")); all.Total != 1 {
		t.Errorf("there are %+v", all)
	}
}

func TestIncidents(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1", "n/2,1")
	client.command(http.MethodPut, "/queue/x", "") // is called to a-1
	got := decode[incident](client.do(http.MethodPost, "/halls/h/incidents",
		`{"category": "machine", "machine": "a-1", "candidate": "x", "text": " dark\r\n<i>screen</i>", "done": "restarted "}`).is(http.StatusCreated))
	want := incident{
		ID: got.ID, At: got.At, By: "admin-token", Category: "machine", Machine: "a-1", Room: "a", Candidate: "x", Ticket: "N001",
		Text: "dark\n<i>screen</i>", Done: "restarted",
	}
	if got != want || got.ID == "" || got.At == "" {
		t.Errorf("answered %+v, want %+v", got, want)
	}
	client.command(http.MethodPost, "/incidents", `{"category": "person", "candidate": "n/2", "text": "shouts"}`).is(http.StatusCreated)
	client.command(http.MethodPost, "/incidents", `{"category": "premises", "text": "no light"}`).is(http.StatusCreated)
	for query, want := range map[string]string{"": "machine person premises", "?size=2&page=2": "premises", "?size=1": "machine", "?page=9": ""} {
		list := decode[page[incident]](client.command(http.MethodGet, "/incidents"+query, ""))
		var categories []string
		for _, i := range list.Items {
			categories = append(categories, i.Category)
		}
		if got := strings.Join(categories, " "); got != want || list.Total != 3 {
			t.Errorf("%q lists %q of %d, want %q", query, got, list.Total, want)
		}
	}
	events := client.command(http.MethodGet, "/events?size=0", "").Body.String()
	if !strings.Contains(events, `"event":"incident_opened"`) || !strings.Contains(events, `"category":"machine"`) || strings.Contains(events, "shouts") {
		t.Errorf("the events are %s", events)
	}
}

func TestIncidentsThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1")
	const path = "/halls/h/incidents"
	for name, test := range map[string]struct {
		body      string
		status    int
		code      string
		locations string
	}{
		"empty":             {`{"category": "", "text": ""}`, http.StatusUnprocessableEntity, "invalid", "body.category body.text"},
		"unknown category":  {`{"category": "weather", "text": "x"}`, http.StatusUnprocessableEntity, "invalid", "body.category"},
		"no text":           {`{"category": "other"}`, http.StatusUnprocessableEntity, "invalid", "body.text"},
		"long":              {`{"category": "other", "text": "x", "done": "` + strings.Repeat("x", 1001) + `"}`, http.StatusUnprocessableEntity, "invalid", "body.done"},
		"unknown field":     {`{"category": "other", "text": "x", "room": "a"}`, http.StatusUnprocessableEntity, "invalid", "body.room"},
		"unknown machine":   {`{"category": "other", "text": "x", "machine": "a-9"}`, http.StatusNotFound, "unknown_machine", "body.machine"},
		"unknown candidate": {`{"category": "other", "text": "x", "machine": "a-1", "candidate": "z"}`, http.StatusNotFound, "unknown_candidate", "body.candidate"},
	} {
		p := client.do(http.MethodPost, path, test.body).problem(test.status, test.code)
		if got := strings.Join(p.locations(), " "); got != test.locations {
			t.Errorf("%s: faults at %q, want %q", name, got, test.locations)
		}
	}
	client.do(http.MethodPost, "/halls/no/incidents", `{"category": "other", "text": "x"}`).problem(http.StatusNotFound, "unknown_hall")
	client.do(http.MethodGet, "/halls/no/incidents", "").problem(http.StatusNotFound, "unknown_hall")
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		client.with("Authorization", "").do(method, path, "").problem(http.StatusUnauthorized, "unauthorized")
	}
	if list := decode[page[incident]](client.do(http.MethodGet, path, "").is(http.StatusOK)); list.Total != 0 || list.Items == nil {
		t.Errorf("there are %+v", list)
	}
}

// A hall can have a list of its own, and a wrong one is refused with the places.
func TestIncidentCategories(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	put := func(categories string) answer {
		return client.do(http.MethodPut, "/halls/h", strings.Replace(edited(t), "{", `{"incidentCategories": `+categories+`,`, 1))
	}
	if got := decode[struct{ IncidentCategories []string }](put(`["power", "no_show"]`).is(http.StatusOK)).IncidentCategories; len(got) != 2 {
		t.Errorf("answered %q", got)
	}
	client.command(http.MethodPost, "/incidents", `{"category": "power", "text": "x"}`).is(http.StatusCreated)
	client.do(http.MethodPost, "/halls/h/incidents", `{"category": "machine", "text": "x"}`).problem(http.StatusUnprocessableEntity, "invalid")
	for categories, location := range map[string]string{
		`["Power"]`: "body.incidentCategories[0]", `["a", "a"]`: "body.incidentCategories[1]",
		`[7]`: "body.incidentCategories[0]", `["` + strings.Repeat(`a","`, 30) + `b"]`: "body.incidentCategories",
	} {
		p := put(categories).problem(http.StatusUnprocessableEntity, "invalid")
		if got := p.locations(); len(got) == 0 || got[0] != location {
			t.Errorf("%.40s: faults at %q, want %s", categories, got, location)
		}
	}
	put(`[]`).is(http.StatusOK)
	client.command(http.MethodPost, "/incidents", `{"category": "machine", "text": "x"}`).is(http.StatusCreated)
}
