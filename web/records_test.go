package web_test

import (
	"encoding/csv"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
)

const staffPath = "/halls/" + hallID + "/staff"

// rowsOf are the cells of a list, joined.
func (p *page) rowsOf(testid string) []string {
	return p.part(testid).Map(func(_ int, row *goquery.Selection) string {
		return strings.Join(row.Find("td bdi").Map(func(_ int, cell *goquery.Selection) string { return cell.Text() }), "|")
	})
}

// correctionForm is the form of a row, to be sent.
func (b *bundle) correctionForm(address string, text ...string) (action string, form url.Values) {
	b.t.Helper()
	found := b.get(address).expect(b.t, http.StatusOK).part("correction-form")
	form = url.Values{"key": {found.Find("[name=key]").AttrOr("value", "")}}
	for i := 0; i+1 < len(text); i += 2 {
		form.Set(text[i], text[i+1])
	}
	return found.AttrOr("action", ""), form
}

func TestRecordsAreShownAndCorrected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.get(staffPath+"/days").expect(t, http.StatusSeeOther).header.Get("Location"); !strings.HasPrefix(got, "/login") {
		t.Errorf("somebody who is not logged in is led to %q", got)
	}
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	link := b.get(proctorPath).part("records-link").AttrOr("href", "")
	if link != staffPath+"/records/2026-11-30-1" {
		t.Errorf("the proctor page leads to %q", link)
	}
	open := b.get(link).expect(t, http.StatusOK)
	if rows := open.rowsOf("row"); len(rows) != 5 || !strings.HasPrefix(rows[0], "1|c1|") || !strings.Contains(rows[4], "|Not here yet|") {
		t.Errorf("the open day has %q", rows)
	}
	if _, err := b.store.CloseDay(t.Context(), hallID, "", staff); err != nil {
		t.Fatal(err)
	}
	if got := b.get(proctorPath).part("records-link").AttrOr("href", ""); got != staffPath+"/days" {
		t.Errorf("after the close it leads to %q", got)
	}
	days := b.get(staffPath+"/days").expect(t, http.StatusOK).part("day")
	if got := days.Find("th").Text(); got != "Next dayDay 2026-11-30-1" || days.Find("a").Last().AttrOr("href", "") != link {
		t.Errorf("the days are %q", got)
	}
	closed := b.get(link).expect(t, http.StatusOK)
	if rows := closed.rowsOf("row"); len(rows) != 5 || !strings.Contains(rows[4], "|Did not come|") {
		t.Errorf("the closed day has %q", rows)
	}
	if got := closed.text("totals"); !strings.Contains(got, "5 on the roster") || !strings.Contains(got, "2 did not come") {
		t.Errorf("the totals are %q", got)
	}
	last := closed.part("row").Last().Find("a").AttrOr("href", "")
	action, form := b.correctionForm(last, "state", "absent", "reason", " ")
	wrong := b.post(action, form).expect(t, http.StatusUnprocessableEntity)
	if got := wrong.Find("#correction-reason-error").Text(); got != "Say how that is known." || wrong.Find("option[selected]").AttrOr("value", "") != "absent" {
		t.Errorf("the refused form says %q", got)
	}
	form.Set("reason", "<b>rang up</b>")
	for range 2 { // a double click
		if got := b.post(action, form).expect(t, http.StatusSeeOther).header.Get("Location"); got != link+"?table=attendance" {
			t.Errorf("a correction leads to %q", got)
		}
	}
	corrected := b.get(link)
	if got := corrected.text("notice"); got != "The correction stands beside what it corrects." {
		t.Errorf("the page says %q", got)
	}
	if got := corrected.rowsOf("correction"); len(got) != 1 || !strings.HasSuffix(got[0], "anna: Absent: did not come when called (<b>rang up</b>)") {
		t.Errorf("the corrections are %q", got)
	}
	if rows := corrected.rowsOf("row"); !strings.Contains(rows[4], "|Did not come|") || !strings.Contains(corrected.text("totals"), "1 corrected") {
		t.Errorf("the corrected row is %q", rows[4])
	}
	erase := corrected.part("erase").AttrOr("href", "")
	b.post(strings.Replace(action, "row=c5", "row=nobody", 1), form).expect(t, http.StatusUnprocessableEntity) // the key is of another form
	_, other := b.correctionForm(last, "reason", "x", "text", "y")
	b.post(strings.Replace(action, "row=c5", "row=nobody", 1), other).expect(t, http.StatusNotFound)
	b.post(action, url.Values{"reason": {"x"}, "text": {"y"}}).expect(t, http.StatusUnprocessableEntity)

	if got := b.get(erase).expect(t, http.StatusOK).text("panel-warning"); !strings.Contains(got, "cannot be taken back") {
		t.Errorf("before erasing the page says %q", got)
	}
	b.get(staffPath+"/records/current/erase").expect(t, http.StatusConflict)
	b.post(staffPath+"/records/current/erase", nil).expect(t, http.StatusConflict)
	b.post(erase, nil).expect(t, http.StatusSeeOther)
	gone := b.get(link).expect(t, http.StatusOK)
	if strings.Contains(gone.body, "rang up") || gone.part("erase").Length() > 0 || !strings.Contains(gone.text("as-of"), "were erased on") {
		t.Errorf("the erased day: %s", gone.body)
	}
}

func TestRecordsOfEveryKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	_, seatErr := b.store.Seat(t.Context(), hallID, "s1", staff)
	_, abortErr := b.store.Abort(t.Context(), hallID, "s1", hall.Abort{Fault: hall.FaultMachine, Reason: "<i>dark</i>"}, staff)
	_, openErr := b.store.OpenIncident(t.Context(), hallID, hall.IncidentReport{Category: "machine", Text: "smoke", Done: "aired"}, staff)
	for _, err := range []error{seatErr, abortErr, openErr} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for table, want := range map[string]string{
		"sittings": "Broken off: <i>dark</i>", "incidents": "|smoke|aired|test", "log": "|Sitting broken off|",
	} {
		p := b.get(staffPath+"/records/current?table="+table).expect(t, http.StatusOK)
		if rows := strings.Join(p.rowsOf("row"), "\n"); !strings.Contains(rows, want) || p.Find("main i").Length() > 0 {
			t.Errorf("%s has %q", table, rows)
		}
		if p.part("signatures").Length() != 1 || p.Find("thead .records-paper").Length() != 1 {
			t.Errorf("%s cannot be signed", table)
		}
	}
	for path, status := range map[string]int{
		"/records/current?table=people": 404, "/records/2026-01-01-1": 404, "/records/current/file?table=log&format=pdf": 404,
		"/records/current/correct?table=log&row=1-0": 404, "/records/current/correct?table=sittings": 404, "/records/current?page=9": 200,
		"/records/current?page=x": 200, "/days?page=99": 200, "/records/2026-01-01-1/file?table=log&format=csv": 404,
	} {
		b.get(staffPath+path).expect(t, status)
	}
}

func TestRecordsAreDownloaded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	links := b.get(staffPath + "/records/current").Find(".records-files a")
	if links.Length() != 2 {
		t.Fatalf("%d files", links.Length())
	}
	for i, kind := range []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "text/csv; charset=utf-8"} {
		p := b.get(links.Eq(i).AttrOr("href", "")).expect(t, http.StatusOK)
		if got := p.header.Get("Content-Type"); got != kind || !strings.HasPrefix(p.header.Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("it comes as %q, %q", got, p.header.Get("Content-Disposition"))
		}
	}
	response, err := b.client.Do(b.request(http.MethodGet, links.Eq(1).AttrOr("href", ""), nil))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	rows, csvErr := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff"))).ReadAll()
	if err != nil || csvErr != nil || len(rows) != 6 || rows[1][0] != "c1" {
		t.Errorf("the file is %q (%v, %v)", data, err, csvErr)
	}
}
