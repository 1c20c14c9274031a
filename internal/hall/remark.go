package hall

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of what the staff write down.
const (
	MaxRemark     = 1000 // characters of a text, outer blanks left out
	MaxNotes      = 100  // notes about one candidate
	MaxCategories = 30   // categories of incidents in a hall
)

// Note is what the staff wrote down about a candidate. ID is that of the event
// that says so; the text stands apart from it and can be erased.
type Note struct {
	ID   string
	At   time.Time
	By   string // account or device
	Text string // lines end with "\n"
}

// IncidentReport is what the staff say of an incident. Machine and Candidate
// are ids, empty if it concerns none; Done says what was done about it.
type IncidentReport struct {
	Category  string
	Machine   string
	Candidate string
	Text      string
	Done      string
}

// Incident is a report as it is kept. ID is that of the event that says so;
// Room is that of the machine and Ticket that of the candidate, at that time.
//
// A no-show, an abort and a transfer open one in the same step, and undo takes it
// back with them: Command is the event of what was done, Sitting the one that
// it was about, To the machine that a transfer led to, and Text the reason, which
// may be empty.
type Incident struct {
	IncidentReport

	ID      string
	At      time.Time
	By      string // account, device or, for a call that ran out, "system"
	Room    string
	Ticket  string
	Name    string    // of the candidate; in records
	Command EventName // that opened it, "" for a report of the staff
	Sitting string
	To      string
}

// CategoryOf is the category of an incident that a command opens: the usual one
// if the hall has it, else its "other", else its last.
func (l *Layout) CategoryOf(usual string) string {
	categories := l.Categories()
	for _, category := range []string{usual, "other"} {
		if slices.Contains(categories, category) {
			return category
		}
	}
	return categories[len(categories)-1]
}

// The usual categories of incidents that commands open.
const (
	CategoryMachine = "machine" // a transfer, and an abort that is the machine's fault
	CategoryPerson  = "person"  // a no-show, and an abort that is the candidate's
)

// DefaultCategories are the categories of incidents in a hall that lists none.
var DefaultCategories = []string{"machine", "person", "identity", "rules", "premises", "other"}

// Categories lists the codes of the hall's categories of incidents.
func (l *Layout) Categories() []string {
	if len(l.IncidentCategories) == 0 {
		return slices.Clone(DefaultCategories)
	}
	return l.IncidentCategories
}

// CleanNote returns the text of a note as it is kept: without outer blanks,
// with "\n" between lines. CodeInvalid if it is empty or too long or has control
// characters.
func CleanNote(text string) (string, error) {
	var f faults
	text = f.remark("body.text", text, true)
	return text, f.refusal("The note cannot be taken.")
}

// Clean returns a report with its texts as they are kept. CodeInvalid names
// every field that cannot be taken.
func (r IncidentReport) Clean() (IncidentReport, error) {
	var f faults
	if r.Category == "" {
		f.add("body.category", r.Category, "is empty")
	}
	r.Text = f.remark("body.text", r.Text, true)
	r.Done = f.remark("body.done", r.Done, false)
	return r, f.refusal("The incident cannot be taken.")
}

// remark cleans a text and notes what is wrong with it. Forms send lines that
// end with "\r\n".
func (f *faults) remark(location, text string, required bool) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	control := func(r rune) bool { return r != '\n' && isControl(r) }
	switch {
	case text == "" && required:
		f.add(location, text, "is empty")
	case !utf8.ValidString(text):
		f.add(location, text, "is not valid UTF-8")
	case utf8.RuneCountInString(text) > MaxRemark:
		f.add(location, text, "has more than %d characters", MaxRemark)
	case strings.ContainsFunc(text, control):
		f.add(location, text, "has a control character")
	}
	return text
}

// refusal is the error for an input with faults, nil without any.
func (f faults) refusal(message string) error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: message, Faults: f}
}
