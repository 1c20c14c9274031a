package e2e_test

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// openRecords opens the records of a hall's present day.
func openRecords(t *testing.T, h *testHall) *screen {
	t.Helper()
	s := openScreen(t, h.url, h.path("staff")+"/records/current", laptop)
	s.signIn()
	return s
}

var mediaBox = regexp.MustCompile(`/MediaBox\s*\[[^]]*\]`)

// TestRecordsArePrinted has a day of 240 people: each list is whole on sheets of A4.
func TestRecordsArePrinted(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	playMorning(t, r, "demo", demoLayout(t), 240, 2*time.Hour, time.Minute)
	h := &testHall{server: newServer(t, r.url()), t: t, id: "demo"}
	h.want(http.StatusCreated, http.MethodPost, "/incidents", object{"category": "machine", "text": strings.Repeat("Smoke. ", 100), "done": "Aired"}, nil)
	h.want(http.StatusCreated, http.MethodPost, "/days/current/corrections", object{"table": "attendance", "row": "0003", "state": "absent", "reason": "Mixed up"}, nil)
	s := openRecords(t, h)
	for table, most := range map[string]int{"attendance": 13, "sittings": 16, "incidents": 3, "log": 62} {
		s.visit(h.path("staff") + "/records/current?table=" + table)
		pdf, err := s.PDF(playwright.PagePdfOptions{PreferCSSPageSize: playwright.Bool(true)})
		must(t, err)
		if folder := os.Getenv("RECORDS_PDF"); folder != "" {
			must(t, os.WriteFile(folder+"/"+table+".pdf", pdf, 0o600))
			_, err := s.Screenshot(playwright.PageScreenshotOptions{Path: playwright.String(folder + "/" + table + ".png")})
			must(t, err)
		}
		pages := len(pageOfPDF.FindAll(pdf, -1))
		if pages < 1 || pages > most || !bytes.Contains(pdf, []byte("841.91998 594.95996")) {
			t.Errorf("%s is printed on %d pages: %s", table, pages, mediaBox.Find(pdf))
		}
	}
	s.visit(h.path("staff") + "/records/current")
	must(t, expect.Locator(s.id("row")).ToHaveCount(240))
	must(t, s.EmulateMedia(playwright.PageEmulateMediaOptions{Media: playwright.MediaPrint}))
	must(t, expect.Locator(s.Locator("thead .records-paper")).ToBeVisible())
	must(t, expect.Locator(s.id("signatures")).ToBeVisible())
	for _, hidden := range []string{".records-tools", ".bar", "td.records-screen >> nth=0"} {
		must(t, expect.Locator(s.Locator(hidden)).ToBeHidden())
	}
}

// TestRecordsOnTheScreen goes from the machines to the records of a closed day, corrects a row, and loads a file.
func TestRecordsOnTheScreen(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 5, nil)
	h.checkIn("001", "002", "003")
	h.command(h.sittingOf("001"), "seat")
	h.command(h.sittingOf("001"), "end")
	h.want(http.StatusOK, http.MethodPost, "/close", object{}, nil)
	desk := openProctor(t, h)
	desk.press(desk.id("records-link"))
	desk.accessible("the days")
	desk.press(desk.id("days").Locator("tbody tr").Nth(1).Locator("a"))
	must(t, expect.Locator(desk.id("row")).ToHaveCount(5))
	desk.accessible("the attendance")
	desk.press(desk.id("row").Nth(3).Locator("a"))
	form := desk.id("correction-form")
	desk.press(form.GetByRole("button"))
	must(t, expect.Locator(form.Locator("#correction-reason-error")).ToBeVisible())
	desk.accessible("the form for a correction, with faults")
	_, err := desk.Locator("#correction-state").SelectOption(playwright.SelectOptionValues{Values: &[]string{"done"}})
	must(t, err)
	must(t, desk.GetByLabel("Reason").Fill("Paper list"))
	desk.press(form.GetByRole("button"))
	must(t, expect.Locator(desk.id("correction")).ToContainText("Finished (Paper list)"))
	desk.accessible("the attendance with a correction")
	for i, ending := range []string{"xlsx", "csv"} {
		file, err := desk.ExpectDownload(func() error { return desk.Locator(".records-files a").Nth(i).Click() })
		must(t, err)
		if name := file.SuggestedFilename(); !strings.HasSuffix(name, "-1 attendance."+ending) {
			t.Errorf("the file is called %q", name)
		}
	}
	for n, table := range []string{"Sittings", "Incidents", "Log"} {
		desk.press(desk.Locator(".records-tools .tabs a", playwright.PageLocatorOptions{HasText: table}))
		must(t, expect.Locator(desk.Locator("h1")).ToHaveText(table))
		desk.accessible("the list " + strconv.Itoa(n))
	}
	must(t, desk.SetViewportSize(320, 640))
	if wide, _ := desk.evaluate(`() => document.documentElement.scrollWidth > innerWidth`).(bool); wide {
		t.Error("on 320 pixels it is wider than the screen")
	}
}
