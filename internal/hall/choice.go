package hall

import (
	"slices"
	"time"
)

// CapacityUnit is what one machine counts for when it serves one subject: the
// least common multiple of 1 to 12, so that 1/k of it is a whole number.
const CapacityUnit = 27720

// enoughSittings is how many ended sittings make the day's own mean length
// better than the expected one.
const enoughSittings = 5

// SubjectLoad is what the bottleneck rule knows of one subject.
type SubjectLoad struct {
	Minutes   float64       // expected length of a sitting
	ToCome    int           // people of the roster who have not begun it, absent and withdrawn ones left out
	Capacity  int           // of the machines in service, in CapacityUnit/k for each of the k subjects a machine serves
	Ended     int           // sittings of today that were seated and ended
	TotalTime time.Duration // of those
	Walked    int           // calls of today that were confirmed at the machine
	WalkTime  time.Duration // of those, from the call on
}

// ExpectedLength is the mean length of today's ended sittings once there are
// five of them, before that the subject's minutes, in milliseconds.
func (l SubjectLoad) ExpectedLength() float64 {
	if l.Ended >= enoughSittings {
		return float64(l.TotalTime.Milliseconds()) / float64(l.Ended)
	}
	return l.Minutes * 60000
}

// ExpectedWalk is the mean time of today from a call to the confirmation at
// the machine once there are five, before that nothing, in milliseconds.
func (l SubjectLoad) ExpectedWalk() float64 {
	if l.Walked >= enoughSittings {
		return float64(l.WalkTime.Milliseconds()) / float64(l.Walked)
	}
	return 0
}

// Work is the work still to come per machine: people to come × expected length ÷ capacity.
func (l SubjectLoad) Work() float64 {
	return float64(l.ToCome) * l.ExpectedLength() / float64(l.Capacity)
}

// ChooseSubject picks one of the free subjects for a candidate, by the rule
// listed (the first in the candidate's own order) or bottleneck (the one with
// the most work still to come per machine; equal ones in the candidate's own
// order). It returns "" if the candidate has none of them.
func ChooseSubject(rule string, remaining, free []string, loads map[string]SubjectLoad) string {
	chosen := ""
	for _, s := range remaining {
		if !slices.Contains(free, s) {
			continue
		}
		if chosen == "" || (rule == ChoiceBottleneck && loads[s].Work() > loads[chosen].Work()) {
			chosen = s
		}
	}
	return chosen
}
