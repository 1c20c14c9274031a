package historytest

import (
	"fmt"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// step is what one command wrote: its own event, and those that followed by
// themselves.
type step []hall.Event

func (s step) head() *hall.Event { return &s[0] }

// String names a step in a fault.
func (s step) String() string {
	var parts []string
	for i := range s {
		e := &s[i]
		parts = append(parts, fmt.Sprintf("%s %s %s%s%s by %s", e.ID, e.Event, e.Candidate, e.Machine, e.Sitting, e.By))
	}
	return strings.Join(parts, ", ")
}

// stepsOf takes a stream apart. The first event of a step is by its caller, the
// others by the system; an absence follows from a no-show, whoever said it.
func stepsOf(events []hall.Event) (steps []step, faults []string) {
	for i := range events {
		e := events[i]
		follows := e.By == hall.System.By || e.Event == hall.EventCandidateAbsent
		switch {
		case !follows:
			steps = append(steps, step{e})
		case len(steps) == 0 || !steps[len(steps)-1].head().At.Equal(e.At):
			faults = append(faults, fmt.Sprintf("event %s %s %s: nobody asked for it", e.ID, e.Event, e.Candidate))
		default:
			last := len(steps) - 1
			steps[last] = append(steps[last], e)
		}
	}
	return steps, faults
}
