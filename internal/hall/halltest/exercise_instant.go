package halltest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseInstant has fifty people check in within one millisecond, their ids
// descending: they stand in the order in which they were taken, under each
// order, and are called in it.
func exerciseInstant(t *testing.T, factory Factory) {
	const people = 50
	store, clock := factory(t)
	for _, order := range []string{hall.OrderFIFO, hall.OrderStrict, hall.OrderAgeing} {
		layout := with(Layout("one", "two", "three"), func(r *hall.Rules) { r.Mode, r.Order = hall.ModeManual, order })
		var rows []hall.RosterRow
		for i := range people {
			row := Row(fmt.Sprintf("%02d", people-i), "1")
			row.Class = hall.Classes[3-i%4] // the lowest first
			rows = append(rows, row)
		}
		d := &desk{T: t, store: store, clock: clock, id: "instant " + order}
		d.putHall(layout)
		d.putRoster(rows...)
		places := map[hall.Place]bool{}
		for _, row := range rows {
			places[d.checkIn(row.Candidate).Place] = true
		}
		if len(places) != people {
			t.Errorf("%s: %d places for %d people", order, len(places), people)
		}
		if order != hall.OrderFIFO {
			slices.SortStableFunc(rows, func(a, b hall.RosterRow) int {
				return slices.Index(hall.Classes, a.Class) - slices.Index(hall.Classes, b.Class)
			})
		}
		for i, row := range rows {
			if e := d.entry(row.Candidate); e.Position() != 1 {
				t.Errorf("%s: number %d stands at %d", order, i, e.Position())
			}
			s, err := store.Next(t.Context(), d.id, "m1", testCaller)
			d.must(err)
			if s == nil || s.Candidate != row.Candidate {
				t.Fatalf("%s: number %d is %+v, want %s", order, i, s, row.Candidate)
			}
			d.end(row.Candidate)
		}
		d.sound()
	}
}
