package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/gorilla/websocket"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// addresses fills in what the routes of a hall with c1 called stand for.
func (s *staffed) addresses() *strings.Replacer {
	s.t.Helper()
	return strings.NewReplacer(":hash", "x", ":name", "y", ":token", "000000000000", ":user", "victim", ":hall", hallID, ":machine", "m1",
		":candidate", "c3", ":sitting", s.candidate("c1").Sitting, ":upload", "x", ":day", "current")
}

// Every command is refused that a page of another site sends with the cookies
// of somebody who may do everything.
func TestEveryCommandFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.checkIn("c1", "c2", "c3")
	admin, fill := s.as(s.enter("root", visitors["administrator"])), s.addresses()
	events := s.lastEvent()
	walked := 0
	for _, r := range s.pages.Routes() {
		if r.Method == http.MethodGet {
			continue
		}
		walked++
		for _, header := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://elsewhere.example"}, {"Origin", "null"},
		} {
			for _, more := range [][]string{nil, htmx} {
				p := admin.do(admin.request(r.Method, fill.Replace(r.Path), url.Values{}, append(header, more...)...))
				if p.status != http.StatusForbidden {
					t.Errorf("%s %s with %v: status %d", r.Method, r.Path, header, p.status)
				}
			}
		}
	}
	if walked < 20 {
		t.Errorf("only %d commands", walked)
	}
	for _, c := range calls(t) {
		if c.method == http.MethodGet {
			continue
		}
		path := "/api/v1" + strings.NewReplacer("{hall}", hallID, "{candidate}", "c3", "{machine}", "m1", "{sitting}", "s1", "{day}", "current", "{name}", "n").Replace(c.path)
		p := admin.do(admin.request(c.method, path, nil, "Sec-Fetch-Site", "cross-site", "Authorization", "Bearer token"))
		if p.status != http.StatusForbidden {
			t.Errorf("%s %s: status %d", c.method, c.path, p.status)
		}
	}
	if got := s.lastEvent(); got != events {
		t.Errorf("something happened: %s after %s", got, events)
	}
}

// No page has a script, a style or a handler in itself, or asks another host for anything.
func TestEveryPageObeysAStrictPolicy(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	entry := s.checkIn("c1", "c2", "c3")
	admin, fill := s.as(s.enter("root", visitors["administrator"])), s.addresses()
	paths := []string{"/t/" + hall.PhoneToken(hallID, entry.Phone), "/nowhere", "/halls/h/proctor?room=A"}
	for _, r := range s.pages.Routes() {
		if r.Method == http.MethodGet && !strings.HasSuffix(r.Path, "/live") {
			paths = append(paths, fill.Replace(r.Path))
		}
	}
	seen := 0
	for _, path := range paths {
		for _, on := range []*staffed{admin, s} {
			p := on.get(path)
			policy := p.header.Get("Content-Security-Policy")
			for _, word := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
				if !strings.Contains(policy, word) {
					t.Errorf("%s: the policy %q has no %s", path, policy, word)
				}
			}
			if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
				t.Errorf("%s: the policy is %q", path, policy)
			}
			if !strings.HasPrefix(p.header.Get("Content-Type"), "text/html") || p.body == "" {
				continue
			}
			seen++
			wantNothingInline(t, path, p.Document)
		}
	}
	if seen < 30 {
		t.Errorf("only %d pages were looked at", seen)
	}
}

func wantNothingInline(t *testing.T, path string, d *goquery.Document) {
	t.Helper()
	if n := d.Find("style, script:not([src]):not([type='application/json'])").Length(); n > 0 {
		t.Errorf("%s has %d scripts or styles in itself", path, n)
	}
	d.Find("*").Each(func(_ int, e *goquery.Selection) {
		for _, a := range e.Nodes[0].Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			switch {
			case a.Key == "style", strings.HasPrefix(a.Key, "on"), strings.HasPrefix(a.Key, "hx-on"), strings.HasPrefix(value, "javascript:"),
				strings.HasPrefix(a.Key, "hx-") && strings.HasPrefix(value, "js:"):
				t.Errorf("%s: <%s %s=%q>", path, e.Nodes[0].Data, a.Key, a.Val)
			case (a.Key == "src" || a.Key == "action" || e.Nodes[0].Data == "link") && strings.Contains(value, "//"):
				t.Errorf("%s asks another host: <%s %s=%q>", path, e.Nodes[0].Data, a.Key, a.Val)
			}
		}
	})
}

// A websocket is refused to pages of other sites and to whoever may not see the
// page that it is for.
func TestEveryWebsocketIsAskedForItsRights(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	entry := s.checkIn("c1")
	phone := "/t/" + hall.PhoneToken(hallID, entry.Phone) + "/live"
	dial := func(on *staffed, path, origin string) int {
		u, err := url.Parse(s.server.URL)
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{"Origin": {origin}}
		for _, cookie := range on.client.Jar.Cookies(u) {
			header.Add("Cookie", cookie.String())
		}
		conn, response, err := new(websocket.Dialer).DialContext(t.Context(), "ws"+strings.TrimPrefix(s.server.URL, "http")+path, header)
		if response == nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if conn != nil {
			_ = conn.Close()
		}
		return response.StatusCode
	}
	browsers := map[string]*staffed{}
	for who, g := range visitors {
		browsers[who] = s.as(s.enter("u-"+who, g))
	}
	for view, row := range map[string]string{"board": rowBoard, "proctor": rowRead, "monitor": rowRead} {
		path := "/halls/h/live?view=" + view
		for who, on := range browsers {
			if got := dial(on, path, s.server.URL) == http.StatusSwitchingProtocols; got != mayOf(row, who) {
				t.Errorf("%s of a %s: opened %v", view, who, got)
			}
			if got := dial(on, path, "https://elsewhere.example"); got != http.StatusForbidden && got != http.StatusUnauthorized {
				t.Errorf("%s of a %s from another site: status %d", view, who, got)
			}
		}
		if got := dial(s, path, s.server.URL); got != http.StatusUnauthorized {
			t.Errorf("%s of nobody: status %d", view, got)
		}
	}
	if got := dial(s, phone, "https://elsewhere.example"); got != http.StatusForbidden {
		t.Errorf("a phone page from another site: status %d", got)
	}
}

func TestStaffFromElsewhereAreWarned(t *testing.T) {
	t.Parallel()
	const words = "not encrypted"
	secure := func(cfg *web.Config, _ *hall.Layout) { cfg.SecureCookies = true }
	for name, test := range map[string]struct {
		options []option
		headers []string
		host    string
		want    bool
	}{
		"on this machine":                  {nil, nil, "", false},
		"another machine":                  {nil, nil, "hall.example:8080", true},
		"through a proxy that is unknown":  {nil, []string{"X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "https"}, "", true},
		"through a trusted proxy":          {[]option{proxies("127.0.0.1/32"), secure}, []string{"X-Forwarded-For", "192.0.2.1"}, "hall.example", false},
		"past the trusted proxy":           {[]option{proxies("10.0.0.0/8"), secure}, nil, "hall.example", true},
		"where the public address has TLS": {[]option{secure}, nil, "hall.example", false},
	} {
		b := setup(t, test.options...)
		b.logIn()
		token := b.cookie()
		for path, staff := range map[string]bool{"/login": true, proctorPath: true, "/account": true, kioskPath: false, "/halls/h/board": false} {
			request := b.request(http.MethodGet, path, nil, test.headers...)
			if path != "/login" {
				request.Header.Set("Cookie", "hallcall="+token)
			}
			if test.host != "" {
				request.Host = test.host
			}
			plain := *b
			plain.client = b.browser()
			p := plain.do(request).expect(t, http.StatusOK)
			if got := strings.Contains(p.text("warning"), words); got != (test.want && staff) {
				t.Errorf("%s, %s: warned %v: %q", name, path, got, p.text("warning"))
			}
		}
	}
}
