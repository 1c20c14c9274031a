package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// machinePanel has the rarer commands that fit the state of a machine.
func machinePanel(s *hall.Snapshot, m *hall.Machine, room string, g access.Grant) templates.Panel {
	p := proctorMapper{s: s, layout: &s.Hall.Layout, room: room, grant: g}
	panel := templates.Panel{
		Title: machineTitle(machineLabel(m)),
		Lines: []string{roomName(p.layout, m.Room) + " · " + machineWords[m.State] + " · " + subjectNames(p.layout, m.Subjects)},
	}
	if why := outageReason(m); why != "" {
		panel.Lines = append(panel.Lines, why)
	}
	panel.Links = p.remarkLinks(m.ID, sitsThere(m))
	if m.Current != nil {
		p.sittingForms(&panel, m.Current)
		return panel
	}
	if m.State != hall.MachineIdle {
		panel.Actions = append(panel.Actions, templates.Action{Label: "Put in service", URL: p.url("machines", m.ID, "in-service"), Kind: "primary"})
	}
	if m.State != hall.MachineSpare {
		panel.Actions = append(panel.Actions, templates.Action{Label: "Keep as a spare", URL: p.url("machines", m.ID, "spare")})
	}
	if m.State != hall.MachineOutOfService {
		panel.OutOfWork = &templates.ReasonForm{URL: p.url("machines", m.ID, "out-of-service"), Codes: outageCodes("")}
	}
	return panel
}

// sitsThere is the candidate whose sitting is open on a machine, "" for nobody.
func sitsThere(m *hall.Machine) string {
	if m.Current == nil {
		return ""
	}
	return m.Current.Candidate
}

// sittingForms are the commands on the sitting of a machine.
func (p proctorMapper) sittingForms(panel *templates.Panel, s *hall.Sitting) {
	panel.Title += ": " + s.Ticket
	panel.Lines = append(panel.Lines, dotted(s.Name, hall.MaskIDNumber(s.IDNumber), subjectName(p.layout, s.Subject)))
	panel.Transfer = &templates.TransferForm{
		URL: p.url("sittings", s.ID, "transfer"), Any: !p.grant.Bound(), Codes: outageCodes(""),
	}
	for i := range p.s.Machines {
		m := &p.s.Machines[i]
		if m.State == hall.MachineIdle && slices.Contains(m.Subjects, s.Subject) && access.Allows(p.grant, access.Attend, p.s.Hall.ID, m.Room) {
			panel.Transfer.Machines = append(panel.Transfer.Machines, templates.Option{
				Value: m.ID, Text: roomName(p.layout, m.Room) + ", machine " + machineLabel(m),
			})
		}
	}
	panel.Abort = &templates.AbortForm{URL: p.url("sittings", s.ID, "abort"), Codes: outageCodes("")}
}

// candidatePanel has the commands on somebody in line.
func candidatePanel(h *hall.Hall, e *hall.Entry, room string, g access.Grant) templates.Panel {
	p := proctorMapper{s: &hall.Snapshot{Hall: *h}, layout: &h.Layout, room: room, grant: g}
	panel := templates.Panel{
		Title: strings.TrimSpace(e.Ticket + " " + e.Person.Name),
		Lines: []string{dotted(hall.MaskIDNumber(e.Person.IDNumber), subjectNames(p.layout, e.Remaining()))},
	}
	if session, ok := h.Layout.Session(e.Session); ok {
		line := "Session " + cmp.Or(session.Name, session.Code)
		if session.StartsAt != "" {
			line += ", begins at " + session.StartsAt
		}
		panel.Lines = append(panel.Lines, line)
	}
	switch e.State {
	case hall.Waiting:
		place := english.Place(e.Position())
		if wait := about(english, e.Estimate); wait != "" {
			place += ", " + wait + " to go"
		}
		panel.Lines = append(panel.Lines, place)
	case hall.Held, hall.Resting, hall.Absent, hall.Withdrawn:
		panel.Lines = append(panel.Lines, asideWords[e.State])
	default:
		panel.Lines = append(panel.Lines, "is not in line now")
	}
	if away := e.HoldBy(e.Now); away > 0 {
		panel.Lines = append(panel.Lines, "Away for "+inMinutes(english, away)+" in all today")
	}
	panel.Actions, panel.Links = p.lineActions(e), p.remarkLinks("", e.ID)
	if hasClass(e.State) && access.Allows(g, access.Manage, h.ID, "") {
		panel.Class = p.classForm(e)
	}
	return panel
}

// lineActions are the commands on somebody's place in the line that the state
// allows, the most usual one first.
func (p proctorMapper) lineActions(e *hall.Entry) []templates.Action {
	act := func(label, verb, kind string) templates.Action {
		return templates.Action{Label: label, URL: p.url("queue", e.ID, verb), Kind: kind}
	}
	leave := act("Withdraw", "leave", "danger")
	switch e.State {
	case hall.Waiting, hall.Resting:
		return []templates.Action{act("Steps away, keeps the place", "hold", "primary"), leave}
	case hall.Held:
		return []templates.Action{act("Is back", "return", "primary"), leave}
	case hall.Absent, hall.Withdrawn:
		return []templates.Action{act("Restore", "restore", "primary")}
	default:
		return nil
	}
}

// hasClass reports whether the class may be changed in a state.
func hasClass(state hall.CandidateState) bool {
	switch state {
	case hall.Registered, hall.Waiting, hall.Called, hall.Seated, hall.Held, hall.Resting:
		return true
	default:
		return false
	}
}

func (p proctorMapper) classForm(e *hall.Entry) *templates.ClassForm {
	form := &templates.ClassForm{URL: p.url("queue", e.ID, "class")}
	for _, class := range hall.Classes {
		text := className(class)
		if text == "" {
			text = "Normal"
		}
		form.Classes = append(form.Classes, templates.Option{Value: string(class), Text: text, Chosen: class == e.Class})
	}
	return form
}

// pausePanel has the form that stops the calling.
func pausePanel(h *hall.Hall, room string) templates.Panel {
	form := &templates.PauseForm{
		URL:    withRoom(hallURL(h.ID, "proctor", "pause"), room),
		Scopes: []templates.Option{{Value: "", Text: "The whole hall"}},
	}
	for _, r := range h.Layout.Rooms {
		form.Scopes = append(form.Scopes, templates.Option{Value: r.ID, Text: r.Title(), Chosen: r.ID == room})
	}
	return templates.Panel{Title: "Pause calling", Pause: form}
}
