package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// errBrokenForm is said of a form that no page of this server made.
var errBrokenForm = &hall.Error{Code: hall.CodeInvalid, Message: "The form is not whole. Open it again."}

// GET /admin/new-token
func (s *Server) getNewToken(c echo.Context) error {
	grant, err := s.grantForm(c, access.Roles, access.Grant{Role: access.Manager})
	if err != nil {
		return err
	}
	return s.newTokenPage(c, http.StatusOK, templates.TokenForm{Grant: grant})
}

func (s *Server) newTokenPage(c echo.Context, status int, form templates.TokenForm) error {
	form.URL, form.Key = pathTokens, newFormKey()
	return render(c, status, templates.NewToken(templates.TokenFormPage{
		Page: s.staffPage(c, "New API token", "admin.css", ""), Form: form,
	}))
}

// POST /admin/tokens
func (s *Server) postToken(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	key := values.Get("key")
	if !formKeys.MatchString(key) {
		return errBrokenForm
	}
	token := access.Token{Name: strings.TrimSpace(values.Get("name")), By: visitor(c).User}
	form := templates.TokenForm{Name: token.Name, NameError: nameFault(token.Name, true)}
	if token.Grant, form.Grant, err = s.readGrant(c, values, access.Roles); err != nil {
		return err
	}
	if form.NameError != "" || faulty(form.Grant) {
		return s.newTokenPage(c, http.StatusUnprocessableEntity, form)
	}
	shown, err := s.cfg.Accounts.MakeToken(c.Request().Context(), token, key)
	switch {
	case errors.Is(err, access.ErrTaken):
		form.NameError = "There is a token with this name."
	case errors.Is(err, access.ErrSent):
		form.Error = "This form was sent before, and its token is in use. Send it again with another name to make another one."
	case errors.Is(err, access.ErrTooMany):
		form.Error = "There are as many tokens as there may be. Revoke one first."
	case err != nil:
		return err
	default:
		s.logChange(c, "token made", token.Name)
		return s.showMade(c, "The token "+token.Name+" is made:", shown)
	}
	return s.newTokenPage(c, http.StatusConflict, form)
}

// POST /admin/tokens/{token}/revoke
func (s *Server) postRevoke(c echo.Context) error {
	if err := s.cfg.Accounts.Revoke(c.Request().Context(), c.Param("token")); err != nil {
		return err
	}
	s.logChange(c, "token revoked", c.Param("token"))
	s.sessions.keep(c, sessionNotice, "The token is revoked.")
	return toAdmin(c)
}
