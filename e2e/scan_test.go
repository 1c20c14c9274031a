package e2e_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// scanFast types as a scanner does, a key a millisecond, however busy the
// machine of the test is.
const scanFast = `async ([text, end]) => {
	for (const key of [...text, end]) {
		document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
	}
}`

func (k kiosk) scanFast(text, end string) {
	k.t.Helper()
	k.evaluate(scanFast, []string{text, end})
}

// typeSlowly types as people do.
func (k kiosk) typeSlowly(text string) {
	k.t.Helper()
	must(k.t, k.id("candidate").PressSequentially(text, playwright.LocatorPressSequentiallyOptions{Delay: playwright.Float(220)}))
}

// holdAnswer keeps the first number that a kiosk sends back from the server
// until it is released.
func (k kiosk) holdAnswer() (asked <-chan struct{}, release func()) {
	k.t.Helper()
	var held playwright.Route
	sent := make(chan struct{})
	must(k.t, k.Route("**/kiosk", func(route playwright.Route) {
		if held == nil && route.Request().Method() == http.MethodPost {
			held = route
			close(sent)
			return
		}
		_ = route.Continue()
	}))
	return sent, func() { must(k.t, held.Continue()) }
}

// noteTickets makes a page note every number that it shows, in order.
const noteTickets = `() => {
	window.tickets = [];
	new MutationObserver(() => {
		const shown = document.querySelector('[data-testid=ticket]')?.textContent;
		if (shown && shown !== window.tickets.at(-1)?.[0]) window.tickets.push([shown, performance.now()]);
	}).observe(document, {subtree: true, childList: true});
}`

func TestAScanReplacesWhatWasTyped(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(kiosk){
		"refused": func(k kiosk) {
			k.enter("zzz")
			must(k.t, expect.Locator(k.id("error")).ToBeVisible())
		},
		"half typed":               func(k kiosk) { k.typeSlowly("zzz") },
		"half typed on the keypad": func(k kiosk) { must(k.t, k.Locator(`[data-key="7"]`).Click()) },
		"refused and half typed": func(k kiosk) {
			k.enter("zzz")
			must(k.t, expect.Locator(k.id("error")).ToBeVisible())
			k.typeSlowly("yy")
		},
	} {
		for _, end := range []string{"Enter", "Tab"} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				h := sharedServer(t).newHall(t, 1, 1, nil)
				h.roster("candidate_id,name,subjects\nc28,Ann,1\n")
				door := openKiosk(t, h)
				before(door)
				door.scanFast("c28", end)
				door.shows("ticket", "N001")
				h.is("c28", "called")
			})
		}
	}
}

func TestRefusedTextIsSelected(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	door := openKiosk(t, h)
	door.enter("zzz")
	must(t, expect.Locator(door.id("error")).ToBeVisible())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("zzz"))
	if got := door.evaluate(`() => getSelection().toString()`); got != "zzz" {
		t.Errorf("%q is selected, want all", got)
	}
	must(t, door.Locator(`[data-act=back]:visible`).Click()) // the last character was wrong
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("zz"))
}

// What people type is never taken for a scanner's.
func TestTypingIsNoScan(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	door := openKiosk(t, h)
	door.typeSlowly("00")
	must(t, door.Locator(`[data-key="1"]`).Click())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("001"))
	must(t, door.Keyboard().Press("Enter"))
	door.shows("ticket", "N001")
}

func TestScansThatComeWhileTheServerIsAsked(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	asked, release := door.holdAnswer()
	door.evaluate(noteTickets)
	door.scanFast("001", "Enter")
	<-asked
	door.scanFast("002", "Enter")
	door.scanFast("002", "Tab") // the same card again
	door.shows("kept", "1 more number is kept")
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("001"))
	door.scanFast("003", "Enter")
	door.shows("kept", "2 more numbers are kept")
	release()
	door.shows("ticket", "N001")
	door.shows("ticket", "N002")
	door.shows("ticket", "N003")
	must(t, expect.Locator(door.id("kept")).ToBeHidden())
	shown, _ := door.evaluate(`() => window.tickets.map(([ticket, at], i, all) => ticket + (i > 0 && at - all[i - 1][1] < 2900 ? ' too soon' : '')).join()`).(string)
	if shown != "N001,N002,N003" {
		t.Errorf("shown: %s", shown)
	}
	if n := h.countEvents("candidate_checked_in"); n != 3 {
		t.Errorf("%d checked in, want 3", n)
	}
}

// A number half-typed while another is asked about is the next person's.
func TestTypingWhileTheServerIsAsked(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	door := openKiosk(t, h)
	asked, release := door.holdAnswer()
	door.scanFast("zzz", "Enter")
	<-asked
	door.typeSlowly("00")
	release()
	must(t, expect.Locator(door.id("error")).ToBeVisible()) // the refusal of the other
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("zzz"))
	must(t, expect.Locator(door.id("error")).ToHaveCount(0))
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("00"))
	must(t, door.Keyboard().Type("1"))
	must(t, door.Keyboard().Press("Enter"))
	door.shows("ticket", "N001")
}

func TestScansAreKeptWhileTheServerIsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 30, nil)
	door := openKiosk(t, h)
	must(t, door.Clock().Install())
	door.visit(h.path("kiosk"))
	door.evaluate(noteTickets)
	s.stop(t)
	var want []string
	for i := range 22 { // one is tried, twenty are kept, one is too many
		door.scanFast(threeDigits(i+1), "Enter")
		want = append(want, "N"+threeDigits(i+1))
	}
	must(t, expect.Locator(door.Locator("#kiosk-offline")).ToBeVisible())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("001"))
	door.shows("kept", "20 numbers are kept, and no more can be")
	s.start(t)
	door.shows("ticket", "N001")
	tickets := ""
	for tries := 0; tries < 300 && !strings.HasSuffix(tickets, "N021"); tries++ {
		must(t, door.Clock().RunFor(500))
		tickets, _ = door.evaluate(`() => window.tickets.map(([ticket]) => ticket).join()`).(string)
	}
	if tickets != strings.Join(want[:21], ",") {
		t.Errorf("answered: %s", tickets)
	}
	must(t, door.Clock().RunFor(21_000))
	door.atStart()
	if n := h.countEvents("candidate_checked_in"); n != 21 {
		t.Errorf("%d checked in, want 21", n)
	}
}

func threeDigits(n int) string {
	digits := strconv.Itoa(n)
	return strings.Repeat("0", 3-len(digits)) + digits
}

func TestHalfTypedNumbersAreDropped(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]bool{"at once": false, "after a refusal": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 1, nil)
			door := openKiosk(t, h)
			must(t, door.Clock().Install())
			door.visit(h.path("kiosk"))
			if refused {
				door.enter("zzz")
				must(t, expect.Locator(door.id("error")).ToBeVisible())
			}
			must(t, door.Clock().RunFor(20_000))
			must(t, door.id("candidate").Press("0"))
			must(t, door.Clock().RunFor(20_000)) // since the last key: it stays
			must(t, expect.Locator(door.id("candidate")).ToHaveValue("0"))
			must(t, door.Clock().RunFor(12_000))
			door.atStart()
			must(t, expect.Locator(door.id("error")).ToHaveCount(0))
		})
	}
}

// guessThenScan asks for numbers that nobody has until the kiosk has to wait,
// and scans one that somebody has at once.
const guessThenScan = `async (number) => {
	let status = 0;
	for (let i = 0; i < 100 && status !== 429; i++) {
		const body = new URLSearchParams({candidate: 'nobody' + i});
		status = (await fetch(location.pathname, {method: 'POST', body, headers: {'HX-Request': 'true'}})).status;
	}
	for (const key of [...number, 'Enter']) {
		document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
	}
	return status;
}`

// A kiosk at which somebody guessed numbers makes the next one wait, says so,
// and then checks them in by itself.
func TestAKioskThatWasSlowedGoesOnByItself(t *testing.T) {
	t.Parallel()
	h := newServer(t, "").newHall(t, 1, 1, nil)
	door := openKiosk(t, h)
	if got := door.evaluate(guessThenScan, "001"); got != http.StatusTooManyRequests {
		t.Fatalf("the last guess was answered %v", got)
	}
	must(t, expect.Locator(door.id("error")).ToBeVisible())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("001"))
	door.shows("ticket", "N001")
	h.is("001", "called")
}
