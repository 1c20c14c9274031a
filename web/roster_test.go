package web_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

const rosterPath = "/halls/h/staff/roster"

// upload sends a file as the form of a browser does.
func (b *bundle) upload(name, text string) *page {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="file"; filename="%s"`, strings.ReplaceAll(name, `"`, "%22")))
	header.Set("Content-Type", "application/octet-stream")
	part, err := form.CreatePart(header)
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = part.Write([]byte(text))
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+rosterPath, &body)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	return b.do(request)
}

// preview sends a file that is a roster, and returns the page that it leads to.
func (b *bundle) preview(text string) (p *page, address string) {
	b.t.Helper()
	address = b.upload("roster.csv", text).expect(b.t, http.StatusSeeOther).header.Get("Location")
	return b.get(address).expect(b.t, http.StatusOK), address
}

// importForm is what the button of a preview sends.
func importForm(p *page) url.Values {
	return url.Values{"upload": {p.part("import-form").Find("[name=upload]").AttrOr("value", "")}}
}

// counts are the numbers of a page: rows, new, changed, unchanged, refused.
func counts(p *page) string {
	var all []string
	for _, name := range []string{"rows", "created", "updated", "unchanged", "rejected"} {
		all = append(all, p.text("count-"+name))
	}
	return strings.Join(all, " ")
}

const someRows = "List of today\nnumber,name,phone,subjects,note\nc1,Ann,555,1,door\nnew,Bo <b>,,1,\n,Nobody,,1,\nx,Xu,,\"9\",\n"

func TestRosterIsShownBeforeItIsImported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	form := b.get(rosterPath).expect(t, http.StatusOK)
	if got := form.text("roster-day"); !strings.Contains(got, "which is open. Its roster has 5 candidates.") {
		t.Errorf("the form says %q", got)
	}
	p, address := b.preview(someRows)
	for testid, want := range map[string]string{
		"file":       "roster.csv",
		"kind":       "Text in UTF-8, with commas between the columns.",
		"header-row": "The header is row 2.",
		"missing":    "No column was understood as id_number, class, session. What is known of a candidate there stays as it is.",
		"headers":    "Anumbercandidate_id Bnamename Cphoneignored Dsubjectssubjects Enotenote",
		"first":      "3c1Ann1door 4newBo <b>1",
		"refused":    "5candidate_id(empty)The row has no candidate number. 6subjects99 is not a subject of this hall.",
		"changes":    "3c1nameName of c1Ann 3c1note(empty)door",
	} {
		if got := p.text(testid); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s shows %q, want %q", testid, got, want)
		}
	}
	if got := counts(p); got != "4 1 1 0 2" {
		t.Errorf("counts %s", got)
	}
	if list, _ := b.store.Candidates(t.Context(), hallID, hall.CandidateFilter{}, hall.Page{}); list.Total != 5 {
		t.Errorf("the preview changed the roster: %d candidates", list.Total)
	}

	done := b.post(rosterPath+"/import", importForm(p)).expect(t, http.StatusSeeOther)
	if done.header.Get("Location") != address {
		t.Errorf("the import leads to %s", done.header.Get("Location"))
	}
	p = b.get(address).expect(t, http.StatusOK)
	if got := counts(p); got != "4 1 1 0 2" || p.part("result").Length() != 1 || !strings.Contains(p.text("summary"), "by anna") {
		t.Errorf("the result has %s: %s", got, p.text("summary"))
	}
	if c := b.candidate("new"); c.Person.Name != "Bo <b>" {
		t.Errorf("imported %+v", c)
	}
	if c := b.candidate("c1"); c.Person.Name != "Ann" || c.Person.Note != "door" {
		t.Errorf("changed %+v", c)
	}

	// Once more, from a second window or by a double click: nothing happens.
	if _, err := b.store.PutRoster(t.Context(), hallID, []hall.RosterRow{halltest.Row("c1", "1")}, false, staff); err != nil {
		t.Fatal(err)
	}
	b.post(rosterPath+"/import", url.Values{"upload": {address[strings.LastIndex(address, "/")+1:]}}).expect(t, http.StatusSeeOther)
	if c := b.candidate("c1"); c.Person.Name == "Ann" {
		t.Error("the file was imported a second time")
	}
	if got := counts(b.get(address)); got != "4 1 1 0 2" {
		t.Errorf("the result became %s", got)
	}
}

func TestRefusedRowsAsCSV(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	var text strings.Builder
	text.WriteString("candidate_id,id_number,subjects\n")
	for i := range 250 {
		fmt.Fprintf(&text, "%d,\"=HYPERLINK(\"\"x\"\")\u0007%d\",1\n", i, i)
	}
	p, address := b.preview(text.String())
	if p.part("refused").Find("tr").Length() != 200 || !strings.Contains(p.body, "The first 200 of 250 refused rows") {
		t.Errorf("the page shows %d rows", p.part("refused").Find("tr").Length())
	}
	if p.part("import-form").Length() != 0 || !strings.Contains(p.text("summary"), "nothing can be imported") {
		t.Errorf("the page offers to import nothing: %s", p.text("summary"))
	}
	file := b.get(p.part("all-refused").AttrOr("href", "")).expect(t, http.StatusOK)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename="refused-rows.csv"` {
		t.Errorf("disposition %q", got)
	}
	body, marked := strings.CutPrefix(file.body, "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || !marked || len(rows) != 251 || rows[1][0] != "2" || !strings.HasPrefix(rows[1][2], "'=HYPERLINK") || rows[1][3] != "invalid_id" {
		t.Errorf("%v: %d rows, %q", err, len(rows), rows[:min(2, len(rows))])
	}
	if b.get(address+"/other.csv").status != http.StatusNotFound {
		t.Error("another file is there")
	}
}

func TestFilesThatAreNoRoster(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	for name, c := range map[string]struct {
		text, about string
		status      int
	}{
		"PDF":         {"%PDF-1.7", "This is a PDF", 422},
		"empty":       {"", "empty", 422},
		"NUL":         {"candidate_id,subjects\n1\x00,1\n", "NUL", 422},
		"no header":   {"<script>alert(1)</script>\n", "No row has a known header", 422},
		"long cell":   {"candidate_id,subjects\n1," + strings.Repeat("1", 2<<20) + "\n", "Row 2", 422},
		"too long":    {"candidate_id,subjects\n" + strings.Repeat(" ", 64<<20), "64 MB", 413},
		"cut ZIP":     {"PK\x03\x04", "damaged", 422},
		"old":         {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old format", 422},
		"password":    {workbook(t, excelize.Options{Password: "secret"}), "password", 422},
		"empty sheet": {workbook(t, excelize.Options{}), "No row has a known header", 422},
		"header only": {"candidate_id,subjects\n", "", 303},
	} {
		p := b.upload(`C:\Users\anna\"><img src=x>.csv`, c.text).expect(t, c.status)
		if c.status == http.StatusSeeOther {
			p = b.get(p.header.Get("Location")).expect(t, http.StatusOK)
			if p.part("import-form").Length() != 0 || p.Find("main img").Length() != 0 || p.text("file") != `"><img src=x>.csv` {
				t.Errorf("%s: %s", name, p.text("file"))
			}
			continue
		}
		if !strings.Contains(p.text("error"), c.about) || p.part("roster-form").Length() != 1 || p.Find("#file[aria-invalid]").Length() != 1 {
			t.Errorf("%s: %q", name, p.text("error"))
		}
	}
	for name, body := range map[string]string{"no file": "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--x--\r\n", "no field": "--x--\r\n"} {
		request := b.request(http.MethodPost, rosterPath, nil, "Content-Type", "multipart/form-data; boundary=x")
		request.Body = http.NoBody
		request, _ = http.NewRequestWithContext(t.Context(), http.MethodPost, request.URL.String(), strings.NewReader(body))
		request.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		if p := b.do(request).expect(t, 422); p.text("error") != "Choose a file first." {
			t.Errorf("%s: %q", name, p.text("error"))
		}
	}
	if p := b.post(rosterPath, url.Values{"file": {"x"}}).expect(t, 422); p.text("error") != "Choose a file first." {
		t.Errorf("a form of another kind: %q", p.text("error"))
	}
}

func TestRosterOfAnotherHallOrDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.putHall("other", halltest.Layout("one", "one", "two", "three"))
	b.logIn()
	p, address := b.preview("candidate_id,subjects\nlate,1\n")
	form := importForm(p)
	elsewhere := strings.Replace(address, "/halls/h/", "/halls/other/", 1)
	for what, answer := range map[string]*page{
		"the page of another hall":   b.get(elsewhere),
		"the form of another hall":   b.post("/halls/other/staff/roster/import", form),
		"a made-up id":               b.post(rosterPath+"/import", url.Values{"upload": {"AAAAAAAAAAAAAAAAAAAAAAAAAA"}}),
		"no id":                      b.post(rosterPath+"/import", nil),
		"the page of a made-up id":   b.get(rosterPath + "/x"),
		"the refused rows elsewhere": b.get(elsewhere + "/refused.csv"),
	} {
		if answer.status != http.StatusNotFound || !strings.Contains(answer.text("notice"), "not there any more") || answer.part("roster-form").Length() != 1 {
			t.Errorf("%s: %d %s", what, answer.status, answer.text("notice"))
		}
	}
	if _, err := b.store.CloseDay(t.Context(), hallID, "", staff); err != nil {
		t.Fatal(err)
	}
	answer := b.post(rosterPath+"/import", form)
	if answer.status != http.StatusConflict || !strings.Contains(answer.text("notice"), "has been closed since") || answer.part("roster-form").Length() != 1 {
		t.Errorf("%d %s", answer.status, answer.text("notice"))
	}
	if got := answer.text("roster-day"); got != "For the next day, which is not open yet. Its roster is empty." {
		t.Errorf("the form says %q", got)
	}
	b.get(address).expect(t, http.StatusNotFound) // it is erased
	if list, _ := b.store.Candidates(t.Context(), hallID, hall.CandidateFilter{}, hall.Page{}); list.Total != 0 {
		t.Errorf("%d candidates for the next day", list.Total)
	}
}

func TestRosterThatNobodyWants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	p, address := b.preview("candidate_id,subjects\nnew,1\n")
	form := url.Values{"upload": {p.part("discard-form").Find("[name=upload]").AttrOr("value", "")}}
	for range 2 {
		if got := b.post(rosterPath+"/discard", form).expect(t, http.StatusSeeOther).header.Get("Location"); got != rosterPath {
			t.Errorf("leads to %s", got)
		}
	}
	b.get(address).expect(t, http.StatusNotFound)
	for _, path := range []string{"/import", "/discard"} {
		if got := b.get(rosterPath+path).expect(t, http.StatusSeeOther).header.Get("Location"); got != rosterPath {
			t.Errorf("GET of %s leads to %s", path, got)
		}
	}
}

func TestRosterIsForTheStaff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.upload("roster.csv", someRows).expect(t, http.StatusSeeOther).header.Get("Location"); !strings.HasPrefix(got, "/login") {
		t.Errorf("leads to %s", got)
	}
	b.get(rosterPath).expect(t, http.StatusSeeOther)
	b.logIn()
	if got := b.get("/").part("roster-link").AttrOr("href", ""); got != rosterPath {
		t.Errorf("the home page leads to %q", got)
	}
	if got := b.get(proctorPath).part("roster-link").AttrOr("href", ""); got != rosterPath {
		t.Errorf("the proctor page leads to %q", got)
	}
	if _, err := b.store.CloseDay(t.Context(), hallID, "", staff); err != nil {
		t.Fatal(err)
	}
	if got := b.get(proctorPath).part("roster-link"); got.AttrOr("href", "") != rosterPath || got.Text() != "Load the roster" {
		t.Errorf("the proctor page of a day to come leads to %q", got.Text())
	}
	b.get("/halls/nowhere/staff/roster").expect(t, http.StatusNotFound)
}

// TestProgressOfAnImport holds an import up and looks at its page.
func TestProgressOfAnImport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	p, address := b.preview("candidate_id,subjects\n1,1\n2,1\n")
	hold := make(chan struct{})
	b.store.step.Store(&hold)
	for range 2 { // a double click
		b.post(rosterPath+"/import", importForm(p)).expect(t, http.StatusSeeOther)
	}
	p = b.get(address).expect(t, http.StatusOK)
	if got := p.text("progress"); got != "0 of 2 rows are taken." {
		t.Errorf("progress %q", got)
	}
	if got := p.Find("noscript").Text(); !strings.Contains(got, "url="+address) { // without scripts it comes again by itself
		t.Errorf("without scripts %q", got)
	}
	asks := p.Find("#roster").AttrOr("hx-get", "")
	if asks != address || p.part("import-form").Length() != 0 || p.Find("script").Length() == 0 {
		t.Errorf("the page asks for %q", asks)
	}
	if part := b.get(asks, htmx...); part.Find("header").Length() != 0 || part.Find("main#roster[hx-get]").Length() != 1 {
		t.Errorf("the fragment is %s", part.body)
	}
	close(hold)
	deadline := time.After(patience)
	for p.part("result").Length() == 0 {
		select {
		case <-deadline:
			t.Fatalf("the page stays %s", p.body)
		default:
		}
		p = b.get(asks, htmx...)
	}
	if p.Find("main#roster[hx-get]").Length() != 0 || counts(p) != "2 2 0 0 0" {
		t.Errorf("the result is %s", p.body)
	}
}

// TestImportThatWasBrokenOff has a node that is gone, and another one that goes on.
func TestImportThatWasBrokenOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	p, address := b.preview("candidate_id,subjects\n1,1\n2,1\n")
	id := importForm(p).Get("upload")
	if mine, err := b.uploads.Take(t.Context(), hallID, id, "another node", 0); err != nil || !mine {
		t.Fatal(mine, err)
	}
	p = b.get(address).expect(t, http.StatusOK)
	if got := p.text("progress"); got != "The server stopped after 0 of 2 rows. What was taken stays. Go on with it: nothing is taken twice." {
		t.Errorf("progress %q", got)
	}
	b.post(rosterPath+"/import", importForm(p)).expect(t, http.StatusSeeOther)
	if p = b.get(address); counts(p) != "2 2 0 0 0" {
		t.Errorf("the result is %s", counts(p))
	}
}

// TestRostersOfTheProject sends the files that the reader is tested with.
func TestRostersOfTheProject(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"bom-semicolon-russian-headers.csv": "40 40 0 0 0", "gbk-chinese-headers.csv": "60 60 0 0 0",
		"utf16le-tab.txt": "40 40 0 0 0", "twelve-awkward-rows.csv": "12 5 0 0 7",
	} {
		text, err := os.ReadFile(filepath.Join("..", "internal", "roster", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		b := setup(t, demoSubjects)
		b.logIn()
		p, address := b.preview(string(text))
		if got := counts(p); got != want {
			t.Errorf("%s: the preview says %s, want %s: %s", file, got, want, p.text("refused"))
		}
		b.post(rosterPath+"/import", importForm(p)).expect(t, http.StatusSeeOther)
		if got := counts(b.get(address)); got != want {
			t.Errorf("%s: the result says %s, want %s", file, got, want)
		}
	}
}

// demoSubjects gives the hall the subjects of the files.
func demoSubjects(_ *web.Config, layout *hall.Layout) {
	layout.Subjects = nil
	for _, code := range []string{"1", "2", "3", "4"} {
		layout.Subjects = append(layout.Subjects, hall.Subject{Code: code, Minutes: 10})
	}
	for i := range layout.Models {
		layout.Models[i].Subjects = []string{"1", "2", "3", "4"}
	}
}

// workbook is an empty workbook as a file.
func workbook(t *testing.T, options excelize.Options) string {
	t.Helper()
	book := excelize.NewFile()
	defer func() { _ = book.Close() }()
	var file bytes.Buffer
	if err := book.Write(&file, options); err != nil {
		t.Fatal(err)
	}
	return file.String()
}
