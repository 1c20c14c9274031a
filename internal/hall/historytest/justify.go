package historytest

import (
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// justified reports whether an answer that changed nothing is right for the
// hall as it is in the model.
func justified(m *halltest.Model, o *Operation) bool {
	if o.Outcome == Refused {
		code, state := refusal(m, o)
		return code == o.Code && state == o.State
	}
	c := m.Candidates[o.Candidate]
	switch o.Kind {
	case CheckIn:
		code, _ := refusal(m, o)
		return code == "" && c.State != hall.Registered && c.Ticket == o.Ticket && string(c.State) == o.State
	case Class:
		code, _ := refusal(m, o)
		return code == "" && c.Class == o.Class
	case End:
		return m.Sittings[o.Sitting] != nil && m.Sittings[o.Sitting].Outcome == hall.Finished
	case Next:
		return nobodyFor(m, o.Machine)
	case Look:
		return c.Ticket == o.Ticket && string(c.State) == o.State && placeFits(m, c, o)
	default:
	}
	return false
}

// placeFits compares the place in line that was told with the one at the
// instant that the answer is of, which its wait tells.
func placeFits(m *halltest.Model, c *hall.Candidate, o *Operation) bool {
	if c.State != hall.Waiting {
		return true
	}
	if !c.WaitingSince.Equal(o.Since) || !c.QueuedAt.Equal(o.Queued) {
		return false
	}
	now := m.Now
	defer func() { m.Now = now }()
	m.Now = o.Since.Add(o.Wait + c.HoldInWait)
	return m.Ahead(c.ID) == o.Ahead
}

// nobodyFor reports whether a free machine finds nobody who waits for it, or no
// idle machine somebody, if none is named.
func nobodyFor(m *halltest.Model, machine string) bool {
	if machine != "" {
		free := m.Machines[machine]
		return free.State == hall.MachineIdle && !anybodyFor(m, free.Subjects)
	}
	for _, free := range m.Machines {
		if free.State == hall.MachineIdle && anybodyFor(m, free.Subjects) {
			return false
		}
	}
	return true
}

func anybodyFor(m *halltest.Model, subjects []string) bool {
	for _, c := range m.Candidates {
		if c.State == hall.Waiting && slices.ContainsFunc(c.Remaining(), func(s string) bool { return slices.Contains(subjects, s) }) {
			return true
		}
	}
	return false
}

// refusal is what the state of the hall answers to a command, "" if it takes it.
func refusal(m *halltest.Model, o *Operation) (code hall.Code, state string) {
	switch o.Kind {
	case Next:
		if o.Machine != "" && m.Machines[o.Machine].State != hall.MachineIdle {
			return hall.CodeMachineNotIdle, string(m.Machines[o.Machine].State)
		}
		return "", ""
	case End, NoShow:
		s := m.Sittings[o.Sitting]
		if s == nil {
			return hall.CodeUnknownSitting, ""
		}
		if s.State == hall.SittingCalled || (o.Kind == End && (s.State == hall.SittingSeated || s.Outcome == hall.Finished)) {
			return "", ""
		}
		return hall.CodeWrongState, string(s.State)
	default:
	}
	present := m.Candidates[o.Candidate].State
	return refusals[o.Kind][present], string(present)
}

// refusals is the table of the contract: what each command answers in which
// state of the candidate.
var refusals = map[Kind]map[hall.CandidateState]hall.Code{
	CheckIn: {hall.Absent: hall.CodeNeedsRestore, hall.Withdrawn: hall.CodeNeedsRestore, hall.Done: hall.CodeAlreadyDone},
	Leave: {
		hall.Called: hall.CodeWrongState, hall.Seated: hall.CodeWrongState, hall.Registered: hall.CodeNotInQueue,
		hall.Done: hall.CodeNotInQueue, hall.Absent: hall.CodeNotInQueue, hall.Withdrawn: hall.CodeNotInQueue,
	},
	Hold:    allBut(hall.Waiting, hall.Resting),
	Return:  allBut(hall.Held),
	Restore: allBut(hall.Absent, hall.Withdrawn),
	Class:   {hall.Done: hall.CodeWrongState, hall.Withdrawn: hall.CodeWrongState, hall.Absent: hall.CodeWrongState},
	Look:    {hall.Registered: hall.CodeNotInQueue},
}

// allBut refuses in every state that is not one of these.
func allBut(states ...hall.CandidateState) map[hall.CandidateState]hall.Code {
	codes := map[hall.CandidateState]hall.Code{}
	for _, state := range hall.CandidateStates {
		if !slices.Contains(states, state) {
			codes[state] = hall.CodeWrongState
		}
	}
	return codes
}
