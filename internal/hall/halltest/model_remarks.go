package halltest

import (
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
)

// AddNote is hall.Remarks.AddNote; the notes of the model have no ids.
func (m *Model) AddNote(id, text, by string) error {
	text, err := hall.CleanNote(text)
	if err != nil {
		return err
	}
	c := m.Candidates[id]
	switch {
	case c == nil:
		return refuse(hall.CodeUnknownCandidate)
	case len(c.Notes) >= hall.MaxNotes:
		return refuse(hall.CodeTooManyNotes)
	}
	c.Notes = append(c.Notes, hall.Note{At: m.Now, By: by, Text: text})
	return nil
}

// OpenIncident is hall.Remarks.OpenIncident.
func (m *Model) OpenIncident(report hall.IncidentReport, by string) error {
	report, err := report.Clean()
	if err != nil {
		return err
	}
	incident := hall.Incident{IncidentReport: report, At: m.Now, By: by}
	machine, c := m.Machines[report.Machine], m.Candidates[report.Candidate]
	switch {
	case !slices.Contains(m.Layout.Categories(), report.Category):
		return refuse(hall.CodeInvalid)
	case report.Machine != "" && machine == nil:
		return refuse(hall.CodeUnknownMachine)
	case report.Candidate != "" && c == nil:
		return refuse(hall.CodeUnknownCandidate)
	}
	if machine != nil {
		incident.Room = machine.Room
	}
	if c != nil {
		incident.Ticket = c.Ticket
	}
	m.Incidents = append(m.Incidents, incident)
	return nil
}
