package templates

import "github.com/hallcall/hallcall/internal/locale"

// PhonePage is the page of one candidate, on the candidate's own phone.
type PhonePage struct {
	Page
	HallName  string
	URL       string // of the page, "" for one that leads nowhere
	LiveURL   string // of its websocket
	Languages []LanguageLink
	Phone     Phone
}

// Phone is what changes on a phone page.
type Phone struct {
	Texts    *locale.Texts
	Kind     string // the candidate's state, or "ended"
	Ticket   string
	Name     string // masked
	Headline string // "In line"
	Big      string // "5th in line", "Go to Room 2"
	Second   string // "Machine 15"
	Since    string // "Called at 10:32"
	Estimate string // "about 15 min to go", "" for none
	Advice   string
	Pauses   []BoardPause
	Call     string // names the announcement of a call, so that each is heard once
	Loud     bool   // must not be missed
	Title    string // of the page
	Say      string // what a screen reader says when it changes
}
