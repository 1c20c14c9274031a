package templates_test

import (
	"bytes"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// parse renders a component.
func parse(t *testing.T, component templ.Component) *goquery.Document {
	t.Helper()
	var buffer bytes.Buffer
	if err := component.Render(t.Context(), &buffer); err != nil {
		t.Fatal(err)
	}
	document, err := goquery.NewDocumentFromReader(&buffer)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// part is what a page marks for tests.
func part(d *goquery.Document, testid string) *goquery.Selection {
	return d.Find(`[data-testid="` + testid + `"]`)
}

const markup = `<b>Bold</b> & <script>alert(1)</script>`

func TestBoardShowsCallsWithTheirPlaces(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.BoardFragment(templates.Board{
		Texts: []*locale.Texts{locale.For()},
		Calling: []templates.BoardCall{
			{Sitting: "s2", Ticket: "N002", Room: "Room 2", Machine: "15", Name: markup},
			{Sitting: "s1", Ticket: "N001", Room: "Room 1", Machine: "3"},
		},
		Last: []templates.BoardCall{{Sitting: "s0", Ticket: "V001", Room: "Room 1", Machine: "4"}},
		Next: []string{"N003", "N004"}, Waiting: []templates.BoardSubject{{Name: templates.Said{{Lang: "en", Text: "Theory"}}, Count: 7}}, WaitTotal: "9",
	}, true))
	for testid, want := range map[string]string{
		"hero": "N002" + markup + "→goes toRoom 2Machine 15", "calling": "N001Room 1Machine 3",
		"last": "V001Room 1 · 4", "next": "N003N004", "waiting": "Theory7", "waiting-total": "9",
	} {
		if got := part(d, testid).Text(); squeeze(got) != squeeze(want) {
			t.Errorf("%s shows %q, want %q", testid, got, want)
		}
	}
	if d.Find("script, b").Length() != 0 {
		t.Error("a name is read as HTML")
	}
	if swap, _ := d.Find("#board").Attr("hx-swap-oob"); swap != "outerMorph" {
		t.Errorf("the live message swaps by %q", swap)
	}
	if part(d, "paused").Length() != 0 {
		t.Error("a hall that calls looks paused")
	}
}

func squeeze(s string) string { return string(bytes.ReplaceAll([]byte(s), []byte(" "), nil)) }

func TestBoardWithoutCalls(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.BoardFragment(templates.Board{Texts: []*locale.Texts{locale.For()}, Pauses: []templates.BoardPause{{Text: templates.Said{{Lang: "en", Text: "Paused."}}, Message: markup}}}, false))
	if part(d, "nobody").Length() != 1 || part(d, "hero").Length() != 0 {
		t.Error("nobody is called, and the board does not say so")
	}
	if got := part(d, "paused").Children().Filter("bdi").Text(); got != markup {
		t.Errorf("message of the pause: %q", got)
	}
	if _, oob := d.Find("#board").Attr("hx-swap-oob"); oob {
		t.Error("the page itself is marked as a live message")
	}
}

func TestKioskKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.KioskFragment(templates.Kiosk{
		Texts: locale.For(), URL: "/halls/x/kiosk", Form: templates.KioskForm{Candidate: `0"12`, Error: "no", Advice: "ask", Retry: 3},
	}))
	field := part(d, "candidate")
	if got, _ := field.Attr("value"); got != `0"12` {
		t.Errorf("the field holds %q", got)
	}
	if got, _ := field.Attr("aria-describedby"); d.Find("#"+got).Length() != 1 {
		t.Errorf("the field is described by %q, which is not there", got)
	}
	if part(d, "error").Text() != "no" || part(d, "advice").Text() != "ask" {
		t.Error("what is wrong is not said")
	}
	form := d.Find("form")
	if form.AttrOr("action", "") != "/halls/x/kiosk" || form.AttrOr("data-retry", "") == "" {
		t.Error("the form does not go where it should")
	}
}

func TestKioskAnswer(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.KioskFragment(templates.Kiosk{Texts: locale.For(), URL: "/k", Answer: &templates.KioskAnswer{
		Kind: "go", Headline: "Go", Ticket: "N001", Big: "Room 2", Second: "Machine 15", Advice: "now", Seconds: 20,
	}}))
	for testid, want := range map[string]string{"ticket": "N001", "big": "Room 2", "second": "Machine 15", "advice": "now"} {
		if got := part(d, testid).Text(); got != want {
			t.Errorf("%s shows %q, want %q", testid, got, want)
		}
	}
	if got := d.Find("[data-countdown]").Text(); got != "20" {
		t.Errorf("counts from %q", got)
	}
	if d.Find("form").Length() != 0 {
		t.Error("the form is still there")
	}
}

func TestTileFormsNameTheSitting(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.TilesFragment([]templates.RoomTiles{{Key: "1", Name: "Room", Tiles: []templates.Tile{{
		Key: "m1", Now: "s7-called", Machine: "m1", Label: "1", State: "called", StateText: "Called", Since: 1000, Limit: 2000,
		Ticket: "N001", Name: markup, IDNumber: "••••1234", Subject: "Theory",
		Actions: []templates.Action{{
			Label: "Call again", URL: "/halls/x/proctor/sittings/s7/recall", Fields: []templates.Hidden{{Name: "recall", Value: "2"}},
		}},
		More: "/halls/x/proctor/machines/m1",
	}}}}, true))
	form := part(d, "tile").Find("form")
	if form.AttrOr("action", "") != "/halls/x/proctor/sittings/s7/recall" || form.AttrOr("method", "") != "post" {
		t.Errorf("form of the tile: %v", form.Nodes)
	}
	if got := form.Find("[name=recall]").AttrOr("value", ""); got != "2" {
		t.Errorf("announcement %q, want 2", got)
	}
	if got := d.Find(".tile-name").Text(); got != markup {
		t.Errorf("name %q", got)
	}
	if d.Find("#do-m1-s7-called").Length() != 1 {
		t.Error("the buttons have no name of their own: a double click could hit those of the next state")
	}
	if since := d.Find(".elapsed"); since.AttrOr("data-since", "") != "1000" || since.AttrOr("data-limit", "") != "2000" {
		t.Error("the elapsed time is not there")
	}
}

func TestDocumentLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	d := parse(t, templates.Error(templates.ErrorPage{Page: templates.Page{
		Texts: locale.For(),
		Title: markup, Styles: []string{"/static/1/page.css"}, Scripts: []string{"/static/1/a.js"}, Icon: "/static/1/icon.svg", Refresh: 5,
	}, Headline: markup}))
	if got := d.Find("title").Text(); got != markup+" · hallcall" {
		t.Errorf("title %q", got)
	}
	d.Find("script").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("src", "") != "/static/1/a.js" || s.Text() != "" {
			t.Errorf("script from %q", s.AttrOr("src", ""))
		}
	})
	if d.Find("[style], [onclick], style").Length() != 0 {
		t.Error("something stands inline that the policy forbids")
	}
	if got := d.Find("meta[http-equiv=refresh]").AttrOr("content", ""); got != "5" {
		t.Errorf("refreshes after %q", got)
	}
}
