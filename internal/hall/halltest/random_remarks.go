package halltest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// drawText is what staff write, and what nobody can.
func drawText(r *rapid.T, name string) string {
	return rapid.SampledFrom([]string{
		"left his glasses", " doctor's letter seen\r\nby the head ", `<b>"quoted"</b> / \ {} []`, "迟到 十分钟 𠮷", "", "two\tcolumns",
	}).Draw(r, name)
}

// remark writes something down in both.
func (p *play) remark(r *rapid.T, command, candidate, machine string) (want, got error) {
	text := drawText(r, "text")
	if command == "note" {
		want = p.model.AddNote(candidate, text, p.by.By)
		_, got = p.store.AddNote(p.ctx, p.id, candidate, text, p.by)
		return want, got
	}
	report := hall.IncidentReport{
		Category: rapid.SampledFrom([]string{"machine", "other", "rules", "weather", ""}).Draw(r, "category"),
		Text:     text, Done: drawText(r, "done"),
	}
	if rapid.Bool().Draw(r, "of a machine") {
		report.Machine = machine
	}
	if rapid.Bool().Draw(r, "of a candidate") {
		report.Candidate = candidate
	}
	want = p.model.OpenIncident(report, p.by.By)
	_, got = p.store.OpenIncident(p.ctx, p.id, report, p.by)
	return want, got
}

// compareRemarks reads what was written down. Every id is that of an event
// which says so about the same candidate and machine.
func (p *play) compareRemarks(r *rapid.T) {
	events, err := p.store.Events(p.ctx, p.id, "", hall.Page{})
	if err != nil {
		r.Fatalf("events: %v", err)
	}
	byID := map[string]hall.Event{}
	for _, e := range events.Items {
		byID[e.ID] = e
	}
	for id, c := range p.model.Candidates {
		got, err := p.store.Candidate(p.ctx, p.id, id)
		if err != nil || len(got.Notes) != len(c.Notes) {
			r.Fatalf("%s has %d notes, want %d (%v)", id, len(got.Notes), len(c.Notes), err)
		}
		for i, n := range got.Notes {
			if e := byID[n.ID]; e.Event != hall.EventCandidateNoted || e.Candidate != id {
				r.Fatalf("the event of note %+v is %+v", n, e)
			}
			if n.ID = ""; n != c.Notes[i] {
				r.Fatalf("note %d of %s is %+v, want %+v", i, id, n, c.Notes[i])
			}
		}
	}
	p.compareIncidents(r, byID)
}

func (p *play) compareIncidents(r *rapid.T, byID map[string]hall.Event) {
	list, err := p.store.Incidents(p.ctx, p.id, hall.Page{})
	if err != nil || list.Total != len(p.model.Incidents) {
		r.Fatalf("%d incidents, want %d (%v)", list.Total, len(p.model.Incidents), err)
	}
	got := slices.Clone(list.Items)
	for i := range got {
		e := byID[got[i].ID]
		if e.Event != hall.EventIncidentOpened || e.Candidate != got[i].Candidate || e.Machine != got[i].Machine || e.Category != got[i].Category {
			r.Fatalf("the event of incident %+v is %+v", got[i], e)
		}
		got[i].ID = ""
	}
	if !slices.Equal(got, p.model.Incidents) {
		r.Fatalf("incidents are %+v, want %+v", got, p.model.Incidents)
	}
}
