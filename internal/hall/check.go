package hall

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check lists what is broken in a day, each with the number of the invariant
// that it breaks; none means that all of them hold.
//
//  1. A candidate is in one state and has at most one open sitting; so has a machine.
//  2. A machine in service is in the idle list of every subject it serves, or in
//     the used list of the subject being sat on it; others are in neither. What
//     estimates know of a machine in service is what it does.
//  3. Who waits is in the line and once in the index; nobody else is.
//  4. While the hall calls, no idle machine in an open room serves a due subject
//     of somebody who waits.
//  5. The line has one order: no two people have the same place.
//  6. The states add up to the roster.
//  7. Ticket numbers are unique; before the day is open nobody has one.
//  8. The day's events, folded, give the same state.
//  9. A phone page leads to the candidate to whom it was given, and to nobody else.
func Check(s *State) []string {
	c := checker{s: s}
	c.sittings()
	c.machines()
	c.service()
	c.line()
	c.noIdleWhileWaiting()
	c.counts()
	c.tickets()
	c.due()
	c.events()
	c.phones()
	slices.Sort(c.broken)
	return c.broken
}

type checker struct {
	s      *State
	broken []string
}

func (c *checker) add(invariant int, format string, args ...any) {
	c.broken = append(c.broken, fmt.Sprintf("invariant %d: ", invariant)+fmt.Sprintf(format, args...))
}

// sittings checks that every open sitting, its candidate and its machine name each other.
func (c *checker) sittings() {
	for _, id := range slices.Sorted(maps.Keys(c.s.Sittings)) {
		s := c.s.Sittings[id]
		if s.State == SittingEnded {
			continue
		}
		if candidate := c.s.Candidates[s.Candidate]; candidate.Sitting != id || string(candidate.State) != string(s.State) {
			c.add(1, "sitting %s is %s, its candidate %q is %s in sitting %q", id, s.State, s.Candidate, candidate.State, candidate.Sitting)
		}
		want := map[SittingState]MachineState{SittingCalled: MachineCalled, SittingSeated: MachineInUse}[s.State]
		m := c.s.Machines[s.Machine]
		if m.Sitting != id || m.Subject != s.Subject || m.State != want {
			c.add(1, "sitting %s is %s, its machine %q is %s with sitting %q", id, s.State, s.Machine, m.State, m.Sitting)
		}
		if m.Room != s.Room || !slices.Contains(m.Subjects, s.Subject) {
			c.add(1, "sitting %s of subject %s in room %q is on machine %q of subjects %v in room %q", id, s.Subject, s.Room, m.ID, m.Subjects, m.Room)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.s.Candidates)) {
		candidate := c.s.Candidates[id]
		if !slices.Contains(CandidateStates, candidate.State) {
			c.add(1, "candidate %q has the unknown state %q", id, candidate.State)
		}
		open := candidate.State == Called || candidate.State == Seated
		s, known := c.s.Sittings[candidate.Sitting]
		if open != (candidate.Sitting != "") || (open && (!known || s.State == SittingEnded || s.Candidate != id)) {
			c.add(1, "candidate %q is %s with sitting %q", id, candidate.State, candidate.Sitting)
		}
	}
}

func (c *checker) machines() {
	for _, id := range slices.Sorted(maps.Keys(c.s.Machines)) {
		m := c.s.Machines[id]
		occupied := m.State == MachineCalled || m.State == MachineInUse
		if s, known := c.s.Sittings[m.Sitting]; occupied != (m.Sitting != "") || (occupied && (!known || s.Machine != id)) {
			c.add(1, "machine %q is %s with sitting %q", id, m.State, m.Sitting)
		}
		for _, subject := range c.s.Hall.Layout.Subjects {
			wantIdle := m.State == MachineIdle && slices.Contains(m.Subjects, subject.Code)
			wantUsed := occupied && m.Subject == subject.Code
			if n := count(c.s.Idle[subject.Code], id); n != number(wantIdle) {
				c.add(2, "machine %q is %s and %d times idle for subject %s", id, m.State, n, subject.Code)
			}
			if n := count(c.s.Used[subject.Code], id); n != number(wantUsed) {
				c.add(2, "machine %q is %s on subject %q and %d times used for subject %s", id, m.State, m.Subject, n, subject.Code)
			}
		}
	}
	for kind, lists := range map[string]map[string][]string{"idle": c.s.Idle, "used": c.s.Used} {
		for subject, list := range lists {
			for _, id := range list {
				if _, known := c.s.Machines[id]; !known {
					c.add(2, "unknown machine %q is %s for subject %s", id, kind, subject)
				}
			}
		}
	}
}

func (c *checker) line() {
	var line, index, waiting []string
	places := map[Place]string{}
	for _, q := range c.s.Wait {
		line = append(line, q.Candidate)
		if other, twice := places[q.Place]; twice {
			c.add(5, "candidates %q and %q have the same place", other, q.Candidate)
		}
		places[q.Place] = q.Candidate
		if place := c.s.Candidates[q.Candidate].Place; place != q.Place {
			c.add(3, "candidate %q stands at %d in the line and has place %d", q.Candidate, q.Place, place)
		}
	}
	for _, q := range c.s.Index {
		index = append(index, q.Candidate)
		candidate := c.s.Candidates[q.Candidate]
		due := slices.Sorted(slices.Values(candidate.Remaining()))
		if q.Class != candidate.Class || q.Place != candidate.Place || !slices.Equal(q.Due, due) {
			c.add(3, "candidate %q is indexed as %s %v at %d", q.Candidate, q.Class, q.Due, q.Place)
		}
	}
	for id, candidate := range c.s.Candidates {
		since, listed := c.s.Since[id]
		if candidate.State == Waiting {
			waiting = append(waiting, id)
		}
		if begin := candidate.WaitingSince.Add(candidate.HoldInWait); listed != (candidate.State == Waiting) || (listed && !since.Equal(begin)) {
			c.add(3, "candidate %q is %s since %s and listed since %s", id, candidate.State, begin, since)
		}
	}
	for _, list := range [][]string{line, index, waiting} {
		slices.Sort(list)
	}
	if !slices.Equal(line, waiting) {
		c.add(3, "the line has %v, waiting are %v", line, waiting)
	}
	if !slices.Equal(index, waiting) {
		c.add(3, "the index has %v, waiting are %v", index, waiting)
	}
}

func (c *checker) noIdleWhileWaiting() {
	if c.s.Hall.Day.Paused || c.s.Hall.Layout.Rules.Mode == ModeManual {
		return
	}
	idle := map[string]string{}
	for id, m := range c.s.Machines {
		if _, closed := c.s.Hall.Day.PausedRooms[m.Room]; m.State != MachineIdle || closed {
			continue
		}
		for _, subject := range m.Subjects {
			idle[subject] = id
		}
	}
	for id, candidate := range c.s.Candidates {
		if candidate.State != Waiting {
			continue
		}
		for _, subject := range candidate.Remaining() {
			if m, free := idle[subject]; free {
				c.add(4, "candidate %q waits for subject %s while machine %q is idle", id, subject, m)
			}
		}
	}
}

// counts checks the numbers of people by state, those set aside, and the work still to come.
func (c *checker) counts() {
	states := map[CandidateState]int{}
	toCome := map[string]int{}
	var aside []string
	for id, candidate := range c.s.Candidates {
		states[candidate.State]++
		switch candidate.State {
		case Held, Resting:
			aside = append(aside, id)
		case Absent, Withdrawn:
			aside = append(aside, id)
			continue
		case Registered, Waiting, Called, Seated, Done:
		}
		for _, subject := range candidate.Remaining() {
			if s, open := c.s.Sittings[candidate.Sitting]; !open || s.Subject != subject {
				toCome[subject]++
			}
		}
	}
	for _, state := range CandidateStates {
		if c.s.Counts[state] != states[state] {
			c.add(6, "%d people are %s, counted are %d", states[state], state, c.s.Counts[state])
		}
	}
	slices.Sort(aside)
	if counted := slices.Sorted(slices.Values(c.s.Aside)); !slices.Equal(counted, aside) {
		c.add(6, "set aside are %v, listed %v", aside, counted)
	}
	for _, subject := range c.s.Hall.Layout.Subjects {
		load := c.s.Loads[subject.Code]
		if load.ToCome != toCome[subject.Code] {
			c.add(6, "%d people still come for subject %s, counted are %d", toCome[subject.Code], subject.Code, load.ToCome)
		}
		if capacity := c.capacity(subject.Code); load.Capacity != capacity {
			c.add(2, "machines of subject %s have capacity %d, counted is %d", subject.Code, capacity, load.Capacity)
		}
	}
}

func (c *checker) capacity(subject string) int {
	capacity := 0
	for _, m := range c.s.Machines {
		if m.State.InService() && slices.Contains(m.Subjects, subject) {
			capacity += CapacityUnit / len(m.Subjects)
		}
	}
	return capacity
}

func (c *checker) tickets() {
	owner := map[string]string{}
	for id, candidate := range c.s.Candidates {
		if candidate.State != Registered && c.s.Hall.Day.State == DayPreparing {
			c.add(7, "candidate %q is %s before the day is open", id, candidate.State)
		}
		if candidate.Ticket == "" {
			if candidate.State != Registered {
				c.add(7, "candidate %q is %s without a ticket", id, candidate.State)
			}
			continue
		}
		if other, twice := owner[candidate.Ticket]; twice {
			c.add(7, "candidates %q and %q have ticket %s", min(id, other), max(id, other), candidate.Ticket)
		}
		owner[candidate.Ticket] = id
	}
}

// due checks that everything that waits for time is due, and nothing else.
func (c *checker) due() {
	want := map[string]bool{}
	for id, s := range c.s.Sittings {
		_, roomPaused := c.s.Hall.Day.PausedRooms[s.Room]
		if s.State == SittingCalled && c.s.Hall.Layout.Rules.ConfirmSeat && !roomPaused && !c.s.Hall.Day.Paused {
			want["call "+id] = true
		}
	}
	for id, candidate := range c.s.Candidates {
		if candidate.State == Resting {
			want["rest "+id] = true
		}
	}
	for _, item := range c.s.Due {
		if item.Kind == DueAlert {
			continue // a look for alerts never harms
		}
		name := string(item.Kind) + " " + item.ID
		if item.Kind == DueHold {
			if c.s.Candidates[item.ID].State != Held {
				c.add(6, "a hold of candidate %q is due, the state is %s", item.ID, c.s.Candidates[item.ID].State)
			}
			continue
		}
		if !want[name] {
			c.add(6, "%q is due without need", name)
		}
		delete(want, name)
	}
	for name := range want {
		c.add(6, "%q is never due", name)
	}
}

func (c *checker) events() {
	folded := Fold(c.s.Events)
	for _, id := range slices.Sorted(maps.Keys(c.s.Candidates)) {
		candidate := c.s.Candidates[id]
		want := FoldedCandidate{
			State: candidate.State, Ticket: candidate.Ticket, Class: candidate.Class,
			Remaining: strings.Join(candidate.Remaining(), "|"), Sitting: candidate.Sitting,
		}
		if got := folded.Candidates[id]; got != want {
			c.add(8, "events make candidate %q %+v, kept is %+v", id, got, want)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.s.Machines)) {
		m := c.s.Machines[id]
		if got, want := folded.Machines[id], (FoldedMachine{m.State, m.Sitting, m.Code}); got != want {
			c.add(8, "events make machine %q %+v, kept is %+v", id, got, want)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.s.Sittings)) {
		s := c.s.Sittings[id]
		if got, want := folded.Sittings[id], (FoldedSitting{s.State, s.Outcome, s.Machine, s.Recalls}); got != want {
			c.add(8, "events make sitting %s %+v, kept is %+v", id, got, want)
		}
	}
	c.alerts(folded.Alerts)
	if extra := len(folded.Candidates) - len(c.s.Candidates); extra != 0 {
		c.add(8, "events know %+d candidates", extra)
	}
	if extra := cmp.Compare(len(folded.Machines), len(c.s.Machines)); extra != 0 {
		c.add(8, "events know %d machines, kept are %d", len(folded.Machines), len(c.s.Machines))
	}
}

func count(list []string, item string) int {
	n := 0
	for _, other := range list {
		if other == item {
			n++
		}
	}
	return n
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// phones checks that a phone page and its candidate name each other. What it
// says of a fault names no secret.
func (c *checker) phones() {
	for _, id := range slices.Sorted(maps.Keys(c.s.Candidates)) {
		secret, given := c.s.Secrets[id]
		switch ticket := c.s.Candidates[id].Ticket; {
		case given && c.s.Phones[secret] != id:
			c.add(9, "the phone page of candidate %q leads to %q", id, c.s.Phones[secret])
		case given && ticket == "":
			c.add(9, "candidate %q has a phone page without a ticket", id)
		}
	}
	for secret, id := range c.s.Phones {
		if c.s.Secrets[id] != secret {
			c.add(9, "a phone page leads to candidate %q, to whom it was not given", id)
		}
	}
}
