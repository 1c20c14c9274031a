package halltest

import (
	"maps"
	"slices"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// step is one command, and everything as it was before.
type step struct {
	undoable, undone bool
	candidates       map[string]hall.Candidate
	machines         map[string]hall.Machine
	sittings         map[string]hall.Sitting
	due              map[string]time.Time
}

// occurrence is something that happened to a candidate, a machine, or both.
type occurrence struct {
	step     int
	auto     bool   // by itself
	layout   bool   // to all machines: the layout is another one, the day is opened
	call     string // the sitting that began
	ended    string // the subject of a sitting whose length counts
	seated   string // the subject to which the walk counts
	sitting  string // the sitting that it is about, unless it began then
	waiting  hall.Candidate
	idle     time.Time // since when the machine was idle, zero if it was not
	concerns []any     // candidates and machines
	undone   bool
}

// Begin marks the begin of a command, and says whether it may be taken back.
func (m *Model) Begin(undoable bool) {
	s := step{
		undoable: undoable, candidates: map[string]hall.Candidate{}, machines: map[string]hall.Machine{},
		sittings: map[string]hall.Sitting{}, due: maps.Clone(m.Due),
	}
	for id, c := range m.Candidates {
		s.candidates[id] = copyOf(c)
	}
	for id, machine := range m.Machines {
		s.machines[id] = *machine
	}
	for id, sitting := range m.Sittings {
		s.sittings[id] = *sitting
	}
	m.steps = append(m.steps, s)
}

// Step is the number of the last command.
func (m *Model) Step() int { return len(m.steps) - 1 }

func copyOf(c *hall.Candidate) hall.Candidate {
	other := *c
	other.Waits, other.Sat = maps.Clone(c.Waits), slices.Clone(c.Sat)
	return other
}

func (m *Model) note(c *hall.Candidate, machine *hall.Machine) *occurrence {
	o := &occurrence{step: m.Step(), auto: m.auto}
	if c != nil {
		o.concerns = append(o.concerns, c)
	}
	if machine != nil {
		o.concerns = append(o.concerns, machine)
	}
	m.log = append(m.log, o)
	return o
}

func (m *Model) last() *occurrence { return m.log[len(m.log)-1] }

func (m *Model) noteSitting(s *hall.Sitting) {
	m.note(m.Candidates[s.Candidate], m.Machines[s.Machine]).sitting = s.ID
}

func (m *Model) noteLayout() { m.note(nil, nil).layout = true }

// byItself marks what happens until the returned function is called.
func (m *Model) byItself() (end func()) {
	was := m.auto
	m.auto = true
	return func() { m.auto = was }
}

// Undo is hall.Undoer.Undo for the command with a number; it returns the
// sittings whose calls are withdrawn.
func (m *Model) Undo(number int, dryRun bool) ([]string, error) {
	target := &m.steps[number]
	if !target.undoable {
		return nil, refuse(hall.CodeNotUndoable)
	}
	if target.undone {
		return nil, nil
	}
	taken, joined, err := m.follow(number)
	if err != nil {
		return nil, err
	}
	var withdrawn []string
	for _, o := range taken {
		if o.call != "" {
			withdrawn = append(withdrawn, o.call)
		}
	}
	if dryRun {
		return withdrawn, nil
	}
	target.undone = true
	for _, o := range taken {
		m.takeBack(o)
	}
	m.dropIncidents(taken)
	m.putBack(number, taken, joined)
	defer m.byItself()()
	m.drain()
	return withdrawn, nil
}

// joining is when a candidate or machine was drawn into what is taken back.
type joining struct {
	who any
	by  *occurrence
}

func (m *Model) follow(number int) (taken []*occurrence, joined []joining, err error) {
	in := func(who any) bool {
		return slices.ContainsFunc(joined, func(j joining) bool { return j.who == who })
	}
	for _, o := range m.log {
		switch {
		case o.undone || o.step < number:
			continue
		case o.step == number:
		case o.layout:
			return nil, nil, refuse(hall.CodeUndoBlocked)
		case !slices.ContainsFunc(o.concerns, in):
			continue
		case !o.auto, o.sitting != "" && !slices.ContainsFunc(taken, aboutSitting(o.sitting)):
			return nil, nil, refuse(hall.CodeUndoBlocked)
		}
		taken = append(taken, o)
		for _, who := range o.concerns {
			if !in(who) {
				joined = append(joined, joining{who, o})
			}
		}
	}
	return taken, joined, nil
}

func aboutSitting(id string) func(*occurrence) bool {
	return func(o *occurrence) bool { return o.sitting == id || o.call == id }
}

func (m *Model) takeBack(o *occurrence) {
	o.undone = true
	if s := m.Sittings[o.call]; s != nil {
		s.State, s.Outcome, s.EndedAt = hall.SittingEnded, hall.WithdrawnOutcome, m.Now
		m.stopClock(s)
	}
	if o.ended == "" && o.seated == "" {
		return
	}
	c, _ := o.concerns[0].(*hall.Candidate)
	s := m.Sittings[m.steps[o.step].candidates[c.ID].Sitting]
	if o.ended != "" {
		forget(m.lengths, o.ended, s.EndedAt.Sub(s.SeatedAt))
	}
	if o.seated != "" {
		forget(m.walks, o.seated, s.SeatedAt.Sub(s.CalledAt))
	}
}

// forget takes one duration out of those of a subject.
func forget(of map[string][]time.Duration, subject string, d time.Duration) {
	i := slices.Index(of[subject], d)
	of[subject] = slices.Delete(of[subject], i, i+1)
}

// putBack makes everybody and every machine as they were before they joined.
func (m *Model) putBack(number int, taken []*occurrence, joined []joining) {
	before := m.steps[number]
	for _, j := range joined {
		if c, ok := j.who.(*hall.Candidate); ok {
			c.State = hall.Registered // in no list
			delete(m.Due, "rest "+c.ID)
			delete(m.Due, "hold "+c.ID)
		}
	}
	for _, j := range joined {
		switch who := j.who.(type) {
		case *hall.Candidate:
			if j.by.step == number {
				m.putBackPerson(who, before.candidates[who.ID], before)
				if slices.ContainsFunc(taken, aboutSitting(who.Sitting)) {
					m.putBackSitting(who.Sitting, before)
				}
			} else {
				m.putBackPerson(who, j.by.waiting, before)
			}
		case *hall.Machine:
			if j.by.step == number {
				*who = before.machines[who.ID]
			} else if who.State != hall.MachineIdle {
				*who = hall.Machine{
					ID: who.ID, Room: who.Room, Model: who.Model, Subjects: who.Subjects, State: hall.MachineIdle, Since: orElse(j.by.idle, m.Now),
				}
			}
		}
	}
}

func (m *Model) putBackPerson(c *hall.Candidate, was hall.Candidate, before step) {
	if was.State == hall.Waiting {
		was.Place = m.free(was.Place)
		was.QueuedAt = was.Place.Time(m.Base)
	}
	was.Notes = c.Notes // what was written down stays
	*c = was
	for _, kind := range []string{"rest ", "hold "} {
		if at, due := before.due[kind+c.ID]; due && (c.State == hall.Resting || c.State == hall.Held) {
			m.Due[kind+c.ID] = at
		}
	}
}

// orElse is the first time, the other one if there is none.
func orElse(first, other time.Time) time.Time {
	if first.IsZero() {
		return other
	}
	return first
}

func (m *Model) putBackSitting(id string, before step) {
	s := m.Sittings[id]
	if s == nil {
		return
	}
	*s = before.sittings[s.ID]
	m.stopClock(s)
	if s.State == hall.SittingCalled {
		m.expect(s)
	}
}
