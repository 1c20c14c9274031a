package hall

import (
	"slices"
	"strings"
	"time"
)

// Outlook is what the estimates of a hall go by, all of one instant. Of the
// rules count order, requeue, subjectChoice, confirmSeat and restSeconds.
type Outlook struct {
	Now      time.Time
	Rules    Rules
	Paused   bool // the whole hall
	Machines []ServiceMachine
	Loads    map[string]SubjectLoad
}

// ServiceMachine is a machine in service as estimates see it.
type ServiceMachine struct {
	Subjects []string // that it serves
	State    MachineState
	Began    time.Time  // when the open sitting was called or, once seated, when it began; zero while idle
	Subject  string     // being sat on it
	Paused   bool       // its room
	Back     *Returning // who sits there, where people come back to an old place
}

// Returning is somebody called or seated, as they will stand in line again.
type Returning struct {
	Class Class
	Place Place     // of the first check-in
	At    time.Time // that place stands for
	Due   []string  // the subject being sat may be among them
}

// Group is how many people wait with exactly these subjects due.
type Group struct {
	Due   []string
	Count int
}

// InLine is somebody who waits. Before counts those who stand between the one
// listed before and this one, or, for the first one listed, all who stand before.
type InLine struct {
	Candidate *Candidate
	Before    []Group
}

// CountBetween makes of the numbers of all who stand before each of line those
// of InLine. Somebody for whom nobody was counted stands directly behind the
// one listed before.
func CountBetween(line []InLine) {
	counted := map[string]int{}
	for i := range line {
		var between []Group
		for _, g := range line[i].Before {
			set := setName(g.Due)
			if n := g.Count - counted[set]; n > 0 {
				between = append(between, Group{g.Due, n})
				counted[set] += n
			}
		}
		line[i].Before = between
		counted[setName(line[i].Candidate.Remaining())]++
	}
}

// setName is the same for the same subjects in any order.
func setName(subjects []string) string {
	return strings.Join(slices.Sorted(slices.Values(subjects)), "|")
}
