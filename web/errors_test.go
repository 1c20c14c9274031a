package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

func TestErrorsComeInTheFormThatIsAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pageOf := b.get("/halls/nowhere/board").expect(t, http.StatusNotFound)
	if pageOf.part("error-page").Length() != 1 || pageOf.Find("html").Length() != 1 {
		t.Errorf("no page: %s", pageOf.body)
	}
	fragment := b.get("/halls/nowhere/board", htmx...).expect(t, http.StatusNotFound)
	if fragment.Find("#notice[hx-swap-oob]").Length() != 1 || strings.Contains(fragment.body, "<html") {
		t.Errorf("no fragment: %s", fragment.body)
	}
	problem := b.get("/halls/nowhere/board", "Accept", "application/json").expect(t, http.StatusNotFound)
	var body struct{ Code string }
	if err := json.Unmarshal([]byte(problem.body), &body); err != nil || body.Code != "unknown_hall" {
		t.Errorf("no problem: %s", problem.body)
	}
	if got := b.get("/api/v1/nothing").expect(t, http.StatusNotFound).header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("the API answers %q", got)
	}
	b.get("/nothing").expect(t, http.StatusNotFound)
	b.get("/halls/%FF/board").expect(t, http.StatusNotFound)
	b.post("/halls/h/board", nil).expect(t, http.StatusMethodNotAllowed)
}

// The address of a command, typed in or come to after a login, leads to the
// page: only a POST does anything.
func TestAGetNeverDoesAnything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2", "c3")
	end := proctorPath + "/sittings/s1/end?room=A"
	if got := b.get(end).expect(t, http.StatusSeeOther).header.Get("Location"); got != "/login?next="+url.QueryEscape(end) {
		t.Errorf("a stranger is led to %q", got)
	}
	sent := b.post("/login", credentials("anna", "right", end)).expect(t, http.StatusSeeOther)
	if got := sent.header.Get("Location"); got != end {
		t.Errorf("the login leads to %q", got)
	}
	for _, command := range []string{
		"/sittings/s1/seat", "/sittings/s1/end", "/sittings/s1/recall", "/sittings/s1/no-show", "/sittings/s1/abort", "/sittings/s1/transfer",
		"/machines/m1/in-service", "/machines/m1/spare", "/machines/m1/out-of-service",
		"/queue/c3/hold", "/queue/c3/return", "/queue/c3/leave", "/queue/c3/restore", "/queue/c3/class", "/next", "/resume",
	} {
		sent := b.get(proctorPath+command+"?room=A").expect(t, http.StatusSeeOther)
		if got := sent.header.Get("Location"); got != proctorPath+"?room=A" {
			t.Errorf("%s leads to %q", command, got)
		}
	}
	b.get(proctorPath+"/pause").expect(t, http.StatusOK)
	if got := b.get("/logout").expect(t, http.StatusSeeOther).header.Get("Location"); got != "/" {
		t.Errorf("/logout leads to %q", got)
	}
	b.get(proctorPath).expect(t, http.StatusOK) // still logged in
	if a, c := b.candidate("c1").State, b.candidate("c3").State; a != hall.Called || c != hall.Waiting {
		t.Errorf("c1 is %s and c3 %s", a, c)
	}
}

func TestHeadIsAnsweredWhereGetIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	head := func(address string, headers ...string) *page {
		return b.do(b.request(http.MethodHead, address, nil, headers...))
	}
	script := b.get(kioskPath).Find("script").AttrOr("src", "")
	for _, address := range []string{
		"/", "/login", "/healthz", "/readyz", kioskPath, "/halls/h/board", proctorPath, script, "/nothing", "/halls/nowhere/board",
		"/halls/h/live?view=board", "/api/v1/halls", "/api/openapi.json", proctorPath + "/next",
	} {
		got, want := head(address, "Authorization", "Bearer token"), b.get(address, "Authorization", "Bearer token")
		if got.status != want.status || got.body != "" {
			t.Errorf("%s: %d with %d bytes, want %d with none", address, got.status, len(got.body), want.status)
		}
		if got.header.Get("Content-Type") != want.header.Get("Content-Type") {
			t.Errorf("%s is %q, want %q", address, got.header.Get("Content-Type"), want.header.Get("Content-Type"))
		}
	}
	upgrade := []string{
		"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
	}
	head("/halls/h/live?view=board", upgrade...).expect(t, http.StatusMethodNotAllowed)
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
		b.do(b.request(method, "/halls/h/board", nil)).expect(t, http.StatusMethodNotAllowed)
	}

	b.post(kioskPath, typed("c1")).expect(t, http.StatusSeeOther)
	head(kioskPath).expect(t, http.StatusOK)
	if got := b.get(kioskPath).text("ticket"); got != "N001" {
		t.Errorf("after a HEAD the kiosk shows %q, want N001", got)
	}
}

func TestTheStoreIsGoneAndComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2")
	b.end("s2")
	gone := map[string]url.Values{
		"/incidents": {"key": {b.get(incidentsPath+"/new").keyOf(t, "incident-form")}, "category": {"other"}, "text": {"x"}},
		"/undo":      {"event": {b.get(proctorPath+"/undo").part("undo-row").First().Find("input[name=event]").AttrOr("value", "")}},
	}
	b.store.gone.Store(true)
	for _, address := range []string{
		"/", "/halls/h/board", kioskPath, proctorPath, proctorPath + "/machines/m1", proctorPath + "/incidents", proctorPath + "/undo",
	} {
		p := b.get(address).expect(t, http.StatusServiceUnavailable)
		if p.part("error-page").Length() != 1 || p.Find("meta[http-equiv=refresh]").Length() != 1 {
			t.Errorf("%s does not come back by itself", address)
		}
	}
	b.get("/readyz").expect(t, http.StatusServiceUnavailable)
	b.get("/healthz").expect(t, http.StatusOK)
	b.post(proctorPath+"/sittings/s1/seat", nil).expect(t, http.StatusServiceUnavailable)
	b.post(proctorPath+"/sittings/s1/seat", nil, htmx...).expect(t, http.StatusServiceUnavailable)
	panel := b.get(proctorPath+"/machines/m1", htmx...).expect(t, http.StatusServiceUnavailable)
	if got := panel.text("notice"); !strings.Contains(got, "does not answer") || panel.header.Get("HX-Reswap") != "none" {
		t.Errorf("instead of a panel it says %q", got)
	}
	for address, form := range gone {
		for _, headers := range [][]string{nil, htmx} {
			b.post(proctorPath+address, form, headers...).expect(t, http.StatusServiceUnavailable)
		}
	}
	b.store.gone.Store(false)
	b.get("/readyz").expect(t, http.StatusOK)
	for _, address := range []string{"", "/machines/m1", "/incidents", "/undo"} {
		b.get(proctorPath+address).expect(t, http.StatusOK)
	}
	if got := b.candidate("c1").State; got != hall.Called {
		t.Errorf("c1 is %s: something was half done", got)
	}
	if incidents := b.incidents(); len(incidents) != 0 || b.candidate("c2").State != hall.Done {
		t.Errorf("c2 is %s, and there are %d incidents", b.candidate("c2").State, len(incidents))
	}
	for address, form := range gone { // sent again it does what it says
		b.post(proctorPath+address, form).expect(t, http.StatusSeeOther)
	}
	if len(b.incidents()) != 1 || b.candidate("c2").State != hall.Called {
		t.Errorf("c2 is %s, and there are %d incidents", b.candidate("c2").State, len(b.incidents()))
	}
}

// lostSessions cannot be read.
type lostSessions struct{}

func (lostSessions) Find(string) ([]byte, bool, error)      { return nil, false, errors.New("gone") }
func (lostSessions) Commit(string, []byte, time.Time) error { return errors.New("gone") }
func (lostSessions) Delete(string) error                    { return errors.New("gone") }

func TestSessionsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t, sessionsAre(lostSessions{}))
	b.get("/").expect(t, http.StatusOK)
	b.get(proctorPath, "Cookie", "hallcall=x").expect(t, http.StatusServiceUnavailable)
}

func TestTooLongBodies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	request := b.request(http.MethodPost, "/login", url.Values{"user": {strings.Repeat("x", 11<<20)}})
	b.do(request).expect(t, http.StatusRequestEntityTooLarge)
	request = b.request(http.MethodPost, "/login", url.Values{"user": {strings.Repeat("x", 11<<20)}})
	request.ContentLength = -1 // as it comes
	b.do(request).expect(t, http.StatusRequestEntityTooLarge)
	b.post("/login", url.Values{"user": {"\xff"}}).expect(t, http.StatusUnprocessableEntity)
}

func TestCommandsOfOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://elsewhere.example"}, {"Sec-Fetch-Site", "same-site"},
	} {
		p := b.post(proctorPath+"/sittings/s1/seat", nil, header...).expect(t, http.StatusForbidden)
		if p.part("error-page").Length() != 1 {
			t.Errorf("%v: no page", header)
		}
	}
	if got := b.candidate("c1").State; got != hall.Called {
		t.Errorf("c1 is %s", got)
	}
	b.post(proctorPath+"/sittings/s1/seat", nil, "Sec-Fetch-Site", "same-origin", "Origin", b.server.URL).expect(t, http.StatusSeeOther)
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, address := range []string{"/", "/nothing", "/halls/h/board", "/api/v1/halls", "/api/docs", "/healthz"} {
		p := b.get(address)
		if got := p.header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; script-src 'self'; style-src 'self'") {
			t.Errorf("%s: policy %q", address, got)
		}
		if p.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", address)
		}
	}
	if got := b.get("/").header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page may be kept: %q", got)
	}
}

func TestAssetsAreKeptByTheirContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address := b.get(kioskPath).Find("script").AttrOr("src", "")
	asset := b.get(address, "Accept-Encoding", "gzip").expect(t, http.StatusOK)
	if got := asset.header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("cache %q", got)
	}
	if asset.header.Get("Content-Encoding") != "gzip" || asset.header.Get("Set-Cookie") != "" {
		t.Errorf("headers %v", asset.header)
	}
	old := b.get("/static/0123456789ab/kiosk.js").expect(t, http.StatusOK)
	if got := old.header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("an old address may be kept: %q", got)
	}
	b.get("/static/0123456789ab/nothing.js").expect(t, http.StatusNotFound)
}

// A panic and an error that nobody foresaw say one fixed sentence.
func TestUnforeseenErrorsTellNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Store = secretive{cfg.Store} })
	for _, address := range []string{"/", "/halls/h/board"} {
		p := b.get(address).expect(t, http.StatusInternalServerError)
		if strings.Contains(p.body, "secret") || p.Find("code").Text() == "" {
			t.Errorf("%s: %s", address, p.text("error-page"))
		}
	}
}

// secretive is a store with errors that must not be shown.
type secretive struct{ hall.Store }

func (secretive) HallIDs(context.Context) ([]string, error) { return nil, errors.New("secret") }

func (secretive) Snapshot(context.Context, string) (hall.Snapshot, error) { panic("secret") }
