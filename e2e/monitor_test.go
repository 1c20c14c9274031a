package e2e_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// monitor is the page that shows how the day goes.
type monitor struct{ *screen }

func openMonitor(t *testing.T, h *testHall) monitor {
	t.Helper()
	m := monitor{openScreen(t, h.url, h.path("monitor"), laptop)}
	m.signIn()
	m.online()
	return m
}

// figure waits for a number on a tile.
func (m monitor) figure(name, text string) {
	m.t.Helper()
	if err := expect.Locator(m.id("figure-" + name)).ToHaveText(text); err != nil {
		m.t.Fatalf("%s are not %s: %v", name, text, err)
	}
}

// noteFigure notes when a tile first shows a number.
const noteFigure = `([name, text]) => {
	const shows = () => document.querySelector('[data-testid=figure-' + name + ']').textContent === text;
	window.shownAt = shows() ? performance.now() : undefined;
	new MutationObserver((_, observer) => {
		if (!shows()) return;
		observer.disconnect();
		window.shownAt = performance.now();
	}).observe(document.body, {subtree: true, childList: true, characterData: true});
	window.loadedOnce = true;
	return performance.now();
}`

// number is one of the browser's, which comes as an int when it is whole.
func number(v any) float64 {
	if whole, ok := v.(int); ok {
		return float64(whole)
	}
	n, _ := v.(float64)
	return n
}

func TestMonitorFollowsTheDay(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 5, nil)
	m := openMonitor(t, h)
	m.figure("registered", "5")
	h.checkIn("001", "002", "003", "004")
	m.figure("waiting", "2")
	m.figure("called", "2")
	h.command(h.sittingOf("001"), "seat")
	m.figure("seated", "1")

	least := 1e9
	for i, candidate := range []string{"001", "002", "003"} { // on a busy machine one of them may take longer
		done := strconv.Itoa(i + 1)
		began := number(m.evaluate(noteFigure, []any{"done", done}))
		h.command(h.sittingOf(candidate), "end")
		m.figure("done", done)
		shown := number(m.evaluate(`() => window.shownAt`))
		least = min(least, shown-began)
	}
	if least <= 0 || least > 1000 {
		t.Errorf("an end is shown after %.0f ms", least)
	}
	curve := m.Locator(`[data-curve=done]`)
	must(t, expect.Locator(curve.Locator("svg .bars")).ToBeVisible())
	must(t, curve.Locator("summary").Press("Enter"))
	must(t, expect.Locator(curve.Locator("tbody td")).ToHaveText("3"))
	h.command(h.sittingOf("004"), "seat")
	m.figure("seated", "1")
	must(t, expect.Locator(curve.Locator("tbody td")).ToBeVisible()) // opened, it stays so
	if once, _ := m.evaluate(`() => window.loadedOnce === true`).(bool); !once {
		t.Error("the page was loaded again")
	}
	must(t, m.Locator(`[data-testid=cell][data-machine=m2]`).Click())
	must(t, expect.Locator(m.Locator("#panel-title, h1").First()).ToBeVisible())
	if path := m.URL(); path != h.url+h.path("proctor")+"/machines/m2" {
		t.Errorf("a machine leads to %s", path)
	}
}

func TestMonitorIsAccessible(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 5, nil)
	m := openMonitor(t, h)
	m.accessible("monitor of an empty day")
	h.checkIn("001", "002", "003", "004")
	h.command(h.sittingOf("001"), "seat")
	h.command(h.sittingOf("001"), "end")
	must(t, expect.Locator(m.Locator("[data-curve=done] svg")).ToBeVisible())
	for _, summary := range []string{"waiting", "done", "waits"} {
		must(t, m.Locator("[data-curve="+summary+"] summary").Click())
	}
	m.accessible("monitor")
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"message": "Back at <b>ten</b>"}, nil)
	m.shows("note", "Back at <b>ten</b>")
	m.accessible("monitor of a paused hall")
	h.want(http.StatusOK, http.MethodPost, "/close", object{}, nil)
	m.shows("note", "This day is closed")
	m.accessible("monitor of a closed day")
	must(t, m.SetViewportSize(320, 640))
	if wide, _ := m.evaluate(`() => document.documentElement.scrollWidth > innerWidth`).(bool); wide {
		t.Error("on 320 pixels it is wider than the screen")
	}
	if cut, _ := m.evaluate(`() => { const t = document.querySelector('#waits .table-wrap'); return t.scrollWidth > t.clientWidth; }`).(bool); cut {
		t.Error("on 320 pixels columns of the waits are cut off")
	}
}

func TestMonitorSaysThatRedisIsGone(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	h := newServer(t, r.url()).newHall(t, 1, 3, nil)
	h.checkIn("001", "002")
	m, p := openMonitor(t, h), openProctor(t, h)
	m.figure("waiting", "1")
	r.stop(t)
	for _, page := range []*screen{m.screen, p.screen} {
		page.shows("store-state", "Redis is unreachable since")
		must(t, expect.Locator(page.id("connection")).ToBeHidden()) // it is connected, and not live
	}
	m.figure("waiting", "1")
	r.start(t)
	must(t, expect.Locator(m.id("store-state")).ToHaveCount(0))
	must(t, expect.Locator(m.id("connection")).ToBeVisible())
	h.checkIn("003")
	m.figure("waiting", "2")
}

var pageOfPDF = regexp.MustCompile(`/Type\s*/Page[^s]`)

// TestMonitorPrintsOnOnePage has halls of the usual size, a large one, and the
// largest, after a busy morning.
func TestMonitorPrintsOnOnePage(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	playMorning(t, r, "demo", demoLayout(t), 300, 2*time.Hour, time.Minute)
	playMorning(t, r, "large", largeLayout(t, 150, 12), 900, 40*time.Minute, time.Minute)
	playMorning(t, r, "largest", largeLayout(t, 1000, 12), 200, 10*time.Minute, time.Minute)
	playMorning(t, r, "alarmed", largeLayout(t, 600, 12), 800, 140*time.Minute, 45*time.Minute) // all sit for too long
	s := newServer(t, r.url())
	m := openMonitor(t, &testHall{server: s, t: t, id: "demo"})
	for _, id := range []string{"demo", "large", "largest", "alarmed"} {
		h := &testHall{server: s, t: t, id: id}
		m.visit(h.path("monitor"))
		m.online()
		pdf, err := m.PDF(playwright.PagePdfOptions{PreferCSSPageSize: playwright.Bool(true)})
		must(t, err)
		if n := len(pageOfPDF.FindAll(pdf, -1)); n != 1 || !bytes.Contains(pdf, []byte("594.95996 841.91998")) {
			t.Errorf("%s is printed on %d pages: %s", id, n, regexp.MustCompile(`/MediaBox[^]]*]`).Find(pdf))
		}
		must(t, expect.Locator(m.Locator("main b, main i")).ToHaveCount(0)) // names are text
		m.printsAllAlerts(id)
		if id == "alarmed" {
			must(t, expect.Locator(m.Locator(".alert").Nth(2)).ToBeVisible())
		}
	}
}

// untold answers for which kinds of alerts names and "more" are not as many as
// there are, whether names are left out without a word, and whether rows of
// machines lie upon each other.
const untold = `() => {
	const visible = (e) => e.getClientRects().length > 0;
	const faults = [];
	const alerts = [...document.querySelectorAll('.alert')];
	for (const alert of alerts) {
		const items = [...alert.querySelectorAll('li')].filter(visible);
		if (!items.length) continue;
		let told = 0;
		for (const item of items) told += Number(/^and ([0-9]+) more$/.exec(item.textContent.trim())?.[1] || 1);
		const all = Number(/^[0-9]+/.exec(alert.textContent.trim())?.[0] || 1);
		if (told !== all) faults.push(told + ' of: ' + alert.textContent);
	}
	const nameless = alerts.some((a) => a.querySelector('li') && ![...a.querySelectorAll('li')].some(visible));
	if (nameless && ![...document.querySelectorAll('#alerts-live > .on-paper')].some(visible)) faults.push('the names are left out');
	const cells = [...document.querySelectorAll('.strips .cell')].map((c) => c.getBoundingClientRect());
	for (let i = 1; i < cells.length; i++) {
		const [a, b] = [cells[i - 1], cells[i]];
		if (b.left < a.left && b.top > a.top && b.top < a.bottom) faults.push('a row of machines lies upon the one before');
	}
	return faults.slice(0, 5).join('\n');
}`

// printsAllAlerts compares what is said on paper, and on the screen.
func (m monitor) printsAllAlerts(id string) {
	m.t.Helper()
	for _, media := range []*playwright.Media{playwright.MediaPrint, playwright.MediaScreen} {
		must(m.t, m.EmulateMedia(playwright.PageEmulateMediaOptions{Media: media}))
		if faults, _ := m.evaluate(untold).(string); faults != "" {
			m.t.Errorf("%s in %s: %s", id, *media, faults)
		}
	}
	must(m.t, m.EmulateMedia(playwright.PageEmulateMediaOptions{Media: playwright.MediaNoOverride}))
}
