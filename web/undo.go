package web

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// undoShown is how many of the last commands the panel offers to take back.
const undoShown = 8

// GET /halls/{hall}/proctor/undo: the last commands, and what taking each of
// them back would do.
func (s *Server) getUndoPanel(c echo.Context) error {
	ctx := c.Request().Context()
	snapshot, err := s.cfg.Store.Snapshot(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	p := proctorMapper{s: &snapshot, layout: &snapshot.Hall.Layout, room: c.QueryParam("room")}
	list := &templates.UndoList{}
	for i := range snapshot.Commands {
		e := &snapshot.Commands[i]
		if len(list.Rows) == undoShown {
			break
		}
		if e.By != visitor(c).User && !may(c, access.UndoOthers) {
			continue
		}
		would, err := s.cfg.Store.Undo(ctx, c.Param("hall"), e.ID, true, hall.Caller{By: visitor(c).User})
		if err != nil && hall.CodeOf(err) != hall.CodeUndoBlocked && hall.CodeOf(err) != hall.CodeNotUndoable {
			return err
		}
		row := templates.UndoRow{Time: clock(e.At, snapshot.Hall.Location()), By: e.By, What: p.whatWasDone(e)}
		if err != nil {
			row.Blocked = p.whatBlocks(err)
		} else {
			row.Effect = p.whatUndoDoes(e, would.Withdrawn)
			row.Undo = &templates.Action{
				Label: "Take back", URL: p.url("undo"), Aria: "Take back: " + row.What,
				Fields: []templates.Hidden{{Name: "event", Value: e.ID}},
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return s.showPanel(c, http.StatusOK, templates.Panel{Title: "Undo", Undo: list})
}

// POST …/undo
func (s *Server) undo(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	ctx, event := c.Request().Context(), values.Get("event")
	if err := access.CheckUndo(ctx, s.cfg.Store, visitor(c).Grant, c.Param("hall"), event, by.By); err != nil {
		return "", err
	}
	done, err := s.cfg.Store.Undo(c.Request().Context(), c.Param("hall"), values.Get("event"), false, by)
	if err != nil {
		return "", err
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{"Taken back."}, withdrawals(&h.Layout, done.Withdrawn)...), " "), nil
}

// whatWasDone says what a command was.
func (p proctorMapper) whatWasDone(e *hall.Event) string {
	machine := placeName(p.layout, e.Machine)
	at := " at " + machine
	person := cmp.Or(e.Ticket, e.Candidate) // who may not have checked in yet
	switch e.Event {
	case hall.EventCandidateSeated:
		return e.Ticket + " was seated" + at
	case hall.EventSittingEnded:
		return e.Ticket + " finished" + at
	case hall.EventCandidateNoShow:
		return e.Ticket + " did not come, was expected" + at
	case hall.EventSittingAborted:
		return "The sitting of " + e.Ticket + at + " was broken off"
	case hall.EventSittingTransferred:
		return e.Ticket + " moved from " + placeName(p.layout, e.From) + " to " + machine
	case hall.EventCandidateCalled:
		return e.Ticket + " was called by hand" + at
	case hall.EventCandidateHeld:
		return e.Ticket + " stepped away"
	case hall.EventCandidateReturned:
		return e.Ticket + " came back"
	case hall.EventCandidateWithdrawn:
		return e.Ticket + " was withdrawn"
	case hall.EventCandidateRestored, hall.EventCandidateDone:
		return e.Ticket + " was restored"
	case hall.EventCandidateClassChanged:
		return "The class of " + person + " was changed"
	case hall.EventMachineOutOfService:
		return machine + " was taken out of service"
	case hall.EventMachineInService:
		return machine + " was put in service"
	case hall.EventMachineSpare:
		return machine + " was made a spare"
	default:
		return string(e.Event)
	}
}

// placeName is where a machine stands and what is written on it.
func placeName(layout *hall.Layout, machine string) string {
	if spec, ok := layout.Machine(machine); ok {
		return machinePlace(layout, spec.Room, machine)
	}
	return machineWord(machine)
}

// whatBlocks says what was done since.
func (p proctorMapper) whatBlocks(err error) string {
	var refused *hall.Error
	if errors.As(err, &refused) && len(refused.Faults) == 1 {
		for i := range p.s.Commands {
			if e := &p.s.Commands[i]; e.ID == refused.Faults[0].Value {
				return "Not while this stands: " + p.whatWasDone(e) + "."
			}
		}
	}
	return explain(english, http.StatusConflict, err).message
}

// whatUndoDoes says what taking a command back would do.
func (p proctorMapper) whatUndoDoes(e *hall.Event, withdrawn []hall.Sitting) string {
	var effect string
	machine := placeName(p.layout, e.Machine)
	switch e.Event {
	case hall.EventCandidateSeated:
		effect = e.Ticket + " is called to " + machine + " again."
	case hall.EventSittingEnded, hall.EventCandidateNoShow, hall.EventSittingAborted:
		effect = e.Ticket + " is at " + machine + " again."
	case hall.EventSittingTransferred:
		effect = e.Ticket + " is at " + placeName(p.layout, e.From) + " again."
	case hall.EventCandidateCalled, hall.EventCandidateHeld, hall.EventCandidateReturned, hall.EventCandidateWithdrawn,
		hall.EventCandidateRestored, hall.EventCandidateDone:
		effect = e.Ticket + " stands as before, at the same place."
	case hall.EventCandidateClassChanged:
		effect = cmp.Or(e.Ticket, e.Candidate) + " has the class of before."
	default:
		effect = machine + " is as before."
	}
	switch e.Event {
	case hall.EventCandidateNoShow, hall.EventSittingAborted, hall.EventSittingTransferred:
		effect += " The incident of it is taken back too."
	default:
	}
	return strings.Join(append([]string{effect}, withdrawals(p.layout, withdrawn)...), " ")
}

// withdrawals says of each call that it does not stand any more.
func withdrawals(layout *hall.Layout, calls []hall.Sitting) []string {
	var said []string
	for i := range calls {
		said = append(said, "The call of "+calls[i].Ticket+" to "+placeName(layout, calls[i].Machine)+" is withdrawn.")
	}
	return said
}
