package halltest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Model is a hall in plain Go, written to be read: it looks at everybody each
// time and keeps nothing twice. A store must do what it does.
type Model struct {
	Layout      hall.Layout
	Candidates  map[string]*hall.Candidate
	Machines    map[string]*hall.Machine
	Sittings    map[string]*hall.Sitting
	Due         map[string]time.Time // "call s1", "rest 0012", "hold 0012"
	Paused      bool
	Open        bool            // the day is open, else it is being prepared
	Door        bool            // check-in is open
	Rooms       map[string]bool // paused ones
	Base, Now   time.Time
	Incidents   []hall.Incident // without ids
	By          string          // who gives the next commands
	Corrections []hall.Correction
	Secrets     map[string]string // of phone pages, by candidate
	Alerts      map[string]hall.Alert
	Rules       []hall.AlertRule
	Screens     map[string]time.Time // by node: until when its boards count

	lastPlace   hall.Place
	lastTicket  map[string]int
	lastSitting int
	dayID       string // empty while the day is being prepared
	openedAt    time.Time
	closed      []closedDay // earliest first
	erased      bool        // names and texts of a closed day
	lengths     map[string][]time.Duration
	walks       map[string][]time.Duration

	steps []step // every command so far
	log   []*occurrence
	auto  bool // what happens now, happens by itself

	openedWith []*occurrence // what each incident is taken back with, nil for reports of the staff
}

// NewModel returns the model of a hall that was created at a time.
func NewModel(layout hall.Layout, now time.Time) *Model {
	m := &Model{
		Layout: layout, Candidates: map[string]*hall.Candidate{}, Machines: map[string]*hall.Machine{},
		Sittings: map[string]*hall.Sitting{}, Due: map[string]time.Time{}, Rooms: map[string]bool{}, Open: true, Door: true,
		Secrets: map[string]string{}, Alerts: map[string]hall.Alert{}, Rules: hall.AlertRules(), Screens: map[string]time.Time{},
		Base: now.Add(-hall.BaseBefore), Now: now, lastTicket: map[string]int{}, lengths: map[string][]time.Duration{},
		walks: map[string][]time.Duration{},
	}
	m.openedAt, m.dayID = now, m.nextDayID()
	for _, spec := range layout.Machines {
		model, _ := layout.Model(spec.Model)
		state := hall.MachineIdle
		if spec.Spare {
			state = hall.MachineSpare
		}
		m.Machines[spec.ID] = &hall.Machine{
			ID: spec.ID, Room: spec.Room, Model: spec.Model, Subjects: model.Subjects, State: state, Since: now,
		}
	}
	m.Begin(false)
	return m
}

func refuse(code hall.Code) error { return &hall.Error{Code: code, Message: string(code)} }

// Line lists those waiting, in order.
func (m *Model) Line() []*hall.Candidate {
	var line []*hall.Candidate
	for _, c := range m.Candidates {
		if c.State == hall.Waiting {
			line = append(line, c)
		}
	}
	slices.SortFunc(line, func(a, b *hall.Candidate) int {
		if hall.Before(m.rules().Order, a, b, m.Now) {
			return -1
		}
		return 1
	})
	return line
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// Ahead is how many stand before a waiting candidate and share a due subject.
func (m *Model) Ahead(id string) int {
	n, me := 0, m.Candidates[id]
	for _, c := range m.Line() {
		if c == me {
			break
		}
		if shares(c.Remaining(), me.Remaining()) {
			n++
		}
	}
	return n
}

func (m *Model) rules() *hall.Rules { return &m.Layout.Rules }

func (m *Model) calling() bool { return m.rules().Mode == hall.ModeAuto && !m.Paused }

// IdleMachines lists the idle machines of open rooms that serve a subject, in
// the order in which they are taken.
func (m *Model) IdleMachines(subject string) []*hall.Machine {
	var idle []*hall.Machine
	for _, machine := range m.Machines {
		if machine.State == hall.MachineIdle && !m.Rooms[machine.Room] && slices.Contains(machine.Subjects, subject) {
			idle = append(idle, machine)
		}
	}
	slices.SortFunc(idle, func(a, b *hall.Machine) int {
		return cmp.Or(cmp.Compare(len(a.Subjects), len(b.Subjects)), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	return idle
}

func (m *Model) freeSubjects() []string {
	var free []string
	for _, s := range m.Layout.Subjects {
		if len(m.IdleMachines(s.Code)) > 0 {
			free = append(free, s.Code)
		}
	}
	return free
}

// Loads is what the bottleneck rule knows.
func (m *Model) Loads() map[string]hall.SubjectLoad {
	loads := map[string]hall.SubjectLoad{}
	for _, s := range m.Layout.Subjects {
		l := hall.SubjectLoad{Minutes: s.Minutes, Ended: len(m.lengths[s.Code])}
		for _, length := range m.lengths[s.Code] {
			l.TotalTime += length
		}
		l.Walked = len(m.walks[s.Code])
		for _, walk := range m.walks[s.Code] {
			l.WalkTime += walk
		}
		for _, c := range m.Candidates {
			gone := c.State == hall.Absent || c.State == hall.Withdrawn
			sitting := c.Sitting != "" && m.Sittings[c.Sitting].Subject == s.Code
			if !gone && !sitting && slices.Contains(c.Remaining(), s.Code) {
				l.ToCome++
			}
		}
		for _, machine := range m.Machines {
			if machine.State.InService() && slices.Contains(machine.Subjects, s.Code) {
				l.Capacity += hall.CapacityUnit / len(machine.Subjects)
			}
		}
		loads[s.Code] = l
	}
	return loads
}

func (m *Model) choose(c *hall.Candidate, free []string) string {
	return hall.ChooseSubject(m.rules().SubjectChoice, c.Remaining(), free, m.Loads())
}

func (m *Model) tail() hall.Place {
	m.lastPlace = m.lastPlace.Next(m.Base, m.Now)
	return m.lastPlace
}

func (m *Model) wait(c *hall.Candidate, place hall.Place) {
	place = m.free(place)
	c.State, c.Place, c.QueuedAt = hall.Waiting, place, place.Time(m.Base)
	c.WaitingSince, c.HoldInWait, c.OverTarget = m.Now, 0, false
}

func (m *Model) call(c *hall.Candidate, machine *hall.Machine, subject string) *hall.Sitting {
	m.lastSitting++
	id := fmt.Sprintf("s%d", m.lastSitting)
	o := m.note(c, machine)
	o.call, o.waiting = id, copyOf(c)
	if machine.State == hall.MachineIdle {
		o.idle = machine.Since
	}
	s := &hall.Sitting{
		ID: id, Candidate: c.ID, Ticket: c.Ticket, Class: c.Class, Subject: subject,
		Machine: machine.ID, Room: machine.Room, State: hall.SittingCalled, CalledAt: m.Now, AnnouncedAt: m.Now,
		Wait: m.Now.Sub(c.WaitingSince) - c.HoldInWait,
	}
	m.Sittings[s.ID] = s
	m.expect(s)
	machine.State, machine.Since, machine.Sitting, machine.Subject = hall.MachineCalled, m.Now, s.ID, subject
	c.State, c.Sitting = hall.Called, s.ID
	if c.FirstCalled.IsZero() {
		c.FirstCalled = m.Now
	}
	if c.Waits == nil {
		c.Waits = map[string]time.Duration{}
	}
	c.Waits[subject] = s.Wait
	return s
}

func (m *Model) expect(s *hall.Sitting) {
	if m.rules().ConfirmSeat {
		m.startClock(s, m.rules().CallTimeout())
	}
}

// startClock gives an unanswered call so much time; while nobody can come the
// clock stands.
func (m *Model) startClock(s *hall.Sitting, d time.Duration) {
	delete(m.Due, "call "+s.ID)
	s.Left = 0
	if m.Paused || m.Rooms[s.Room] {
		s.Left = d
		if s.StandsSince.IsZero() {
			s.StandsSince = m.Now
		}
	} else {
		m.countStood(s)
		m.Due["call "+s.ID] = m.Now.Add(d)
	}
}

// stopClock ends that of a call for good.
func (m *Model) stopClock(s *hall.Sitting) {
	delete(m.Due, "call "+s.ID)
	s.Left = 0
	m.countStood(s)
}

func (m *Model) countStood(s *hall.Sitting) {
	if !s.StandsSince.IsZero() {
		s.Stood += m.Now.Sub(s.StandsSince)
		s.StandsSince = time.Time{}
	}
}

// setClocks stops the clocks of calls, or lets them go on with what was left.
func (m *Model) setClocks() {
	for _, s := range m.Sittings {
		at, runs := m.Due["call "+s.ID]
		switch stands := m.Paused || m.Rooms[s.Room]; {
		case runs && stands:
			m.startClock(s, max(time.Millisecond, at.Sub(m.Now)))
		case s.Left > 0 && !stands:
			m.startClock(s, s.Left)
		}
	}
}

// firstFor is the first in line who needs one of these subjects.
func (m *Model) firstFor(subjects []string) *hall.Candidate {
	for _, c := range m.Line() {
		if shares(c.Remaining(), subjects) {
			return c
		}
	}
	return nil
}

// seek calls a waiting candidate to an idle machine, if there is one.
func (m *Model) seek(c *hall.Candidate) {
	defer m.byItself()()
	if c.State == hall.Waiting && m.calling() {
		m.callToIdle(c)
	}
}

func (m *Model) callToIdle(c *hall.Candidate) *hall.Sitting {
	if subject := m.choose(c, m.freeSubjects()); subject != "" {
		return m.call(c, m.IdleMachines(subject)[0], subject)
	}
	return nil
}

// release frees a machine: it takes the first in line, else it is idle.
func (m *Model) release(machine *hall.Machine) {
	defer m.byItself()()
	machine.Sitting, machine.Subject, machine.Reason, machine.Code = "", "", "", ""
	if m.calling() && !m.Rooms[machine.Room] {
		if c := m.firstFor(machine.Subjects); c != nil {
			m.call(c, machine, m.choose(c, machine.Subjects))
			return
		}
	}
	machine.State, machine.Since = hall.MachineIdle, m.Now
}

func (m *Model) takeOut(machine *hall.Machine, why hall.OutageReason) {
	machine.Sitting, machine.Subject = "", ""
	machine.State, machine.Since = hall.MachineOutOfService, m.Now
	machine.Reason, machine.Code = why.Text, cmp.Or(why.Code, hall.OutageOther)
}

// drain calls again and again the first in line for whom a machine is idle.
func (m *Model) drain() {
	defer m.byItself()()
	for m.calling() {
		c := m.firstFor(m.freeSubjects())
		if c == nil {
			return
		}
		m.seek(c)
	}
}

func (m *Model) close(s *hall.Sitting, outcome hall.Outcome) (*hall.Candidate, *hall.Machine) {
	s.State, s.EndedAt, s.Outcome = hall.SittingEnded, m.Now, outcome
	m.stopClock(s)
	c := m.Candidates[s.Candidate]
	c.Sitting = ""
	return c, m.Machines[s.Machine]
}

// comeBack puts a candidate where the requeue rule says.
func (m *Model) comeBack(c *hall.Candidate) { m.wait(c, m.placeBack(c)) }

func (m *Model) placeBack(c *hall.Candidate) hall.Place {
	if m.rules().Requeue == hall.RequeueKeep {
		return c.FirstPlace
	}
	return m.tail()
}

// behind is the place behind the n-th in line, where classes matter behind the
// n-th of the candidate's own.
func (m *Model) behind(n int, me *hall.Candidate) hall.Place {
	line := slices.DeleteFunc(m.Line(), func(c *hall.Candidate) bool {
		return m.rules().Order != hall.OrderFIFO && c.Class != me.Class
	})
	if len(line) < n {
		return m.tail()
	}
	return line[n-1].Place + 1
}

// free is the free place nearest behind this one, or itself.
func (m *Model) free(place hall.Place) hall.Place {
	for m.taken(place) {
		place++
	}
	return place
}

// before is the free place before a candidate's own last place and the whole class.
func (m *Model) before(c *hall.Candidate) hall.Place {
	place := c.Place
	for _, other := range m.Line() {
		if other.Class == c.Class && other.Place <= place {
			place = other.Place - 1
		}
	}
	for m.taken(place) {
		place--
	}
	return place
}

func (m *Model) taken(place hall.Place) bool {
	return slices.ContainsFunc(m.Line(), func(c *hall.Candidate) bool { return c.Place == place })
}

func (m *Model) sitting(id string, states ...hall.SittingState) (*hall.Sitting, error) {
	s := m.Sittings[id]
	if s == nil {
		return nil, refuse(hall.CodeUnknownSitting)
	}
	if !slices.Contains(states, s.State) {
		return s, refuse(hall.CodeWrongState)
	}
	return s, nil
}

// Statistics is hall.Queue.WaitStatistics.
func (m *Model) Statistics(classes []hall.Class) hall.WaitStatistics {
	var waits []time.Duration
	var sum time.Duration
	for _, c := range m.Line() {
		if len(classes) == 0 || slices.Contains(classes, c.Class) {
			waits = append(waits, c.Wait(m.Now))
			sum += c.Wait(m.Now)
		}
	}
	n := len(waits)
	if n == 0 {
		return hall.WaitStatistics{}
	}
	slices.Sort(waits)
	return hall.WaitStatistics{
		Count: n, Average: sum / time.Duration(n), Max: waits[n-1], Median: (waits[(n-1)/2] + waits[n/2]) / 2,
		P95: waits[(n*95+99)/100-1],
	}
}
