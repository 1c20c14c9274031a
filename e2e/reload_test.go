package e2e_test

import (
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// outline answers what a page says and offers, without what the time changes,
// and what stands in its fields.
const outline = `() => {
	const text = (e) => e.textContent.replace(/\s+/g, ' ').trim();
	const seen = [...document.querySelectorAll('main h1, main h2, main h3, main p, main li, main button, main a, #notice p')]
		.filter((e) => e.getClientRects().length > 0 && !e.querySelector('[data-since], [data-time], [data-clock]'))
		.map((e) => e.tagName + ' ' + text(e));
	const fields = [...document.querySelectorAll('main input:not([name=key]), main textarea, main select')]
		.map((e) => (e.name || e.id) + '=' + (e.type === 'checkbox' ? e.checked : e.value));
	return [document.title, location.pathname + location.search, ...seen, ...fields].join('\n');
}`

// steady reloads a page, goes on and comes back: it is as before each time.
func (s *screen) steady(path string, ready func()) {
	s.t.Helper()
	s.visit(path)
	ready()
	before, _ := s.evaluate(outline).(string)
	if before == "" {
		s.t.Fatalf("%s shows nothing", path)
	}
	again := func(what string) {
		s.t.Helper()
		ready()
		if now, _ := s.evaluate(outline).(string); now != before {
			s.t.Errorf("%s, %s:\n%s\n\nbefore:\n%s", path, what, now, before)
		}
	}
	s.reload()
	again("reloaded")
	s.visit("/")
	s.back()
	again("come back to")
}

// TestReloadAndBackOnEveryPage reloads all pages that have an address of their
// own, leaves and comes back: each is as it was, and nothing was done.
func TestReloadAndBackOnEveryPage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 4, nil)
	openBoard(t, h) // a hall without one is told of after a minute, which is another page
	h.checkIn("001", "002")
	h.command(h.sittingOf("001"), "seat")
	h.want(http.StatusCreated, http.MethodPost, "/candidates/001/notes", object{"text": "Sits again"}, nil)
	h.want(http.StatusCreated, http.MethodPost, "/incidents", object{"category": "other", "text": "No light"}, nil)
	door := openKiosk(t, h)
	door.enter("003")
	door.answers("wait")
	address := door.scanned()
	mine := phone{openScreen(t, h.url, address, small)}
	desk := openProctor(t, h)
	events := h.total("/events")
	loaded := func() {}

	mine.steady(address, mine.online)
	for _, page := range []string{
		"machines/m1", "machines/m2", "queue/001", "queue/003", "queue/001/notes", "incidents", "incidents/new",
		"incidents/new?candidate=001&machine=m1", "undo", "day", "pause",
	} {
		desk.steady(h.path("proctor/"+page), loaded)
	}
	desk.steady("/api/docs", func() {
		must(t, expect.Locator(desk.operation("queue", "check-in")).ToBeVisible())
		must(t, expect.Locator(desk.operation("sittings", "seat")).ToBeVisible())
	})
	desk.steady(h.path("proctor"), desk.online)
	if n := h.total("/events"); n != events {
		t.Errorf("%d events came of looking", n-events)
	}

	h.want(http.StatusOK, http.MethodPost, "/close", nil, nil)
	closed := h.total("/events")
	desk.steady(h.path("proctor"), func() {
		desk.online()
		desk.shows("day", "The day is not open")
		must(t, expect.Locator(desk.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Open the day"})).ToBeVisible())
	})
	for _, page := range []string{"machines/m1", "undo", "day", "incidents", "pause"} {
		desk.steady(h.path("proctor/"+page), loaded)
	}
	mine.steady(address, mine.ended)
	if n := h.total("/events"); n != closed || h.present().Day.State == "open" || h.total("/days") != 2 {
		t.Errorf("%d events came of looking at a closed day, which is %s", n-closed, h.present().Day.State)
	}
}
