package templates

// AdminPage lists the accounts, and for administrators the tokens.
type AdminPage struct {
	Page
	Made       *MadeSecret
	Accounts   []AccountRow
	NewAccount string // the form that makes one
	Tokens     []TokenRow
	NewToken   string // the form that makes one, "" for those who may not
}

// MadeSecret is a password or a token that is shown only now.
type MadeSecret struct {
	What   string
	Secret string
}

// AccountRow is one account.
type AccountRow struct {
	User, Name string
	Role       string // in words
	Where      string // hall and rooms
	Disabled   bool
	URL        string // its own page
}

// TokenRow is one token.
type TokenRow struct {
	Name, Role, Where string
	Made, By, Used    string
	Revoke            Action
}

// GrantForm says what an account or a token may do.
type GrantForm struct {
	Roles, Halls                    []Option
	Rooms                           string
	RoleError, HallError, RoomError string
}

// AccountForm makes or changes an account.
type AccountForm struct {
	URL       string
	Key       string // of a form that makes one
	Version   string // of the account that one changes
	User      string
	Name      string
	Grant     GrantForm
	Disabled  bool
	UserError string
	NameError string
	Error     string
}

// AccountFormPage is the form of a new account.
type AccountFormPage struct {
	Page
	Form AccountForm
}

// AccountPage is everything about one account.
type AccountPage struct {
	Page
	Form    *AccountForm // nil for the first administrator
	User    string
	Actions []Action
}

// TokenForm makes a token.
type TokenForm struct {
	URL       string
	Key       string
	Name      string
	Grant     GrantForm
	NameError string
	Error     string
}

// TokenFormPage is the form of a new token.
type TokenFormPage struct {
	Page
	Form TokenForm
}

// OwnPage is somebody's own account.
type OwnPage struct {
	Page
	Name        string
	Role, Where string
	Form        PasswordForm
}

// PasswordForm changes one's own password.
type PasswordForm struct {
	PresentError, NewError, AgainError string
	Error                              string
}
