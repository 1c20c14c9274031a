package hall

import (
	"context"
	"slices"
	"time"
)

// RecordTable names a list that is kept of a day.
type RecordTable string

// The tables of a day's records.
const (
	TableAttendance RecordTable = "attendance" // everybody of the roster
	TableSittings   RecordTable = "sittings"
	TableIncidents  RecordTable = "incidents"
	TableLog        RecordTable = "log" // the events
)

// RecordTables lists every table.
var RecordTables = []RecordTable{TableAttendance, TableSittings, TableIncidents, TableLog}

// MaxCorrections is how many corrections the records of one day can have.
const MaxCorrections = 2000

// Records are what a day leaves to be signed: of the present day and of closed
// ones. A day is named by the how-manieth of its hall it is, which stays when
// it is closed; each answer is of one instant of that day. CodeUnknownDay.
type Records interface {
	// RecordedDay finds a day by its id or as CurrentDay, with the layout that it has or had.
	RecordedDay(ctx context.Context, id, day string) (RecordedDay, error)
	// Attendance lists everybody of the roster in its order, with the notes of the staff.
	Attendance(ctx context.Context, id string, number int, page Page) (List[Candidate], error)
	// DaySittings lists the sittings in the order of their calls, with the reasons of aborts.
	DaySittings(ctx context.Context, id string, number int, page Page) (List[Sitting], error)
	// DayIncidents lists the incidents in order of time, with the names of candidates.
	DayIncidents(ctx context.Context, id string, number int, page Page) (List[Incident], error)
	// Reasons returns the free text that goes with events, by their ids. The ids
	// of few thousand events may be asked for at once.
	Reasons(ctx context.Context, id string, number int, events []string) (map[string]string, error)
	// Corrections lists those of the day, in the order in which they were made.
	Corrections(ctx context.Context, id string, number int) ([]Correction, error)
	// Correct adds a correction to the records of a day, named by its id or as
	// CurrentDay; what it corrects stays as it is. CodeInvalid for what Clean does
	// not take, CodeUnknownDay, CodeDayNotOpen for a day that is being prepared,
	// CodeWrongState for one whose texts are erased,
	// CodeUnknownCandidate, CodeUnknownSitting and CodeUnknownIncident for a row
	// that is not there, CodeTooManyCorrections after MaxCorrections.
	Correct(ctx context.Context, id, day string, c CorrectionRequest, by Caller) (Correction, error)
}

// RecordedDay is a day whose records are read.
type RecordedDay struct {
	Hall   Hall // as it is, or was when the day was closed
	Number int
	Now    time.Time // when it was found
}

// End is when the records of the day stand: its close, or now.
func (d *RecordedDay) End() time.Time {
	if d.Hall.Day.ClosedAt.IsZero() {
		return d.Now
	}
	return d.Hall.Day.ClosedAt
}

// CorrectionRequest says what is right instead of what stands in a row of the
// records, and why. Row is the id of a candidate, a sitting or an incident.
type CorrectionRequest struct {
	Table  RecordTable
	Row    string
	State  CandidateState // where the candidate stood; of attendance only, may be empty
	Text   string         // what is right; may be empty where a state is given
	Reason string         // how that is known
}

// Correction is one that is kept.
type Correction struct {
	CorrectionRequest

	ID string // "c1" is the first of the day
	At time.Time
	By string
}

// Clean returns a correction with its texts as they are kept. CodeInvalid names
// every field that cannot be taken.
func (c CorrectionRequest) Clean() (CorrectionRequest, error) {
	var f faults
	if c.Table == TableLog || !slices.Contains(RecordTables, c.Table) {
		f.add("body.table", string(c.Table), "must be attendance, sittings or incidents")
	}
	if c.Row == "" {
		f.add("body.row", c.Row, "is empty")
	}
	switch {
	case c.State == "":
	case c.Table != TableAttendance:
		f.add("body.state", string(c.State), "is for attendance only")
	case !slices.Contains(CandidateStates, c.State):
		f.add("body.state", string(c.State), "is not a state of candidates")
	}
	c.Text = f.remark("body.text", c.Text, c.State == "")
	c.Reason = f.remark("body.reason", c.Reason, true)
	return c, f.refusal("The correction cannot be taken.")
}
