package hall

import (
	"strings"
	"time"
)

// EventName names a kind of change.
type EventName string

// The events. Each is appended by the same atomic step that makes the change.
const (
	EventDayOpened             EventName = "day_opened"
	EventDayClosed             EventName = "day_closed"
	EventCheckInOpened         EventName = "check_in_opened"
	EventCheckInClosed         EventName = "check_in_closed"
	EventHallPaused            EventName = "hall_paused"
	EventHallResumed           EventName = "hall_resumed"
	EventLayoutChanged         EventName = "layout_changed"
	EventCandidateRegistered   EventName = "candidate_registered"
	EventCandidateChanged      EventName = "candidate_changed"
	EventCandidateCheckedIn    EventName = "candidate_checked_in"
	EventCandidateCalled       EventName = "candidate_called"
	EventCandidateRecalled     EventName = "candidate_recalled"
	EventCandidateSeated       EventName = "candidate_seated"
	EventSittingEnded          EventName = "sitting_ended"
	EventCandidateRequeued     EventName = "candidate_requeued"
	EventCandidateResting      EventName = "candidate_resting"
	EventCandidateNoShow       EventName = "candidate_no_show"
	EventCandidateAbsent       EventName = "candidate_absent"
	EventSittingAborted        EventName = "sitting_aborted"
	EventSittingTransferred    EventName = "sitting_transferred"
	EventCandidateHeld         EventName = "candidate_held"
	EventCandidateReturned     EventName = "candidate_returned"
	EventCandidateWithdrawn    EventName = "candidate_withdrawn"
	EventCandidateRestored     EventName = "candidate_restored"
	EventCandidateClassChanged EventName = "candidate_class_changed"
	EventCandidateDone         EventName = "candidate_done"
	EventCandidateNoted        EventName = "candidate_noted"
	EventMachineOutOfService   EventName = "machine_out_of_service"
	EventMachineInService      EventName = "machine_in_service"
	EventMachineSpare          EventName = "machine_spare"
	EventIncidentOpened        EventName = "incident_opened"
	EventAlertRaised           EventName = "alert_raised"
	EventAlertCleared          EventName = "alert_cleared"
	EventUndone                EventName = "undone"
)

// Event is one change of a day. It carries what makes it whole and no name, no
// ID number and no free text. Fields that do not apply are empty; durations
// are nil then, since zero is a duration too.
type Event struct {
	ID        string // position in the day's stream: "milliseconds-sequence"
	Event     EventName
	At        time.Time
	By        string // account, device or "system"
	Day       string // that is opened or closed
	Candidate string
	Ticket    string
	Class     Class
	Subject   string
	Subjects  []string // of the candidate, where the roster changes
	Remaining []string
	Machine   string
	From      string // machine that a transfer left
	Model     string
	Room      string
	Sitting   string
	Wait      *time.Duration
	Walk      *time.Duration
	Length    *time.Duration // from seated to ended
	Outage    *time.Duration
	Recalls   int
	Fault     AbortFault              // of an abort
	Alert     AlertName               // that is raised or cleared
	Since     time.Time               // begin of what an alert is about
	Until     time.Time               // end of it, where it was over before the alert was raised
	Category  string                  // code, of an incident
	Machines  map[string]MachineState // all of the hall, where the layout changes
	Codes     map[string]OutageCode   // of machines out of service, where the layout changes
	Gone      []string                // machines that the layout has no more
	// State, ClassWas and RemainingWas tell what a change was about: the state of
	// the candidate whose class or roster entry changed, or of the sitting that
	// was transferred; of who was held, withdrawn or, by a change of the roster,
	// done, the state before; class and remaining subjects before.
	State        string
	ClassWas     Class
	RemainingWas []string
	ReasonCode   OutageCode        // why the machine goes out of service
	Fields       map[string]string // of an event of another system
	Cause        string            // the first event of the same step, which this one came of; empty for that itself
	Undoes       string            // the event that this one takes back; its other fields are those of that event
}

// OutsidePrefix begins the name of every event of another system.
const OutsidePrefix = "x_"

// IsOutside reports whether the event was sent by another system.
func (n EventName) IsOutside() bool { return strings.HasPrefix(string(n), OutsidePrefix) }
