package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// dayRoutes are the commands on a hall's day: POST /halls/{hall}/proctor/day/…
func (s *Server) dayRoutes(r routes) {
	r.get(access.Manage, "/day", s.getDayPanel)
	r.command(access.Manage, "/day/open", s.do(s.openDay))
	r.command(access.Manage, "/day/close", s.do(s.closeDay))
}

// GET /halls/{hall}/proctor/day: what is still open, and the button that closes the day.
func (s *Server) getDayPanel(c echo.Context) error {
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	return s.showPanel(c, http.StatusOK, dayPanel(&snapshot, c.QueryParam("room")))
}

// POST …/day/open: the form says which version of the hall it was made for, so
// that a double click is one.
func (s *Server) openDay(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if version, err := strconv.ParseInt(values.Get("version"), 10, 64); err == nil {
		by.Key = fmt.Sprintf("open the day at version %d", version)
	}
	_, err = s.cfg.Store.OpenDay(c.Request().Context(), c.Param("hall"), by)
	if hall.CodeOf(err) == hall.CodeWrongState {
		return "", &hall.Error{Code: hall.CodeWrongState, Message: "The day is open already."}
	}
	return "The day is open: check-in and calling begin.", err
}

// POST …/day/close: the form names the day, so that a page of yesterday cannot
// close today.
func (s *Server) closeDay(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if values.Get("day") == "" {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "The form does not name a day."}
	}
	day, err := s.cfg.Store.CloseDay(c.Request().Context(), c.Param("hall"), values.Get("day"), by)
	if err != nil {
		return "", err
	}
	total := 0
	for _, n := range day.People {
		total += n
	}
	return fmt.Sprintf("Day %s is closed. %d of %s finished.", day.ID, day.People[hall.Done], people(total)), nil
}

// people is a number of candidates in words.
func people(n int) string {
	if n == 1 {
		return "1 candidate"
	}
	return strconv.Itoa(n) + " candidates"
}

// dayState is the line about the day above the machines.
func (p proctorMapper) dayState() templates.DayState {
	day := &p.s.Hall.Day
	if day.State == hall.DayOpen {
		state := templates.DayState{Text: "Open since " + clock(day.OpenedAt, p.s.Hall.Location())}
		if p.manages {
			state.CloseURL, state.Roster, state.Devices = p.url("day"), rosterURL(p.s.Hall.ID), devicesURL(p.s.Hall.ID)
			state.Door = p.doorAction()
			state.Records = templates.Link{Text: "Records", URL: recordsURL(p.s.Hall.ID, day.ID, "")}
		}
		return state
	}
	text := "The day is not open. "
	switch total := p.s.States[hall.Registered]; total {
	case 0:
		text += "Its roster is still to be loaded."
	default:
		text += "Its roster has " + people(total) + "."
	}
	if !p.manages {
		return templates.DayState{Text: text}
	}
	open := p.openAction()
	return templates.DayState{
		Text: text, Open: &open, Roster: rosterURL(p.s.Hall.ID), Devices: devicesURL(p.s.Hall.ID), Records: templates.Link{Text: "Days and records", URL: hallURL(p.s.Hall.ID, "staff", "days")},
	}
}

// doorAction opens or closes check-in, apart from the calling.
func (p proctorMapper) doorAction() *templates.Action {
	if p.s.Hall.Day.CheckInOpen {
		return &templates.Action{Label: "Close check-in", URL: p.url("check-in", "close"), Kind: "quiet"}
	}
	return &templates.Action{Label: "Open check-in", URL: p.url("check-in", "open"), Kind: "quiet"}
}

func (p proctorMapper) openAction() templates.Action {
	return templates.Action{
		Label: "Open the day", URL: p.url("day", "open"), Kind: "primary",
		Fields: []templates.Hidden{{Name: "version", Value: strconv.FormatInt(p.s.Hall.Version, 10)}},
	}
}

// dayPanel asks whether the day shall be closed, and says what is still open.
func dayPanel(s *hall.Snapshot, room string) templates.Panel {
	p := proctorMapper{s: s, layout: &s.Hall.Layout, room: room}
	if s.Hall.Day.State != hall.DayOpen {
		return templates.Panel{Title: "Open the day", Lines: []string{p.dayState().Text}, Actions: []templates.Action{p.openAction()}}
	}
	panel := templates.Panel{
		Title: "Close the day",
		Lines: []string{
			"Day " + s.Hall.Day.ID + ", open since " + clock(s.Hall.Day.OpenedAt, s.Hall.Location()) + ".",
			"Everybody stays in the records of this day as they stand now. Machines in use are free for the next day, whose roster begins empty.",
		},
		Actions: []templates.Action{{
			Label: "Close the day", URL: p.url("day", "close"), Kind: "danger",
			Fields: []templates.Hidden{{Name: "day", Value: s.Hall.Day.ID}},
		}},
	}
	if left := stillOpen(s.States); left != "" {
		panel.Warning = "Still open: " + left + "."
	} else {
		panel.Lines = append(panel.Lines, "Nobody is in line or at a machine.")
	}
	return panel
}

// stillOpen names how many are in line or at machines.
func stillOpen(states map[hall.CandidateState]int) string {
	var left []string
	for _, part := range []struct {
		state hall.CandidateState
		words string
	}{
		{hall.Seated, "at a machine"},
		{hall.Called, "called"},
		{hall.Waiting, "waiting"},
		{hall.Held, "stepped away"},
		{hall.Resting, "having a break"},
	} {
		if n := states[part.state]; n > 0 {
			left = append(left, strconv.Itoa(n)+" "+part.words)
		}
	}
	return strings.Join(left, ", ")
}
