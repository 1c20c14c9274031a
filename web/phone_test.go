package web_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/gorilla/websocket"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

// phonePath is the address of the page of a candidate who is checked in.
func (b *bundle) phonePath(candidate string) string {
	b.t.Helper()
	return "/t/" + hall.PhoneToken(hallID, b.checkIn(candidate).Phone)
}

// step fails the test when a command of the store is refused.
func (b *bundle) step(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestPhonePageInEveryState(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bring     func(*bundle)
		kind, big string
		second    string
	}{
		"waiting":   {func(*bundle) {}, "waiting", "1st in line", ""},
		"called":    {func(b *bundle) { b.end("s1") }, "called", "Go to A", "Machine m1"},
		"seated":    {func(b *bundle) { b.end("s1"); b.seat("s3") }, "seated", "A", "Machine m1"},
		"done":      {func(b *bundle) { b.end("s1"); b.end("s3") }, "done", "You are done for today", ""},
		"held":      {func(b *bundle) { b.hold("c3") }, "held", "Your place is kept", ""},
		"withdrawn": {func(b *bundle) { b.step(b.store.Leave(b.t.Context(), hallID, "c3", staff)) }, "withdrawn", "Please speak to the staff", ""},
		"absent":    {func(b *bundle) { b.end("s1"); b.noShow("s3") }, "absent", "Please speak to the staff", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, rules(func(r *hall.Rules) { r.MaxNoShows = 1 }))
			b.checkIn("c1", "c2")
			address := b.phonePath("c3")
			test.bring(b)
			page := b.get(address).expect(t, http.StatusOK)
			if got := page.part("phone").AttrOr("data-kind", ""); got != test.kind || page.text("big") != test.big || page.text("second") != test.second {
				t.Errorf("shows %s, %q, %q", got, page.text("big"), page.text("second"))
			}
			if page.text("ticket") != "N003" || page.text("name") != "N**" || page.text("headline") == "" || page.text("advice") == "" {
				t.Errorf("number %q of %q, %q, %q", page.text("ticket"), page.text("name"), page.text("headline"), page.text("advice"))
			}
			if strings.Contains(page.body, "Name of") || page.Find("title").Text() == "" {
				t.Error("the whole name is in the page, or it has no title")
			}
		})
	}
}

func TestPhonePageSaysThatNobodyIsCalled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2")
	waiting, called := b.phonePath("c3"), b.phonePath("c1")
	_, err := b.store.Pause(t.Context(), hallID, "A", "A lamp fell", staff)
	b.step(err)
	if b.get(waiting).part("paused").Length() != 0 || b.get(called).text("paused") != "A is paused. A lamp fell" {
		t.Error("a paused room is shown to others than those in it")
	}
	_, err = b.store.Pause(t.Context(), hallID, "", "<b>Fire drill</b>", staff)
	b.step(err)
	if got := b.get(waiting).text("paused"); got != "Calling is paused. <b>Fire drill</b>" {
		t.Errorf("shows %q", got)
	}
}

// Whoever tries addresses learns nothing: every answer is the same.
func TestPhonePagesThatNobodyHas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.putHall("other", halltest.Layout("one", "two", "three"))
	address := b.phonePath("c1")
	token := strings.TrimPrefix(address, "/t/")
	changed := "A"
	if token[0] == 'A' {
		changed = "B"
	}
	bodies := map[string]bool{}
	for name, wrong := range map[string]string{
		"a changed character": changed + token[1:],
		"another hall":        hall.PhoneToken("other", token[:22]),
		"no such hall":        hall.PhoneToken("nowhere", token[:22]),
		"no hall":             token[:22],
		"a candidate":         "c1",
		"garbage":             "%00%FF",
		"a long one":          strings.Repeat("A", 5000),
		"a pattern":           "*",
	} {
		answer := b.get("/t/"+wrong).expect(t, http.StatusNotFound)
		bodies[answer.body] = true
		if strings.Contains(answer.body, "N001") || answer.header.Get("X-Robots-Tag") == "" || answer.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", name, answer.header)
		}
		b.get("/t/"+wrong+"/live", "Accept", "text/html").expect(t, http.StatusNotFound)
	}
	if len(bodies) != 1 {
		t.Errorf("%d different answers", len(bodies))
	}
	b.post(address, nil).expect(t, http.StatusMethodNotAllowed)
}

func TestPhonePageIsKeptFromOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.get(b.phonePath("c1")).expect(t, http.StatusOK)
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Set-Cookie": "",
	} {
		if got := page.header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	// It needs no login where the screens do, and gives none.
	closed := setup(t, rules(func(r *hall.Rules) { r.OpenScreens = false }))
	closed.get(closed.phonePath("c1")).expect(t, http.StatusOK)
}

// lockedLog keeps a log that servers write.
type lockedLog struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

func TestTheLogNamesNoPhonePage(t *testing.T) {
	t.Parallel()
	var log lockedLog
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) {
		cfg.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	address := b.phonePath("c1")
	secret := address[3:25]
	b.get(address).expect(t, http.StatusOK)
	b.get(address+"/live").expect(t, http.StatusBadRequest) // no websocket
	b.get(address+"AAAA").expect(t, http.StatusNotFound)
	b.get("/%74/"+address[3:]).expect(t, http.StatusNotFound) // nearly the same
	b.get(address+"/more").expect(t, http.StatusNotFound)
	b.store.gone.Store(true)
	b.get(address).expect(t, http.StatusServiceUnavailable)
	b.store.gone.Store(false)
	await(t, b.watchPath(address+"/live"), "the page", func(d *goquery.Document) bool { return d.Find("#phone").Length() == 1 })
	log.mu.Lock()
	defer log.mu.Unlock()
	if text := log.buffer.String(); strings.Contains(text, secret) || !strings.Contains(text, "path=/t/…") {
		t.Errorf("the log:\n%s", text)
	}
}

func bigIs(text string) func(*goquery.Document) bool {
	return func(d *goquery.Document) bool { return d.Find("#phone [data-testid=big]").Text() == text }
}

func TestPhonesChangeByThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2")
	third, fourth := b.watchPath(b.phonePath("c3")+"/live"), b.watchPath(b.phonePath("c4")+"/live")
	await(t, third, "the place at the begin", bigIs("1st in line"))
	await(t, fourth, "the place at the begin", bigIs("2nd in line"))
	b.end("s1")
	await(t, third, "the call", bigIs("Go to A"))
	await(t, fourth, "the next place", bigIs("1st in line"))
	b.store.gone.Store(true)
	await(t, fourth, "the store is gone", func(d *goquery.Document) bool { return d.Find("[data-testid=store-state]").Length() == 1 })
	b.store.gone.Store(false)
	await(t, fourth, "the store is back", func(d *goquery.Document) bool {
		return d.Find("#store-state").Length() == 1 && d.Find("[data-testid=store-state]").Length() == 0
	})
}

// What changes for others is not sent to a phone for which nothing changed.
func TestPhonesHearOnlyOfThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2")
	third, fourth := b.watchPath(b.phonePath("c3")+"/live"), b.watchPath(b.phonePath("c4")+"/live")
	await(t, third, "the place at the begin", bigIs("1st in line"))
	await(t, fourth, "the place at the begin", bigIs("2nd in line"))
	b.seat("s2") // nothing to them
	b.hold("c4")
	await(t, fourth, "the hold", bigIs("Your place is kept"))
	b.hold("c3")
	next := ""
	await(t, third, "anything", func(d *goquery.Document) bool {
		next = d.Find("#phone [data-testid=big]").Text()
		return true
	})
	if next != "Your place is kept" {
		t.Errorf("heard of %q", next)
	}
}

// A server that is full of phones has room for its boards.
func TestPhonesKeepNoBoardOut(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Live.MaxClients = 1 })
	address := b.phonePath("c1") + "/live"
	await(t, b.watchPath(address), "the page", bigIs("Go to A"))
	b.get(address).expect(t, http.StatusServiceUnavailable) // before it looks for a websocket
	await(t, b.watch("view=board"), "the board", heroIs("N001"))
}

func TestPhonesOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address := "ws" + strings.TrimPrefix(b.server.URL, "http") + b.phonePath("c1") + "/live"
	_, response, err := new(websocket.Dialer).Dial(address, http.Header{"Origin": {"https://elsewhere.example"}})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site may watch: %v", err)
	}
	_ = response.Body.Close()
}

// watchPath opens a websocket at an address.
func (b *bundle) watchPath(path string) *websocket.Conn {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	conn, response, err := new(websocket.Dialer).DialContext(ctx, "ws"+strings.TrimPrefix(b.server.URL, "http")+path, http.Header{"Origin": {b.server.URL}})
	if err != nil {
		b.t.Fatalf("watch %s: %v", path, err)
	}
	_ = response.Body.Close()
	b.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func (b *bundle) end(sitting string) {
	b.t.Helper()
	_, err := b.store.End(b.t.Context(), hallID, sitting, staff)
	b.step(err)
}

func (b *bundle) seat(sitting string) {
	b.t.Helper()
	_, err := b.store.Seat(b.t.Context(), hallID, sitting, staff)
	b.step(err)
}

func (b *bundle) noShow(sitting string) {
	b.t.Helper()
	_, err := b.store.NoShow(b.t.Context(), hallID, sitting, staff)
	b.step(err)
}

func (b *bundle) hold(candidate string) {
	b.t.Helper()
	_, err := b.store.Hold(b.t.Context(), hallID, candidate, staff)
	b.step(err)
}
