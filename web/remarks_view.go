package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
	"github.com/hallcall/hallcall/templates"
)

// incidentsURL is the page of incidents; names and values without a value are left out.
func incidentsURL(hallID string, query ...string) string {
	return withValues(hallURL(hallID, "proctor", "incidents"), query...)
}

// newIncidentURL is the form for an incident of a machine and a candidate, "" for none.
func newIncidentURL(hallID, room, machine, candidate string) string {
	return withValues(hallURL(hallID, "proctor", "incidents", "new"), "room", room, "machine", machine, "candidate", candidate)
}

// remarkLinks lead to what can be written down about a machine and a candidate.
func (p proctorMapper) remarkLinks(machine, candidate string) []templates.Link {
	var links []templates.Link
	if candidate != "" {
		links = append(links, templates.Link{Text: "Note", URL: p.url("queue", candidate, "notes")})
	}
	return append(links, templates.Link{Text: "Incident", URL: newIncidentURL(p.s.Hall.ID, p.room, machine, candidate)})
}

// notePanel has the notes about somebody.
func notePanel(h *hall.Hall, c *hall.Candidate, room string, form templates.NoteForm) templates.Panel {
	form.URL = withRoom(hallURL(h.ID, "proctor", "queue", c.ID, "notes"), room)
	form.Key, form.Roster, form.Full = newFormKey(), c.Person.Note, len(c.Notes) >= hall.MaxNotes
	for _, n := range slices.Backward(c.Notes) { // the newest is seen without scrolling
		form.Notes = append(form.Notes, remarkOf(n.At, h.Location(), n.By, n.Text))
	}
	return templates.Panel{
		Title: "Notes: " + personName(c), Note: &form,
		Lines: []string{strings.Trim(hall.MaskIDNumber(c.Person.IDNumber)+" · "+subjectNames(&h.Layout, c.Subjects), " ·")},
	}
}

func remarkOf(at time.Time, zone *time.Location, by, text string) templates.Remark {
	return templates.Remark{At: clock(at, zone), By: by, Text: text}
}

// personName is what the staff call somebody: number and name.
func personName(c *hall.Candidate) string {
	return strings.TrimSpace(cmp.Or(c.Ticket, c.ID) + " " + c.Person.Name)
}

// incidentMapper makes the form for an incident: machine and person are those
// that it was opened for, report is what stands in it.
type incidentMapper struct {
	hall    *hall.Hall
	room    string
	machine string
	person  *hall.Candidate
	report  hall.IncidentReport
	wrong   error
}

func (f incidentMapper) panel() templates.Panel {
	layout := &f.hall.Layout
	form := templates.IncidentForm{
		Key: newFormKey(), Text: f.report.Text, Done: f.report.Done, Candidate: f.report.Candidate,
		Categories: categoryOptions(layout, f.report.Category), AsksCandidate: f.person == nil,
	}
	candidate := ""
	if f.machine != "" {
		form.About = append(form.About, templates.About{
			Name: "machine", Value: f.machine, Text: placeName(layout, f.machine), Chosen: f.report.Machine != "",
		})
	} else if f.person == nil {
		form.Machines = machineOptions(layout, f.report.Machine)
	}
	if f.person != nil {
		candidate = f.person.ID
		form.About = append(form.About, templates.About{
			Name: "candidate", Value: candidate, Text: personName(f.person), Chosen: f.report.Candidate != "",
		})
	}
	form.URL = incidentsURL(f.hall.ID, "room", f.room, "machine", f.machine, "candidate", candidate)
	f.faults(&form)
	panel := templates.Panel{Title: "Report an incident", Incident: &form}
	if len(form.About) == 0 {
		panel.Back = incidentsURL(f.hall.ID, "room", f.room)
	}
	return panel
}

func (f incidentMapper) faults(form *templates.IncidentForm) {
	if hall.CodeOf(f.wrong) == hall.CodeKeyReused {
		form.Error = sentBefore
	}
	form.Errors = templates.IncidentErrors{
		Category: fieldFault(f.wrong, "category"), Machine: fieldFault(f.wrong, "machine"), Candidate: fieldFault(f.wrong, "candidate"),
		Text: fieldFault(f.wrong, "text"), Done: fieldFault(f.wrong, "done"),
	}
	if form.Errors.Category != "" && f.report.Category == "" {
		form.Errors.Category = "Choose what kind of incident it is."
	}
	if form.Errors.Text != "" && strings.TrimSpace(f.report.Text) == "" {
		form.Errors.Text = "Say what happened."
	}
}

func categoryOptions(layout *hall.Layout, chosen string) []templates.Option {
	var options []templates.Option
	for _, code := range layout.Categories() {
		options = append(options, templates.Option{Value: code, Text: categoryName(code), Chosen: code == chosen})
	}
	return options
}

// categoryName is a category in words, which its code is made of.
func categoryName(code string) string {
	words := strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(code))
	if words == "" {
		return code
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

func machineOptions(layout *hall.Layout, chosen string) []templates.Option {
	var options []templates.Option
	for _, m := range layout.Machines {
		options = append(options, templates.Option{Value: m.ID, Text: placeName(layout, m.ID), Chosen: m.ID == chosen})
	}
	return options
}

// machinePlace says where a machine is: its room and label.
func machinePlace(layout *hall.Layout, room, machine string) string {
	return roomName(layout, room) + ", " + machineWord(specLabel(layout, machine))
}

// machineWord says that a label is one of a machine, unless it does so itself.
func machineWord(label string) string {
	if strings.Contains(strings.ToLower(label), "machine") {
		return label
	}
	return "machine " + label
}

// machineTitle is the same where a line begins.
func machineTitle(label string) string {
	return strings.Replace(machineWord(label), "machine "+label, "Machine "+label, 1)
}

// incidentsView lists incidents, newest first, a page of them.
func incidentsView(h *hall.Hall, all []hall.Incident, number int, room string) templates.IncidentsPage {
	layout, id := &h.Layout, h.ID
	page := templates.IncidentsPage{
		HallName: layout.Name, Back: withRoom(hallURL(id, "proctor"), room), NewURL: newIncidentURL(id, room, "", ""), Total: len(all),
	}
	last := (len(all) + incidentsShown - 1) / incidentsShown
	number = max(1, min(number, last))
	end := len(all) - (number-1)*incidentsShown
	for _, i := range slices.Backward(all[max(0, end-incidentsShown):end]) {
		page.Incidents = append(page.Incidents, incidentCard(layout, &i, h.Location()))
	}
	if number > 1 {
		page.Newer = incidentsURL(id, "room", room, "page", strconv.Itoa(number-1))
	}
	if number < last {
		page.Older = incidentsURL(id, "room", room, "page", strconv.Itoa(number+1))
	}
	return page
}

func incidentCard(layout *hall.Layout, i *hall.Incident, zone *time.Location) templates.IncidentCard {
	card := templates.IncidentCard{
		Remark: remarkOf(i.At, zone, i.By, records.IncidentWords(i)), Category: categoryName(i.Category), Done: records.IncidentDone(i), Person: cmp.Or(i.Ticket, i.Candidate),
	}
	if i.Machine != "" {
		card.Place = machinePlace(layout, i.Room, i.Machine) // where it stood then
	}
	return card
}
