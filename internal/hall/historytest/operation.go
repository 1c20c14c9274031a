package historytest

import (
	"fmt"
	"math"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Kind is what an operation asks for.
type Kind string

// The kinds of operations.
const (
	CheckIn Kind = "check in"
	Leave   Kind = "leave"
	Hold    Kind = "hold"
	Return  Kind = "return"
	Restore Kind = "restore"
	Class   Kind = "class"
	Next    Kind = "next"
	End     Kind = "end"
	NoShow  Kind = "no-show"
	Rules   Kind = "rules" // replace the rules
	Look    Kind = "look"  // read the entry of one candidate
)

// Outcome is what the caller was told.
type Outcome string

// The outcomes. Done says that the command may have been carried out before:
// of several only one made the change. Lost is a command without an answer: it
// may have been carried out at any time after it was given, or never.
const (
	Changed Outcome = "changed"
	Done    Outcome = "done"
	Nothing Outcome = "nothing" // accepted, and nothing was to be changed
	Refused Outcome = "refused"
	Lost    Outcome = "lost"
)

// never is when a lost operation returned.
const never = time.Duration(math.MaxInt64)

// Operation is one command as its caller saw it. Invoked and Returned are on one
// monotonic clock of all callers.
type Operation struct {
	Client            int
	Kind              Kind
	Candidate         string
	Machine           string // of Next, "" for any
	Sitting           string // of End and NoShow
	Class             hall.Class
	At                time.Time  // of CheckIn, zero for now
	Kept              bool       // of Restore
	Rules             hall.Rules // of Rules
	Invoked, Returned time.Duration

	Outcome Outcome
	Code    hall.Code // of a refusal
	State   string    // of a refusal, and of a candidate who was read
	Ticket  string
	Called  string        // sitting that Next answered
	Since   time.Time     // begin of the wait that Restore and Look answered
	Queued  time.Time     // time of the place that Look answered
	Wait    time.Duration // that Look answered
	Ahead   int           // that Look answered
}

// String names an operation in a fault.
func (o *Operation) String() string {
	return fmt.Sprintf("client %d: %s %s%s%s (%s to %s) → %s %s%s %s", o.Client, o.Kind, o.Candidate, o.Machine,
		o.Sitting, o.Invoked, o.Returned, o.Outcome, o.Code, o.Called, o.State)
}

// end is when the caller knew.
func (o *Operation) end() time.Duration {
	if o.Outcome == Lost {
		return never
	}
	return o.Returned
}

// asksFor reports whether a step that begins with this event is what the
// operation asked for and was answered.
func (o *Operation) asksFor(e *hall.Event) bool {
	switch o.Outcome {
	case Changed, Done:
		return o.isAbout(e) && o.wasTold(e)
	case Lost:
		return o.isAbout(e)
	case Nothing, Refused:
	}
	return false
}

// begins is the first event of a step of each kind.
var begins = map[Kind]hall.EventName{
	CheckIn: hall.EventCandidateCheckedIn, Leave: hall.EventCandidateWithdrawn, Hold: hall.EventCandidateHeld,
	Return: hall.EventCandidateReturned, Restore: hall.EventCandidateRestored, Class: hall.EventCandidateClassChanged,
	Next: hall.EventCandidateCalled, End: hall.EventSittingEnded, NoShow: hall.EventCandidateNoShow, Rules: hall.EventLayoutChanged,
}

// isAbout compares what was asked for.
func (o *Operation) isAbout(e *hall.Event) bool {
	if begins[o.Kind] != e.Event {
		return false
	}
	switch o.Kind {
	case Rules:
		return true
	case Next:
		return o.Machine == "" || o.Machine == e.Machine
	case End, NoShow:
		return o.Sitting == e.Sitting
	case Class:
		return o.Candidate == e.Candidate && o.Class == e.Class
	default:
		return o.Candidate == e.Candidate
	}
}

// wasTold compares what was answered.
func (o *Operation) wasTold(e *hall.Event) bool {
	switch o.Kind {
	case CheckIn:
		return o.Ticket == e.Ticket
	case Restore:
		return o.Since.Equal(e.At)
	case Next:
		return o.Called == e.Sitting
	default:
		return true
	}
}
