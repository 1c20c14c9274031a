package hall

import "time"

// State is a whole day with everything that a store keeps about it, also what
// it keeps twice to be fast. Check compares the two.
type State struct {
	Hall       Hall
	Candidates map[string]Candidate
	Machines   map[string]Machine
	Sittings   map[string]Sitting
	Wait       []Queued                  // in order of places
	Index      []Queued                  // by class, due subjects and place
	Since      map[string]time.Time      // who waits: begin of the wait, holds left out
	Aside      []string                  // held, resting, absent and withdrawn
	Idle       map[string][]string       // by subject: machines in the order in which they are taken
	Used       map[string][]string       // by subject: machines being sat at
	Service    map[string]ServiceMachine // machines in service, as estimates see them
	Loads      map[string]SubjectLoad
	Due        []DueItem
	Counts     map[CandidateState]int
	Alerts     []Alert // active ones
	Events     []Event
	Reasons    map[string]string // free text by event
	Secrets    map[string]string // of phone pages, by candidate
	Phones     map[string]string // the same the other way round: candidate by secret
}

// Queued is a candidate in line.
type Queued struct {
	Candidate string
	Place     Place
	Class     Class    // in the index only
	Due       []string // in the index only; in byte order
}

// DueKind says what comes due.
type DueKind string

// What comes due: an unanswered call, the end of a rest, the end of a hold, a
// look for alerts.
const (
	DueCall  DueKind = "call"
	DueRest  DueKind = "rest"
	DueHold  DueKind = "hold"
	DueAlert DueKind = "alert"
)

// DueItem is something that time will bring: ID is a sitting for DueCall, empty
// for DueAlert, else a candidate.
type DueItem struct {
	Kind DueKind
	ID   string
	At   time.Time
}
