package templates

// ErrorPage says what went wrong and what to do next.
type ErrorPage struct {
	Page
	Status    string // "404 Not Found"
	Headline  string
	Message   string
	Advice    string
	RequestID string // to find it in the log, "" if there is nothing to find
}
