package web_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/gorilla/websocket"
)

// watch opens a websocket as the bundle's browser.
func (b *bundle) watch(query string) *websocket.Conn {
	b.t.Helper()
	address := b.server.URL + "/halls/h/live?" + query
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	dialer := websocket.Dialer{}
	header := http.Header{"Origin": {b.server.URL}}
	for _, cookie := range b.client.Jar.Cookies(u) {
		header.Add("Cookie", cookie.String())
	}
	conn, response, err := dialer.Dial("ws"+strings.TrimPrefix(address, "http"), header)
	if err != nil {
		b.t.Fatalf("watch %s: %v", query, err)
	}
	_ = response.Body.Close()
	b.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// await reads messages until one has it.
func await(t *testing.T, conn *websocket.Conn, what string, has func(*goquery.Document) bool) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("never: %s (%v)", what, err)
		}
		if message[0] == '{' {
			continue // a heartbeat
		}
		document, err := goquery.NewDocumentFromReader(strings.NewReader(string(message)))
		if err != nil {
			t.Fatal(err)
		}
		if has(document) {
			return
		}
	}
}

func heroIs(ticket string) func(*goquery.Document) bool {
	return func(d *goquery.Document) bool {
		return d.Find(`#board[hx-swap-oob] [data-testid=hero] strong`).Text() == ticket
	}
}

func TestBoardsChangeByThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	all, roomB := b.watch("view=board"), b.watch("view=board&room=B")
	await(t, all, "the state at the begin", func(d *goquery.Document) bool { return d.Find("#board").Length() == 1 })
	b.checkIn("c1")
	await(t, all, "N001 on the board", heroIs("N001"))
	b.checkIn("c2")
	await(t, all, "N002 on the board", heroIs("N002"))
	await(t, roomB, "N002 on the board of room B", heroIs("N002"))
}

func TestProctorPagesChangeByThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	conn := b.watch("view=proctor&room=A")
	b.checkIn("c1")
	await(t, conn, "the call on the tile", func(d *goquery.Document) bool {
		return d.Find(`[data-machine=m1]`).AttrOr("data-state", "") == "called" && d.Find("[data-machine=m2]").Length() == 0
	})
	b.post(proctorPath+"/sittings/s1/seat", nil).expect(t, http.StatusSeeOther)
	await(t, conn, "somebody at the machine", func(d *goquery.Document) bool {
		return d.Find(`[data-machine=m1]`).AttrOr("data-state", "") == "in_use"
	})
}

func TestHeartbeatsCarryTheTimeAndTheVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := b.watch("view=board")
	version := b.get("/halls/h/board").Find("body").AttrOr("data-version", "")
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		if message[0] != '{' {
			continue
		}
		var beat struct {
			Now     int64
			Version string
		}
		if err := json.Unmarshal(message, &beat); err != nil {
			t.Fatal(err)
		}
		if beat.Now != b.clock.Now().UnixMilli() || beat.Version != version {
			t.Errorf("heartbeat %s", message)
		}
		return
	}
}

func TestPagesAreToldThatTheStoreIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn := b.watch("view=board")
	await(t, conn, "the state at the begin", func(d *goquery.Document) bool { return d.Find("#board").Length() == 1 })
	b.store.gone.Store(true)
	await(t, conn, "the store is gone", func(d *goquery.Document) bool { return d.Find("[data-testid=store-state]").Length() == 1 })
	b.store.gone.Store(false)
	await(t, conn, "the store is back", func(d *goquery.Document) bool {
		return d.Find("#board").Length() == 1 && d.Find("[data-testid=store-state]").Length() == 0
	})
}

func TestWhoMayNotWatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for address, status := range map[string]int{
		"/halls/h/live?view=proctor":      http.StatusUnauthorized,
		"/halls/h/live?view=other":        http.StatusNotFound,
		"/halls/h/live?view=board&room=Z": http.StatusNotFound,
		"/halls/nowhere/live?view=board":  http.StatusNotFound,
		"/halls/h/live?view=board":        http.StatusBadRequest, // no websocket
	} {
		b.get(address).expect(t, status)
	}
	dialer := websocket.Dialer{}
	_, response, err := dialer.Dial("ws"+strings.TrimPrefix(b.server.URL, "http")+"/halls/h/live?view=board",
		http.Header{"Origin": {"https://elsewhere.example"}})
	defer response.Body.Close()
	if !errors.Is(err, websocket.ErrBadHandshake) || response.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another origin may watch: %v", err)
	}
}
