package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
)

// errNeedsPairing says that a screen is for devices that the staff let in.
var errNeedsPairing = errors.New("web: needs to be let in")

// pairingSeconds is how often a screen without scripts looks whether it was let in.
const pairingSeconds = 5

// askForPairing shows the code with which the staff let a screen in, and who
// cannot see one is refused.
func (s *Server) askForPairing(c echo.Context) error {
	r := c.Request()
	switch {
	case isSocket(c), wantsProblem(r), c.Path() == pathDevice:
		return c.NoContent(http.StatusUnauthorized)
	case isFragment(c): // of a kiosk that was shut out while somebody stood there
		c.Response().Header().Set("HX-Redirect", currentPath(r))
		return c.NoContent(http.StatusUnauthorized)
	}
	kind := kindOfPage(c)
	asking, err := s.codeFor(c, kind)
	if err != nil {
		return err
	}
	address := localPath(r.URL.RequestURI()) // of the page, also where its form was sent
	texts := s.speak(c, nil)
	p := s.page(c, texts.Text("pairing.title"), "pairing.css", "pairing.js")
	p.ReloadAfter, p.ReloadTo = pairingSeconds, address
	return render(c, http.StatusUnauthorized, templates.Pairing(templates.PairingPage{
		Page: p, Kind: string(kind), Hall: c.Param("hall"), Code: shownCode(asking.Code), Spoken: spokenCode(asking.Code), SignIn: loginURL(address),
	}))
}

// codeFor is the code that a browser shows; a new one counts against its address.
func (s *Server) codeFor(c echo.Context, kind access.Role) (access.Asking, error) {
	ctx, secret := c.Request().Context(), secretOf(c)
	if secret != "" {
		asking, err := s.cfg.Devices.Code(ctx, secret, kind)
		if !errors.Is(err, access.ErrNoCode) {
			return asking, err
		}
	}
	if err := s.cfg.Limits.Take(ctx, access.LimitPairing, s.addressOf(c)); err != nil {
		return access.Asking{}, err
	}
	if secret == "" {
		var err error
		if secret, err = s.keepSecret(c); err != nil {
			return access.Asking{}, err
		}
	}
	asking, err := s.cfg.Devices.Ask(ctx, secret, kind)
	if errors.Is(err, access.ErrTooMany) {
		return asking, &access.LockedError{Wait: tooManyCodes}
	}
	return asking, err
}

// kindOfPage is what a device has to be to show a page.
func kindOfPage(c echo.Context) access.Role {
	switch {
	case strings.HasSuffix(c.Path(), "/board"):
		return access.Board
	case strings.HasSuffix(c.Path(), "/printer"):
		return access.Printer
	}
	return access.Kiosk
}

// shownCode is a code in two parts, which are easier to read across.
func shownCode(code string) string {
	if len(code) < 5 {
		return code
	}
	return code[:3] + "\u2009" + code[3:]
}

// spokenCode is a code letter by letter, for screen readers.
func spokenCode(code string) string { return strings.Join(strings.Split(code, ""), " ") }
