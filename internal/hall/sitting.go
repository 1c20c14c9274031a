package hall

import "time"

// SittingState says how far a sitting is.
type SittingState string

// The states of a sitting.
const (
	SittingCalled SittingState = "called"
	SittingSeated SittingState = "seated"
	SittingEnded  SittingState = "ended"
)

// Outcome says how a sitting ended.
type Outcome string

// The outcomes of an ended sitting. WithdrawnOutcome is a call that an undo took
// back; a person whom an abort takes out has an aborted sitting.
const (
	Finished         Outcome = "finished"
	Aborted          Outcome = "aborted"
	NoShow           Outcome = "no_show"
	WithdrawnOutcome Outcome = "withdrawn"
)

// Outcomes lists every outcome of a sitting.
var Outcomes = []Outcome{Finished, Aborted, NoShow, WithdrawnOutcome}

// Sitting is one candidate on one machine for one subject. Times are zero until they happen.
type Sitting struct {
	ID          string
	Candidate   string
	Name        string
	IDNumber    string
	Ticket      string
	Class       Class
	Subject     string
	Machine     string
	Room        string
	State       SittingState
	CalledAt    time.Time
	AnnouncedAt time.Time // the call, or the last time it was announced again
	SeatedAt    time.Time
	EndedAt     time.Time
	Recalls     int // how often the call was announced again
	Outcome     Outcome
	Wait        time.Duration // from the begin of the wait to the call
	Left        time.Duration // until the call counts as unanswered, while the hall or the room is paused
	Stood       time.Duration // how long the clock of the call stood in pauses that are over
	StandsSince time.Time     // begin of a pause in which it stands
	AbortedBy   string        // event that says that it was aborted, empty for others
	Reason      string        // why it was; in records
}

// Announcement is the number of the last announcement of this call: 1 is the call itself.
func (s *Sitting) Announcement() int { return s.Recalls + 1 }

// Began is when the candidate was seated or, before that, called.
func (s *Sitting) Began() time.Time {
	if s.SeatedAt.IsZero() {
		return s.CalledAt
	}
	return s.SeatedAt
}

// AbortFault says whose fault an abort was.
type AbortFault string

// Whose fault an abort was.
const (
	FaultMachine   AbortFault = "machine"
	FaultCandidate AbortFault = "candidate"
)

// Abort says why a sitting is broken off and what comes then. After a fault of
// the machine the candidate comes before all others of the class and the
// machine goes out of service with the Code, unless KeepMachine. After a fault
// of the candidate, Withdraw takes the candidate out, otherwise back to the tail.
type Abort struct {
	Fault       AbortFault
	Reason      string
	Code        OutageCode
	KeepMachine bool
	Withdraw    bool
}

// Transfer says where a sitting moves: to Machine, or to any idle one if that
// is empty. OutOfService takes the old machine out in the same step, with the Code.
type Transfer struct {
	Machine      string
	OutOfService bool
	Reason       string
	Code         OutageCode
}
