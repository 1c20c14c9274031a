package hall

import (
	"math"
	"slices"
	"time"
)

// Estimate says for each of line, who stand in the hall's order, how long it
// will take from now until the call, in whole milliseconds; nil where nothing
// can be said: while the hall is paused, and where no machine in service, in a
// room that is not paused, serves a due subject.
//
// It plays on what is known: each machine becomes free when its sitting is
// expected to end, takes the first in order who needs a subject it serves, and
// is busy for the walk and the expected length of that subject. The wait is
// over when the play calls. Who comes back at the tail, and who has not checked
// in yet, comes behind all of line and does not matter; under the rule keep,
// who comes back to a place before is part of the play. What is left out:
// no-shows, machines that fail, holds and rests that end, who will check in
// with a higher class, and, where subjects are taken as listed, that lists may
// be in another order than that of the codes. A hall in manual mode is taken to call at once.
//
// The numbers of people before the line are spread evenly over it, by their due
// subjects, and a long crowd is taken in shares; so the work depends on machines,
// sets of due subjects and the length of line, not on how many wait.
func (o *Outlook) Estimate(line []InLine) []*time.Duration {
	f := forecast{o: o, estimates: make([]*time.Duration, len(line))}
	if o.Paused || len(line) == 0 {
		return f.estimates
	}
	f.load()
	f.fill(line)
	f.start(line)
	for f.called < len(line) && len(f.events.items) > 0 {
		f.step()
	}
	return f.estimates
}

// A sitting that goes on has at least this part of the expected length still to
// come. Lengths of exams spread by some 30 % of their mean m; with a normal
// spread s those that reach m end s·√(2/π) later on average, which is 0.24·m.
const leastLeft = 0.25

// left is how much of an expected time is to come after some of it.
func left(expected, elapsed float64) float64 {
	return max(expected-elapsed, expected*leastLeft)
}

// expectedLeft is how long a machine will still be busy, in milliseconds.
func (o *Outlook) expectedLeft(m *ServiceMachine) float64 {
	load := o.Loads[m.Subject]
	length, elapsed := load.ExpectedLength(), float64(o.Now.Sub(m.Began).Milliseconds())
	switch {
	case m.State == MachineInUse:
		return left(length, elapsed)
	case m.State == MachineCalled && o.Rules.ConfirmSeat:
		return max(0, load.ExpectedWalk()-elapsed) + length
	case m.State == MachineCalled: // nobody says when it begins
		return left(length, elapsed)
	}
	return 0
}

// placeOf is how many of line stand before somebody who comes back.
func (o *Outlook) placeOf(back *Returning, line []InLine) int {
	c := Candidate{Class: back.Class, Place: back.Place, QueuedAt: back.At}
	n, _ := slices.BinarySearchFunc(line, c, func(in InLine, c Candidate) int {
		if Before(o.Rules.Order, in.Candidate, &c, o.Now) {
			return -1
		}
		return 1
	})
	return n
}

func millisToDuration(ms float64) time.Duration {
	return time.Duration(math.Round(ms)) * time.Millisecond
}
