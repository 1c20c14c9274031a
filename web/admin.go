package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
)

// Where accounts and tokens are looked after. Each address that a form sends to
// leads back to a page when a browser asks for it.
const (
	pathNewAccount = pathAdmin + "/new-account"
	pathAccounts   = pathAdmin + "/accounts"
	pathNewToken   = pathAdmin + "/new-token"
	pathTokens     = pathAdmin + "/tokens"
)

// adminRoutes are for those who look after the accounts of a hall or of all;
// the handlers look at whose account it is. Tokens are for administrators.
func (s *Server) adminRoutes(r routes) {
	r.get(access.Arrange, pathAdmin, s.getAdmin)
	r.get(access.Arrange, pathNewAccount, s.getNewAccount)
	r.post(access.Arrange, pathAccounts, s.postAccount)
	r.get(access.Arrange, pathAccounts, toAdmin)
	r.get(access.Arrange, pathAccounts+"/:user", s.getAccount)
	r.post(access.Arrange, pathAccounts+"/:user", s.postChanges)
	for name, h := range map[string]echo.HandlerFunc{"/password": s.postReset, "/sign-out": s.postSignOutOther} {
		r.post(access.Arrange, pathAccounts+"/:user"+name, h)
		r.get(access.Arrange, pathAccounts+"/:user"+name, toAccount)
	}
	r.get(access.Administer, pathNewToken, s.getNewToken)
	r.post(access.Administer, pathTokens, s.postToken)
	r.get(access.Administer, pathTokens, toAdmin)
	r.post(access.Administer, pathTokens+"/:token/revoke", s.postRevoke)
	r.get(access.Administer, pathTokens+"/:token/revoke", toAdmin)
}

func toAdmin(c echo.Context) error { return c.Redirect(http.StatusSeeOther, pathAdmin) }

func toAccount(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, accountURL(c.Param("user")))
}

// accountURL is where one account, and what is done with it, is.
func accountURL(user string, parts ...string) string {
	return strings.Join(append([]string{pathAccounts, url.PathEscape(user)}, parts...), "/")
}

// GET /admin: the accounts that one may look after, and the tokens.
func (s *Server) getAdmin(c echo.Context) error {
	ctx := c.Request().Context()
	accounts, err := s.cfg.Accounts.List(ctx)
	if err != nil {
		return err
	}
	p := templates.AdminPage{
		Page: s.staffPage(c, "Accounts", "admin.css", ""), Made: s.takeMade(c), NewAccount: pathNewAccount,
	}
	for i := range accounts {
		if a := &accounts[i]; visitor(c).Grant.Gives(a.Grant) {
			p.Accounts = append(p.Accounts, templates.AccountRow{
				User: a.User, Name: a.Name, Role: roleWords[a.Grant.Role], Where: where(a.Grant), Disabled: a.Disabled, URL: accountURL(a.User),
			})
		}
	}
	if access.Allows(visitor(c).Grant, access.Administer, "", "") {
		p.NewToken = pathNewToken
		if p.Tokens, err = s.tokenRows(ctx); err != nil {
			return err
		}
	}
	return render(c, http.StatusOK, templates.Admin(p))
}

func (s *Server) tokenRows(ctx context.Context) ([]templates.TokenRow, error) {
	tokens, err := s.cfg.Accounts.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]templates.TokenRow, 0, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		row := templates.TokenRow{
			Name: t.Name, Role: roleWords[t.Grant.Role], Where: where(t.Grant), Made: day(t.Made), By: t.By, Used: s.usedWords(t.Used),
			Revoke: templates.Action{Label: "Revoke", URL: pathTokens + "/" + t.ID + "/revoke", Kind: "danger", Aria: "Revoke: " + t.Name},
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// day is a date of the site, which has no time zone of its own.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// usedWords say about when a token was used last.
func (s *Server) usedWords(used time.Time) string {
	switch ago := s.cfg.Now().Sub(used); {
	case used.IsZero():
		return "never"
	case ago < 10*time.Minute:
		return "now"
	case ago < 24*time.Hour:
		return "today"
	}
	return day(used)
}

var roleWords = map[access.Role]string{
	access.Kiosk: "Kiosk", access.Board: "Board", access.Printer: "Printer", access.Proctor: "Proctor", access.Manager: "Manager", access.Administrator: "Administrator",
}

// where says for which hall and rooms a grant is.
func where(g access.Grant) string {
	switch {
	case g.Role == access.Administrator:
		return "all halls"
	case g.Bound():
		return g.Hall + ": " + strings.Join(g.Rooms, ", ")
	}
	return g.Hall
}

// madeCookie takes a secret that was made over the redirect to the page that
// shows it. It goes to the one browser that asked for it and is kept nowhere
// else: sessions are written to disk.
const madeCookie = "hallcall-made"

// showMade leads to the page that shows a secret once.
func (s *Server) showMade(c echo.Context, what, secret string) error {
	data, err := json.Marshal(templates.MadeSecret{What: what, Secret: secret}) //nolint:gosec // it is shown to whoever asked for it
	if err != nil {
		return err
	}
	c.SetCookie(s.secretCookie(c, base64.RawURLEncoding.EncodeToString(data), 60))
	return toAdmin(c)
}

func (s *Server) takeMade(c echo.Context) *templates.MadeSecret {
	cookie, err := c.Cookie(madeCookie)
	if err != nil || isHead(c.Request()) {
		return nil
	}
	c.SetCookie(s.secretCookie(c, "", -1))
	data, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	made := &templates.MadeSecret{}
	if err != nil || json.Unmarshal(data, made) != nil || made.Secret == "" {
		return nil
	}
	return made
}

func (s *Server) secretCookie(c echo.Context, value string, age int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure where the request or the setting says that there is TLS
		Name: madeCookie, Value: value, Path: pathAdmin, MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.sessions.secure || c.IsTLS(),
	}
}
