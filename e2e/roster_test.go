package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// office is the page of somebody who loads rosters.
type office struct{ *screen }

// fourSubjects are those of the files in testdata.
func (h *testHall) fourSubjects() {
	h.t.Helper()
	var subjects []object
	for _, code := range []string{"1", "2", "3", "4"} {
		subjects = append(subjects, object{"code": code, "name": object{"en": "Subject " + code}, "minutes": 20})
	}
	h.want(http.StatusOK, http.MethodPut, "", object{
		"name": "Hall <b>7</b>", "timeZone": "Asia/Shanghai", "subjects": subjects,
		"rooms":    []object{{"id": "r1", "name": "Room 2"}},
		"models":   []object{{"id": "A", "name": "A", "subjects": []string{"1", "2", "3", "4"}}},
		"machines": []object{{"id": "m1", "label": "1", "room": "r1", "model": "A"}},
	}, nil)
}

func openOffice(t *testing.T, h *testHall) office {
	t.Helper()
	o := office{openScreen(t, h.url, h.path("staff/roster"), laptop)}
	o.signIn()
	return o
}

// sends chooses a file and sends it.
func (o office) sends(file playwright.InputFile) {
	o.t.Helper()
	must(o.t, o.id("roster-form").Locator("input[type=file]").SetInputFiles([]playwright.InputFile{file}))
	o.press(o.id("roster-form").Locator("button"))
}

func textFile(name, text string) playwright.InputFile {
	return playwright.InputFile{Name: name, MimeType: "text/csv", Buffer: []byte(text)}
}

// counts waits for the numbers of rows: all, new, changed, unchanged, refused.
func (o office) counts(all, created, updated, unchanged, rejected string) {
	o.t.Helper()
	for name, want := range map[string]string{"rows": all, "created": created, "updated": updated, "unchanged": unchanged, "rejected": rejected} {
		must(o.t, expect.Locator(o.id("count-"+name)).ToHaveText(want))
	}
}

func (o office) importButton() playwright.Locator { return o.id("import-form").Locator("button") }

// done waits for the result of an import.
func (o office) done() {
	o.t.Helper()
	must(o.t, expect.Locator(o.id("result")).ToBeVisible())
}

// TestRostersInTheBrowser loads every file of the reader's tests, with a double
// click, reloads the page and goes back and forth.
func TestRostersInTheBrowser(t *testing.T) {
	t.Parallel()
	for file, c := range map[string]struct{ kind, all, good, bad string }{
		"bom-semicolon-russian-headers.csv": {"UTF-8, with semicolons", "40", "40", "0"},
		"gbk-chinese-headers.csv":           {"GB18030, with commas", "60", "60", "0"},
		"utf16le-tab.txt":                   {"UTF-16, with tabs", "40", "40", "0"},
		"twelve-awkward-rows.csv":           {"UTF-8, with commas", "12", "5", "7"},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 0, nil)
			h.fourSubjects()
			text, err := os.ReadFile(filepath.Join(rootDir, "internal", "roster", "testdata", file))
			must(t, err)
			o := openOffice(t, h)
			o.accessible("form")
			o.sends(playwright.InputFile{Name: file, MimeType: "application/octet-stream", Buffer: text})
			o.shows("kind", c.kind)
			o.counts(c.all, c.good, "0", "0", c.bad)
			o.accessible("preview")
			o.reload()
			o.counts(c.all, c.good, "0", "0", c.bad)
			must(t, o.importButton().Dblclick())
			o.done()
			o.counts(c.all, c.good, "0", "0", c.bad)
			o.accessible("result")
			o.reload()
			o.counts(c.all, c.good, "0", "0", c.bad)
			_, err = o.GoBack()
			must(t, err)
			must(t, expect.Locator(o.importButton()).ToHaveCount(0)) // what is done is not offered again
			if n := h.countEvents("candidate_registered"); strconv.Itoa(n) != c.good {
				t.Errorf("%d candidates were registered", n)
			}
			o.visit(h.path("staff/roster"))
			o.sends(playwright.InputFile{Name: file, MimeType: "application/octet-stream", Buffer: text})
			o.counts(c.all, "0", "0", c.good, c.bad)
		})
	}
}

func TestFilesThatAreNoRosterInTheBrowser(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 0, nil)
	o := openOffice(t, h)
	for text, about := range map[string]string{
		"%PDF-1.7":                            "This is a PDF",
		"PK\x03\x04":                          "damaged",
		"candidate_id,subjects\n\x00":         "NUL",
		"candidate_id,subjects\n\"1,1\n2,1\n": "quotation mark",
	} {
		o.sends(textFile(`"><img src=x onerror=alert(1)>.csv`, text))
		o.shows("error", about)
	}
	long := filepath.Join(t.TempDir(), "long.csv")
	must(t, os.WriteFile(long, make([]byte, 65<<20), 0o600))
	must(t, o.Locator("#file").SetInputFiles([]string{long}))
	o.press(o.id("roster-form").Locator("button"))
	o.shows("error", "longer than 64 MB")
	o.accessible("form with a fault")
	o.sends(textFile(`"><img src=x onerror=alert(1)>.csv`, "candidate_id,name,<img src=y>,subjects\n1,<script>alert(2)</script>,,1\n2,=1+1,,<img src=z onerror=alert(3)>\n"))
	o.shows("file", "<img src=x onerror=alert(1)>.csv")
	o.shows("refused", "<img src=z onerror=alert(3)>")
	must(t, expect.Locator(o.Locator("main img")).ToHaveCount(0))
	o.accessible("preview with HTML")
	if download, err := o.ExpectDownload(func() error { return o.id("all-refused").Click() }); err != nil || download.SuggestedFilename() != "refused-rows.csv" {
		t.Errorf("the refused rows: %v, %v", download, err)
	}
}

// TestRosterByKeyboard goes from the proctor's page to the result and back
// without a mouse: only the file itself is chosen by the test.
func TestRosterByKeyboard(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	h.want(http.StatusOK, http.MethodPost, "/close", nil, nil)
	desk := openProctor(t, h)
	o := office(desk)
	enter := func(l playwright.Locator) {
		t.Helper()
		for range 40 {
			if focused, err := l.Evaluate("(e) => e === document.activeElement", nil); err == nil && focused == true {
				must(t, o.Keyboard().Press("Enter"))
				return
			}
			must(t, o.Keyboard().Press("Tab"))
		}
		t.Fatalf("the keyboard does not reach %v", l)
	}
	enter(o.id("roster-link"))
	o.shows("roster-day", "For the next day, which is not open yet. Its roster is empty.")
	must(t, o.Locator("#file").SetInputFiles([]playwright.InputFile{textFile("next.csv", "number,subjects\n1,1\n2,2\n")}))
	enter(o.id("roster-form").Locator("button"))
	o.counts("2", "2", "0", "0", "0")
	enter(o.importButton())
	o.done()
	enter(o.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Back to the machines"}))
	o.shows("day", "Its roster has 2 candidates.")
}

func TestRosterWithoutScripts(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	o := office{newScreen(t, h.url, playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)})}
	o.visit(h.path("staff/roster"))
	o.signIn()
	o.sends(textFile("roster.csv", "number,name,subjects\n001,Another,1|2\n9,New,1\n"))
	o.counts("2", "1", "1", "0", "0")
	o.shows("changes", "Candidate 1")
	o.press(o.importButton())
	o.done()
	o.counts("2", "1", "1", "0", "0")
}

// TestLongRosterInTheBrowser has so many rows that they are several steps.
func TestLongRosterInTheBrowser(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 0, nil)
	var text strings.Builder
	text.WriteString("candidate_id,name,subjects\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%06d,Candidate %d,1\n", i, i)
	}
	o := openOffice(t, h)
	o.sends(textFile("long.csv", text.String()))
	o.counts("20,000", "20,000", "0", "0", "0")
	o.shows("preview", "Import 20,000 rows")
	must(t, o.importButton().Click())
	o.done()
	o.counts("20,000", "20,000", "0", "0", "0")
}

// TestRosterPagesFit looks at the pages on narrow screens.
func TestRosterPagesFit(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	long := strings.Repeat("W", 60)
	o := openOffice(t, h)
	fits := func(what string) {
		t.Helper()
		for _, width := range []int{320, 768, 1366} {
			must(t, o.SetViewportSize(width, 800))
			if wide := o.evaluate(`() => document.documentElement.scrollWidth - innerWidth`); fmt.Sprint(wide) != "0" {
				t.Errorf("%s is %v pixels wider than a window of %d", what, wide, width)
			}
		}
	}
	fits("the form")
	o.sends(textFile(long+".csv", "number,name,id_number,subjects,note,"+long+"\n001,"+long+",,2,"+strings.Repeat("word ", 100)+",\n"+long+","+long+",,"+long+",,\n"))
	o.counts("2", "0", "1", "0", "1")
	fits("the preview")
	o.press(o.importButton())
	o.done()
	fits("the result")
}
