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
