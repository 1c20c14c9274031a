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
	const size = 4
	for _, filter := range []hall.LineFilter{
		{Subject: "2"},
		{Class: hall.ClassNormal, Descending: true},
		{WaitedOver: time.Minute, Descending: true},
		{Subject: "1", Class: hall.ClassVIP, WaitedOver: time.Second},
	} {
		list, err := p.store.Line(p.ctx, p.id, filter, hall.Page{Number: 1, Size: size})
		if err != nil {
			r.Fatalf("line %+v: %v", filter, err)
		}
		want := p.model.filtered(filter)
		if list.Total != len(want) {
			r.Fatalf("line %+v has %d, want %d", filter, list.Total, len(want))
		}
		p.compareEntries(r, list.Items, want[:min(size, len(want))])
		p.compareEstimates(r, list.Items, filter.Descending)
	}
	snap, err := p.store.Snapshot(p.ctx, p.id)
	if err != nil {
		r.Fatalf("snapshot: %v", err)
	}
	want := p.model.filtered(hall.LineFilter{})
	p.compareEntries(r, snap.Line, want[:min(hall.LineShown, len(want))])
	p.compareEstimates(r, snap.Line, false)
}

// compareEntries fails unless entries are of these people, each with as many
// ahead as the model says.
func (p *play) compareEntries(r *rapid.T, entries []hall.Entry, want []string) {
	got := make([]string, len(entries))
	for i, e := range entries {
		got[i] = e.ID
	}
	if !slices.Equal(got, want) {
		r.Fatalf("in line are %v, want %v", got, want)
	}
	for _, e := range entries {
		if ahead := p.model.Ahead(e.ID); e.Ahead != ahead {
			r.Fatalf("%s has %d ahead, want %d", e.ID, e.Ahead, ahead)
		}
	}
}

// filtered are those in line whom a filter lets through.
func (m *Model) filtered(filter hall.LineFilter) []string {
	ids := []string{}
	for _, c := range m.Line() {
		due := filter.Subject == "" || slices.Contains(c.Remaining(), filter.Subject)
		class := filter.Class == "" || c.Class == filter.Class
		if due && class && (filter.WaitedOver == 0 || c.Wait(m.Now) > filter.WaitedOver) {
			ids = append(ids, c.ID)
		}
	}
	if filter.Descending {
		slices.Reverse(ids)
	}
	return ids
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
