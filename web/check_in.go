package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// clockTime is how times are typed.
const clockTime = "15:04"

// GET /halls/{hall}/proctor/check-in: for whom the kiosk is of no use, and for
// managers with the time since which somebody is here.
func (s *Server) getCheckIn(c echo.Context) error {
	return s.checkInPanel(c, http.StatusOK, templates.CheckInForm{Candidate: usualText(c.QueryParam("candidate"))})
}

func (s *Server) checkInPanel(c echo.Context, status int, form templates.CheckInForm) error {
	form.URL = withRoom(hallURL(c.Param("hall"), "proctor", "check-in"), c.QueryParam("room"))
	form.AsksTime = may(c, access.Manage)
	return s.showPanel(c, status, templates.Panel{Title: "Check in", CheckIn: &form})
}

// POST /halls/{hall}/proctor/check-in
func (s *Server) postCheckIn(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	form := templates.CheckInForm{Candidate: usualText(values.Get("candidate")), At: usualText(values.Get("at"))}
	if form.At != "" && !may(c, access.Manage) {
		return access.Refuse(visitor(c).Grant, access.Manage, c.Param("hall"))
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	at, wrong := lastTime(form.At, s.cfg.Now().In(h.Location()))
	if form.Candidate == "" {
		form.CandidateError = "Type the candidate’s number."
	}
	if wrong {
		form.AtError = "Type the time as 08:25."
	}
	if form.CandidateError+form.AtError != "" {
		return s.checkInPanel(c, http.StatusUnprocessableEntity, form)
	}
	e, first, err := s.cfg.Store.CheckIn(c.Request().Context(), h.ID, form.Candidate, hall.CheckIn{At: at}, hall.Caller{By: visitor(c).User})
	if err == nil {
		return s.showDone(c, http.StatusOK, templates.Notice{Text: checkedInWords(&h, &e, first)})
	}
	switch status := api.StatusOf(err); {
	case hall.CodeOf(err) == hall.CodeUnknownCandidate:
		form.CandidateError = "Nobody on the roster has this number."
	case status >= http.StatusInternalServerError:
		return err
	default:
		form.CandidateError = explain(english, status, err).message
	}
	return s.checkInPanel(c, http.StatusUnprocessableEntity, form)
}

// lastTime is the last moment at which a clock showed a time, none if nothing
// was typed.
func lastTime(typed string, now time.Time) (at time.Time, wrong bool) {
	if typed == "" {
		return time.Time{}, false
	}
	clock, err := time.Parse(clockTime, typed)
	if err != nil {
		return time.Time{}, true
	}
	at = time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	if at.After(now) { // of a day that goes on over midnight
		at = time.Date(now.Year(), now.Month(), now.Day()-1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	}
	return at, false
}

// checkedInWords say where somebody stands who was checked in.
func checkedInWords(h *hall.Hall, e *hall.Entry, first bool) string {
	words := e.Ticket + " is checked in"
	if !first {
		words = e.Ticket + " was checked in before"
	}
	switch {
	case e.Current != nil:
		return words + " and called to " + placeName(&h.Layout, e.Current.Machine) + "."
	case e.State == hall.Waiting:
		return words + ", " + english.Place(e.Position()) + "."
	}
	return words + "."
}
