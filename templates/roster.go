package templates

// RosterPage loads a roster: one of Form, Preview, Running and Result.
type RosterPage struct {
	Page
	HallName string
	Back     string // to the machines
	Lines    []string
	Form     *RosterForm
	Preview  *RosterPreview
	Running  *RosterRunning
	Result   *RosterResult
}

// RosterForm takes a file.
type RosterForm struct {
	URL     string
	Error   string
	Columns []RosterColumn
}

// RosterColumn is a column that a roster may have.
type RosterColumn struct {
	Name, What string
	Examples   string // how offices call it
	Required   bool
}

// RosterPreview is a file as it was understood, and what it would do.
type RosterPreview struct {
	File       string
	Kind       string // in words
	HeaderRow  string
	Headers    []RosterHeader
	Missing    string // columns that no header was understood as, "" for none
	Counts     []RosterCount
	Summary    string
	ImportURL  string
	Upload     string // names the file
	Label      string // of the button, "" when there is nothing to import
	DiscardURL string
	Changes    RosterChanges
	Refused    RosterRefused
	First      RosterRows
}

// RosterHeader is a column of the file.
type RosterHeader struct {
	Place, Text, Column string // Column is "" for one that is ignored
}

// RosterCount is a number of rows and what it counts.
type RosterCount struct {
	Name, Label, N string
	Kind           string // "good", "bad" or ""
}

// RosterChanges are the first changes of people who are known already.
type RosterChanges struct {
	Title string
	Rows  []RosterChange
}

// RosterChange is one value that would be another one.
type RosterChange struct {
	Row, Candidate, Column, Before, After string
}

// RosterRefused are the first rows that cannot be taken.
type RosterRefused struct {
	Title string
	Rows  []RosterRefusal
	All   string // address of all of them
}

// RosterRefusal is a row that cannot be taken, and why.
type RosterRefusal struct {
	Row, Column, Value, Why string
}

// RosterRows are the first rows as they were understood.
type RosterRows struct {
	Title   string
	Columns []string
	Rows    [][]string
}

// RosterRunning is an import under way, or one that was broken off.
type RosterRunning struct {
	File       string
	URL        string // of this page
	Text       string
	Taken, All int
	BrokenOff  bool
	ImportURL  string
	Upload     string
}

// RosterResult is what an import did.
type RosterResult struct {
	File    string
	Said    string
	Stopped string // why it went no further, "" when it did
	By      string
	Counts  []RosterCount
	Refused RosterRefused
	Again   string // where to load another file
}
