package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"
)

// sessionLifetime is a working day.
const sessionLifetime = 12 * time.Hour

// What a session holds.
const (
	sessionUser   = "user"
	sessionEpoch  = "epoch" // of the account when it signed in
	sessionNotice = "notice"
	sessionAnswer = "answer:" // and the hall: the answer of a kiosk, to be shown once
)

// sessions keeps who is logged in, and messages over one redirect.
type sessions struct {
	manager *scs.SessionManager
	secure  bool
	log     *slog.Logger
}

func newSessions(cfg Config) *sessions {
	// Not scs.New, which starts a goroutine for a store that is not used here.
	manager := &scs.SessionManager{Store: cfg.Sessions, Codec: scs.GobCodec{}, Lifetime: sessionLifetime}
	manager.Cookie.Name = "hallcall"
	return &sessions{manager: manager, secure: cfg.SecureCookies, log: cfg.Log}
}

// load reads the session of a request, and writes it if it changed.
func (s *sessions) load(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		var token string
		if cookie, err := c.Cookie(s.manager.Cookie.Name); err == nil {
			token = cookie.Value
		}
		ctx, err := s.manager.Load(c.Request().Context(), token)
		if err != nil {
			return unavailable(err)
		}
		c.SetRequest(c.Request().WithContext(ctx))
		if !isSocket(c) && !isHead(c.Request()) { // what is shown once is not shown by a HEAD
			c.Response().Before(func() { s.save(c) })
		}
		return next(c)
	}
}

// save keeps a changed session; it runs just before the header is sent.
func (s *sessions) save(c echo.Context) {
	ctx := c.Request().Context()
	switch s.manager.Status(ctx) {
	case scs.Modified:
		token, expiry, err := s.manager.Commit(ctx)
		if err != nil {
			s.log.Error("session not saved", "error", err, "id", requestID(c))
			return
		}
		s.write(c, token, expiry)
	case scs.Destroyed:
		s.write(c, "", time.Time{})
	case scs.Unmodified:
	}
}

// write sends the cookie; under TLS it comes back over TLS only.
func (s *sessions) write(c echo.Context, token string, expiry time.Time) {
	cookie := &http.Cookie{ //nolint:gosec // Secure where the request or the setting says that there is TLS
		Name: s.manager.Cookie.Name, Value: token, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure || c.IsTLS(),
	}
	if expiry.IsZero() {
		cookie.MaxAge = -1
	}
	c.SetCookie(cookie)
}

// holder is who signed in with the session of a context, "" for nobody, and
// the epoch of the account then.
func (s *sessions) holder(ctx context.Context) (user, epoch string) {
	return s.manager.GetString(ctx, sessionUser), s.manager.GetString(ctx, sessionEpoch)
}

// token is what names the session of a request.
func (s *sessions) token(c echo.Context) string { return s.manager.Token(c.Request().Context()) }

// logIn makes the session that of an account. Its token changes, so that one
// known to somebody else before is worth nothing.
func (s *sessions) logIn(c echo.Context, user, epoch string) error {
	ctx := c.Request().Context()
	if err := s.manager.RenewToken(ctx); err != nil {
		return unavailable(err)
	}
	s.manager.Put(ctx, sessionUser, user)
	s.manager.Put(ctx, sessionEpoch, epoch)
	return nil
}

func (s *sessions) logOut(c echo.Context) error {
	if err := s.manager.Destroy(c.Request().Context()); err != nil {
		return unavailable(err)
	}
	return nil
}

// keep leaves a text for the next page, take reads it once.
func (s *sessions) keep(c echo.Context, key, text string) {
	s.manager.Put(c.Request().Context(), key, text)
}

func (s *sessions) take(c echo.Context, key string) string {
	return s.manager.PopString(c.Request().Context(), key)
}
