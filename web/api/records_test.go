package api_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// recordedDay is a day that went wrong in many ways, closed.
func recordedDay(t *testing.T) (c *client, day string) {
	t.Helper()
	c = realHall(t, "")
	roster := "candidate_id,name,id_number,subjects,session,note\n" +
		"0012,=1+1,999999199001010008,1,,+7\n" +
		"-5,张·三,99999919900101018X,1|2,,<b>x</b>\n" +
		"007,@x,0007,1,,\n" +
		"never,\"O'Neil, \"\"B\"\"\",,2,,\n"
	c.with("Content-Type", "text/csv").do(http.MethodPost, "/halls/h/roster", roster).is(http.StatusOK)
	for _, id := range []string{"0012", "-5", "007"} {
		c.command(http.MethodPut, "/queue/"+id, "")
	}
	c.command(http.MethodPost, "/sittings/s1/seat", "")
	c.command(http.MethodPost, "/sittings/s1/end", "")
	c.command(http.MethodPost, "/sittings/s2/seat", "")
	c.command(http.MethodPost, "/sittings/s2/abort", `{"fault": "machine", "reason": "=cmd()"}`)
	c.command(http.MethodPost, "/candidates/never/notes", `{"text": "rang up\nis ill"}`)
	c.command(http.MethodPost, "/incidents", `{"category": "machine", "machine": "a-2", "candidate": "-5", "text": "-dark", "done": "@moved"}`)
	closed := decode[struct{ ID string }](c.do(http.MethodPost, "/halls/h/close", "").is(http.StatusOK))
	return c, "/halls/h/days/" + closed.ID
}

// csvOf reads a list of a day as CSV, by the names of its columns.
func (c *client) csvOf(day, table string) []map[string]string {
	c.t.Helper()
	a := c.do(http.MethodGet, day+"/records?format=csv&table="+table, "").is(http.StatusOK)
	if got := a.Header().Get("Content-Type"); got != "text/csv; charset=utf-8" {
		c.t.Errorf("the type is %q", got)
	}
	data, marked := bytes.CutPrefix(a.Body.Bytes(), []byte("\xef\xbb\xbf"))
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || !marked || len(rows) == 0 {
		c.t.Fatalf("%s cannot be read: %v", table, err)
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		fields := map[string]string{}
		for i, name := range rows[0] {
			name, _, _ = strings.Cut(name, " (UTC)")
			fields[name] = row[i]
		}
		list = append(list, fields)
	}
	return list
}

func TestRecordsAsCSV(t *testing.T) {
	t.Parallel()
	c, day := recordedDay(t)
	var people []string
	for _, p := range c.csvOf(day, "attendance") {
		people = append(people, strings.Join([]string{p["Candidate"], p["Name"], p["ID number"], p["State"], p["Ticket"], p["Note"]}, "; "))
		if (p["Checked in"] == "") != (p["Candidate"] == "never") || (p["Last finished"] == "") != (p["Candidate"] != "0012") {
			t.Errorf("times of %v", p)
		}
	}
	want := []string{
		"0012; '=1+1; 999999199001010008; done; N001; '+7", "'-5; 张·三; 99999919900101018X; called; N002; <b>x</b>",
		"007; '@x; 0007; waiting; N003; ", `never; O'Neil, "B"; ; registered; ; `,
	}
	if people[2] != want[2] {
		want[2] = "007; '@x; 0007; called; N003; " // the freed machine has taken them
	}
	if !slices.Equal(people, want) {
		t.Errorf("attendance is %q, want %q", people, want)
	}
	aborted := c.csvOf(day, "sittings")[1]
	if aborted["Outcome"] != "aborted" || aborted["Reason"] != "'=cmd()" || aborted["Candidate"] != "'-5" || aborted["Length (seconds)"] == "" {
		t.Errorf("the aborted sitting is %v", aborted)
	}
	incidents := c.csvOf(day, "incidents")
	if opened := incidents[0]; opened["Command"] != "sitting_aborted" || opened["What happened"] != "Sitting broken off: =cmd()" {
		t.Errorf("the incident of a command is %v", opened)
	}
	incident := incidents[len(incidents)-1]
	if incident["What happened"] != "'-dark" || incident["What was done"] != "'@moved" || incident["By"] != "admin-token" || incident["Name"] != "张·三" {
		t.Errorf("the incident is %v", incident)
	}
	log := c.csvOf(day, "log")
	reasons := 0
	for _, e := range log {
		if e["Reason"] == "'=cmd()" {
			reasons++
		}
	}
	if last := log[len(log)-1]; last["What"] != "Day closed" || last["By"] != "admin-token" || reasons != 2 { // the sitting and the machine
		t.Errorf("the log ends with %v, %d reasons", last, reasons)
	}
}

func TestRecordsAsWorkbook(t *testing.T) {
	t.Parallel()
	c, day := recordedDay(t)
	for table, rows := range map[string]int{"attendance": 5, "sittings": 4, "incidents": 2, "log": 0} {
		a := c.do(http.MethodGet, day+"/records?format=xlsx&table="+table, "").is(http.StatusOK)
		book, err := excelize.OpenReader(a.Body)
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		t.Cleanup(func() { _ = book.Close() })
		sheet := book.GetSheetList()[0]
		got, err := book.GetRows(sheet)
		if err != nil || rows > 0 && len(got) < rows || len(got) < 2 {
			t.Errorf("%s has %d rows (%v)", table, len(got), err)
		}
		if table != "attendance" {
			continue
		}
		for cell, want := range map[string]string{"A2": "0012", "B2": "=1+1", "C2": "999999199001010008", "A3": "-5", "B3": "张·三", "Q2": "+7"} {
			value, err := book.GetCellValue(sheet, cell)
			formula, _ := book.GetCellFormula(sheet, cell)
			if value != want || formula != "" || err != nil {
				t.Errorf("%s is %q with the formula %q, want %q", cell, value, formula, want)
			}
		}
	}
}

// record is what the tests read of a row.
type record struct {
	Candidate, State, Stood, CorrectedState, Reason, Outcome string
	What, UndoneBy, Name, IDNumber                           string
	Command                                                  bool
	Corrections                                              []correction
	Correction                                               *correction
}

type correction struct{ ID, At, By, Table, Row, State, Text, Reason string }

func (c *client) recordsOf(day, query string) page[record] {
	c.t.Helper()
	return decode[page[record]](c.do(http.MethodGet, day+"/records?"+query, "").is(http.StatusOK))
}

func TestRecordsAsJSON(t *testing.T) {
	t.Parallel()
	c, day := recordedDay(t)
	for query, want := range map[string]struct {
		first             string
		items, page, size int
	}{
		"table=attendance": {"0012", 4, 1, 50}, "table=attendance&size=0": {"0012", 4, 1, 0}, "table=attendance&page=2&size=3": {"never", 1, 2, 3},
		"table=attendance&page=3&size=3": {"", 0, 3, 3}, "table=attendance&size=-1&format=json": {"0012", 4, 1, 0},
	} {
		list := c.recordsOf(day, query)
		first := ""
		if len(list.Items) > 0 {
			first = list.Items[0].Candidate
		}
		if first != want.first || len(list.Items) != want.items || list.Total != 4 || list.Page != want.page || list.Size != want.size {
			t.Errorf("%s: %+v", query, list)
		}
	}
	if people := c.recordsOf(day, "table=attendance"); people.Items[3].Stood != "Did not come" || people.Items[0].IDNumber != "999999199001010008" {
		t.Errorf("people are %+v", people)
	}
	whole, some := c.recordsOf(day, "table=log&size=0"), c.recordsOf(day, "table=log&page=2&size=7")
	if whole.Total != len(whole.Items) || some.Total != whole.Total || len(some.Items) != 7 || some.Items[0].What != whole.Items[7].What {
		t.Errorf("a page of the log is %+v", some)
	}
	if empty := c.recordsOf("/halls/h/days/current", "table=incidents&size=0"); empty.Items == nil || empty.Total != 0 {
		t.Errorf("no incidents are %+v", empty)
	}
	for query, code := range map[string]int{
		"": 422, "table=people": 422, "table=log&format=pdf": 422, "table=log&format=csv&table=log": 422, "table=log&all=1": 422,
	} {
		if a := c.do(http.MethodGet, day+"/records?"+query, ""); a.Code != code {
			t.Errorf("%q answered %d: %s", query, a.Code, a.Body)
		}
	}
	c.do(http.MethodGet, "/halls/h/days/2026-01-01-1/records?table=log", "").problem(http.StatusNotFound, "unknown_day")
	c.do(http.MethodGet, "/halls/no/days/current/records?table=log&format=csv", "").problem(http.StatusNotFound, "unknown_hall")
	c.with("Authorization", "").do(http.MethodGet, day+"/records?table=log&format=csv", "").problem(http.StatusUnauthorized, "unauthorized")
}

// A file has the hall's name, in any script, and nothing that a system could stumble over.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Exam Hall 7": "Exam Hall 7", "第七考场 «A/B»": "第七考场 «A-B»", `a"b;c\..`: "a-b-c", "../../etc": "etc", "Зал №7": "Зал №7", "…": "…", ".": "h",
		"x\u202egnp": "xgnp",
	} {
		c := realHall(t, "")
		layout := decode[map[string]any](c.do(http.MethodGet, "/halls/h", "").is(http.StatusOK))
		c.do(http.MethodPut, "/halls/h", fmt.Sprintf(`{"name": %q, "timeZone": "UTC", "subjects": [{"code": "1", "minutes": 1}],
			"rooms": [{"id": "a"}, {"id": "b"}], "models": [{"id": "A", "subjects": ["1"]}, {"id": "B", "subjects": ["1"]}],
			"machines": [{"id": "a-1", "room": "a", "model": "A"}, {"id": "a-2", "room": "a", "model": "A"}, {"id": "b-1", "room": "b", "model": "B"}]}`, name))
		_ = layout
		day := c.day("current")
		a := c.do(http.MethodGet, "/halls/h/days/current/records?table=log&format=csv", "").is(http.StatusOK)
		kind, params, err := mime.ParseMediaType(a.Header().Get("Content-Disposition"))
		if got := params["filename"]; err != nil || kind != "attachment" || !strings.HasSuffix(got, " "+day.ID+" log.csv") {
			t.Errorf("%q: %q, %v", name, a.Header().Get("Content-Disposition"), err)
		} else if got := strings.TrimSuffix(got, " "+day.ID+" log.csv"); got != want && !(strings.ContainsAny(name, "\u202e") && got == "H") {
			t.Errorf("the hall %q is called %q, want %q", name, got, want)
		}
	}
}

func TestRecordsAreCorrected(t *testing.T) {
	t.Parallel()
	c, day := recordedDay(t)
	body := `{"table": "attendance", "row": "never", "state": "absent", "text": "=rang up", "reason": "telephone"}`
	keyed := c.with("Idempotency-Key", "k")
	first := decode[correction](keyed.do(http.MethodPost, day+"/corrections", body).is(http.StatusCreated))
	if again := decode[correction](keyed.do(http.MethodPost, day+"/corrections", body).is(http.StatusCreated)); again != first || first.ID != "c1" || first.By != "admin-token" {
		t.Errorf("corrected %+v, then %+v", first, again)
	}
	c.do(http.MethodPost, day+"/corrections", `{"table": "sittings", "row": "s2", "text": "at a-2", "reason": "seen"}`).is(http.StatusCreated)
	if list := decode[page[correction]](c.do(http.MethodGet, day+"/corrections?size=1&page=2", "").is(http.StatusOK)); list.Total != 2 || list.Items[0].Row != "s2" {
		t.Errorf("the corrections are %+v", list)
	}
	never := c.recordsOf(day, "table=attendance").Items[3]
	if never.State != "registered" || never.CorrectedState != "absent" || len(never.Corrections) != 1 || never.Corrections[0] != first {
		t.Errorf("the corrected row is %+v", never)
	}
	p := c.csvOf(day, "attendance")[3]
	if p["State"] != "registered" || p["Corrected state"] != "absent" || !strings.Contains(p["Corrections"], "admin-token: Absent: did not come when called. =rang up (telephone)") {
		t.Errorf("in CSV it is %v", p)
	}
	if s := c.csvOf(day, "sittings")[1]; !strings.HasSuffix(s["Corrections"], "admin-token: at a-2 (seen)") || s["Machine"] != "b-1" {
		t.Errorf("the corrected sitting is %v", s)
	}
	log := c.recordsOf(day, "table=log&size=0").Items
	if last := log[len(log)-1]; last.What != "Records corrected" || last.Correction == nil || last.Correction.Row != "s2" || last.Reason != "seen" || !last.Command {
		t.Errorf("the log ends with %+v", last)
	}
	for body, code := range map[string]string{
		`{"table": "log", "row": "x", "text": "x", "reason": "x"}`:                            "invalid",
		`{"table": "attendance", "row": "never", "text": "x", "reason": " "}`:                 "invalid",
		`{"table": "attendance", "row": "never", "reason": "x"}`:                              "invalid",
		`{"table": "sittings", "row": "s1", "state": "done", "text": "x", "reason": "x"}`:     "invalid",
		`{"table": "attendance", "row": "never", "text": "x", "reason": "x", "by": "nobody"}`: "invalid",
	} {
		c.do(http.MethodPost, day+"/corrections", body).problem(http.StatusUnprocessableEntity, code)
	}
	c.do(http.MethodPost, day+"/corrections", `{"table": "attendance", "row": "x", "text": "x", "reason": "x"}`).problem(http.StatusNotFound, "unknown_candidate")
	c.do(http.MethodPost, day+"/corrections", `{"table": "incidents", "row": "x", "text": "x", "reason": "x"}`).problem(http.StatusNotFound, "unknown_incident")
	c.do(http.MethodPost, "/halls/h/days/current/corrections", body).problem(http.StatusConflict, "day_not_open")
}

func TestDayIsErased(t *testing.T) {
	t.Parallel()
	c, day := recordedDay(t)
	c.do(http.MethodPost, day+"/corrections", `{"table": "attendance", "row": "never", "state": "absent", "text": "ill", "reason": "rang"}`).is(http.StatusCreated)
	c.do(http.MethodDelete, "/halls/h/days/current/persons", "").problem(http.StatusConflict, "wrong_state")
	c.do(http.MethodDelete, "/halls/h/days/2026-01-01-1/persons", "").problem(http.StatusNotFound, "unknown_day")
	for range 2 {
		c.do(http.MethodDelete, day+"/persons", "").is(http.StatusNoContent)
	}
	for _, table := range []string{"attendance", "sittings", "incidents", "log"} {
		said := c.do(http.MethodGet, day+"/records?format=csv&table="+table, "").is(http.StatusOK).Body.String()
		for _, gone := range []string{"张·三", "99999919", "=cmd", "rang", "ill", "dark", "moved", "O'Neil"} {
			if strings.Contains(said, gone) {
				t.Errorf("%s still has %q", table, gone)
			}
		}
		if !strings.Contains(said, "'-5") {
			t.Errorf("%s has no candidates any more: %s", table, said)
		}
	}
	erased := decode[struct{ ErasedAt string }](c.do(http.MethodGet, day, "").is(http.StatusOK))
	if erased.ErasedAt == "" {
		t.Error("the day does not say that it was erased")
	}
	c.do(http.MethodPost, day+"/corrections", `{"table": "attendance", "row": "never", "text": "x", "reason": "y"}`).problem(http.StatusConflict, "wrong_state")
}

func TestLogSaysWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	c := realHall(t, "")
	c.enrol("x,1")
	c.command(http.MethodPut, "/queue/x", "")
	c.command(http.MethodPost, "/sittings/s1/seat", "")
	events := decode[page[struct{ ID, Event string }]](c.do(http.MethodGet, "/halls/h/events?size=0", "").is(http.StatusOK))
	seated := events.Items[len(events.Items)-1]
	c.command(http.MethodPost, "/undo", fmt.Sprintf(`{"event": %q}`, seated.ID))
	var said []string
	for _, e := range c.recordsOf("/halls/h/days/current", "table=log&size=0").Items {
		if e.Command {
			said = append(said, strings.TrimSpace(e.What+" "+e.UndoneBy))
		}
	}
	if want := []string{"Put on the roster", "Checked in", "Seated admin-token", "Taken back"}; len(said) < 4 || !slices.Equal(said[len(said)-4:], want) {
		t.Errorf("the log says %q, want %q at the end", said, want)
	}
}
