package historytest

import (
	"fmt"
	"slices"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// History is what happened to one hall: how it was before, the commands of all
// clients, and the events that the hall wrote meanwhile, oldest first.
type History struct {
	Layout     hall.Layout
	Opened     time.Time        // of the day
	Rows       []hall.RosterRow // in the order of the roster
	Began      time.Time        // when the clock of the callers was at zero, about
	Operations []*Operation
	Events     []hall.Event // without those of the layout and the roster before
}

// Check returns what is wrong with a history, nothing if it is right. Rests,
// calls that time out, pauses and everything else that comes by itself are not
// understood: the layout must be without.
func (h *History) Check() []string {
	steps, faults := stepsOf(h.Events)
	made, unmatched := h.match(steps)
	faults = append(faults, unmatched...)
	if len(faults) > 0 {
		return faults
	}
	model := halltest.NewModel(h.Layout, h.Opened)
	for _, row := range h.Rows {
		model.Register(row)
	}
	fits, faults := h.replay(model, steps, made)
	if len(faults) > 0 {
		return faults
	}
	return h.inRealTime(made, fits)
}

// replay plays the steps on the model, and notes for each operation that made
// none after which steps its answer was right.
func (h *History) replay(model *halltest.Model, steps []step, made []int) (fits [][]int, faults []string) {
	by := make([]*Operation, len(steps)+1)
	begin := make([][]int, len(steps)+1)
	from, to := windows(h.Operations, made)
	for i, o := range h.Operations {
		switch {
		case made[i] > 0:
			by[made[i]] = o
		case o.Outcome != Lost:
			begin[from[i]] = append(begin[from[i]], i)
		}
	}
	fits = make([][]int, len(h.Operations))
	var open []int
	for k := range len(steps) + 1 {
		if k > 0 {
			if faults := apply(model, steps[k-1], by[k]); len(faults) > 0 {
				return nil, faults // from here on the model is another hall
			}
		}
		open = slices.DeleteFunc(append(open, begin[k]...), func(i int) bool { return to[i] <= k })
		for _, i := range open {
			if justified(model, h.Operations[i]) {
				fits[i] = append(fits[i], k)
			}
		}
	}
	return fits, nil
}

// inRealTime looks for a moment for each operation such that whoever had
// returned before another was given comes first. Each takes the first moment
// that it can have, so if there are such moments they are found.
func (h *History) inRealTime(made []int, fits [][]int) (faults []string) {
	moment := make([]int, len(h.Operations))
	ends := sorted(h.Operations, returned)
	latest, next := 0, 0
	for _, i := range sorted(h.Operations, invoked) {
		o := h.Operations[i]
		for ; next < len(ends) && h.Operations[ends[next]].end() < o.Invoked; next++ {
			latest = max(latest, moment[ends[next]])
		}
		moment[i] = latest
		if o.Outcome == Lost && made[i] == 0 {
			continue // never carried out
		}
		switch k := slices.IndexFunc(fits[i], func(k int) bool { return k >= latest }); {
		case made[i] > latest:
			moment[i] = made[i]
		case made[i] > 0:
			faults = append(faults, fmt.Sprintf("%s: its step %d stands before step %d, which had been answered already", o, made[i], latest))
		case k >= 0:
			moment[i] = fits[i][k]
		default:
			faults = append(faults, fmt.Sprintf("%s: the answer was right at no moment from step %d on", o, latest))
		}
	}
	return faults
}
