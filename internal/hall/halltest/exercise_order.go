package halltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseOrders has a thousand people of all classes who have waited from
// nothing to twelve hours, half of them for less than five seconds, and
// compares line and places with a plain sort at several instants, with the
// order switched while they wait.
func exerciseOrders(t *testing.T, factory Factory) {
	const people = 1000
	random := rand.New(rand.NewPCG(7, 11))
	var rows []hall.RosterRow
	for i := range people {
		subjects := []string{"1", "2", "3"}
		random.Shuffle(3, func(i, j int) { subjects[i], subjects[j] = subjects[j], subjects[i] })
		row := Row(fmt.Sprintf("%04d", people-i), subjects[:1+random.IntN(3)]...)
		row.Class = hall.Classes[random.IntN(len(hall.Classes))]
		rows = append(rows, row)
	}
	layout := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.Mode = hall.ModeManual })
	d := open(t, factory, layout, rows...)
	gaps := make([]time.Duration, people)
	for i := range gaps {
		gaps[i] = time.Duration(random.IntN(86)) * time.Second // the first half: over some twelve hours
		if i >= people/2 {
			gaps[i] = time.Duration(random.IntN(20)) * time.Millisecond
		}
	}
	for i, row := range rows {
		d.clock.Move(gaps[i])
		d.checkIn(row.Candidate)
	}
	for _, later := range []time.Duration{0, 300 * time.Millisecond, 2 * time.Second, time.Minute} {
		d.clock.Move(later)
		for _, order := range []string{hall.OrderAgeing, hall.OrderStrict, hall.OrderFIFO} {
			layout.Rules.Order = order
			d.putHall(layout)
			d.inOrder(order)
		}
	}
	d.sound()
}

// plainRank is the rank as it is written in the rule.
func plainRank(class hall.Class, n float64) float64 {
	switch class {
	case hall.ClassManagement:
		return math.Inf(1)
	case hall.ClassVIP:
		return max(4, 2*n*math.Log(max(n, 1)))
	case hall.ClassPriority:
		return max(3, n*math.Log(max(n, 1)))
	case hall.ClassNormal:
	}
	return n
}

// inOrder compares the line and everybody's place with a plain sort.
func (d *desk) inOrder(order string) {
	d.Helper()
	type person struct {
		hall.Candidate

		rank float64
	}
	now := d.clock.Now()
	var want []person
	all, err := d.store.Candidates(d.Context(), d.id, hall.CandidateFilter{}, hall.Page{})
	d.must(err)
	for _, c := range all.Items {
		p := person{Candidate: c}
		switch order {
		case hall.OrderStrict:
			p.rank = -float64(slices.Index(hall.Classes, c.Class))
		case hall.OrderAgeing:
			p.rank = plainRank(c.Class, max(0, now.Sub(c.QueuedAt)).Seconds())
		}
		want = append(want, p)
	}
	slices.SortFunc(want, func(a, b person) int {
		if a.rank > b.rank || (a.rank == b.rank && a.Place < b.Place) {
			return -1
		}
		return 1
	})
	list, err := d.store.Line(d.Context(), d.id, hall.LineFilter{}, hall.Page{})
	d.must(err)
	if len(list.Items) != len(want) {
		d.Fatalf("%s: %d wait, want %d", order, len(list.Items), len(want))
	}
	for i, p := range want {
		ahead := 0
		for _, other := range want[:i] {
			if shares(other.Remaining(), p.Remaining()) {
				ahead++
			}
		}
		if got := list.Items[i]; got.ID != p.ID || got.Ahead != ahead {
			d.Fatalf("%s: place %d is %s with %d ahead, want %s with %d", order, i, got.ID, got.Ahead, p.ID, ahead)
		}
		if i%29 == 0 {
			if e := d.entry(p.ID); e.Ahead != ahead {
				d.Fatalf("%s: %s has %d ahead, want %d", order, p.ID, e.Ahead, ahead)
			}
		}
	}
	d.firstForSubject(order, list.Items)
}

// firstForSubject compares the first for one subject with the whole line.
func (d *desk) firstForSubject(order string, line []hall.Entry) {
	d.Helper()
	first := slices.IndexFunc(line, func(e hall.Entry) bool { return slices.Contains(e.Remaining(), "1") })
	sub, err := d.store.Line(d.Context(), d.id, hall.LineFilter{Subject: "1"}, hall.Page{Number: 1, Size: 1})
	d.must(err)
	if len(sub.Items) != 1 || sub.Items[0].ID != line[first].ID {
		d.Fatalf("%s: the first for subject 1 is %+v, want %s", order, sub.Items, line[first].ID)
	}
}

// exerciseManagers has what managers may do with somebody's place.
func exerciseManagers(t *testing.T, factory Factory) {
	manual := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.Mode = hall.ModeManual })
	d := open(t, factory, manual, Row("a", "1"), Row("b", "1"), Row("c", "1"), Row("e", "1"))
	d.checkIn("a")
	d.clock.Move(time.Hour)
	d.checkIn("b")
	now := d.clock.Now()
	for _, at := range []time.Time{now.Add(time.Second), now.Add(-25 * time.Hour)} {
		_, _, err := d.store.CheckIn(d.Context(), d.id, "c", hall.CheckIn{At: at}, testCaller)
		d.refused(err, hall.CodeInvalid)
	}
	_, _, err := d.store.CheckIn(d.Context(), d.id, "c", hall.CheckIn{Class: "royal"}, testCaller)
	d.refused(err, hall.CodeInvalid)
	e, _, err := d.store.CheckIn(d.Context(), d.id, "c", hall.CheckIn{At: now.Add(-time.Minute), Class: hall.ClassVIP}, testCaller)
	d.must(err)
	if e.Position() != 2 || e.Ticket != "V001" || e.Wait(e.Now) != time.Minute || !e.QueuedAt.Equal(now.Add(-time.Minute)) {
		t.Errorf("checked in a minute back: position %d, ticket %s, wait %s", e.Position(), e.Ticket, e.Wait(e.Now))
	}

	d.must(d.store.Leave(d.Context(), d.id, "a", testCaller))
	d.clock.Move(time.Minute)
	if e, err = d.store.Restore(d.Context(), d.id, "a", true, testCaller); err != nil || e.Position() != 1 || e.Wait(e.Now) != 0 {
		t.Errorf("restored to the kept place: position %d, wait %s (%v)", e.Position(), e.Wait(e.Now), err)
	}

	s, err := d.store.Call(d.Context(), d.id, "b", "m1", "train", testCaller)
	d.must(err)
	if s.Candidate != "b" || s.Machine != "m1" {
		t.Errorf("called %+v", s)
	}
	d.reason(hall.EventCandidateCalled, "train")
	for _, refused := range []struct {
		candidate, machine string
		code               hall.Code
	}{
		{"b", "m1", hall.CodeWrongState},
		{"a", "m1", hall.CodeMachineNotIdle},
		{"a", "m2", hall.CodeNoMachine},
		{"x", "m2", hall.CodeUnknownCandidate},
		{"a", "m9", hall.CodeUnknownMachine},
	} {
		_, err := d.store.Call(d.Context(), d.id, refused.candidate, refused.machine, "", testCaller)
		d.refused(err, refused.code)
	}

	h, err := d.store.OpenCheckIn(d.Context(), d.id, false, testCaller)
	d.must(err)
	if h.Day.CheckInOpen {
		t.Error("check-in is open")
	}
	_, _, err = d.store.CheckIn(d.Context(), d.id, "e", hall.CheckIn{}, testCaller)
	d.refused(err, hall.CodeCheckInClosed)
	d.checkIn("a") // is in already
	_, err = d.store.OpenCheckIn(d.Context(), d.id, true, testCaller)
	d.must(err)
	d.checkIn("e")
	d.sound()
	exercisePutCandidate(d)
}

func exercisePutCandidate(d *desk) {
	row := Row("new", "1", "2")
	c, created, err := d.store.PutCandidate(d.Context(), d.id, row, testCaller)
	d.must(err)
	if !created || c.State != hall.Registered || c.Class != hall.ClassNormal {
		d.Errorf("created %v: %+v", created, c)
	}
	_, err = d.store.SetClass(d.Context(), d.id, "new", hall.ClassVIP, "", testCaller)
	d.must(err)
	row.Class, row.Person.Name = hall.ClassNormal, "Another"
	c, created, err = d.store.PutCandidate(d.Context(), d.id, row, testCaller)
	d.must(err)
	if created || c.Class != hall.ClassNormal || c.Person.Name != "Another" {
		d.Errorf("created %v: %+v", created, c)
	}
	_, _, err = d.store.PutCandidate(d.Context(), d.id, Row("b", "2"), testCaller) // b sits subject 1
	d.refused(err, hall.CodeInUse)
	d.sound()
}

// exerciseTarget marks a wait that is longer than the target, once.
func exerciseTarget(t *testing.T, factory Factory) {
	rules := func(r *hall.Rules) { r.WaitTargetSeconds, r.CallTimeoutSeconds = 600, 3600 }
	d := open(t, factory, with(Layout("one", "two", "three"), rules), Row("a", "1"), Row("b", "1"), Row("c", "1"))
	d.checkIn("a", "b")
	d.clock.Move(5 * time.Minute)
	d.checkIn("c")
	_, err := d.store.Hold(d.Context(), d.id, "b", testCaller)
	d.must(err)
	d.clock.Move(time.Hour)
	d.elapse()
	_, err = d.store.Return(d.Context(), d.id, "b", testCaller) // has waited five minutes
	d.must(err)
	alerts := func() (marked []string) {
		events, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
		d.must(err)
		for _, e := range events.Items {
			if e.Event == hall.EventAlertRaised && e.Alert == hall.AlertWait {
				marked = append(marked, e.Candidate)
			}
		}
		return marked
	}
	if got := alerts(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("marked are %v, want c", got)
	}
	next, err := d.store.Elapse(d.Context(), d.id)
	d.must(err)
	if want := d.clock.Now().Add(5 * time.Minute); next.After(want) {
		t.Errorf("due next at %s, want %s at the latest", next, want)
	}
	over, err := d.store.Line(d.Context(), d.id, hall.LineFilter{WaitedOver: 10 * time.Minute}, hall.Page{})
	d.must(err)
	if over.Total != 1 || over.Items[0].ID != "c" || !over.Items[0].OverTarget {
		t.Errorf("over ten minutes are %+v", over.Items)
	}
	d.clock.Move(5 * time.Minute)
	d.elapse()
	d.elapse()
	if got := alerts(); !slices.Equal(got, []string{"c", "b"}) {
		t.Errorf("marked are %v, want c and b", got)
	}
	d.sound()
}
