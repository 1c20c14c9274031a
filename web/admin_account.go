package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
)

// GET /admin/new-account
func (s *Server) getNewAccount(c echo.Context) error {
	grant, err := s.grantForm(c, access.StaffRoles, access.In(access.Proctor, visitor(c).Grant.Hall))
	if err != nil {
		return err
	}
	return s.newAccountPage(c, http.StatusOK, templates.AccountForm{Grant: grant})
}

func (s *Server) newAccountPage(c echo.Context, status int, form templates.AccountForm) error {
	form.URL, form.Key = pathAccounts, newFormKey()
	return render(c, status, templates.NewAccount(templates.AccountFormPage{
		Page: s.staffPage(c, "New account", "admin.css", ""), Form: form,
	}))
}

// POST /admin/accounts
func (s *Server) postAccount(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	key := values.Get("key")
	if !formKeys.MatchString(key) {
		return errBrokenForm
	}
	account := access.Account{User: values.Get("user"), Name: strings.TrimSpace(values.Get("name"))}
	form := templates.AccountForm{User: account.User, Name: account.Name, NameError: nameFault(account.Name, false)}
	if !access.ValidUser(account.User) {
		form.UserError = "Take 1 to 64 letters, digits or . _ @ -, a letter or digit first. Some names are the program’s own."
	}
	if account.Grant, form.Grant, err = s.readGrant(c, values, access.StaffRoles); err != nil {
		return err
	}
	if form.UserError+form.NameError != "" || faulty(form.Grant) {
		return s.newAccountPage(c, http.StatusUnprocessableEntity, form)
	}
	password, err := s.cfg.Accounts.Create(c.Request().Context(), account, key)
	if errors.Is(err, access.ErrTaken) {
		form.UserError = "There is an account with this user name."
		return s.newAccountPage(c, http.StatusConflict, form)
	}
	if err != nil {
		return err
	}
	s.logChange(c, "account made", account.User)
	return s.showMade(c, "The account "+account.User+" is made. Its password is:", password)
}

// accountOf is the account in the address, if it is one that may be looked after.
func (s *Server) accountOf(c echo.Context) (access.Account, error) {
	account, err := s.cfg.Accounts.Find(c.Request().Context(), c.Param("user"))
	switch {
	case errors.Is(err, access.ErrUnknown):
		return account, echo.ErrNotFound
	case err != nil:
		return account, err
	case !visitor(c).Grant.Gives(account.Grant):
		return account, access.Refuse(visitor(c).Grant, access.Arrange, account.Grant.Hall)
	}
	return account, nil
}

// GET /admin/accounts/{user}
func (s *Server) getAccount(c echo.Context) error {
	account, err := s.accountOf(c)
	if err != nil {
		return err
	}
	grant, err := s.grantForm(c, access.StaffRoles, account.Grant)
	if err != nil {
		return err
	}
	return s.accountPage(c, http.StatusOK, &account, templates.AccountForm{Name: account.Name, Disabled: account.Disabled, Grant: grant})
}

func (s *Server) accountPage(c echo.Context, status int, account *access.Account, form templates.AccountForm) error {
	p := templates.AccountPage{
		Page: s.staffPage(c, "Account "+account.User, "admin.css", ""), User: account.User,
		Actions: []templates.Action{
			{Label: "Give another password", URL: accountURL(account.User, "password")},
			{Label: "Sign out everywhere", URL: accountURL(account.User, "sign-out"), Kind: "danger"},
		},
	}
	if account.User != access.Admin {
		form.URL, form.Version = accountURL(account.User), strconv.FormatInt(account.Version, 10)
		p.Form = &form
	}
	return render(c, status, templates.OneAccount(p))
}

// POST /admin/accounts/{user}: the form says which version it was made for.
func (s *Server) postChanges(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	account, err := s.accountOf(c)
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(values.Get("version"), 10, 64)
	if err != nil || account.User == access.Admin {
		return errBrokenForm
	}
	changed := access.Account{
		User: account.User, Name: strings.TrimSpace(values.Get("name")), Disabled: values.Get("disabled") == "true", Version: version,
	}
	form := templates.AccountForm{Name: changed.Name, Disabled: changed.Disabled, NameError: nameFault(changed.Name, false)}
	if changed.Grant, form.Grant, err = s.readGrant(c, values, access.StaffRoles); err != nil {
		return err
	}
	if form.NameError != "" || faulty(form.Grant) {
		account.Version = version
		return s.accountPage(c, http.StatusUnprocessableEntity, &account, form)
	}
	err = s.cfg.Accounts.Save(c.Request().Context(), changed)
	if errors.Is(err, access.ErrChanged) {
		form.Error = "Somebody changed this account meanwhile. It is now: " + accountWords(&account) + ". Save again to have it as below."
		return s.accountPage(c, http.StatusConflict, &account, form)
	}
	if err != nil {
		return err
	}
	s.logChange(c, "account changed", account.User)
	s.sessions.keep(c, sessionNotice, "The account "+account.User+" is saved.")
	return toAdmin(c)
}

// accountWords say how an account is.
func accountWords(a *access.Account) string {
	words := dotted(a.Name, roleWords[a.Grant.Role], where(a.Grant))
	if a.Disabled {
		words += " · disabled"
	}
	return words
}

// POST /admin/accounts/{user}/password
func (s *Server) postReset(c echo.Context) error {
	account, err := s.accountOf(c)
	if err != nil {
		return err
	}
	password, err := s.cfg.Accounts.Reset(c.Request().Context(), account)
	if err != nil {
		return err
	}
	s.logChange(c, "password reset", account.User)
	return s.showMade(c, "The new password of "+account.User+" is:", password)
}

// POST /admin/accounts/{user}/sign-out
func (s *Server) postSignOutOther(c echo.Context) error {
	account, err := s.accountOf(c)
	if err != nil {
		return err
	}
	if err := s.cfg.Accounts.SignOut(c.Request().Context(), account.User); err != nil {
		return err
	}
	s.logChange(c, "signed out everywhere", account.User)
	s.sessions.keep(c, sessionNotice, account.User+" is signed out everywhere.")
	return toAccount(c)
}

// logChange writes down who changed the rights of whom, and ends what ends with them.
func (s *Server) logChange(c echo.Context, what, whose string) {
	s.cfg.Log.Info(what, "who", visitor(c).User, "whose", whose, "id", requestID(c)) //nolint:sloglint // one line for each kind of change
	s.rights.hint()
}
