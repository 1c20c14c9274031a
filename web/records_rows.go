package web

import (
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
	"github.com/hallcall/hallcall/templates"
)

// at is a time of day, with its date where that is not the day's own.
func (m recordMapper) at(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	local, opened := t.In(m.zone), m.day.Hall.Day.OpenedAt.In(m.zone)
	if m.day.Hall.Day.OpenedAt.IsZero() || local.YearDay() != opened.YearDay() || local.Year() != opened.Year() {
		layout = "01-02 " + layout
	}
	return local.Format(layout)
}

// row is one of the list; about says whom it concerns.
func (m recordMapper) row(row, about string, corrections []hall.Correction, cells ...string) templates.RecordRow {
	r := templates.RecordRow{Cells: cells, Corrections: records.CorrectionTexts(corrections, m.zone)}
	if day := &m.day.Hall.Day; day.State != hall.DayPreparing && day.ErasedAt.IsZero() {
		r.Correct = &templates.Link{Text: "Correct " + about, URL: withValues(
			hallURL(m.day.Hall.ID, "staff", "records", m.id(), "correct"), "table", string(m.table), "row", row)}
	}
	return r
}

func (m recordMapper) personRow(number string, p *records.Person) templates.RecordRow {
	in := m.at(p.CheckedInAt, "15:04")
	if late := m.day.Late(&p.Candidate); late >= time.Minute {
		in += ", " + inMinutes(english, late) + " late"
	}
	var notes []string
	if class := className(p.Class); class != "" {
		notes = append(notes, class)
	}
	if p.NoShows > 0 {
		notes = append(notes, "Did not come "+timesWord(p.NoShows))
	}
	if away := p.HoldBy(m.day.End()); away > 0 {
		notes = append(notes, "Away for "+inMinutes(english, away))
	}
	if p.Person.Note != "" {
		notes = append(notes, p.Person.Note)
	}
	for _, n := range p.Notes {
		notes = append(notes, m.at(n.At, "15:04")+" "+n.By+": "+n.Text)
	}
	subjects := strings.Join(p.Subjects, ", ")
	if left := p.Remaining(); len(left) > 0 && len(left) < len(p.Subjects) {
		subjects += " (left: " + strings.Join(left, ", ") + ")"
	}
	return m.row(p.ID, "candidate "+p.ID, p.Corrections,
		number, p.ID, p.Person.Name, p.Person.IDNumber, p.Session, subjects,
		records.StateWords(p.State, m.day.Hall.Day.State == hall.DayClosed), p.Ticket, in, m.at(p.LastEnded, "15:04"), strings.Join(notes, "\n"))
}

func (m recordMapper) sittingRow(number string, s *records.Sitting) templates.RecordRow {
	length := ""
	if d, ended := records.Length(&s.Sitting); ended {
		length = inMinutes(english, d)
	}
	how := records.OutcomeWords(&s.Sitting)
	if s.Reason != "" {
		how += ": " + s.Reason
	}
	if s.Recalls > 0 {
		how += "\nCalled again " + timesWord(s.Recalls)
	}
	return m.row(s.ID, "sitting "+s.ID, s.Corrections,
		number, s.Candidate, s.Name, s.Ticket, subjectName(m.layout, s.Subject), placeName(m.layout, s.Machine),
		m.at(s.CalledAt, "15:04"), m.at(s.SeatedAt, "15:04"), m.at(s.EndedAt, "15:04"), length, how)
}

func (m recordMapper) incidentRow(number string, i *records.Incident) templates.RecordRow {
	place := ""
	if i.Machine != "" {
		place = placeName(m.layout, i.Machine)
	}
	return m.row(i.ID, "incident "+number, i.Corrections,
		number, m.at(i.At, "15:04"), categoryName(i.Category), place, dotted(i.Candidate, i.Ticket, i.Name), records.IncidentWords(&i.Incident), records.IncidentDone(&i.Incident), i.By)
}

func (m recordMapper) entryRow(number string, e *records.Entry) templates.RecordRow {
	place, subject := "", ""
	if e.Machine != "" {
		place = placeName(m.layout, e.Machine)
	}
	if e.Subject != "" {
		subject = subjectName(m.layout, e.Subject)
	}
	back := ""
	if e.UndoneBy != "" {
		back = m.at(e.UndoneAt, "15:04:05") + " " + e.UndoneBy
	}
	return templates.RecordRow{Undone: e.UndoneBy != "", Cells: []string{
		number, m.at(e.At, "15:04:05"), e.By, e.Words(), dotted(e.Candidate, e.Ticket, subject, place), e.Details(), e.Reason, back,
	}}
}

// correctionView is the form for a correction, with what is wrong with it.
func correctionView(h *hall.Hall, day string, c hall.CorrectionRequest, wrong error) templates.CorrectionPage {
	p := templates.CorrectionPage{
		URL: withValues(hallURL(h.ID, "staff", "records", day, "correct"), "table", string(c.Table), "row", c.Row),
		Key: newFormKey(), Text: c.Text, Reason: c.Reason, Back: recordsURL(h.ID, day, c.Table),
		About: recordTitles[c.Table] + " of " + day + ", " + c.Row,
		Errors: templates.CorrectionErrors{
			State: fieldFault(wrong, "state"), Text: fieldFault(wrong, "text"), Reason: fieldFault(wrong, "reason"),
		},
	}
	if p.Errors.Text != "" && strings.TrimSpace(c.Text) == "" {
		p.Errors.Text = "Say what is right."
	}
	if p.Errors.Reason != "" && strings.TrimSpace(c.Reason) == "" {
		p.Errors.Reason = "Say how that is known."
	}
	if c.Table == hall.TableAttendance {
		for _, state := range hall.CandidateStates {
			p.States = append(p.States, templates.Option{Value: string(state), Text: records.StateWords(state, true), Chosen: state == c.State})
		}
	}
	if wrong != nil && p.Errors == (templates.CorrectionErrors{}) {
		p.Error = wrong.Error()
		if hall.CodeOf(wrong) == hall.CodeKeyReused {
			p.Error = sentBefore
		}
	}
	return p
}
