package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// axeSource is the accessibility checker. It is injected, since the policy for
// content keeps a page from loading it.
var axeSource = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(rootDir, "node_modules", "axe-core", "axe.min.js"))
	return string(source), err
})

// runAxe answers one line for each element that breaks a rule.
const runAxe = `async () => {
	const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
	const {violations} = await axe.run(document, {runOnly: {type: 'tag', values: tags}});
	return violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary.replace(/\s+/g, ' '))).join('\n');
}`

// accessible checks the page as it is now.
func (s *screen) accessible(what string) {
	s.t.Helper()
	source, err := axeSource()
	must(s.t, err)
	s.evaluate(source)
	if violations, _ := s.evaluate(runAxe).(string); violations != "" {
		s.t.Errorf("%s is not accessible:\n%s", what, violations)
	}
}

func TestPagesForCandidatesAreAccessible(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)

	door := openKiosk(t, h)
	door.accessible("kiosk")
	door.enter("nobody")
	door.shows("error", "")
	door.accessible("kiosk, unknown number")
	door.visit(h.path("kiosk"))
	door.enter("001")
	door.answers("go")
	door.accessible("kiosk, called at once")
	door.visit(h.path("kiosk"))
	door.enter("002")
	door.answers("wait")
	door.accessible("kiosk, in line")

	board := openBoard(t, h)
	board.shows("hero", "N001")
	board.accessible("board")
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"message": "Back at ten"}, nil)
	board.shows("paused", "Back at ten")
	board.accessible("board of a paused hall")

	h.command(h.sittingOf("001"), "seat")
	board.shows("nobody", "Nobody is being called")
	board.accessible("board without a call")
}

func TestPagesForStaffAreAccessible(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 4, 6, nil)
	h.checkIn("001", "002", "003", "004", "005", "006")
	h.command(h.sittingOf("001"), "seat")
	h.command(h.sittingOf("004"), "end")
	h.want(http.StatusOK, http.MethodPost, "/queue/006/hold", nil, nil)

	sc := openScreen(t, h.url, "/", laptop)
	sc.accessible("home")
	sc.visit(h.path("proctor"))
	sc.accessible("login")
	must(t, sc.GetByLabel("User name").Fill("admin"))
	must(t, sc.GetByLabel("Password").Fill("wrong"))
	must(t, sc.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Sign in"}).Click())
	must(t, expect.Locator(sc.id("error")).ToBeVisible())
	sc.accessible("login, wrong password")

	desk := openProctor(t, h)
	desk.tileIs("m1", "in_use")
	desk.accessible("proctor")
	for _, machine := range []string{"m1", "m2"} {
		must(t, desk.tile(machine).Locator(".more").Click())
		must(t, expect.Locator(desk.Locator("#panel")).ToBeVisible())
		desk.accessible("panel of machine " + machine)
		must(t, desk.Keyboard().Press("Escape"))
		must(t, expect.Locator(desk.Locator("#panel")).ToBeHidden())
	}
	desk.visit("/halls/nowhere/board")
	must(t, expect.Locator(desk.id("error-page")).ToBeVisible())
	desk.accessible("page of an error")
}

// weigh answers how many bytes the page and all that it loaded had on the wire.
const weigh = `() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
	.map(e => [e.name, e.encodedBodySize, e.decodedBodySize])`

func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	limits := map[string]int{"kiosk": 60_000, "board": 250_000} // the board with the clips of a language
	h := sharedServer(t).newHall(t, 6, 10, nil)
	h.checkIn("001", "002", "003", "004", "005", "006", "007", "008")
	for page, s := range map[string]size{"kiosk": touch, "board": display} {
		sc := newScreen(t, h.url, playwright.BrowserNewContextOptions{
			Viewport: &playwright.Size{Width: s.width, Height: s.height},
		})
		sc.visit(h.path(page))
		must(t, sc.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateLoad}))
		if page == "board" {
			sc.online()
		}
		total := 0
		entries, _ := sc.evaluate(weigh).([]any)
		for _, entry := range entries {
			fields, _ := entry.([]any)
			packed, _ := fields[1].(int)
			t.Logf("%s: %v", page, fields)
			total += packed
		}
		if total == 0 || total > limits[page] {
			t.Errorf("%s weighs %d bytes, at most %d are allowed", page, total, limits[page])
		}
	}
}

func TestNamesAreText(t *testing.T) {
	t.Parallel()
	const name = `<img src=x onerror=alert(1)>`
	h := sharedServer(t).newHall(t, 1, 0, object{"boardNames": "masked"})
	h.roster("candidate_id,name,note,subjects\n" +
		fmt.Sprintf("\"<b>1</b>\",%s,%s,1\n2,\"<script>alert(2)</script>\",,1\n", name, name))
	h.checkIn("<b>1</b>", "2")
	desk, board := openProctor(t, h), openBoard(t, h)
	must(t, expect.Locator(desk.tile("m1")).ToContainText(name))
	desk.shows("queue-row", "<script>alert(2)</script>")
	board.shows("hero", "<**")
	for _, sc := range []*screen{desk.screen, board} {
		must(t, expect.Locator(sc.Locator("img[src=x]")).ToHaveCount(0))
	}
	door := openKiosk(t, h)
	door.enter("<b>1</b>")
	door.shows("ticket", "N001")
	must(t, expect.Locator(door.Locator("#kiosk b")).ToHaveCount(0))
}

func TestKioskReturnsToTheStart(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	door := openKiosk(t, h)
	must(t, door.Clock().Install())
	door.visit(h.path("kiosk"))
	door.enter("001")
	door.answers("go")
	must(t, door.Clock().RunFor(60_000))
	door.atStart()

	door.enter("no such number")
	must(t, expect.Locator(door.id("error")).ToBeVisible())
	must(t, door.Clock().RunFor(60_000))
	door.atStart()
	must(t, expect.Locator(door.id("error")).ToHaveCount(0))
}

func TestKioskTakesScannerAndKeypad(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	door.scan("001")
	door.answers("go")
	door.scan("002") // while the answer to the last one is shown
	door.shows("ticket", "N002")
	must(t, door.Locator("[data-act=start]").Click())
	door.atStart()
	for _, key := range []string{"0", "0", "3"} {
		must(t, door.Locator(`[data-key="`+key+`"]`).Click())
	}
	must(t, door.Locator(".key.enter").Click())
	door.shows("ticket", "N003")
}

func TestKioskTellsStrangersNothing(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	door := openKiosk(t, h)
	for _, number := range []string{"nobody", "' OR 1=1", strings.Repeat("9", 500), "{}:*", "a/b"} {
		door.visit(h.path("kiosk"))
		door.enter(number)
		must(t, expect.Locator(door.id("error")).ToBeVisible())
		must(t, expect.Locator(door.id("advice")).ToBeVisible())
	}
}

// reports goes from the machines to the incidents, reports one and comes back.
func (p proctor) reports() {
	p.t.Helper()
	p.press(p.id("incidents-link"))
	must(p.t, expect.Locator(p.id("no-incidents")).ToBeVisible())
	p.press(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Report an incident"}))
	_, err := p.GetByLabel("Category").SelectOption(playwright.SelectOptionValues{Values: &[]string{"other"}})
	must(p.t, err)
	must(p.t, p.GetByLabel("What happened").Fill("No light"))
	p.press(p.id("incident-form").Locator("button"))
	p.shows("notice", "written down")
	must(p.t, expect.Locator(p.id("incident")).ToContainText("No light"))
	p.press(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Back to the machines"}))
	p.online()
	p.shows("incidents-link", "1 incident")
}

func TestHallsOfAnyName(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"slash": "no 7/b", "braces": "{x}", "percent": "100%25", "script": "考场七", "query": "a?b#c&d=e+f"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHallWithID(t, id, 1, 1, nil)
			board, door, desk := openBoard(t, h), openKiosk(t, h), openProctor(t, h)
			door.enter("001")
			door.answers("go")
			mine := openPhone(t, door, small)
			mine.online()
			mine.is("called", "Go to Room 2")
			board.shows("hero", "N001")
			desk.click("m1", "seat")
			desk.tileIs("m1", "in_use")
			board.shows("last", "N001")
			mine.is("seated", "Room 2") // by itself
			desk.reports()
		})
	}
}
