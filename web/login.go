package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// GET /login
func (s *Server) getLogin(c echo.Context) error {
	next := localPath(c.QueryParam("next"))
	if signedIn(c) != "" {
		return c.Redirect(http.StatusSeeOther, next)
	}
	s.speak(c, nil)
	return s.loginPage(c, http.StatusOK, templates.LoginForm{Next: next})
}

// POST /login
func (s *Server) postLogin(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	s.speak(c, nil)
	form := templates.LoginForm{UserName: values.Get("user"), Next: localPath(values.Get("next"))}
	err = s.cfg.Limits.Take(c.Request().Context(), access.LimitLogin, s.addressOf(c))
	var account access.Account
	if err == nil {
		account, err = s.cfg.Accounts.Verify(c.Request().Context(), form.UserName, values.Get("password"), s.addressOf(c))
	}
	var locked *access.LockedError
	if errors.As(err, &locked) {
		form.Error = s.lockedWords(c, locked)
		return s.loginPage(c, http.StatusTooManyRequests, form)
	}
	if errors.Is(err, access.ErrWrong) {
		form.Error = textsOf(c).Text("login.wrong")
		return s.loginPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	if err := s.sessions.logIn(c, account.User, account.Epoch); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, form.Next)
}

// POST /logout
func (s *Server) postLogout(c echo.Context) error {
	if err := s.sessions.logOut(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, pathHome)
}

// GET /logout: only a POST signs out.
func (s *Server) getLogout(c echo.Context) error { return c.Redirect(http.StatusSeeOther, pathHome) }

func (s *Server) loginPage(c echo.Context, status int, form templates.LoginForm) error {
	p := s.publicPage(c, "login.title", withValues(pathLogin, "next", form.Next))
	p.Warning = s.warning(c)
	return render(c, status, templates.Login(templates.LoginPage{Page: p, Form: form}))
}

// lockedWords says how long to wait after too many tries, to people and to
// programs, and to the log that somebody tries.
func (s *Server) lockedWords(c echo.Context, locked *access.LockedError) string {
	wait := locked.Seconds()
	api.RetryAfter(c.Response().Header(), locked)
	s.cfg.Log.Warn("too many tries to sign in", "wait", locked.Wait, "id", requestID(c))
	if wait < 100 {
		return textsOf(c).Text("login.waitSeconds", "Count", wait)
	}
	return textsOf(c).Text("login.waitMinutes", "Count", (wait+59)/60)
}

// extractAddress finds where requests come from: what a proxy says of that is
// believed only of the trusted ones.
func (s *Server) extractAddress() echo.IPExtractor {
	if len(s.cfg.TrustedProxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, proxy := range s.cfg.TrustedProxies {
		network := &net.IPNet{IP: proxy.Addr().AsSlice(), Mask: net.CIDRMask(proxy.Bits(), proxy.Addr().BitLen())}
		trust = append(trust, echo.TrustIPRange(network))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

// addressOf is where a request comes from. An IPv6 network is one address:
// whoever has one has all of it.
func (s *Server) addressOf(c echo.Context) string {
	addr, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return ""
	}
	if addr = addr.Unmap(); addr.Is6() {
		if network, err := addr.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// askForLogin leads to the login and from there back to the page; who cannot
// be led there is refused.
func askForLogin(c echo.Context) error {
	r := c.Request()
	switch {
	case isSocket(c), wantsProblem(r):
		return c.NoContent(http.StatusUnauthorized)
	case isFragment(c):
		c.Response().Header().Set("HX-Redirect", loginURL(currentPath(r)))
		return c.NoContent(http.StatusUnauthorized)
	case r.Method == http.MethodGet:
		return c.Redirect(http.StatusSeeOther, loginURL(r.URL.RequestURI()))
	}
	return c.Redirect(http.StatusSeeOther, loginURL(refererPath(r)))
}

func loginURL(next string) string { return pathLogin + "?next=" + url.QueryEscape(localPath(next)) }

// currentPath is the page that sent a request for a fragment.
func currentPath(r *http.Request) string { return pathOf(r.Header.Get("HX-Current-URL")) }

func refererPath(r *http.Request) string { return pathOf(r.Referer()) }

// pathOf leaves the local part of an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return pathHome
	}
	return u.RequestURI()
}

// formValues reads the form of a request, from its body only.
func formValues(c echo.Context) (url.Values, error) {
	if err := c.Request().ParseForm(); err != nil {
		var tooLarge *echo.HTTPError
		if errors.As(err, &tooLarge) {
			return nil, err
		}
		return nil, echo.ErrBadRequest.SetInternal(err)
	}
	form := c.Request().PostForm //nolint:forbidigo // the field of a request, not the function without a timeout
	for _, values := range form {
		for _, value := range values {
			if !utf8.ValidString(value) {
				return nil, echo.NewHTTPError(http.StatusUnprocessableEntity)
			}
		}
	}
	return form, nil
}
