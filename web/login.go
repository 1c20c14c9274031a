package web

import (
	"errors"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/templates"
)

// wrongLogin does not tell an unknown user from a wrong password.
const wrongLogin = "User name and password do not belong together."

// GET /login
func (s *Server) getLogin(c echo.Context) error {
	next := localPath(c.QueryParam("next"))
	if s.sessions.user(c) != "" {
		return c.Redirect(http.StatusSeeOther, next)
	}
	return s.loginPage(c, http.StatusOK, templates.LoginForm{Next: next})
}

// POST /login
func (s *Server) postLogin(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	form := templates.LoginForm{UserName: values.Get("user"), Next: localPath(values.Get("next"))}
	user, err := s.cfg.Accounts.Verify(c.Request().Context(), form.UserName, values.Get("password"))
	if errors.Is(err, ErrWrongLogin) {
		form.Error = wrongLogin
		return s.loginPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	if err := s.sessions.logIn(c, user.Name); err != nil {
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
	p := s.page(c, "Sign in", "page.css", "")
	p.Warning = s.cfg.Warning
	return render(c, status, templates.Login(templates.LoginPage{Page: p, Form: form}))
}

// staffOnly lets those pass who are logged in.
func (s *Server) staffOnly(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.sessions.user(c) == "" {
			return errNeedsLogin
		}
		return next(c)
	}
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
