package templates

import "github.com/hallcall/hallcall/internal/locale"

// KioskPage is the check-in screen: a form, or the answer to one person.
type KioskPage struct {
	Page
	Kiosk Kiosk
	Start Kiosk // the screen for the next person
}

// Kiosk is what changes on the check-in screen.
type Kiosk struct {
	Texts     *locale.Texts // in the language that was chosen
	Own       *locale.Texts // in that of the screen for the next person
	Languages []LanguageLink
	HallName  string
	URL       string // of the kiosk: the form goes here, and every answer leads back here
	Form      KioskForm
	Answer    *KioskAnswer // nil: the form
}

// Chosen is the language that somebody chose, "" for the kiosk's own.
func (k Kiosk) Chosen() string {
	if k.Texts == k.Own {
		return ""
	}
	return k.Texts.Tag()
}

// KioskForm is the form with what was typed and what is wrong with it.
type KioskForm struct {
	Candidate string
	AskID     bool   // the hall asks for the last characters of the ID number too
	ID4       string // what was typed of it
	AtID      bool   // that is what is still missing
	Error     string
	Advice    string
	Retry     int // after so many seconds the page tries again by itself; 0 for never
}

// KioskAnswer tells one person where they stand and what to do now.
type KioskAnswer struct {
	Kind     string // "go", "wait", "stop"
	Headline string // "You are checked in"
	Ticket   string
	Big      string // "5th in line", "Room 2"
	Second   string // "Machine 15", "about 15 min"
	Advice   string
	QR       *QR    // to the phone page, nil for none
	Note     string // why there is none
	Pauses   []string
	Seconds  int // until the start screen comes back
}

// QR is a QR code as a drawing: a path of its dark modules in a square of Size.
type QR struct {
	Size int
	Path string
}
