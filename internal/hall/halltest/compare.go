package halltest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// compare fails unless the store's day is that of the model and all invariants hold.
func (p *play) compare(r *rapid.T) {
	p.model.SettleAlerts()
	st, err := p.store.State(p.ctx, p.id)
	if err != nil {
		r.Fatalf("state: %v", err)
	}
	if broken := hall.Check(&st); len(broken) > 0 {
		r.Fatalf("broken:\n%s", strings.Join(broken, "\n"))
	}
	got, want := describeState(&st), p.model.describe()
	if !slices.Equal(got, want) {
		r.Fatalf("store and model differ:\n%s", difference(got, want))
	}
	p.comparePositions(r)
	p.compareRemarks(r)
	p.compareRecords(r)
	p.comparePhones(r, &st)
	p.compareAlerts(r, &st)
	p.compareLists(r)
	for _, classes := range [][]hall.Class{nil, {hall.ClassNormal}, {hall.ClassVIP, hall.ClassPriority}} {
		stats, err := p.store.WaitStatistics(p.ctx, p.id, classes)
		if want := p.model.Statistics(classes); err != nil || stats != want {
			r.Fatalf("statistics of %v: got %+v, want %+v (%v)", classes, stats, want, err)
		}
	}
}

// comparePositions asks for the line and for everybody's place in it, one by
// one and as a list.
func (p *play) comparePositions(r *rapid.T) {
	descending := len(p.model.Sittings)%2 == 1
	want := p.model.filtered(hall.LineFilter{Descending: descending})
	for _, page := range []hall.Page{{}, {Number: 2, Size: 3}} {
		list, err := p.store.Line(p.ctx, p.id, hall.LineFilter{Descending: descending}, page)
		if err != nil || list.Total != len(want) {
			r.Fatalf("line has %d, want %d (%v)", list.Total, len(want), err)
		}
		part := want
		if page.Size > 0 {
			part = want[min(3, len(want)):min(6, len(want))]
		}
		p.compareEntries(r, list.Items, part)
		p.compareEstimates(r, list.Items, descending)
	}
	for _, c := range p.model.Line() {
		e, err := p.store.Entry(p.ctx, p.id, c.ID)
		if err != nil || e.Ahead != p.model.Ahead(c.ID) {
			r.Fatalf("ahead of %s: got %d, want %d (%v)", c.ID, e.Ahead, p.model.Ahead(c.ID), err)
		}
		p.compareEstimates(r, []hall.Entry{e}, false)
	}
}

// difference shows the lines that only one side has.
func difference(got, want []string) string {
	var out strings.Builder
	for _, line := range want {
		if !slices.Contains(got, line) {
			fmt.Fprintf(&out, "- %s\n", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			fmt.Fprintf(&out, "+ %s\n", line)
		}
	}
	return out.String()
}

func describeState(st *hall.State) []string {
	lines := []string{fmt.Sprintf("paused %v %v", st.Hall.Day.Paused, slices.Sorted(maps.Keys(st.Hall.Day.PausedRooms)))}
	for _, c := range st.Candidates {
		lines = append(lines, describeCandidate(&c))
	}
	for _, m := range st.Machines {
		lines = append(lines, describeMachine(&m))
	}
	for _, s := range st.Sittings {
		lines = append(lines, describeSitting(&s))
	}
	for _, a := range st.Alerts {
		lines = append(lines, describeAlert(&a))
	}
	for _, d := range st.Due {
		if d.Kind == hall.DueAlert {
			continue // compareAlerts
		}
		lines = append(lines, fmt.Sprintf("due %s %s %s", d.Kind, d.ID, stamp(d.At)))
	}
	for subject, load := range st.Loads {
		lines = append(lines, fmt.Sprintf("load %s %+v", subject, load))
	}
	for subject, ids := range st.Idle {
		open := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			_, closed := st.Hall.Day.PausedRooms[st.Machines[id].Room]
			return closed
		})
		lines = append(lines, fmt.Sprintf("idle %s %v", subject, open))
	}
	slices.Sort(lines)
	return lines
}

func (m *Model) describe() []string {
	lines := []string{fmt.Sprintf("paused %v %v", m.Paused, slices.Sorted(maps.Keys(m.Rooms)))}
	for _, c := range m.Candidates {
		lines = append(lines, describeCandidate(c))
	}
	for _, machine := range m.Machines {
		lines = append(lines, describeMachine(machine))
	}
	for _, s := range m.Sittings {
		lines = append(lines, describeSitting(s))
	}
	for _, a := range m.Alerts {
		lines = append(lines, describeAlert(&a))
	}
	for name, at := range m.Due {
		lines = append(lines, fmt.Sprintf("due %s %s", name, stamp(at)))
	}
	for subject, load := range m.Loads() {
		lines = append(lines, fmt.Sprintf("load %s %+v", subject, load))
	}
	for _, s := range m.Layout.Subjects {
		ids := []string{}
		for _, machine := range m.IdleMachines(s.Code) {
			ids = append(ids, machine.ID)
		}
		lines = append(lines, fmt.Sprintf("idle %s %v", s.Code, ids))
	}
	slices.Sort(lines)
	return lines
}

func describeCandidate(c *hall.Candidate) string {
	return fmt.Sprintf("candidate %s %s ticket %q class %s subjects %v remaining %v sitting %q place %d first %d checked in %s first called %s last ended %s queued %s waiting since %s held since %s hold %s in wait %s waits %v no-shows %d over target %v name %s",
		c.ID, c.State, c.Ticket, c.Class, c.Subjects, c.Remaining(), c.Sitting, c.Place, c.FirstPlace, stamp(c.CheckedInAt), stamp(c.FirstCalled), stamp(c.LastEnded),
		stamp(c.QueuedAt), stamp(c.WaitingSince), stamp(c.HeldSince), c.Hold, c.HoldInWait, c.Waits, c.NoShows, c.OverTarget, c.Person.Name)
}

func describeMachine(m *hall.Machine) string {
	return fmt.Sprintf("machine %s %s since %s reason %q code %q sitting %q subject %q room %s model %s serves %v",
		m.ID, m.State, stamp(m.Since), m.Reason, m.Code, m.Sitting, m.Subject, m.Room, m.Model, m.Subjects)
}

func describeSitting(s *hall.Sitting) string {
	return fmt.Sprintf("sitting %s %s outcome %q candidate %s ticket %s class %s subject %s machine %s room %s called %s announced %s seated %s ended %s recalls %d wait %s left %s stood %s since %s",
		s.ID, s.State, s.Outcome, s.Candidate, s.Ticket, s.Class, s.Subject, s.Machine, s.Room, stamp(s.CalledAt),
		stamp(s.AnnouncedAt), stamp(s.SeatedAt), stamp(s.EndedAt), s.Recalls, s.Wait, s.Left, s.Stood, stamp(s.StandsSince))
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("15:04:05.000")
}
