package historytest

import (
	"fmt"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// apply gives the model the command of a step, at the time of its events, and
// compares what the model does with what the events say.
func apply(m *halltest.Model, s step, o *Operation) (faults []string) {
	head, calls := s.head(), len(m.Sittings)
	m.Now = head.At
	if err := command(m, head, o); err != nil {
		return []string{fmt.Sprintf("step %s: must have been refused: %v", s, err)}
	}
	for i := range s {
		e := &s[i]
		if e.Event == hall.EventCandidateCalled {
			calls++
			if fault := callFault(m, e); fault != "" {
				faults = append(faults, fmt.Sprintf("step %s: %s", s, fault))
			}
		}
	}
	if calls != len(m.Sittings) {
		faults = append(faults, fmt.Sprintf("step %s: %d calls by now, want %d", s, calls, len(m.Sittings)))
	}
	return append(faults, peopleFaults(m, s)...)
}

// command is what the first event of a step says that was asked for.
func command(m *halltest.Model, e *hall.Event, o *Operation) (err error) {
	switch e.Event {
	case hall.EventCandidateCheckedIn:
		_, err = m.CheckIn(e.Candidate, hall.CheckIn{At: o.At, Class: o.Class})
	case hall.EventCandidateWithdrawn:
		err = m.Leave(e.Candidate)
	case hall.EventCandidateHeld:
		err = m.Hold(e.Candidate)
	case hall.EventCandidateReturned:
		err = m.Return(e.Candidate)
	case hall.EventCandidateRestored:
		err = m.Restore(e.Candidate, o.Kept)
	case hall.EventCandidateClassChanged:
		err = m.SetClass(e.Candidate, e.Class)
	case hall.EventCandidateCalled:
		_, err = m.Next(o.Machine)
	case hall.EventSittingEnded:
		err = m.End(e.Sitting)
	case hall.EventCandidateNoShow:
		err = m.NoShow(e.Sitting)
	case hall.EventLayoutChanged:
		m.SetRules(o.Rules)
	default:
		err = fmt.Errorf("%s is not understood", e.Event)
	}
	return err
}

// callFault compares a call with the one that the rules make: the first in
// order by hall.Before at that instant.
func callFault(m *halltest.Model, e *hall.Event) string {
	want := m.Sittings[e.Sitting]
	switch {
	case want == nil:
		return fmt.Sprintf("%s was called to %s, and nobody was to be", e.Candidate, e.Machine)
	case want.Candidate != e.Candidate || want.Machine != e.Machine || want.Subject != e.Subject:
		return fmt.Sprintf("%s was called to %s for subject %s, but under the order %s it was the turn of %s, to %s for %s",
			e.Candidate, e.Machine, e.Subject, m.Layout.Rules.Order, want.Candidate, want.Machine, want.Subject)
	case e.Wait == nil || *e.Wait != want.Wait:
		return fmt.Sprintf("the wait of %s is told otherwise, want %s", e.Candidate, want.Wait)
	}
	return ""
}

// peopleFaults compares everybody in a step as they are after it.
func peopleFaults(m *halltest.Model, s step) (faults []string) {
	folded := hall.Fold(s)
	for id, got := range folded.Candidates {
		c := m.Candidates[id]
		if c == nil {
			faults = append(faults, fmt.Sprintf("step %s: %s is unknown", s, id))
			continue
		}
		last := s[lastOf(s, id)]
		if (got.State != "" && got.State != c.State) || got.Ticket != c.Ticket || got.Class != c.Class || !slices.Equal(last.Remaining, c.Remaining()) {
			faults = append(faults, fmt.Sprintf("step %s: %s is %+v, want %s %s %s %v", s, id, got, c.State, c.Ticket, c.Class, c.Remaining()))
		}
	}
	return faults
}

// lastOf is the index of the last event about a candidate.
func lastOf(s step, candidate string) int {
	last := 0
	for i := range s {
		if s[i].Candidate == candidate {
			last = i
		}
	}
	return last
}
