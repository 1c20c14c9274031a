package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// importPatience is how long the answer to "import" waits for the end: most
// rosters are taken by then, others show how far they are.
const importPatience = 2 * time.Second

// rosterRoutes load rosters: /halls/{hall}/staff/roster
func (s *Server) rosterRoutes(r routes) {
	r.get(access.Manage, "", s.getRoster)
	r.post(access.Manage, "", s.postRoster)
	r.post(access.Manage, "/import", s.importRoster)
	r.get(access.Manage, "/import", leadToRoster)
	r.post(access.Manage, "/discard", s.discardRoster)
	r.get(access.Manage, "/discard", leadToRoster)
	r.get(access.Manage, "/:upload", s.getRosterUpload)
	r.get(access.Manage, "/:upload/refused.csv", s.getRefusedRows)
}

// GET of the address of a command, which does nothing.
func leadToRoster(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, rosterURL(c.Param("hall")))
}

// GET /halls/{hall}/staff/roster: the form that takes a file.
func (s *Server) getRoster(c echo.Context) error {
	return s.showRosterForm(c, http.StatusOK, "", "")
}

// showRosterForm shows the form, with what is wrong with the file that was
// sent, or with what was asked for.
func (s *Server) showRosterForm(c echo.Context, status int, wrong, notice string) error {
	h, people, err := s.rosterOf(c)
	if err != nil {
		return err
	}
	p := s.rosterPage(c, &h, "")
	p.Lines = []string{rosterDay(&h, people)}
	p.Form = rosterForm(h.ID, wrong)
	if notice != "" {
		p.Notice = templates.Notice{Text: notice, Bad: true}
	}
	return render(c, status, templates.RosterScreen(p))
}

// rosterOf is the hall, and how many are on its roster.
func (s *Server) rosterOf(c echo.Context) (hall.Hall, int, error) {
	ctx, id := c.Request().Context(), c.Param("hall")
	h, err := s.cfg.Store.Hall(ctx, id)
	if err != nil {
		return h, 0, err
	}
	list, err := s.cfg.Store.Candidates(ctx, id, hall.CandidateFilter{}, hall.Page{Number: 1, Size: 1})
	return h, list.Total, err
}

func (s *Server) rosterPage(c echo.Context, h *hall.Hall, script string) templates.RosterPage {
	return templates.RosterPage{
		Page:     s.staffPage(c, h.Layout.Name+", roster", "roster.css", script),
		HallName: h.Layout.Name, Back: hallURL(h.ID, "proctor"),
	}
}

// POST /halls/{hall}/staff/roster: reads the file, and leads to what is in it.
func (s *Server) postRoster(c echo.Context) error {
	name, data, err := readUpload(c)
	var id string
	if err == nil {
		ctx, cancel := context.WithTimeout(c.Request().Context(), readingTimeout)
		defer cancel()
		id, err = s.desk.Receive(ctx, c.Param("hall"), name, data)
	}
	switch {
	case errors.Is(err, errUploadTooLong):
		return s.showRosterForm(c, http.StatusRequestEntityTooLarge, roster.TooLong().Error()+" Is it the right one?", "")
	case hall.CodeOf(err) == hall.CodeInvalid:
		return s.showRosterForm(c, http.StatusUnprocessableEntity, err.Error(), "")
	case err != nil:
		return err
	}
	return c.Redirect(http.StatusSeeOther, rosterURL(c.Param("hall"), id))
}

// GET …/roster/{upload}: what is in the file, how far its import is, or what it did.
func (s *Server) getRosterUpload(c echo.Context) error {
	h, people, err := s.rosterOf(c)
	if err != nil {
		return err
	}
	id := c.Param("upload")
	paper, err := s.desk.Paper(c.Request().Context(), h.ID, id)
	if err != nil {
		return s.rosterRefused(c, id, err)
	}
	view := rosterMapper{hall: &h, id: id, paper: &paper, people: people}
	script := ""
	if paper.State == enrol.Taken || paper.State == enrol.Left {
		script = "roster.js"
	}
	p := s.rosterPage(c, &h, script)
	view.fill(&p)
	if isFragment(c) {
		return render(c, http.StatusOK, templates.RosterMain(p))
	}
	return render(c, http.StatusOK, templates.RosterScreen(p))
}

// rosterRefused shows the form where a file cannot be gone on with.
func (s *Server) rosterRefused(c echo.Context, id string, err error) error {
	switch {
	case errors.Is(err, enrol.ErrGone):
		return s.showRosterForm(c, http.StatusNotFound, "", "This file is not there any more: it is kept for an hour at most. Choose it again.")
	case errors.Is(err, enrol.ErrOtherDay):
		if err := s.desk.Drop(c.Request().Context(), c.Param("hall"), id); err != nil && !errors.Is(err, enrol.ErrGone) {
			return err
		}
		return s.showRosterForm(c, api.StatusOf(err), "", enrol.ErrOtherDay.Message)
	}
	return err
}

// POST …/roster/import: takes exactly the file that was shown. A second time
// finds that it is under way or done.
func (s *Server) importRoster(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	ctx, id := c.Request().Context(), values.Get("upload")
	done, err := s.desk.Import(ctx, c.Param("hall"), id, visitor(c).User)
	if err != nil {
		return s.rosterRefused(c, id, err)
	}
	patience := time.NewTimer(importPatience)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
	case <-ctx.Done():
	}
	return c.Redirect(http.StatusSeeOther, rosterURL(c.Param("hall"), id))
}

// POST …/roster/discard: erases a file that nobody wants.
func (s *Server) discardRoster(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	err = s.desk.Drop(c.Request().Context(), c.Param("hall"), values.Get("upload"))
	if err != nil && !errors.Is(err, enrol.ErrGone) {
		return err
	}
	return leadToRoster(c)
}
