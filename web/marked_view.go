package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// markFor is what the mark of a machine's tile stands for now.
func markFor(m *hall.Machine) mark {
	if m.Current == nil {
		return mark{machine: m.ID}
	}
	of := mark{machine: m.ID, sitting: m.Current.ID}
	if m.Current.State == hall.SittingCalled {
		of.recall = m.Current.Announcement() + 1
	}
	return of
}

func marksOfRoom(s *hall.Snapshot, room string) []mark {
	var marks []mark
	for i := range s.Machines {
		if m := &s.Machines[i]; m.Room == room {
			marks = append(marks, markFor(m))
		}
	}
	return marks
}

// markedPanel offers the commands that fit the tiles that are marked, each with
// those for whom it would be given.
func markedPanel(s *hall.Snapshot, marks []mark, room string, g access.Grant) templates.Panel {
	p := proctorMapper{s: s, layout: &s.Hall.Layout, room: room, grant: g}
	panel := templates.Panel{Title: "Marked: " + strconv.Itoa(len(marks))}
	if len(marks) == 0 {
		panel.Title = "Nothing is marked"
		panel.Lines = []string{"Tick the boxes of some machines first, or choose all of a room."}
		return panel
	}
	present, changed := p.present(marks, g)
	if changed > 0 {
		panel.Warning = "What has changed since it was marked is left out: " + strconv.Itoa(changed) + "."
	}
	for i := range markedCommands {
		if form := p.markedForm(&markedCommands[i], present); len(form.Marks) > 0 {
			panel.Marked = append(panel.Marked, form)
		}
	}
	return panel
}

// present are the machines that still are as they were marked, in rooms of
// one's own, and how many are not.
func (p proctorMapper) present(marks []mark, g access.Grant) (machines []*hall.Machine, changed int) {
	for _, of := range marks {
		m, err := machineIn(p.s, of.machine)
		if err != nil || markFor(m).sitting != of.sitting || !access.Allows(g, access.Attend, p.s.Hall.ID, m.Room) {
			changed++
			continue
		}
		machines = append(machines, m)
	}
	return machines, changed
}

// markedForm is a command for those machines that it fits.
func (p proctorMapper) markedForm(command *markedCommand, machines []*hall.Machine) templates.MarkedForm {
	form := templates.MarkedForm{URL: p.url("marked", command.name), Key: newFormKey(), Name: command.name, Label: command.label, Kind: command.kind}
	var who []string
	for _, m := range machines {
		if !command.fits(m, p.layout) {
			continue
		}
		form.Marks = append(form.Marks, markFor(m).text())
		if m.Current != nil {
			who = append(who, m.Current.Ticket)
		} else {
			who = append(who, machineLabel(m))
		}
	}
	form.Who = strings.Join(who, ", ")
	if command.reason {
		form.Reason = &templates.ReasonForm{Codes: outageCodes("")}
	}
	return form
}

// markedAgain shows the panel with what was typed and what is wrong with it.
func (s *Server) markedAgain(c echo.Context, command *markedCommand, marks []mark, why hall.OutageReason) error {
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	panel := markedPanel(&snapshot, marks, c.QueryParam("room"), visitor(c).Grant)
	for i := range panel.Marked {
		if form := &panel.Marked[i]; form.Name == command.name {
			form.Reason = &templates.ReasonForm{
				Reason: why.Text, Codes: outageCodes(why.Code), Error: reasonFault(why.Text), CodeError: outageFault(why.Code),
			}
		}
	}
	return s.showPanel(c, http.StatusUnprocessableEntity, panel)
}
