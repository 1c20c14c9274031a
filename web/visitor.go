package web

import (
	"context"
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// Accounts knows the staff and the tokens of programs. Its errors are those of
// package access; an outage wraps hall.ErrUnavailable.
type Accounts interface {
	// Verify returns the account of a user whose password is right: ErrWrong for
	// an unknown user and for a wrong password alike, LockedError after too many
	// tries with this user or from this address.
	Verify(ctx context.Context, user, password, address string) (access.Account, error)
	// Find returns an account, also a disabled one; ErrUnknown.
	Find(ctx context.Context, user string) (access.Account, error)
	// List returns all accounts by user name.
	List(ctx context.Context) ([]access.Account, error)
	// Create makes an account and its password, once for one form; ErrTaken.
	Create(ctx context.Context, account access.Account, form string) (password string, err error)
	// Save writes what an account may do; ErrChanged unless it is at its version.
	Save(ctx context.Context, account access.Account) error
	// Reset gives an account another password and ends its sessions.
	Reset(ctx context.Context, account access.Account) (password string, err error)
	// SetPassword sets a password and ends the sessions of before.
	SetPassword(ctx context.Context, account access.Account, password string) (epoch string, err error)
	// SignOut ends all sessions of an account.
	SignOut(ctx context.Context, user string) error

	// Token returns the token that was shown; ErrUnknown.
	Token(ctx context.Context, shown string) (access.Token, error)
	// Tokens lists all tokens by name.
	Tokens(ctx context.Context) ([]access.Token, error)
	// MakeToken makes a token, once for one form; ErrTaken, ErrSent, ErrTooMany.
	MakeToken(ctx context.Context, token access.Token, form string) (shown string, err error)
	// Revoke ends a token at once.
	Revoke(ctx context.Context, id string) error
}

// visiting is where a request keeps who sent it.
const visiting = "web.visitor"

// visitor is who is signed in; the zero account is nobody.
func visitor(c echo.Context) access.Account {
	account, _ := c.Get(visiting).(access.Account)
	return account
}

// signedIn is the user name of who is signed in, "" for nobody and for devices.
func signedIn(c echo.Context) string {
	if visitingAs(c) != nil {
		return ""
	}
	return visitor(c).User
}

// identify finds out who is signed in and what they may do now, not what they
// could when they signed in.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		account, err := s.holderOf(c.Request().Context())
		if err != nil {
			return err
		}
		if account.User == "" { // whoever is signed in at a device is not the device
			device, err := s.deviceOf(c.Request().Context(), secretOf(c))
			if err != nil {
				return err
			}
			if device != nil {
				account = accountOf(device)
				c.Set(visitingDevice, device)
			}
		}
		c.Set(visiting, account)
		return next(c)
	}
}

// holderOf is whose session a context has: nobody's, if the account is not what
// the session began with.
func (s *Server) holderOf(ctx context.Context) (access.Account, error) {
	user, epoch := s.sessions.holder(ctx)
	if user == "" {
		return access.Account{}, nil
	}
	account, err := s.cfg.Accounts.Find(ctx, user)
	switch {
	case errors.Is(err, access.ErrUnknown):
		return access.Account{}, nil
	case err != nil:
		return access.Account{}, err
	case account.Disabled || account.Epoch != epoch:
		return access.Account{}, nil
	}
	return account, nil
}

// allow lets those pass who have a permission in the hall of the address. A
// screen's permission, and what a device says of itself, are looked at by the
// handlers, which know the hall.
func (s *Server) allow(need access.Permission) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if need == access.Anyone || need == access.CheckIn || need == access.Watch || need == access.Report {
			return next
		}
		return func(c echo.Context) error {
			if visitor(c).User == "" {
				return errNeedsLogin
			}
			about := access.Target{Hall: c.Param("hall"), Machine: c.Param("machine"), Sitting: c.Param("sitting")}
			if err := access.Check(c.Request().Context(), s.cfg.Store, visitor(c).Grant, need, about); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// mayUseScreen lets everybody use kiosks and boards of a hall whose screens are
// open, else only those who have the permission.
func (s *Server) mayUseScreen(c echo.Context, h *hall.Hall, need access.Permission) error {
	g := visitor(c).Grant
	switch {
	case h.Layout.Rules.OpenScreens, access.Allows(g, need, h.ID, ""):
		return nil
	case g.Role == access.Nobody:
		return errNeedsPairing
	}
	return access.Refuse(g, need, h.ID)
}

// shownRoom is the room that the proctor page shows, "" for all of them. Whoever
// has some rooms sees one of those.
func shownRoom(c echo.Context) (string, error) {
	room, g, hallID := c.QueryParam("room"), visitor(c).Grant, c.Param("hall")
	switch {
	case !g.Bound():
	case room == "":
		return g.Rooms[0], nil
	case !slices.Contains(g.Rooms, room):
		return "", &access.RefusalError{Need: access.See, Hall: hallID, Reason: access.OtherRoom}
	}
	return room, nil
}

// may reports whether who is signed in has a permission in the hall of the address.
func may(c echo.Context, need access.Permission) bool {
	return access.Allows(visitor(c).Grant, need, c.Param("hall"), "")
}

// logRefusal writes one line for each refusal: who, what, where. It names
// nobody but the account.
func (s *Server) logRefusal(c echo.Context, refused *access.RefusalError) {
	s.cfg.Log.Warn("refused", "who", visitor(c).User, "what", c.Request().Method+" "+c.Path(),
		"needs", string(refused.Need), "hall", refused.Hall, "id", requestID(c))
}

// notAllowed are the words of a page that is not for somebody.
func notAllowed(refused *access.RefusalError) explanation {
	return explanation{
		headline: english.Text("errorTitle.forbidden"), message: refused.Error(),
		advice: "Whoever gave you your account can give you more rights.",
	}
}
