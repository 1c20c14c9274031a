package templates

// NoteForm writes a note about a candidate, below those there are.
type NoteForm struct {
	URL    string
	Key    string // of this rendering: however often it is sent, it is one note
	Notes  []Remark
	Roster string // the roster's own note, "" for none
	Full   bool   // no more notes can be kept
	Text   string
	Error  string
}

// Remark is what somebody wrote down, and when.
type Remark struct {
	At, By, Text string
}

// IncidentForm reports an incident.
type IncidentForm struct {
	URL           string
	Key           string // of this rendering: however often it is sent, it is one incident
	Categories    []Option
	About         []About  // machine and candidate that the form was opened for
	Machines      []Option // to choose from, where it was opened for none
	AsksCandidate bool
	Candidate     string // as typed
	Text          string
	Done          string
	Error         string // of the form as a whole
	Errors        IncidentErrors
}

// IncidentErrors says what is wrong with each field.
type IncidentErrors struct {
	Category, Machine, Candidate, Text, Done string
}

// About is something that an incident may concern: the name of the field, the
// id, what people call it.
type About struct {
	Name, Value, Text string
	Chosen            bool
}

// IncidentsPage lists the incidents of the day.
type IncidentsPage struct {
	Page
	HallName  string
	Back      string
	NewURL    string
	Total     int
	Incidents []IncidentCard
	Newer     string // address, "" for none
	Older     string
}

// IncidentCard is one incident.
type IncidentCard struct {
	Remark

	Category string
	Place    string // room and machine
	Person   string // number of the candidate
	Done     string
}
