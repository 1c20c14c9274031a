package hall

import (
	"slices"
	"time"
)

// CandidateState says where a candidate stands in the day.
type CandidateState string

// The states of a candidate.
const (
	Registered CandidateState = "registered"
	Waiting    CandidateState = "waiting"
	Called     CandidateState = "called"
	Seated     CandidateState = "seated"
	Resting    CandidateState = "resting"
	Held       CandidateState = "held"
	Done       CandidateState = "done"
	Absent     CandidateState = "absent"
	Withdrawn  CandidateState = "withdrawn"
)

// CandidateStates lists every state of a candidate.
var CandidateStates = []CandidateState{Registered, Waiting, Called, Seated, Resting, Held, Done, Absent, Withdrawn}

// Person is what can be erased about a candidate.
type Person struct {
	Name     string
	IDNumber string
	Note     string
}

// Candidate is a person on the day's roster. Times are zero while they do not apply.
type Candidate struct {
	ID       string
	Person   Person
	Class    Class
	Session  string
	Subjects []string // in the candidate's own order
	Sat      []string // subjects ended today
	State    CandidateState
	Ticket   string
	Sitting  string // id of the open sitting

	Place        Place     // place in line, also the last one while not waiting
	FirstPlace   Place     // place of the first check-in
	CheckedInAt  time.Time // first check-in
	FirstCalled  time.Time // first call of the day that was not taken back
	LastEnded    time.Time // when the last subject was finished
	QueuedAt     time.Time // time of the place: orders use it
	WaitingSince time.Time // begin of this wait: waits and targets use it
	HeldSince    time.Time
	Hold         time.Duration            // on hold so far, all day
	HoldInWait   time.Duration            // on hold within this wait
	Waits        map[string]time.Duration // by subject, until the call
	NoShows      int
	OverTarget   bool // this wait was longer than the target, and an alert said so

	Notes []Note // of the staff, newest last; where one candidate is read
}

// Remaining lists the subjects still to sit, in the candidate's own order. A
// subject being sat remains until its sitting ends.
func (c *Candidate) Remaining() []string {
	remaining := make([]string, 0, len(c.Subjects))
	for _, s := range c.Subjects {
		if !slices.Contains(c.Sat, s) {
			remaining = append(remaining, s)
		}
	}
	return remaining
}

// Wait is how long the present wait has taken by now, time on hold left out.
func (c *Candidate) Wait(now time.Time) time.Duration {
	if c.WaitingSince.IsZero() || (c.State != Waiting && c.State != Held) {
		return 0
	}
	until := now
	if c.State == Held {
		until = c.HeldSince
	}
	return max(0, until.Sub(c.WaitingSince)-c.HoldInWait)
}

// HoldBy is the whole time on hold by now.
func (c *Candidate) HoldBy(now time.Time) time.Duration {
	if c.State == Held {
		return c.Hold + max(0, now.Sub(c.HeldSince))
	}
	return c.Hold
}

// Entry is a candidate in the queue as of Now: with the place in line while
// waiting, and the open sitting while called or seated.
type Entry struct {
	Candidate

	Now     time.Time
	Ahead   int // people before this one who share a due subject; only while waiting
	Current *Sitting
	Phone   string // secret of the phone page; only in answers to a check-in

	// Estimate is how long it will take from Now until the call; nil where
	// nothing can be said: see Outlook.Estimate. In a list it knows who stands
	// between, so it may differ a little from that of the entry alone.
	Estimate *time.Duration
}

// Position is the place in line, from 1; 0 while not waiting.
func (e *Entry) Position() int {
	if e.State != Waiting {
		return 0
	}
	return e.Ahead + 1
}
