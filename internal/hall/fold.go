package hall

import "strings"

// Folded is what a day's events, taken in order, say about its present state.
type Folded struct {
	Candidates map[string]FoldedCandidate
	Machines   map[string]FoldedMachine
	Sittings   map[string]FoldedSitting
	Alerts     map[string]Alert // active ones, by Key
}

// FoldedCandidate is a candidate as the events tell it. Remaining is in the
// candidate's own order, separated by "|".
type FoldedCandidate struct {
	State     CandidateState
	Ticket    string
	Class     Class
	Remaining string
	Sitting   string
}

// FoldedMachine is a machine as the events tell it.
type FoldedMachine struct {
	State   MachineState
	Sitting string
	Code    OutageCode
}

// FoldedSitting is a sitting as the events tell it.
type FoldedSitting struct {
	State   SittingState
	Outcome Outcome
	Machine string
	Recalls int
}

// Fold takes the events of a day in order and returns the state that they lead
// to. What was taken back is as if it had never been, but for calls: those are
// withdrawn.
func Fold(events []Event) Folded {
	f := Folded{map[string]FoldedCandidate{}, map[string]FoldedMachine{}, map[string]FoldedSitting{}, map[string]Alert{}}
	undone := map[string]bool{}
	for i := range events {
		if events[i].Event == EventUndone {
			undone[events[i].Undoes] = true
		}
	}
	for i := range events {
		switch e := &events[i]; {
		case e.Event == EventAlertRaised || e.Event == EventAlertCleared:
			f.alert(e) // an undo takes none back
		case undone[e.ID]:
			f.withdraw(e)
		case e.Event == EventUndone, e.Event == EventCandidateNoted, e.Event == EventIncidentOpened, e.Event.IsOutside():
			// Changes nothing. A remark may speak of somebody as an undo found the person.
		default:
			f.take(e)
		}
	}
	return f
}

// withdraw keeps what an undone event leaves: its call, and how often that was
// announced again.
func (f *Folded) withdraw(e *Event) {
	s := f.Sittings[e.Sitting]
	switch {
	case e.Event == EventCandidateCalled:
		f.Sittings[e.Sitting] = FoldedSitting{State: SittingEnded, Outcome: WithdrawnOutcome, Machine: e.Machine}
	case e.Event == EventCandidateRecalled && s.Outcome == WithdrawnOutcome:
		s.Recalls = e.Recalls
		f.Sittings[e.Sitting] = s
	}
}

// stateAfter is the state of the candidate after events that put one there.
var stateAfter = map[EventName]CandidateState{
	EventCandidateRegistered: Registered, EventCandidateCheckedIn: Waiting, EventCandidateCalled: Called,
	EventCandidateSeated: Seated, EventCandidateRequeued: Waiting, EventCandidateResting: Resting,
	EventCandidateAbsent: Absent, EventCandidateHeld: Held, EventCandidateReturned: Waiting,
	EventCandidateWithdrawn: Withdrawn, EventCandidateRestored: Waiting, EventCandidateDone: Done,
}

// outcomeAfter is the outcome of the sitting after events that end one.
var outcomeAfter = map[EventName]Outcome{
	EventSittingEnded: Finished, EventCandidateNoShow: NoShow, EventSittingAborted: Aborted,
}

func (f *Folded) take(e *Event) {
	if e.Candidate != "" {
		c := f.Candidates[e.Candidate]
		c.Ticket, c.Class, c.Remaining = e.Ticket, e.Class, strings.Join(e.Remaining, "|")
		if state, ok := stateAfter[e.Event]; ok {
			c.State = state
		}
		f.Candidates[e.Candidate] = c
	}
	switch e.Event {
	case EventLayoutChanged:
		f.layout(e)
	case EventMachineOutOfService:
		f.Machines[e.Machine] = FoldedMachine{State: MachineOutOfService, Code: e.ReasonCode}
	case EventMachineInService:
		f.Machines[e.Machine] = FoldedMachine{State: MachineIdle}
	case EventMachineSpare:
		f.Machines[e.Machine] = FoldedMachine{State: MachineSpare}
	default:
		if e.Sitting != "" {
			f.sitting(e)
		}
	}
}

func (f *Folded) alert(e *Event) {
	a := Alert{
		Name: e.Alert, Machine: e.Machine, Candidate: e.Candidate, Ticket: e.Ticket, Subject: e.Subject, Room: e.Room,
		Sitting: e.Sitting, Since: e.Since, Raised: e.At,
	}
	if e.Event == EventAlertRaised {
		f.Alerts[a.Key()] = a
	} else {
		delete(f.Alerts, a.Key())
	}
}

// layout keeps what is known of machines that stay.
func (f *Folded) layout(e *Event) {
	known := f.Machines
	f.Machines = make(map[string]FoldedMachine, len(e.Machines))
	for id, state := range e.Machines {
		f.Machines[id] = FoldedMachine{state, known[id].Sitting, e.Codes[id]}
	}
}

func (f *Folded) sitting(e *Event) {
	s, c := f.Sittings[e.Sitting], f.Candidates[e.Candidate]
	s.Machine = e.Machine
	if outcome, ended := outcomeAfter[e.Event]; ended {
		s.State, s.Outcome, c.Sitting = SittingEnded, outcome, ""
		f.Machines[e.Machine] = FoldedMachine{State: MachineIdle}
	}
	switch e.Event {
	case EventCandidateCalled:
		s.State, c.Sitting = SittingCalled, e.Sitting
		f.Machines[e.Machine] = FoldedMachine{State: MachineCalled, Sitting: e.Sitting}
	case EventCandidateSeated:
		s.State = SittingSeated
		f.Machines[e.Machine] = FoldedMachine{State: MachineInUse, Sitting: e.Sitting}
	case EventCandidateRecalled:
		s.Recalls = e.Recalls
	case EventSittingTransferred:
		f.Machines[e.Machine] = f.Machines[e.From]
		f.Machines[e.From] = FoldedMachine{State: MachineIdle}
	default:
	}
	f.Sittings[e.Sitting], f.Candidates[e.Candidate] = s, c
}
