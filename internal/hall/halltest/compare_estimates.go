package halltest

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// compareEstimates fails unless entries of the line have the estimates that
// come from what the model knows: so a store hands in the right facts.
func (p *play) compareEstimates(r *rapid.T, entries []hall.Entry, descending bool) {
	entries = slices.Clone(entries)
	if descending {
		slices.Reverse(entries)
	}
	people := make([]*hall.Candidate, len(entries))
	for i := range entries {
		people[i] = p.model.Candidates[entries[i].ID]
	}
	want := p.model.Estimates(people)
	for i, e := range entries {
		if !sameEstimate(e.Estimate, want[i]) {
			r.Fatalf("estimate of %s, number %d of %d: got %s, want %s", e.ID, i, len(entries), inWords(e.Estimate), inWords(want[i]))
		}
	}
}

// compareLists asks for parts of the line that are no stretch of it, and for
// what a screen shows.
func (p *play) compareLists(r *rapid.T) {
	for _, filter := range []hall.LineFilter{
		{Subject: "2"}, {Class: hall.ClassNormal, Descending: true}, {WaitedOver: time.Minute, Descending: true},
	} {
		list, err := p.store.Line(p.ctx, p.id, filter, hall.Page{Number: 1, Size: 4})
		if err != nil {
			r.Fatalf("line %+v: %v", filter, err)
		}
		p.compareEstimates(r, list.Items, filter.Descending)
	}
	snap, err := p.store.Snapshot(p.ctx, p.id)
	if err != nil {
		r.Fatalf("snapshot: %v", err)
	}
	p.compareEstimates(r, snap.Line, false)
}

func sameEstimate(a, b *time.Duration) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

func inWords(d *time.Duration) string {
	if d == nil {
		return "none"
	}
	return d.String()
}
