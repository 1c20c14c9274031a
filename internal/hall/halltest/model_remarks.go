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
	m.keepIncident(incident, nil)
	return nil
}

// keepIncident keeps an incident, and what it is taken back with.
func (m *Model) keepIncident(incident hall.Incident, with *occurrence) {
	m.Incidents = append(m.Incidents, incident)
	m.openedWith = append(m.openedWith, with)
}

// openIncident opens the incident of a command on a sitting.
func (m *Model) openIncident(command hall.EventName, usual string, s *hall.Sitting, reason, to string, with *occurrence) {
	by := m.By
	if m.auto {
		by = hall.System.By
	}
	machine, c := m.Machines[s.Machine], m.Candidates[s.Candidate]
	m.keepIncident(hall.Incident{
		IncidentReport: hall.IncidentReport{Category: m.Layout.CategoryOf(usual), Machine: machine.ID, Candidate: c.ID, Text: reason},
		At:             m.Now, By: by, Room: machine.Room, Ticket: c.Ticket, Command: command, Sitting: s.ID, To: to,
	}, with)
}

// dropIncidents takes back those that were opened with what is taken back.
func (m *Model) dropIncidents(taken []*occurrence) {
	for i := len(m.Incidents) - 1; i >= 0; i-- {
		if with := m.openedWith[i]; with != nil && slices.Contains(taken, with) {
			m.Incidents, m.openedWith = slices.Delete(m.Incidents, i, i+1), slices.Delete(m.openedWith, i, i+1)
		}
	}
}
