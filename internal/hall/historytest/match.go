package historytest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// match says which step each operation made. Steps count from 1; 0 stands for
// an operation that made none.
//
// Most answers tell which step it was (a ticket, a sitting, a time). Those that
// do not (left, held, returned, or done already) share the steps of their kind.
func (h *History) match(steps []step) (made []int, faults []string) {
	made = make([]int, len(h.Operations))
	taken := make([]bool, len(steps)+1)
	fitting := make([][]int, len(steps)+1)
	for i, o := range h.Operations {
		var fits []int
		for k, s := range steps {
			if o.asksFor(s.head()) {
				fits = append(fits, k+1)
				fitting[k+1] = append(fitting[k+1], i)
			}
		}
		if len(fits) == 1 && o.Outcome == Changed && !taken[fits[0]] {
			made[i], taken[fits[0]] = fits[0], true
		}
	}
	from, to := windows(h.Operations, made)
	for k := 1; k <= len(steps); k++ {
		if taken[k] {
			continue
		}
		possible := slices.DeleteFunc(fitting[k], func(i int) bool { return made[i] > 0 || k <= from[i] || to[i] <= k })
		if len(possible) == 0 {
			faults = append(faults, fmt.Sprintf("step %d (%s): no command asked for it at that time", k, steps[k-1]))
			continue
		}
		made[h.likeliest(possible, steps[k-1])] = k
	}
	for i, o := range h.Operations {
		if made[i] == 0 && o.Outcome == Changed {
			faults = append(faults, fmt.Sprintf("%s: was acknowledged, but no step is its", o))
		}
	}
	return made, faults
}

// likeliest chooses one of the operations that may have made a step. Any choice
// is checked in the end; this one is right whenever the hall's clock and that of
// the callers agree to the millisecond: who was not waiting for an answer at the
// time of the step did not make it. Of several, the first one given was the one
// that others found done already, and who was answered first cannot be put off.
func (h *History) likeliest(possible []int, s step) int {
	const near = 2 * time.Millisecond
	at := s.head().At.Sub(h.Began)
	rank := func(i int) (away int, by time.Duration) {
		o := h.Operations[i]
		if at < o.Invoked-near || at-near > o.end() {
			away = 1
		}
		if o.Outcome == Done {
			return away, o.Invoked
		}
		return away, o.end()
	}
	return slices.MinFunc(possible, func(a, b int) int {
		awayA, byA := rank(a)
		awayB, byB := rank(b)
		return cmp.Or(cmp.Compare(awayA, awayB), cmp.Compare(byA, byB))
	})
}

// windows says, from the operations that are known to have made a step, after
// which step each operation came and before which one: a command that had
// returned before another was given came first.
func windows(operations []*Operation, made []int) (from, to []int) {
	from, to = make([]int, len(operations)), make([]int, len(operations))
	begins, ends := sorted(operations, invoked), sorted(operations, returned)
	latest, next := 0, 0
	for _, i := range begins {
		for ; next < len(ends) && operations[ends[next]].end() < operations[i].Invoked; next++ {
			latest = max(latest, made[ends[next]])
		}
		from[i] = latest
	}
	earliest, last := math.MaxInt, len(begins)-1
	for _, i := range slices.Backward(ends) {
		for ; last >= 0 && operations[begins[last]].Invoked > operations[i].end(); last-- {
			if k := made[begins[last]]; k > 0 {
				earliest = min(earliest, k)
			}
		}
		to[i] = earliest
	}
	return from, to
}

func invoked(o *Operation) time.Duration  { return o.Invoked }
func returned(o *Operation) time.Duration { return o.end() }

// sorted lists the indices of operations by a time.
func sorted(operations []*Operation, by func(*Operation) time.Duration) []int {
	order := make([]int, len(operations))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by(operations[a]), by(operations[b])) })
	return order
}
