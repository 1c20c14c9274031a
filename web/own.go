package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// ownRoutes are everybody's own account.
func (s *Server) ownRoutes(r routes) {
	r.get(access.SignedIn, pathAccount, s.getOwn)
	r.post(access.SignedIn, pathAccount+"/password", s.postPassword)
	r.get(access.SignedIn, pathAccount+"/password", toOwn)
	r.post(access.SignedIn, pathAccount+"/sign-out", s.postSignOut)
	r.get(access.SignedIn, pathAccount+"/sign-out", toOwn)
}

func toOwn(c echo.Context) error { return c.Redirect(http.StatusSeeOther, pathAccount) }

// GET /account
func (s *Server) getOwn(c echo.Context) error {
	return s.ownPage(c, http.StatusOK, templates.PasswordForm{})
}

func (s *Server) ownPage(c echo.Context, status int, form templates.PasswordForm) error {
	me := visitor(c)
	return render(c, status, templates.Own(templates.OwnPage{
		Page: s.staffPage(c, "Your account", "admin.css", ""), Name: me.Name, Role: roleWords[me.Grant.Role], Where: where(me.Grant), Form: form,
	}))
}

// POST /account/password. Who has changed it stays signed in here, and nowhere else.
func (s *Server) postPassword(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	ctx, me, password := c.Request().Context(), visitor(c), values.Get("new")
	var form templates.PasswordForm
	names, err := s.namesOf(c)
	if err != nil {
		return err
	}
	if err := access.CheckPassword(password, names...); err != nil {
		form.NewError = passwordWords[err]
	} else if password != values.Get("again") {
		form.AgainError = "This is not the same as above."
	}
	if form.NewError+form.AgainError != "" {
		return s.ownPage(c, http.StatusUnprocessableEntity, form)
	}
	_, err = s.cfg.Accounts.Verify(ctx, me.User, values.Get("present"), s.addressOf(c))
	var locked *access.LockedError
	switch {
	case errors.As(err, &locked):
		form.Error = s.lockedWords(c, locked)
		return s.ownPage(c, http.StatusTooManyRequests, form)
	case errors.Is(err, access.ErrWrong):
		form.PresentError = "This is not your present password."
		return s.ownPage(c, http.StatusUnprocessableEntity, form)
	case err != nil:
		return err
	}
	epoch, err := s.cfg.Accounts.SetPassword(ctx, me, password)
	if err != nil {
		return err
	}
	if err := s.sessions.logIn(c, me.User, epoch); err != nil {
		return err
	}
	s.logChange(c, "password changed", me.User)
	s.sessions.keep(c, sessionNotice, "Your password is changed. Other devices are signed out.")
	return toOwn(c)
}

// passwordWords say why a password cannot be taken.
var passwordWords = map[error]string{
	access.ErrPassword: "Take at least 10 characters, and none that cannot be typed.",
	access.ErrCommon:   "This is among the first that are guessed. Take another one.",
	access.ErrPlain:    "This repeats itself or goes along the keyboard. Take another one.",
	access.ErrNamed:    "This is made of your name or that of the hall. Take another one.",
}

// namesOf are those that somebody's password must not be made of.
func (s *Server) namesOf(c echo.Context) ([]string, error) {
	me := visitor(c)
	names := []string{me.User, me.Name, me.Grant.Hall}
	if me.Grant.Hall == "" {
		return names, nil
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), me.Grant.Hall)
	if hall.CodeOf(err) == hall.CodeUnknownHall {
		return names, nil
	}
	if err != nil {
		return names, err
	}
	return append(names, h.Layout.Name), nil
}

// POST /account/sign-out: on this device and on all others.
func (s *Server) postSignOut(c echo.Context) error {
	if err := s.cfg.Accounts.SignOut(c.Request().Context(), visitor(c).User); err != nil {
		return err
	}
	s.logChange(c, "signed out everywhere", visitor(c).User)
	if err := s.sessions.logOut(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, pathLogin)
}
