package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// incidentsShown is how many incidents a page lists.
const incidentsShown = 50

// incidentRoutes are the incidents of the day: /halls/{hall}/proctor/incidents
func (s *Server) incidentRoutes(r routes) {
	r.get(access.See, "/incidents", s.getIncidents)
	r.post(access.Attend, "/incidents", s.do(s.openIncident))
	r.get(access.Attend, "/incidents/new", s.getIncidentPanel)
}

// GET …/incidents?page=: those of the day, newest first.
func (s *Server) getIncidents(c echo.Context) error {
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	all, err := s.cfg.Store.Incidents(ctx, h.ID, hall.Page{})
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || number < 1 {
		number = 1
	}
	page := incidentsView(&h, all.Items, number, c.QueryParam("room"))
	page.Page = s.staffPage(c, h.Layout.Name+", incidents", "staff.css", "")
	return render(c, http.StatusOK, templates.IncidentsScreen(page))
}

// GET …/incidents/new?machine=&candidate=: the form, for what it was opened for.
func (s *Server) getIncidentPanel(c echo.Context) error {
	return s.showIncidentPanel(c, http.StatusOK, hall.IncidentReport{
		Machine: c.QueryParam("machine"), Candidate: c.QueryParam("candidate"),
	}, nil)
}

// showIncidentPanel shows the form with a report and what is wrong with it.
func (s *Server) showIncidentPanel(c echo.Context, status int, report hall.IncidentReport, wrong error) error {
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	f := incidentMapper{hall: &h, room: c.QueryParam("room"), machine: c.QueryParam("machine"), report: report, wrong: wrong}
	if _, known := h.Layout.Machine(f.machine); f.machine != "" && !known {
		return errUnknownMachine
	}
	if id := c.QueryParam("candidate"); id != "" {
		person, err := s.cfg.Store.Candidate(ctx, h.ID, id)
		if err != nil {
			return err
		}
		f.person = &person
	}
	return s.showPanel(c, status, f.panel())
}

// POST …/incidents. The address names what the form was opened for.
func (s *Server) openIncident(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if by, err = withKey(by, values); err != nil {
		return "", err
	}
	report := hall.IncidentReport{
		Category: values.Get("category"), Machine: values.Get("machine"), Candidate: strings.TrimSpace(values.Get("candidate")),
		Text: values.Get("text"), Done: values.Get("done"),
	}
	ctx, found := c.Request().Context(), report
	about := access.Target{Hall: c.Param("hall"), Machine: report.Machine}
	if err := access.Check(ctx, s.cfg.Store, visitor(c).Grant, access.Attend, about); err != nil {
		return "", err
	}
	if c.QueryParam("candidate") == "" {
		if found.Candidate, err = s.candidateID(ctx, c.Param("hall"), report.Candidate); err != nil {
			return "", err
		}
	}
	_, err = s.cfg.Store.OpenIncident(ctx, c.Param("hall"), found, by)
	if correctable(err) {
		return "", s.showIncidentPanel(c, http.StatusUnprocessableEntity, report, err)
	}
	if err != nil || isFragment(c) {
		return "The incident is written down.", err
	}
	s.sessions.keep(c, sessionNotice, "The incident is written down.")
	return "", c.Redirect(http.StatusSeeOther, incidentsURL(c.Param("hall"), "room", c.QueryParam("room")))
}

// candidateID finds whom the staff mean: people know tickets rather than ids.
// What is not found is returned as it is.
func (s *Server) candidateID(ctx context.Context, hallID, typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	_, err := s.cfg.Store.Candidate(ctx, hallID, typed)
	if hall.CodeOf(err) != hall.CodeUnknownCandidate {
		return typed, err
	}
	list, err := s.cfg.Store.Candidates(ctx, hallID, hall.CandidateFilter{Text: typed}, hall.Page{})
	for _, person := range list.Items {
		if strings.EqualFold(person.Ticket, typed) {
			return person.ID, err
		}
	}
	return typed, err
}
