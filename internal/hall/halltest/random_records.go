package halltest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// correct adds a correction to the records of some day in both.
func (p *play) correct(r *rapid.T, candidate string) (want, got error) {
	days := []string{hall.CurrentDay, hall.CurrentDay, p.model.dayID, "2026-11-29-1", ""}
	for _, day := range p.model.closed {
		days = append(days, day.id, day.id)
	}
	day := rapid.SampledFrom(days).Draw(r, "day")
	c := hall.CorrectionRequest{
		Table: rapid.SampledFrom(append(hall.RecordTables, hall.TableAttendance, "people")).Draw(r, "table"), Row: candidate,
		State: rapid.SampledFrom([]hall.CandidateState{"", "", hall.Done, hall.Absent, "gone"}).Draw(r, "state"),
		Text:  drawText(r, "text"), Reason: drawText(r, "reason"),
	}
	if c.Table == hall.TableSittings {
		c.Row = fmt.Sprintf("s%d", rapid.IntRange(1, 12).Draw(r, "sitting"))
	}
	want = p.model.Correct(day, c, p.by.By)
	_, got = p.store.Correct(p.ctx, p.id, day, c, p.by)
	return want, got
}

// erase takes the names from some day in both.
func (p *play) erase(r *rapid.T) (want, got error) {
	days := []string{hall.CurrentDay, p.model.dayID, "2026-11-29-1", ""}
	for _, day := range p.model.closed {
		days = append(days, day.id)
	}
	day := rapid.SampledFrom(days).Draw(r, "day")
	return p.model.EraseDay(day), p.store.EraseDay(p.ctx, p.id, day, p.by)
}

// compareRecords reads the records of the present day and of one closed day.
func (p *play) compareRecords(r *rapid.T) {
	if len(p.model.steps)%3 > 0 {
		return // it is much to read
	}
	days := []string{hall.CurrentDay}
	if n := len(p.model.closed); n > 0 {
		days = append(days, p.model.closed[len(p.model.steps)%n].id)
	}
	for _, day := range days {
		found, err := p.store.RecordedDay(p.ctx, p.id, day)
		if err != nil {
			r.Fatalf("records of %s: %v", day, err)
		}
		p.compareRecordsOf(r, found.Number, p.model.dayNamed(day))
	}
}

func (p *play) compareRecordsOf(r *rapid.T, number int, want *Model) {
	corrections, err := p.store.Corrections(p.ctx, p.id, number)
	if err != nil || !slices.Equal(corrections, want.Corrections) {
		r.Fatalf("corrections are %+v, want %+v (%v)", corrections, want.Corrections, err)
	}
	people, err := p.store.Attendance(p.ctx, p.id, number, hall.Page{})
	if err != nil || people.Total != len(want.Candidates) || len(people.Items) != people.Total {
		r.Fatalf("%d people in the records, want %d (%v)", people.Total, len(want.Candidates), err)
	}
	for _, c := range people.Items {
		known := want.Candidates[c.ID]
		if got := describeCandidate(&c); known == nil || got != describeCandidate(known) || len(c.Notes) != len(known.Notes) {
			r.Fatalf("the records have %s, want %+v", got, known)
		}
	}
	sittings, err := p.store.DaySittings(p.ctx, p.id, number, hall.Page{})
	if err != nil || sittings.Total != len(want.Sittings) || len(sittings.Items) != sittings.Total {
		r.Fatalf("%d sittings in the records, want %d (%v)", sittings.Total, len(want.Sittings), err)
	}
	for i, id := range want.SittingIDs() {
		s := sittings.Items[i]
		if got := describeSitting(&s); got != describeSitting(want.Sittings[id]) {
			r.Fatalf("the records have %s, want %s", got, describeSitting(want.Sittings[id]))
		}
		if s.Outcome == hall.Aborted && s.Reason != want.Sittings[id].Reason || s.Outcome != hall.Aborted && s.Reason != "" {
			r.Fatalf("sitting %s was aborted because %q, want %q", id, s.Reason, want.Sittings[id].Reason)
		}
	}
	incidents, err := p.store.DayIncidents(p.ctx, p.id, number, hall.Page{})
	if err != nil || len(incidents.Items) != len(want.Incidents) {
		r.Fatalf("%d incidents in the records, want %d (%v)", len(incidents.Items), len(want.Incidents), err)
	}
}
