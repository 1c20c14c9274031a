package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// callMany calls so many at once, from 001 on.
func (h *testHall) callMany(n int) {
	h.t.Helper()
	h.want(http.StatusOK, http.MethodPost, "/pause", nil, nil)
	for i := range n {
		h.checkIn(threeDigits(i + 1))
	}
	h.want(http.StatusOK, http.MethodPost, "/resume", nil, nil)
}

// visibleCalls are the numbers on the page that the board shows.
const visibleCalls = `() => [...document.querySelectorAll('[data-testid=calling] > li:not([hidden]) strong')].map((e) => e.textContent).join(' ')`

// legible answers what is too small or cut off.
const legible = `() => {
	const faults = [];
	const size = (e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight * 100;
	for (const e of document.querySelectorAll('.board-call:not([hidden])')) {
		if (size(e.querySelector('strong')) < 5.99) faults.push('the number has ' + size(e.querySelector('strong')) + ' %');
		if (size(e.querySelector('.call-room')) < 2.59) faults.push('the room has ' + size(e.querySelector('.call-room')) + ' %');
		for (const part of e.querySelectorAll('.call-room, .call-machine')) {
			if (part.scrollWidth > part.clientWidth + 1) faults.push(part.textContent + ' is cut off');
		}
	}
	for (const list of document.querySelectorAll('[data-pages], [data-fit]')) {
		const place = list.getBoundingClientRect();
		for (const item of list.querySelectorAll('li:not([hidden])')) {
			const b = item.getBoundingClientRect();
			if (b.bottom > place.bottom + 1 || b.right > place.right + 1) faults.push(item.textContent + ' is cut off');
		}
	}
	return [...new Set(faults)].join('\n');
}`

func TestABurstIsOnTheBoardPageByPage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 40, 60, object{"callShowSeconds": 5})
	board := openScreen(t, h.url, h.path("board"), display)
	must(t, board.Clock().Install())
	board.visit(h.path("board"))
	board.online()
	h.callMany(36)
	board.shows("hero", "N036")
	if faults, _ := board.evaluate(legible).(string); faults != "" {
		t.Error(faults)
	}
	seen := map[string]bool{}
	turn := func() string {
		page, _ := board.evaluate(visibleCalls).(string)
		for _, ticket := range strings.Fields(page) {
			seen[ticket] = true
		}
		must(t, board.Clock().RunFor(5_300))
		return page
	}
	first := turn()
	if n := len(strings.Fields(first)); n < 12 {
		t.Errorf("%d calls on a page, want more", n)
	}
	turn()
	turn()
	for i := 1; i < 36; i++ {
		if ticket := fmt.Sprintf("N%03d", i); !seen[ticket] {
			t.Errorf("%s has not been shown within 15 s", ticket)
		}
	}

	// The next call leads back to the first page, and the pages go on after it.
	must(t, expect.Locator(board.id("calling").GetByText("N035")).ToBeVisible())
	must(t, board.Clock().RunFor(5_300))
	must(t, expect.Locator(board.id("calling").GetByText("N035")).ToBeHidden())
	h.checkIn("037")
	board.shows("hero", "N037")
	must(t, expect.Locator(board.id("calling").GetByText("N036")).ToBeVisible())
	must(t, board.Clock().RunFor(5_300))
	must(t, expect.Locator(board.id("calling").GetByText("N036")).ToBeHidden())
}

func TestWhatIsNextIsShownWhole(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 10, 60, nil)
	h.checkIn("001", "002", "003", "004", "005", "006", "007", "008", "009", "010")
	for i := 11; i < 40; i++ {
		h.checkIn(threeDigits(i))
	}
	h.command(h.sittingOf("001"), "seat") // is one of the last calls
	h.checkIn("040")
	for _, s := range []size{display, touch, laptop, {1280, 720}, {1024, 768}} {
		board := openScreen(t, h.url, h.path("board"), s)
		board.online()
		must(t, expect.Locator(board.id("next").GetByText("N011")).ToBeVisible())
		faults, _ := board.evaluate(legible).(string)
		for fault := range strings.Lines(faults) {
			if strings.Contains(fault, "cut off") {
				t.Errorf("%v: %s", s, fault)
			}
		}
	}
}

func TestBoardsSayWhichRoomsArePaused(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	board, desk := openBoard(t, h), openProctor(t, h)
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"room": "r1", "message": "Back at ten"}, nil)
	board.shows("paused", "Calling is paused in Room 2. Back at ten")
	desk.shows("pause", "Calling is paused in Room 2. Back at ten")
	h.want(http.StatusOK, http.MethodPost, "/resume", object{"room": "r1"}, nil)
	board.lacks("paused", "Room 2")
}

// forgetZone makes the browser one that does not know the hall's time zone.
const forgetZone = `
	const Known = Intl.DateTimeFormat;
	Intl.DateTimeFormat = function (locale, options) {
		if (options?.timeZone === 'Asia/Shanghai') throw new RangeError('Invalid time zone specified');
		return new Known(locale, options);
	};`

func TestClocksInAZoneThatTheBrowserDoesNotKnow(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	board := newScreen(t, h.url, playwright.BrowserNewContextOptions{})
	must(t, board.AddInitScript(playwright.Script{Content: playwright.String(forgetZone)}))
	board.visit(h.path("board"))
	board.online()
	zone, err := time.LoadLocation("Asia/Shanghai")
	must(t, err)
	board.evaluate(`() => document.querySelector('[data-testid=clock]').replaceChildren()`)
	must(t, expect.Locator(board.id("clock")).Not().ToBeEmpty()) // the page has put it in itself
	shown, err := board.id("clock").TextContent()
	must(t, err)
	if now := time.Now().In(zone); shown != now.Format("15:04") && shown != now.Add(-time.Minute).Format("15:04") {
		t.Errorf("the clock shows %s, want %s", shown, now.Format("15:04"))
	}
}
