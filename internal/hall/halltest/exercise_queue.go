package halltest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// inState brings candidate "x" of a new hall into a state.
func inState(t *testing.T, store hall.Store, clock *Clock, state hall.CandidateState) *desk {
	t.Helper()
	d := &desk{T: t, store: store, clock: clock, id: "states " + string(state) + clock.Now().Format(time.StampMilli)}
	clock.Move(time.Millisecond)
	layout := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.MaxNoShows = 1 })
	if state == hall.Resting {
		layout.Rules.RestSeconds = 600
	}
	d.putHall(layout)
	subjects := []string{"1", "2"}
	if state == hall.Done {
		subjects = subjects[:1]
	}
	d.putRoster(Row("x", subjects...), Row("one", "1"), Row("two", "2"))
	if state == hall.Registered {
		return d
	}
	if state == hall.Waiting || state == hall.Held || state == hall.Withdrawn {
		d.checkIn("one", "two")
	}
	d.checkIn("x")
	switch state {
	case hall.Seated:
		d.seat("x")
	case hall.Done, hall.Resting:
		d.end("x")
	case hall.Held:
		_, err := d.store.Hold(d.Context(), d.id, "x", testCaller)
		d.must(err)
	case hall.Absent:
		d.noShow("x")
	case hall.Withdrawn:
		d.must(d.store.Leave(d.Context(), d.id, "x", testCaller))
	case hall.Registered, hall.Waiting, hall.Called:
	}
	d.states(map[string]hall.CandidateState{"x": state})
	return d
}

// table says what each command does in each state: the code of the refusal, or
// the state that the candidate is in afterwards. The columns are those of
// hall.CandidateStates.
var table = map[string][]string{
	//            registered  waiting      called         seated         resting        held         done            absent           withdrawn
	"check in": {"called", "waiting", "called", "seated", "resting", "held", "!already_done", "!needs_restore", "!needs_restore"},
	"leave":    {"!not_in_queue", "withdrawn", "!wrong_state", "!wrong_state", "withdrawn", "withdrawn", "!not_in_queue", "!not_in_queue", "!not_in_queue"},
	"hold":     {"!wrong_state", "held", "!wrong_state", "!wrong_state", "held", "!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state"},
	"return":   {"!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "waiting", "!wrong_state", "!wrong_state", "!wrong_state"},
	"restore":  {"!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "!wrong_state", "called", "waiting"},
	"class":    {"registered", "waiting", "called", "seated", "resting", "held", "!wrong_state", "!wrong_state", "!wrong_state"},
	"note":     {"registered", "waiting", "called", "seated", "resting", "held", "done", "absent", "withdrawn"},
	"incident": {"registered", "waiting", "called", "seated", "resting", "held", "done", "absent", "withdrawn"},
	// The commands below name the candidate's last sitting.
	"seat":     {"", "", "seated", "seated", "!wrong_state", "", "!wrong_state", "!wrong_state", ""},
	"end":      {"", "", "called", "called", "resting", "", "done", "!wrong_state", ""},
	"recall":   {"", "", "called", "!wrong_state", "!wrong_state", "", "!wrong_state", "!wrong_state", ""},
	"no-show":  {"", "", "absent", "!wrong_state", "!wrong_state", "", "!wrong_state", "!wrong_state", ""},
	"abort":    {"", "", "called", "called", "!wrong_state", "", "!wrong_state", "!wrong_state", ""},
	"transfer": {"", "", "!no_machine", "!no_machine", "!wrong_state", "", "!wrong_state", "!wrong_state", ""},
}

func exerciseStates(t *testing.T, factory Factory) {
	store, clock := factory(t)
	for command, cells := range table {
		for i, state := range hall.CandidateStates {
			if cells[i] == "" {
				continue
			}
			d := inState(t, store, clock, state)
			err := d.give(command)
			c, readErr := store.Candidate(d.Context(), d.id, "x")
			d.must(readErr)
			got := string(c.State)
			if err != nil {
				got = "!" + string(hall.CodeOf(err))
				if c.State != state {
					t.Errorf("%s in %s was refused and changed the state to %s", command, state, c.State)
				}
			}
			if got != cells[i] {
				t.Errorf("%s in %s: got %s (%v), want %s", command, state, got, err, cells[i])
			}
			d.sound()
		}
	}
}

// give gives a command to candidate x or to x's last sitting.
func (d *desk) give(command string) (err error) {
	ctx := d.Context()
	list, err := d.store.Sittings(ctx, d.id, hall.SittingFilter{}, hall.Page{})
	d.must(err)
	sitting := "none"
	for _, s := range list.Items {
		if s.Candidate == "x" {
			sitting = s.ID
		}
	}
	switch command {
	case "check in":
		_, _, err = d.store.CheckIn(ctx, d.id, "x", hall.CheckIn{}, testCaller)
	case "leave":
		err = d.store.Leave(ctx, d.id, "x", testCaller)
	case "hold":
		_, err = d.store.Hold(ctx, d.id, "x", testCaller)
	case "return":
		_, err = d.store.Return(ctx, d.id, "x", testCaller)
	case "restore":
		_, err = d.store.Restore(ctx, d.id, "x", false, testCaller)
	case "class":
		_, err = d.store.SetClass(ctx, d.id, "x", hall.ClassVIP, "", testCaller)
	case "note":
		_, err = d.store.AddNote(ctx, d.id, "x", "left his glasses", testCaller)
	case "incident":
		_, err = d.store.OpenIncident(ctx, d.id, hall.IncidentReport{Category: "person", Candidate: "x", Machine: "m1", Text: "shouts"}, testCaller)
	case "seat":
		_, err = d.store.Seat(ctx, d.id, sitting, testCaller)
	case "end":
		_, err = d.store.End(ctx, d.id, sitting, testCaller)
	case "recall":
		_, err = d.store.Recall(ctx, d.id, sitting, 2, testCaller)
	case "no-show":
		_, err = d.store.NoShow(ctx, d.id, sitting, testCaller)
	case "abort":
		_, err = d.store.Abort(ctx, d.id, sitting, hall.Abort{Fault: hall.FaultCandidate}, testCaller)
	case "transfer":
		_, err = d.store.Transfer(ctx, d.id, sitting, hall.Transfer{}, testCaller)
	default:
		d.Fatalf("unknown command %s", command)
	}
	return err
}

func exerciseTickets(t *testing.T, factory Factory) {
	rows := []hall.RosterRow{Row("a", "1"), Row("b", "1"), Row("c", "1"), Row("d", "1"), Row("e", "1")}
	for i, class := range []hall.Class{hall.ClassNormal, hall.ClassManagement, hall.ClassVIP, hall.ClassPriority, hall.ClassNormal} {
		rows[i].Class = class
	}
	d := open(t, factory, Layout("one", "two", "three"), rows...)
	for i, want := range []string{"N001", "M001", "V001", "P001", "N002"} {
		e, first, err := d.store.CheckIn(d.Context(), d.id, rows[i].Candidate, hall.CheckIn{}, testCaller)
		d.must(err)
		if e.Ticket != want || !first {
			t.Errorf("%s got ticket %s (first %v), want %s", rows[i].Candidate, e.Ticket, first, want)
		}
	}
	e, first, err := d.store.CheckIn(d.Context(), d.id, "a", hall.CheckIn{}, testCaller)
	d.must(err)
	if e.Ticket != "N001" || first || e.State != hall.Called {
		t.Errorf("checked in again: %s, first %v, %s", e.Ticket, first, e.State)
	}
	changed, err := d.store.SetClass(d.Context(), d.id, "b", hall.ClassNormal, "", testCaller)
	d.must(err)
	if changed.Ticket != "M001" || changed.Class != hall.ClassNormal {
		t.Errorf("class changed to %s, ticket %s", changed.Class, changed.Ticket)
	}
	_, err = d.store.SetClass(d.Context(), d.id, "b", "royal", "", testCaller)
	d.refused(err, hall.CodeInvalid)
	d.sound()
}

func exerciseDispatch(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("both", "two", "one"),
		Row("a", "2"), Row("b", "3"), Row("c", "2", "3"), Row("e", "1", "2"), Row("f", "1"), Row("g", "3"))
	d.checkIn("a", "b", "c")
	// The machine that serves the fewest subjects is taken first, so that b finds the other one.
	if a, b := d.calledTo("a").Machine, d.calledTo("b").Machine; a != "m2" || b != "m1" {
		t.Errorf("a is at %s, b at %s", a, b)
	}
	d.checkIn("e", "f", "g")
	d.states(map[string]hall.CandidateState{"c": hall.Waiting, "e": hall.Called, "f": hall.Waiting, "g": hall.Waiting})
	d.clock.Move(time.Minute)
	d.seat("b")
	d.end("b")
	// c is before g, who needs the freed machine too.
	d.states(map[string]hall.CandidateState{"b": hall.Done, "c": hall.Called, "g": hall.Waiting})
	if wait := d.calledTo("c").Wait; wait != time.Minute {
		t.Errorf("c waited %s", wait)
	}
	// e has finished 1 and goes to the tail; f takes the machine.
	d.seat("e")
	d.end("e")
	d.states(map[string]hall.CandidateState{"e": hall.Waiting, "f": hall.Called})
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"g", "e"}) {
		t.Errorf("line is %v", got)
	}
	d.sound()

	// With keep, who has begun comes back before those who came later.
	d = open(t, factory, with(Layout("one", "two", "three"), func(r *hall.Rules) { r.Requeue = hall.RequeueKeep }),
		Row("a", "1", "2"), Row("b", "2"), Row("c", "2"))
	d.checkIn("b", "a", "c")
	d.end("a")
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("line with keep is %v", got)
	}
	if e := d.entry("a"); !e.QueuedAt.Equal(e.CheckedInAt.Add(time.Millisecond)) || e.Position() != 1 {
		t.Errorf("a kept the place of %s, checked in at %s, position %d", e.QueuedAt, e.CheckedInAt, e.Position())
	}
	d.sound()
}

func exerciseLine(t *testing.T, factory Factory) {
	const people = 1101
	var rows []hall.RosterRow
	for i := range people {
		row := Row(fmt.Sprintf("%04d", people-i), []string{"1", "2", "3"}[i%3])
		row.Class = hall.Classes[i%4]
		rows = append(rows, row)
	}
	d := open(t, factory, with(Layout("one", "two", "three"), func(r *hall.Rules) { r.Mode = hall.ModeManual }), rows...)
	var want []string
	for _, r := range rows {
		d.checkIn(r.Candidate) // all in the same millisecond, ids descending
		want = append(want, r.Candidate)
	}
	d.clock.Move(time.Minute)
	if got := d.line(hall.LineFilter{}); !slices.Equal(got, want) {
		t.Error("the line is not in order of arrival")
	}
	backwards := slices.Clone(want)
	slices.Reverse(backwards)
	if got := d.line(hall.LineFilter{Descending: true}); !slices.Equal(got, backwards) {
		t.Error("the line backwards is not")
	}
	for _, page := range []struct{ number, size, first, count int }{{1, 7, 0, 7}, {3, 500, 1000, 101}, {2, 1100, 1100, 1}, {9, 500, 0, 0}} {
		list, err := d.store.Line(d.Context(), d.id, hall.LineFilter{}, hall.Page{Number: page.number, Size: page.size})
		d.must(err)
		if list.Total != people || len(list.Items) != page.count || (page.count > 0 && list.Items[0].ID != want[page.first]) {
			t.Errorf("page %+v has %d of %d", page, len(list.Items), list.Total)
		}
	}
	for _, f := range []struct {
		filter hall.LineFilter
		total  int
	}{
		{hall.LineFilter{Subject: "1"}, 367},
		{hall.LineFilter{Class: hall.ClassVIP}, 275},
		{hall.LineFilter{Subject: "2", Class: hall.ClassVIP}, 92},
		{hall.LineFilter{WaitedOver: time.Hour}, 0},
		{hall.LineFilter{WaitedOver: 30 * time.Second}, people},
	} {
		list, err := d.store.Line(d.Context(), d.id, f.filter, hall.Page{Number: 2, Size: 50})
		d.must(err)
		if list.Total != f.total || len(list.Items) != min(50, max(0, f.total-50)) {
			t.Errorf("filter %+v: %d of %d, want %d", f.filter, len(list.Items), list.Total, f.total)
		}
	}
	// Only those who share a due subject are ahead.
	e := d.entry(want[1100])
	if e.Position() != 367 || e.Ahead != 366 || e.Wait(e.Now) != time.Minute {
		t.Errorf("position %d, ahead %d, wait %s", e.Position(), e.Ahead, e.Wait(e.Now))
	}
	_, err := d.store.Entry(d.Context(), d.id, "nobody")
	d.refused(err, hall.CodeUnknownCandidate)
	d.sound()
}

func exerciseNext(t *testing.T, factory Factory) {
	d := open(t, factory, with(Layout("one", "both", "three"), func(r *hall.Rules) { r.Mode = hall.ModeManual }),
		Row("a", "3"), Row("b", "1"), Row("c", "2"))
	next := func(machine string) *hall.Sitting {
		s, err := d.store.Next(d.Context(), d.id, machine, testCaller)
		d.must(err)
		return s
	}
	if s := next("m1"); s != nil {
		t.Errorf("called %+v out of an empty line", s)
	}
	d.checkIn("a", "b", "c")
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Waiting, "c": hall.Waiting})
	if s := next("m2"); s == nil || s.Candidate != "a" || s.Subject != "3" {
		t.Errorf("m2 got %+v", s)
	}
	_, err := d.store.Next(d.Context(), d.id, "m2", testCaller)
	d.refused(err, hall.CodeMachineNotIdle)
	_, err = d.store.Next(d.Context(), d.id, "m9", testCaller)
	d.refused(err, hall.CodeUnknownMachine)
	if s := next(""); s == nil || s.Candidate != "b" || s.Machine != "m1" {
		t.Errorf("any got %+v", s)
	}
	if s := next(""); s != nil {
		t.Errorf("any got %+v, but only m3 is idle", s)
	}
	d.end("a") // nobody is called by itself in manual mode
	d.states(map[string]hall.CandidateState{"c": hall.Waiting})
	if s := next("m2"); s == nil || s.Candidate != "c" {
		t.Errorf("m2 got %+v", s)
	}
	d.sound()
}

// exerciseTogether has many desks at one hall at the same time.
func exerciseTogether(t *testing.T, factory Factory) {
	const people, desks = 50, 2
	var rows []hall.RosterRow
	for i := range people {
		rows = append(rows, Row(fmt.Sprintf("%03d", i), "1", "2"))
	}
	d := open(t, factory, Layout("one", "one", "two", "three"), rows...)
	var mu sync.Mutex
	tickets, firsts := map[string]string{}, map[string]int{}
	var all sync.WaitGroup
	for range desks {
		for _, r := range rows {
			all.Go(func() {
				e, first, err := d.store.CheckIn(t.Context(), d.id, r.Candidate, hall.CheckIn{}, testCaller)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
				if known := tickets[e.ID]; known != "" && known != e.Ticket {
					t.Errorf("%s has tickets %s and %s", e.ID, known, e.Ticket)
				}
				tickets[e.ID] = e.Ticket
				if first {
					firsts[e.ID]++
				}
			})
		}
	}
	all.Wait()
	for _, r := range rows {
		if firsts[r.Candidate] != 1 {
			t.Errorf("%s was first %d times", r.Candidate, firsts[r.Candidate])
		}
	}
	d.sound()
	exerciseProctorsTogether(d)
}

// exerciseProctorsTogether ends the day with several proctors on the same machines.
func exerciseProctorsTogether(d *desk) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				list, err := d.store.Sittings(d.Context(), d.id, hall.SittingFilter{State: hall.SittingCalled}, hall.Page{})
				if err != nil || len(list.Items) == 0 {
					return
				}
				for _, s := range list.Items {
					_, _ = d.store.Seat(d.Context(), d.id, s.ID, testCaller)
					if _, err := d.store.End(d.Context(), d.id, s.ID, testCaller); err != nil {
						d.Errorf("end %s: %v", s.ID, err)
					}
				}
			}
		})
	}
	all.Wait()
	ended, err := d.store.Sittings(d.Context(), d.id, hall.SittingFilter{State: hall.SittingEnded}, hall.Page{})
	d.must(err)
	if ended.Total != 100 {
		d.Errorf("%d sittings ended, want 100", ended.Total)
	}
	d.sound()
}
