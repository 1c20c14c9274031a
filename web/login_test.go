package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

func credentials(user, password, next string) url.Values {
	return url.Values{"user": {user}, "password": {password}, "next": {next}}
}

func TestWrongUserAndWrongPasswordAreNotToldApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.post("/login", credentials("anna", "wrong", "/x")).expect(t, http.StatusUnprocessableEntity)
	c := b.post("/login", credentials("anne", "right", "/x")).expect(t, http.StatusUnprocessableEntity)
	if a.text("error") == "" || strings.ReplaceAll(c.body, "anne", "anna") != a.body {
		t.Error("the answers differ")
	}
	if got := a.Find("#user").AttrOr("value", "") + a.Find("form:not(.languages) [name=next]").AttrOr("value", ""); got != "anna/x" {
		t.Errorf("kept %q", got)
	}
	if strings.Contains(a.body, "wrong\"") || a.Find("#password").AttrOr("value", "") != "" {
		t.Error("the password is sent back")
	}
}

func TestLoginChangesTheSessionAndLogoutEndsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.post(kioskPath, typed("c1")) // a session of nobody
	before := b.cookie()
	b.logIn()
	during := b.cookie()
	if before == "" || during == before {
		t.Error("the session keeps its token over the login")
	}
	b.get(proctorPath).expect(t, http.StatusOK)
	b.post("/logout", nil).expect(t, http.StatusSeeOther)
	b.get(proctorPath).expect(t, http.StatusSeeOther)
	request := b.request(http.MethodGet, proctorPath, nil, "Cookie", "hallcall="+during)
	b.client = b.browser()
	b.do(request).expect(t, http.StatusSeeOther)
}

func (b *bundle) cookie() string {
	b.t.Helper()
	address, err := url.Parse(b.server.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, cookie := range b.client.Jar.Cookies(address) {
		return cookie.Value
	}
	return ""
}

func TestLoginLeadsToLocalPagesOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for next, want := range map[string]string{
		"": "/", proctorPath + "?room=A": proctorPath + "?room=A", "//elsewhere.example": "/", `/\elsewhere.example`: "/",
		"https://elsewhere.example/": "/", "javascript:alert(1)": "/", "elsewhere": "/", "/\t/elsewhere.example": "/",
		"/halls/%2Fh/board": "/halls/%2Fh/board", "/%0d%0aSet-Cookie:x": "/%0d%0aSet-Cookie:x",
	} {
		sent := b.post("/login", credentials("anna", "right", next)).expect(t, http.StatusSeeOther)
		if got := sent.header.Get("Location"); got != want {
			t.Errorf("next %q leads to %q, want %q", next, got, want)
		}
	}
}

func TestTheSessionCookieIsGuarded(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.SecureCookies = true })
	sent := b.post("/login", credentials("anna", "right", ""))
	cookie := sent.header.Get("Set-Cookie")
	for _, attribute := range []string{"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} {
		if !strings.Contains(cookie, attribute) {
			t.Errorf("cookie %q has no %s", cookie, attribute)
		}
	}
}
