package templates

// PanelPage is a panel as a page of its own, for browsers without scripts.
type PanelPage struct {
	Page
	Back  string
	Panel Panel
}

// Panel holds the commands that are too rare for a tile. Only the forms that
// fit the state are there.
type Panel struct {
	Title     string
	Back      string   // where a page of its own leads back to, "" for the machines
	Lines     []string // who and what it is about
	Links     []Link   // to other panels
	Warning   string   // what to think of first, "" for nothing
	Actions   []Action
	Transfer  *TransferForm
	Abort     *AbortForm
	OutOfWork *ReasonForm
	Class     *ClassForm
	Pause     *PauseForm
	Undo      *UndoList
	Note      *NoteForm
	Incident  *IncidentForm
	Marked    []MarkedForm
	CheckIn   *CheckInForm
	Search    *SearchForm
	Keys      []Key
}

// SearchForm finds somebody.
type SearchForm struct {
	URL      string
	Text     string // what is looked for
	Searched bool
	Rows     []FoundRow
	More     int // how many more there are
}

// FoundRow is somebody who was found.
type FoundRow struct {
	Key       string
	Ticket    string // "" for who has none today
	ID        string
	Name      string
	Where     string
	URL, Link string // what can be done, "" for nothing
}

// Key is a shortcut.
type Key struct{ Sign, Does string }

// CheckInForm checks somebody in.
type CheckInForm struct {
	URL            string
	Candidate      string
	At             string // by the hall's clock
	AsksTime       bool
	CandidateError string
	AtError        string
}

// MarkedForm gives one command for several tiles.
type MarkedForm struct {
	URL    string
	Key    string
	Name   string // of the command
	Label  string
	Kind   string
	Who    string // tickets, or labels of machines
	Marks  []string
	Reason *ReasonForm // nil where none is asked for
}

// Option is one choice of a list.
type Option struct {
	Value, Text string
	Chosen      bool
}

// TransferForm moves a sitting to another machine.
type TransferForm struct {
	URL          string
	Machines     []Option
	Any          bool // it need not be one of them by name
	OutOfService bool
	Reason       string
	Codes        []Option // of the reason
}

// AbortForm breaks a sitting off.
type AbortForm struct {
	URL         string
	Fault       string // "machine", "candidate" or "" while not chosen
	Then        string // "requeue" or "withdraw"
	KeepMachine bool
	Reason      string
	Codes       []Option // of the reason
	FaultError  string
	ReasonError string
	CodeError   string
}

// ReasonForm takes a machine out of service.
type ReasonForm struct {
	URL       string
	Reason    string
	Codes     []Option // of the reason
	Error     string
	CodeError string
}

// ClassForm changes a candidate's class.
type ClassForm struct {
	URL     string
	Classes []Option
}

// PauseForm stops the calling.
type PauseForm struct {
	URL     string
	Scopes  []Option // the hall ("") and each room
	Message string
}

// UndoList has the last commands of the staff, newest first.
type UndoList struct {
	Rows []UndoRow
}

// UndoRow is one command, and what taking it back would do.
type UndoRow struct {
	Time    string
	By      string
	What    string
	Effect  string
	Undo    *Action // nil if it cannot be taken back
	Blocked string  // why not
}
