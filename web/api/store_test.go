package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/hallcall/hallcall/internal/hallredis"
)

// page is a list as it is answered.
type page[T any] struct {
	Items             []T
	Total, Page, Size int
}

func TestUnknownThingsAreNotFound(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1")
	long := strings.Repeat("x", 500)
	for path, code := range map[string]string{
		"GET /halls/no": "unknown_hall", "POST /halls/no/pause": "unknown_hall", "POST /halls/no/resume": "unknown_hall",
		"GET /halls/no/queue": "unknown_hall", "GET /halls/no/machines": "unknown_hall", "GET /halls/no/sittings": "unknown_hall",
		"GET /halls/no/machines/statistics": "unknown_hall", "GET /halls/no/events": "unknown_hall", "GET /halls/no/candidates": "unknown_hall",
		"PUT /halls/no/queue/x": "unknown_hall", "POST /halls/no/queue/next": "unknown_hall", "GET /halls/" + long: "unknown_hall",
		"GET /halls/h/candidates/y": "unknown_candidate", "PUT /halls/h/queue/y": "unknown_candidate", "PUT /halls/h/queue/" + long: "unknown_candidate",
		"PUT /halls/h/queue/%20%20": "unknown_candidate", "PUT /halls/h/queue/%7B%7D": "unknown_candidate", "PUT /halls/h/queue/%00": "unknown_candidate",
		"POST /halls/h/queue/y/hold": "unknown_candidate", "POST /halls/h/queue/y/return": "unknown_candidate",
		"POST /halls/h/queue/y/restore": "unknown_candidate", "PATCH /halls/h/queue/y": "unknown_candidate",
		"GET /halls/h/queue/x": "not_in_queue", "DELETE /halls/h/queue/x": "not_in_queue",
		"POST /halls/no/open": "unknown_hall", "POST /halls/no/close": "unknown_hall", "GET /halls/no/days": "unknown_hall",
		"GET /halls/no/days/current": "unknown_hall", "GET /halls/h/days/2026-11-30-9": "unknown_day", "GET /halls/h/days/%2a": "unknown_day",
		"POST /halls/h/machines/a-9/out-of-service": "unknown_machine", "POST /halls/h/machines/a-9/in-service": "unknown_machine",
		"POST /halls/h/machines/a-9/spare": "unknown_machine",
		"POST /halls/h/sittings/s9/seat":   "unknown_sitting", "POST /halls/h/sittings/s9/end": "unknown_sitting",
		"POST /halls/h/sittings/s9/recall": "unknown_sitting", "POST /halls/h/sittings/s9/no-show": "unknown_sitting",
		"POST /halls/h/sittings/s9/abort": "unknown_sitting", "POST /halls/h/sittings/s9/transfer": "unknown_sitting",
	} {
		t.Run(path[:min(len(path), 60)], func(t *testing.T) {
			t.Parallel()
			method, path, _ := strings.Cut(path, " ")
			body := ""
			switch {
			case method == http.MethodPatch:
				body = `{"class": "vip"}`
			case strings.HasSuffix(path, "/recall"):
				body = `{"recall": 2}`
			case strings.HasSuffix(path, "/abort"):
				body = `{"fault": "machine"}`
			}
			client.do(method, path, body).problem(http.StatusNotFound, code)
		})
	}
	t.Run("named in a body", func(t *testing.T) {
		t.Parallel()
		client.do(http.MethodPost, "/halls/h/queue/next", `{"machine": "a-9"}`).problem(http.StatusNotFound, "unknown_machine")
		client.do(http.MethodPost, "/halls/h/pause", `{"room": "z"}`).problem(http.StatusNotFound, "unknown_room")
	})
}

func TestNext(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1", "z,2")
	client.do(http.MethodPost, "/halls/h/queue/next", `{"machine": "a-1"}`).is(http.StatusNoContent)
	client.command(http.MethodPut, "/queue/x", "")
	client.command(http.MethodPut, "/queue/y", "")
	client.do(http.MethodPost, "/halls/h/queue/next", `{"machine": "b-1"}`).is(http.StatusNoContent)
	first := decode[sitting](client.do(http.MethodPost, "/halls/h/queue/next", `{"machine": "a-2"}`).is(http.StatusOK))
	if first.Candidate != "x" || first.Machine != "a-2" || first.Subject != "1" || first.State != "called" {
		t.Errorf("called %+v", first)
	}
	client.do(http.MethodPost, "/halls/h/queue/next", `{"machine": "a-2"}`).problem(http.StatusConflict, "machine_not_idle")
	client.command(http.MethodPost, "/pause", "")
	client.do(http.MethodPost, "/halls/h/queue/next", "").problem(http.StatusConflict, "paused")
	client.command(http.MethodPost, "/resume", "")
	second := decode[sitting](client.do(http.MethodPost, "/halls/h/queue/next", "").is(http.StatusOK))
	if second.Candidate != "y" || second.Machine != "a-1" {
		t.Errorf("called %+v", second)
	}
	client.do(http.MethodPost, "/halls/h/queue/next", "").is(http.StatusNoContent)
}

func TestADay(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"subjectChoice": "listed"`)
	client.enrol("x,1|2", "y,1", "z,1", "w,1")
	for _, id := range []string{"x", "y"} {
		if entry := decode[candidate](client.do(http.MethodPut, "/halls/h/queue/"+id, "").is(http.StatusCreated)); entry.State != "called" {
			t.Errorf("%s is %s", id, entry.State)
		}
	}
	for _, id := range []string{"z", "w"} {
		client.do(http.MethodPut, "/halls/h/queue/"+id, "").is(http.StatusCreated)
	}
	type place struct {
		Candidate, State string
		Position         int
		Ahead            *int
		Sitting          *sitting
	}
	line := decode[page[place]](client.command(http.MethodGet, "/queue?order=desc&subject=1", ""))
	if line.Total != 2 || line.Items[0].Candidate != "w" || line.Items[0].Position != 2 || *line.Items[0].Ahead != 1 || *line.Items[1].Ahead != 0 {
		t.Errorf("line %+v", line)
	}
	x := decode[place](client.command(http.MethodGet, "/queue/x", ""))
	if x.State != "called" || x.Position != 0 || x.Ahead != nil || x.Sitting == nil {
		t.Fatalf("entry %+v", x)
	}
	client.command(http.MethodPost, "/sittings/"+x.Sitting.ID+"/seat", "")
	client.command(http.MethodPost, "/sittings/"+x.Sitting.ID+"/end", "")
	for id, state := range map[string]string{"x": "called", "y": "called", "z": "called", "w": "waiting"} {
		if got := client.candidate(id).State; got != state {
			t.Errorf("%s is %s, want %s", id, got, state)
		}
	}
	type count struct {
		Total              int
		BySubject, ByModel map[string]int
	}
	statistics := decode[struct{ Idle, Used count }](client.command(http.MethodGet, "/machines/statistics", ""))
	if statistics.Idle.Total != 0 || statistics.Used.Total != 3 || statistics.Used.BySubject["1"] != 2 || statistics.Used.ByModel["B"] != 1 {
		t.Errorf("statistics %+v", statistics)
	}
	client.do(http.MethodPost, "/halls/h/machines/b-1/spare", "").problem(http.StatusConflict, "in_use")
	seated := decode[page[sitting]](client.command(http.MethodGet, "/sittings?state=ended", ""))
	if seated.Total != 1 || seated.Items[0].Outcome != "finished" {
		t.Errorf("ended sittings %+v", seated)
	}
	type event struct{ ID, Event, By string }
	events := decode[page[event]](client.command(http.MethodGet, "/events?size=0", ""))
	if len(events.Items) != events.Total || events.Items[0].By != "admin-token" {
		t.Errorf("events %+v", events)
	}
	names := make([]string, 0, events.Total)
	for _, e := range events.Items[events.Total-5:] {
		names = append(names, e.Event)
	}
	want := []string{"candidate_seated", "sitting_ended", "candidate_requeued", "candidate_called", "candidate_called"}
	if !slices.Equal(names, want) {
		t.Errorf("last events %q, want %q", names, want)
	}
	rest := decode[page[event]](client.command(http.MethodGet, "/events?size=2&after="+events.Items[events.Total-3].ID, ""))
	if rest.Total != 2 || rest.Items[1] != events.Items[events.Total-1] {
		t.Errorf("events after %+v", rest)
	}
}

func TestMachineCommands(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	type machine struct{ ID, State, Reason string }
	for _, test := range []struct{ command, body, state, reason string }{
		{"out-of-service", `{"reason": "no keyboard"}`, "out_of_service", "no keyboard"},
		{"in-service", "", "idle", ""},
		{"spare", "", "spare", ""},
		{"spare", "", "spare", ""},
		{"out-of-service", "", "out_of_service", ""},
	} {
		got := decode[machine](client.do(http.MethodPost, "/halls/h/machines/a-1/"+test.command, test.body).is(http.StatusOK))
		if want := (machine{"a-1", test.state, test.reason}); got != want {
			t.Errorf("%s made it %+v, want %+v", test.command, got, want)
		}
	}
	for query, want := range map[string]string{
		"": "a-1 a-2 b-1", "?state=idle": "a-2 b-1", "?subject=2": "b-1", "?room=a": "a-1 a-2", "?model=A&state=out_of_service": "a-1", "?room=z": "",
	} {
		var ids []string
		for _, m := range decode[page[machine]](client.command(http.MethodGet, "/machines"+query, "")).Items {
			ids = append(ids, m.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func TestRoster(t *testing.T) {
	t.Parallel()
	client := realHall(t, "").with("Content-Type", "text/csv; charset=utf-8")
	type result struct {
		Rows, Created, Updated, Unchanged int
		Rejected                          []struct {
			Row                 int
			Column, Value, Code string
			Message             string
		}
	}
	const file = "candidate_id;name;subjects;class\na/b;<b>Ann</b>;1|2;\n0012;Ben;1;vip\n0012;Ben;1;\n7;Cy;9;\n"
	for _, test := range []struct {
		path                         string
		created, unchanged, enrolled int
	}{
		{"/halls/h/roster?dryRun=true", 2, 0, 0}, {"/halls/h/roster", 2, 0, 2}, {"/halls/h/roster", 0, 2, 2},
	} {
		got := decode[result](client.do(http.MethodPost, test.path, file).is(http.StatusOK))
		if got.Rows != 4 || got.Created != test.created || got.Updated != 0 || got.Unchanged != test.unchanged || len(got.Rejected) != 2 {
			t.Fatalf("%s answered %+v", test.path, got)
		}
		if r := got.Rejected[0]; r.Row != 4 || r.Code != "duplicate_in_file" || r.Message == "" {
			t.Errorf("rejected %+v", r)
		}
		if r := got.Rejected[1]; r.Row != 5 || r.Column != "subjects" || r.Code != "unknown_subject" {
			t.Errorf("rejected %+v", r)
		}
		if l := decode[page[candidate]](client.do(http.MethodGet, "/halls/h/candidates", "").is(http.StatusOK)); l.Total != test.enrolled {
			t.Errorf("%d candidates, want %d", l.Total, test.enrolled)
		}
	}
	if found := decode[page[struct{ ID, Name string }]](client.do(http.MethodGet, "/halls/h/candidates?q=ANN", "")); found.Total != 1 ||
		found.Items[0].ID != "a/b" || found.Items[0].Name != "<b>Ann</b>" {
		t.Errorf("found %+v", found)
	}
	client.do(http.MethodPut, "/halls/h/queue/a%2Fb", "").is(http.StatusCreated)
	client.do(http.MethodPost, "/halls/h/roster", "colour,shape\nred,round\n").problem(http.StatusUnprocessableEntity, "invalid")
	client.do(http.MethodPost, "/halls/h/roster", "").problem(http.StatusUnprocessableEntity, "invalid")
	client.do(http.MethodPost, "/halls/no/roster", file).problem(http.StatusNotFound, "unknown_hall")
	client.do(http.MethodPost, "/halls/h/roster", strings.Repeat("x", 64<<20+1)).problem(http.StatusRequestEntityTooLarge, "too_large")
}

// TestRosterTypes sends files as what they are, and as what they are not.
func TestRosterTypes(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	const (
		path     = "/halls/h/roster?dryRun=true"
		text     = "准考证号,科目\n007,1\n008,1|2\n"
		workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	)
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	book, err := workbookOf(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		header, file string
		status       int
	}{
		{"text/csv", text, 200},
		{"text/csv; charset=UTF-8", text, 200},
		{"text/csv; charset=us-ascii; header=present", text, 200},
		{"text/tab-separated-values; charset=utf8", strings.ReplaceAll(text, ",", "\t"), 200},
		{"text/csv", gbk, 200},
		{"text/csv; charset=gbk", gbk, 200},
		{"text/csv; charset=utf-8", gbk, 200},
		{"text/csv; charset=GB18030", text, 200},
		{workbook, book, 200},
		{workbook, text, 422},
		{workbook, "", 422},
		{"text/csv", book, 422},
		{"text/csv", "%PDF-1.7", 422},
		{"text/csv", "candidate_id,subjects\n\x00,1", 422},
		{"text/csv", "candidate_id,subjects\n1," + strings.Repeat("x", 50<<20), 422},
		{"application/json", "{}", 415},
		{"application/vnd.ms-excel", book, 415},
		{"text/plain", text, 415},
		{"text", text, 415},
	} {
		answer := client.with("Content-Type", test.header).do(http.MethodPost, path, test.file)
		switch test.status {
		case http.StatusOK:
			if got := decode[struct{ Rows, Created int }](answer.is(test.status)); got.Rows != 2 || got.Created != 2 {
				t.Errorf("%s: answered %+v", test.header, got)
			}
		case http.StatusUnprocessableEntity:
			answer.problem(test.status, "invalid")
		default:
			answer.problem(test.status, "unsupported_media_type")
		}
	}
}

// workbookOf writes a text with commas as a workbook.
func workbookOf(text string) (string, error) {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(line, ",")
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells); err != nil {
			return "", err
		}
	}
	data, err := f.WriteToBuffer()
	return data.String(), err
}

func TestPaging(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	rows := make([]string, 60)
	for i := range rows {
		rows[i] = fmt.Sprintf("%04d,1", i+1)
	}
	client.enrol(rows...)
	for i := range rows {
		client.command(http.MethodPut, fmt.Sprintf("/queue/%04d", i+1), "")
	}
	for _, path := range []string{"/candidates", "/queue"} {
		for query, want := range map[string]string{
			"": "0001-0050 of 60, page 1 of 50", "page=2": "0051-0060 of 60, page 2 of 50", "size=7&page=9": "0057-0060 of 60, page 9 of 7",
			"size=0": "0001-0060 of 60, page 1 of 0", "size=-5&page=3": "0001-0060 of 60, page 1 of 0", "page=3": "- of 60, page 3 of 50",
			"page=1000000000&size=1000000": "- of 60, page 1000000000 of 1000000",
		} {
			l := decode[page[struct{ ID, Candidate string }]](client.command(http.MethodGet, path+"?"+query, ""))
			first, last := "", ""
			for i, item := range l.Items {
				last = item.ID + item.Candidate
				if i == 0 {
					first = last
				}
			}
			got := fmt.Sprintf("%s-%s of %d, page %d of %d", first, last, l.Total, l.Page, l.Size)
			if got != want {
				t.Errorf("%s?%s lists %s, want %s", path, query, got, want)
			}
		}
	}
}

func TestRepeatedKeyGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1")
	client.command(http.MethodPut, "/queue/x", "")
	client.command(http.MethodPut, "/queue/y", "")
	keyed := client.with("Idempotency-Key", "one press")
	first := decode[sitting](keyed.command(http.MethodPost, "/queue/next", "").is(http.StatusOK))
	again := decode[sitting](keyed.command(http.MethodPost, "/queue/next", "").is(http.StatusOK))
	if first != again || first.Candidate != "x" {
		t.Errorf("called %+v, then %+v", first, again)
	}
	if state := client.candidate("y").State; state != "waiting" {
		t.Errorf("y is %s", state)
	}
	keyed.do(http.MethodPost, "/halls/h/queue/y/hold", "").problem(http.StatusUnprocessableEntity, "idempotency_key_reused")
}

func TestStoreGone(t *testing.T) {
	t.Parallel()
	gone := newClient(t, hallredis.New(unreachable(t), hallredis.Options{}))
	for _, request := range []string{"GET /halls", "GET /halls/h", "PUT /halls/h/queue/x", "GET /halls/h/events", "POST /halls/h/sittings/s1/end"} {
		method, path, _ := strings.Cut(request, " ")
		gone.do(method, path, "").problem(http.StatusServiceUnavailable, "unavailable")
	}
}
