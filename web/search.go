package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// foundShown is how many people a search lists.
const foundShown = 20

// getSearch answers GET /halls/{hall}/proctor/search with the empty form.
func (s *Server) getSearch(c echo.Context) error { return s.showSearch(c, searchForm(c, "")) }

// postSearch answers POST /halls/{hall}/proctor/search: whoever has these
// characters in number, name or ticket. It changes nothing, but what somebody
// types may be an ID number, which has to stand in no address.
func (s *Server) postSearch(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("hall")
	form := searchForm(c, usualText(values.Get("q")))
	if form.Text != "" {
		found, err := s.cfg.Store.Candidates(ctx, id, hall.CandidateFilter{Text: form.Text}, hall.Page{Number: 1, Size: foundShown})
		if err != nil {
			return err
		}
		form.Searched, form.More = true, found.Total-len(found.Items)
		for i := range found.Items {
			row, err := s.foundRow(c, &found.Items[i])
			if err != nil {
				return err
			}
			form.Rows = append(form.Rows, row)
		}
	}
	return s.showSearch(c, form)
}

func searchForm(c echo.Context, text string) templates.SearchForm {
	return templates.SearchForm{URL: withRoom(hallURL(c.Param("hall"), "proctor", "search"), c.QueryParam("room")), Text: text}
}

func (s *Server) showSearch(c echo.Context, form templates.SearchForm) error {
	return s.showPanel(c, http.StatusOK, templates.Panel{Title: "Find somebody", Search: &form})
}

// foundRow leads to what can be done for somebody: at their machine, in the
// line, or at the check-in.
func (s *Server) foundRow(c echo.Context, found *hall.Candidate) (templates.FoundRow, error) {
	id := c.Param("hall")
	row := templates.FoundRow{
		Key: url.PathEscape(found.ID), Ticket: found.Ticket, ID: found.ID, Name: found.Person.Name, Where: whereWords[found.State],
	}
	switch found.State {
	case hall.Registered:
		row.URL, row.Link = withValues(hallURL(id, "proctor", "check-in"), "candidate", found.ID, "room", c.QueryParam("room")), "Check in …"
	case hall.Called, hall.Seated:
		e, err := s.cfg.Store.Entry(c.Request().Context(), id, found.ID)
		if err != nil || e.Current == nil { // it has just ended
			return row, err
		}
		h, err := s.cfg.Store.Hall(c.Request().Context(), id)
		if err != nil {
			return row, err
		}
		row.Where += ": " + placeName(&h.Layout, e.Current.Machine)
		if access.Allows(visitor(c).Grant, access.Attend, id, e.Current.Room) {
			row.URL, row.Link = withRoom(hallURL(id, "proctor", "machines", e.Current.Machine), c.QueryParam("room")), "Options"
		}
	case hall.Waiting, hall.Resting, hall.Held, hall.Done, hall.Absent, hall.Withdrawn:
		row.URL, row.Link = withRoom(hallURL(id, "proctor", "queue", found.ID), c.QueryParam("room")), "Options"
	}
	return row, nil
}

// whereWords say where somebody is.
var whereWords = map[hall.CandidateState]string{
	hall.Registered: "not here yet", hall.Waiting: "in line", hall.Called: "called", hall.Seated: "at a machine", hall.Resting: "has a break",
	hall.Held: "stepped away", hall.Done: "done", hall.Absent: "absent", hall.Withdrawn: "withdrawn",
}

// getKeys answers GET /halls/{hall}/proctor/keys: the shortcuts of the page.
func (s *Server) getKeys(c echo.Context) error {
	return s.showPanel(c, http.StatusOK, templates.Panel{Title: "Keys", Keys: proctorKeys})
}

// proctorKeys are the shortcuts, as static/js/keys.js has them.
var proctorKeys = []templates.Key{
	{Sign: "/", Does: "Find somebody by number, name or ticket"},
	{Sign: "i", Does: "Check somebody in"},
	{Sign: "m", Does: "Commands for the marked machines"},
	{Sign: "u", Does: "Undo"},
	{Sign: "?", Does: "This list"},
	{Sign: "Esc", Does: "Close the panel"},
}
