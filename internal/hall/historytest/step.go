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

// stepsOf takes a stream apart. The events of a step stand together, each but
// the first one names that as its cause; the first one is by whoever asked.
func stepsOf(events []hall.Event) (steps []step, faults []string) {
	for i := range events {
		e := events[i]
		last := len(steps) - 1
		switch {
		case e.Cause == "" && e.By != hall.System.By:
			steps = append(steps, step{e})
		case last < 0 || steps[last].head().ID != e.Cause || !steps[last].head().At.Equal(e.At):
			faults = append(faults, fmt.Sprintf("event %s %s %s: nobody asked for it", e.ID, e.Event, e.Candidate))
		default:
			steps[last] = append(steps[last], e)
		}
	}
	return steps, faults
}
