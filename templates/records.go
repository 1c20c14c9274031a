package templates

// DaysPage lists the days of a hall.
type DaysPage struct {
	Page
	HallName string
	Back     string // the machines
	Days     []DayRow
	Newer    string // address, "" for none
	Older    string
}

// DayRow is one day in numbers.
type DayRow struct {
	Name    string
	Opened  string
	Closed  string // "" while it is not
	Roster  string
	Figures []Amount
	URL     string // its records
}

// Amount is a number and what it counts.
type Amount struct {
	N    int
	Text string
}

// RecordsPage is one list of a day, to be read on a screen and signed on paper.
type RecordsPage struct {
	Page
	HallName  string
	Day       string
	When      string // from when to when it was open
	Printed   string // as of when the list is
	Title     string // of the list
	Back      string // the days
	EraseURL  string // "" where there is nothing to erase
	Tables    []Link
	Downloads []Link
	Columns   []string
	Rows      []RecordRow
	Totals    []Amount
	Note      string // what the list leaves out, "" for nothing
	Empty     string // what is said of a list without rows
	Shown     string // which rows these are, where they are not all
	Before    string // address, "" for none
	After     string
}

// Span is how many columns the list has on a screen.
func (p *RecordsPage) Span() int { return len(p.Columns) + 1 }

// isShort reports whether a cell is not to be broken: times and numbers above all.
func isShort(cell string) bool { return len(cell) <= 12 }

// RecordRow is one row of a list, with the corrections below it.
type RecordRow struct {
	Cells       []string
	Undone      bool
	Corrections []string
	Correct     *Link // to the form, nil where nothing can be corrected
}

// CorrectionPage takes a correction of one row.
type CorrectionPage struct {
	Page
	URL    string
	Back   string
	Key    string // of this rendering: however often it is sent, it is one correction
	About  string // the row in words
	States []Option
	Text   string
	Reason string
	Error  string // of the form as a whole
	Errors CorrectionErrors
}

// CorrectionErrors says what is wrong with each field.
type CorrectionErrors struct {
	State, Text, Reason string
}
