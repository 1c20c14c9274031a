package templates

// LoginPage asks who it is.
type LoginPage struct {
	Page
	Form LoginForm
}

// LoginForm is the form as it was sent, and what is wrong with it.
type LoginForm struct {
	UserName string
	Next     string
	Error    string
}
