package hall

import (
	"context"
	"time"
)

// Caller says who gives a command. With a Key the command is known again: for
// a day, the same key gives the first answer and changes nothing.
type Caller struct {
	By  string // account, device or "system"
	Key string // idempotency key, may be empty
}

// System is the caller of what time brings.
var System = Caller{By: "system"}

// Page is a part of a list: the Number-th (from 1) of Size items; a Size of 0
// or less means all.
type Page struct {
	Number, Size int
}

// List is one page and the number of items in all.
type List[T any] struct {
	Items []T
	Total int
}

// Store keeps halls. Every changing method is one atomic step: it changes
// everything it says or nothing, makes the calls that follow from it, and
// appends its events. Methods return an *Error for outcomes that a caller can
// act on; unknown halls, candidates, machines and sittings are CodeUnknown…,
// a command that does not fit the state is CodeWrongState (or a code that says
// more) with the state, an unreachable store wraps ErrUnavailable. A command
// repeated answers as the first time.
type Store interface {
	Halls
	Days
	Records
	Rosters
	Queue
	Phones
	Sittings
	Machines
	Undoer
	Remarks
	Outside
	Alerts
	Clock
	EventSource
	Watcher
}

// What PutHall may expect of a layout besides its tag.
const (
	AnyLayout = "*"
	NoLayout  = "none"
)

// Halls keeps the list of halls, their layouts and days.
type Halls interface {
	// PutHall creates a hall, whose day is open at once, or replaces its layout
	// and rules. Machines that stay keep their state, and open sittings go with
	// them into another room. CodeInvalid lists every fault; CodeInUse says what
	// cannot be taken away. Unless expected is empty, the present layout must
	// have this tag (AnyLayout: the hall must exist, NoLayout: it must not):
	// else CodeChanged.
	PutHall(ctx context.Context, id string, layout Layout, expected string, by Caller) (h Hall, created bool, err error)
	// Hall returns one hall.
	Hall(ctx context.Context, id string) (Hall, error)
	// HallIDs lists all halls by id, in byte order.
	HallIDs(ctx context.Context) ([]string, error)
	// OpenDay opens the day that was prepared: it gets its id, and check-in and
	// calling begin. CodeWrongState while one is open.
	OpenDay(ctx context.Context, id string, by Caller) (Hall, error)
	// CloseDay ends the day with this id, or the present one if day is empty,
	// and begins to prepare the next one with the same layout. Everybody who is
	// not done stays in the closed day as they stood, open sittings too; their
	// machines are idle for the next day, spare ones and those out of service
	// stay so. Pauses and all that is due end with the day. A named day that is
	// closed already answers its summary; CodeDayNotOpen, CodeUnknownDay.
	CloseDay(ctx context.Context, id, day string, by Caller) (DaySummary, error)
	// OpenCheckIn opens or closes the kiosk's door, apart from the calling.
	OpenCheckIn(ctx context.Context, id string, open bool, by Caller) (Hall, error)
	// Pause stops calling, for the whole hall or, if room is not empty, for one
	// room; the clocks of unanswered calls stand. Pausing again changes the message.
	Pause(ctx context.Context, id, room, message string, by Caller) (Hall, error)
	// Resume goes on calling and makes the calls that are due.
	Resume(ctx context.Context, id, room string, by Caller) (Hall, error)
}

// Days are the present day of a hall and the closed ones.
type Days interface {
	// Days lists the present day, then the closed ones, the latest first. They
	// come without figures.
	Days(ctx context.Context, id string, page Page) (List[DaySummary], error)
	// Day returns a day by its id or as CurrentDay, with figures. CodeUnknownDay.
	Day(ctx context.Context, id, day string) (DaySummary, error)
	// DayState returns all of a closed day, as it stood when it was closed.
	// CodeUnknownDay, also for the present one.
	DayState(ctx context.Context, id, day string) (State, error)
	// EraseDay erases names, ID numbers and all free text of a closed day: notes,
	// reasons, what incidents and corrections say. Everything else stays, with
	// when it was done. It may be done again, and where it broke off it must.
	// CodeUnknownDay, CodeWrongState for a day that is not closed.
	EraseDay(ctx context.Context, id, day string, by Caller) error
	// EraseOldDays erases the days that were closed as many days ago as the hall's
	// rules keep names, and returns their ids.
	EraseOldDays(ctx context.Context, id string) ([]string, error)
}

// Rosters keeps the people of the day.
type Rosters interface {
	// PutRoster adds and changes candidates. Good rows are taken, bad ones
	// listed. A dry run changes nothing and answers the same.
	PutRoster(ctx context.Context, id string, rows []RosterRow, dryRun bool, by Caller) (RosterResult, error)
	// PutRosterOf takes rows as PutRoster does, but for the number-th day (from 1)
	// only: CodeUnknownDay, and nothing of this step is taken, when another one
	// is present by now.
	PutRosterOf(ctx context.Context, id string, day int, rows []RosterRow, by Caller) (RosterResult, error)
	// PutCandidate adds or edits one candidate, by the staff: the class counts
	// also where the roster said otherwise. CodeInUse for a subject being sat
	// that would vanish.
	PutCandidate(ctx context.Context, id string, row RosterRow, by Caller) (c Candidate, created bool, err error)
	// Candidate returns one candidate, with the notes of the staff.
	Candidate(ctx context.Context, id, candidate string) (Candidate, error)
	// Candidates lists the roster in its own order.
	Candidates(ctx context.Context, id string, filter CandidateFilter, page Page) (List[Candidate], error)
}

// CandidateFilter narrows a list of candidates; empty fields do not.
type CandidateFilter struct {
	Text  string // part of id, name or ticket, without regard to case
	State CandidateState
}

// RosterRow is one good row of a roster. Row is its number as a spreadsheet
// shows it. Without names the columns that the file does not have (name,
// id_number, note, session, class): what they say of a known candidate stays
// as it is.
type RosterRow struct {
	Without   []string
	Row       int
	Candidate string
	Person    Person
	Class     Class // empty: normal for a new candidate, as it is for a known one
	Session   string
	Subjects  []string
}

// RosterResult says what became of a roster. Changes say more of the first
// Updated; only dry runs without a key tell them, and no more than ChangesShown.
type RosterResult struct {
	Rows, Created, Updated, Unchanged int
	Rejected                          []RejectedRow
	Changes                           []RosterChange
}

// ChangesShown is how many changes a dry run tells.
const ChangesShown = 50

// RosterChange is what a row would change about a known candidate.
type RosterChange struct {
	Row       int
	Candidate string
	Columns   []ColumnChange
}

// ColumnChange is a column of the roster with another value: subjects as codes
// with "|" between them.
type ColumnChange struct {
	Column, Before, After string
}

// RejectedRow is a row that was not taken, and why.
type RejectedRow struct {
	Row     int
	Column  string
	Value   string
	Code    string
	Message string
}

// Queue is the line of those who wait.
type Queue interface {
	// CheckIn puts a candidate in line, or calls at once; first is true for the
	// one call that did so. CodeDayNotOpen for everybody before the day is open.
	// CodeNeedsRestore, CodeAlreadyDone, CodeCheckInClosed; CodeInvalid for a
	// time that does not fit; CodeTooEarly and CodeTooLate where the session of
	// the candidate does not take anybody in at the time of the place: see
	// Layout.SessionWindows.
	// The answer has the secret of the phone page, of which the first one stays.
	CheckIn(ctx context.Context, id, candidate string, in CheckIn, by Caller) (e Entry, first bool, err error)
	// Entry returns one candidate who checked in today; else CodeNotInQueue.
	Entry(ctx context.Context, id, candidate string) (Entry, error)
	// Line lists those waiting in the order in which they would be called.
	Line(ctx context.Context, id string, filter LineFilter, page Page) (List[Entry], error)
	// WaitStatistics is exact over those of these classes who wait now; no
	// classes means all of them.
	WaitStatistics(ctx context.Context, id string, classes []Class) (WaitStatistics, error)
	// Next calls the first in order for a machine, or, if machine is empty, the
	// first for whom any is idle. It returns nil when nobody waits for it.
	// CodeDayNotOpen, CodePaused, CodeMachineNotIdle.
	Next(ctx context.Context, id, machine string, by Caller) (*Sitting, error)
	// Leave takes a candidate out of the line. CodeNotInQueue if not in it.
	Leave(ctx context.Context, id, candidate string, by Caller) error
	// Hold sets a waiting or resting candidate aside, keeping the place.
	Hold(ctx context.Context, id, candidate string, by Caller) (Entry, error)
	// Return ends a hold: the candidate waits at the same place.
	Return(ctx context.Context, id, candidate string, by Caller) (Entry, error)
	// Restore brings an absent or withdrawn candidate back, at the tail or, if
	// kept, at the last place.
	Restore(ctx context.Context, id, candidate string, kept bool, by Caller) (Entry, error)
	// Call calls a waiting candidate out of turn to an idle machine, and keeps
	// the reason. CodeMachineNotIdle, CodeNoMachine when it serves no due
	// subject, CodePaused.
	Call(ctx context.Context, id, candidate, machine, reason string, by Caller) (Sitting, error)
	// SetClass changes the class and keeps the reason; the ticket keeps its letter.
	SetClass(ctx context.Context, id, candidate string, class Class, reason string, by Caller) (Entry, error)
}

// CheckIn says more of a check-in: At, if it is not zero, is the time of the
// place, not in the future and at most 24 hours back; Class, if it is not
// empty, the class from then on.
type CheckIn struct {
	At    time.Time
	Class Class
}

// WaitStatistics says how long those have waited who wait now, time on hold
// left out. Median is the mean of the two in the middle for an even number;
// P95 is the least wait that 95 % do not exceed (nearest rank).
type WaitStatistics struct {
	Count                     int
	Average, Max, Median, P95 time.Duration
}

// LineFilter narrows the line; empty fields do not.
type LineFilter struct {
	Subject    string
	Class      Class
	WaitedOver time.Duration
	Descending bool
}

// Sittings are the day's calls and what came of them.
type Sittings interface {
	// Sittings lists the sittings of the day, in order of their calls.
	Sittings(ctx context.Context, id string, filter SittingFilter, page Page) (List[Sitting], error)
	// Seat says that the called candidate sits at the machine.
	Seat(ctx context.Context, id, sitting string, by Caller) (Sitting, error)
	// End says that the candidate is finished with the subject.
	End(ctx context.Context, id, sitting string, by Caller) (Sitting, error)
	// Recall makes the given announcement of a call (2 is the first repeat); one
	// that was made already changes nothing. CodeRecallLimit past the rule.
	Recall(ctx context.Context, id, sitting string, announcement int, by Caller) (Sitting, error)
	// NoShow says that the called candidate did not come.
	NoShow(ctx context.Context, id, sitting string, by Caller) (Sitting, error)
	// Abort breaks a sitting off; the subject is still due.
	Abort(ctx context.Context, id, sitting string, a Abort, by Caller) (Sitting, error)
	// Transfer moves an open sitting to another idle machine. CodeNoMachine
	// when none is idle, CodeMachineNotIdle when the named one is not.
	Transfer(ctx context.Context, id, sitting string, t Transfer, by Caller) (Sitting, error)
}

// SittingFilter narrows a list of sittings; empty fields do not.
type SittingFilter struct {
	State         SittingState
	Room, Subject string
}

// Machines are the computers of a hall.
type Machines interface {
	// Machines lists the machines in the order of the layout, each with its open sitting.
	Machines(ctx context.Context, id string, filter MachineFilter, page Page) (List[Machine], error)
	// MachineStatistics counts idle and used machines.
	MachineStatistics(ctx context.Context, id string) (MachineStatistics, error)
	// SetMachineState puts a machine in service (MachineIdle), in reserve
	// (MachineSpare) or out of service, for which why tells the reason; one that
	// is out of service already keeps its own. CodeInUse while a sitting is open
	// on it, CodeInvalid for an unknown code.
	SetMachineState(ctx context.Context, id, machine string, state MachineState, why OutageReason, by Caller) (Machine, error)
}

// MachineFilter narrows a list of machines; empty fields do not.
type MachineFilter struct {
	State                MachineState
	Subject, Room, Model string
}

// Undoer takes back the last commands of the staff: those about sittings,
// machines and people in the queue.
type Undoer interface {
	// Undo takes back the command whose first event has this id, and with it what
	// followed by itself and nobody has answered: people have their places again,
	// calls are withdrawn. A dry run only says what would be. CodeUnknownEvent;
	// CodeNotUndoable for what is no such command, or too long ago;
	// CodeUndoBlocked when the staff did something since about the same people
	// or machines, which the fault names; another layout and the opening of the
	// day are about all machines. What was done on a closed day stays.
	Undo(ctx context.Context, id, event string, dryRun bool, by Caller) (Undone, error)
}

// Undone says what an undo took back.
type Undone struct {
	Event     string    // that says so; empty in a dry run
	Undoes    string    // the command's event
	Withdrawn []Sitting // calls that do not stand any more, without names
}

// Remarks are what the staff write down. They change no state.
type Remarks interface {
	// AddNote adds a note about a candidate of the roster, in any state.
	// CodeInvalid for a text that CleanNote does not take, CodeTooManyNotes
	// after MaxNotes.
	AddNote(ctx context.Context, id, candidate, text string, by Caller) (Note, error)
	// OpenIncident keeps a report. CodeInvalid for what Clean does not take and
	// for a category that the hall does not have; a machine or candidate that is
	// not there is CodeUnknown… with the field among the faults.
	OpenIncident(ctx context.Context, id string, report IncidentReport, by Caller) (Incident, error)
	// Incidents lists those of the day, in order of time.
	Incidents(ctx context.Context, id string, page Page) (List[Incident], error)
}

// Alerts say what is wrong in a hall. They are raised by Elapse, and cleared by
// the step that ends what they are about or, where no step does, by Elapse
// within seconds. Closing the day clears all. An undo takes none back: what is
// wrong again is raised again.
type Alerts interface {
	// Alerts lists those that are active, the first raised in front.
	Alerts(ctx context.Context, id string, page Page) (List[Alert], error)
	// ReportScreens says how many boards of a hall are connected to a node. It is
	// forgotten ScreensForgotten after the node's last report. CodeInvalid for a
	// negative number and a node without a name.
	ReportScreens(ctx context.Context, id, node string, boards int) error
	// RecordOutage raises and clears AlertRedis once Redis is back, if a day is
	// open and was so before the end of the outage. One that is shorter than the
	// definition of the alert says, and one that begins before the end of the last
	// one recorded, adds nothing: every node may say what it saw. CodeInvalid for
	// an end before the begin.
	RecordOutage(ctx context.Context, id string, since, until time.Time) error
}

// ScreensForgotten is how long the report of a node about its boards counts.
const ScreensForgotten = 30 * time.Second

// Clock brings what time brings: calls that were not answered, rests and holds that are over.
type Clock interface {
	// Elapse does what is due in a hall by now and returns when something will
	// be due next, zero for never. It is safe to run twice and on many nodes.
	Elapse(ctx context.Context, id string) (next time.Time, err error)
}

// EventSource reads a day's events.
type EventSource interface {
	// Events lists events after the one with id after ("" for all), oldest first.
	Events(ctx context.Context, id, after string, page Page) (List[Event], error)
	// DayEvents lists at most limit events, oldest first, of a hall's number-th
	// day (from 1), after the one with id after ("" for all). CodeUnknownDay for
	// a day that has not begun.
	DayEvents(ctx context.Context, id string, number int, after string, limit int) (DayEvents, error)
	// DayNumber says the how-manieth of its hall a day is, by its id or CurrentDay.
	// CodeUnknownDay.
	DayNumber(ctx context.Context, id, day string) (int, error)
}

// DayEvents are some events of a day. Once it is Closed, no more come than there are.
type DayEvents struct {
	Day    string // id, empty while the day is being prepared
	Closed bool
	Events []Event
}

// Watcher shows a hall as it is and says when it changed.
type Watcher interface {
	// Snapshot returns what screens show, all of one instant.
	Snapshot(ctx context.Context, id string) (Snapshot, error)
	// Watch calls changed for every change of any hall until ctx ends. A hint
	// may be lost: on every (re)connection it calls changed with an empty hall,
	// which means that anything may have changed.
	Watch(ctx context.Context, changed func(Hint)) error
	// State returns the whole day, for checks.
	State(ctx context.Context, id string) (State, error)
	// Ping reports whether the store answers.
	Ping(ctx context.Context) error
}

// Hint says that a hall changed.
type Hint struct {
	Hall    string
	Version int64
	Due     time.Time // when Elapse has something to do next, zero for never
}

// Snapshot is a hall at one instant, as screens need it.
type Snapshot struct {
	Hall     Hall
	Now      time.Time
	Machines []Machine // in the order of the layout, with open sittings
	Calls    []Sitting // the last announcements, newest first
	Line     []Entry   // the first in line, at most LineShown
	Aside    []Entry   // held, resting, absent and withdrawn, latest first, at most AsideShown
	States   map[CandidateState]int
	Waiting  map[string]int // people who wait and have the subject due, by subject
	Commands []Event        // of the staff, newest first, that may be taken back; at most CommandsShown

	Incidents int     // reported today
	Alerts    []Alert // active ones, the first raised in front
}

// How much of the line and of those set aside a Snapshot shows, and how many
// calls and commands.
const (
	LineShown     = 100
	AsideShown    = 200
	CallsShown    = 50
	CommandsShown = 20
)
