package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// GET /halls/{hall}/proctor?room=
func (s *Server) getProctor(c echo.Context) error {
	return s.showProctor(c, http.StatusOK, templates.Notice{})
}

// showProctor shows the whole page, with a message if there is one.
func (s *Server) showProctor(c echo.Context, status int, notice templates.Notice) error {
	room, err := shownRoom(c)
	if err != nil {
		return err
	}
	t := topic{hall: c.Param("hall"), view: viewProctor, room: room, manages: may(c, access.Manage)}
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), t.hall)
	if err != nil {
		return err
	}
	if err := knownRoom(&snapshot.Hall, t.room); err != nil {
		return err
	}
	p := s.staffPage(c, snapshot.Hall.Layout.Name+", proctor", "staff.css", "proctor.js")
	p.Live = liveURL(t)
	inZone(&p, &snapshot)
	if notice.Text != "" {
		p.Notice = notice
	}
	page := templates.ProctorPage{
		Page: p, HallName: snapshot.Hall.Layout.Name, Rooms: roomTabs(&snapshot.Hall, t.room, visitor(c).Grant),
		SearchURL: withRoom(hallURL(t.hall, "proctor", "search"), t.room), KeysURL: withRoom(hallURL(t.hall, "proctor", "keys"), t.room),
		UndoURL: withRoom(hallURL(t.hall, "proctor", "undo"), t.room), MarkURL: hallURL(t.hall, "proctor", "marked"), Room: t.room, Hall: proctorView(&snapshot, t.room, t.manages),
	}
	if t.manages {
		page.PauseURL = withRoom(hallURL(t.hall, "proctor", "pause"), t.room)
	}
	return render(c, status, templates.ProctorScreen(page))
}

// command is one change that a proctor makes. It returns what to say about it.
type command func(c echo.Context, by hall.Caller) (said string, err error)

// do carries out a command and shows what has become of it. What does not fit
// the state changes nothing: the page says so and shows the state.
func (s *Server) do(run command) echo.HandlerFunc {
	return func(c echo.Context) error {
		said, err := run(c, hall.Caller{By: visitor(c).User})
		notice := templates.Notice{Text: said}
		status := http.StatusOK
		if err != nil {
			status = api.StatusOf(err)
			if status >= http.StatusInternalServerError || status == http.StatusRequestEntityTooLarge || status == http.StatusForbidden {
				return err
			}
			notice = templates.Notice{Text: explain(english, status, err).message, Bad: true}
		}
		if c.Response().Committed {
			return nil // the command has answered itself
		}
		return s.showDone(c, status, notice)
	}
}

// GET of the address of a command, which does nothing.
func leadToProctor(c echo.Context) error { return c.Redirect(http.StatusSeeOther, proctorURL(c)) }

// proctorURL is the page from which a command came, of all rooms or of one.
func proctorURL(c echo.Context) string {
	return withRoom(hallURL(c.Param("hall"), "proctor"), c.QueryParam("room"))
}

// showDone answers a command: the fragments that changed, or the page after a
// redirect; a refused command shows the page at once.
func (s *Server) showDone(c echo.Context, status int, notice templates.Notice) error {
	if isFragment(c) {
		return s.showFragments(c, status, notice)
	}
	if status != http.StatusOK {
		return s.showProctor(c, status, notice)
	}
	s.sessions.keep(c, sessionNotice, notice.Text)
	return c.Redirect(http.StatusSeeOther, proctorURL(c))
}

// showFragments sends what changes on the page, so that it does so at once and
// also while its websocket is away.
func (s *Server) showFragments(c echo.Context, status int, notice templates.Notice) error {
	room, err := shownRoom(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	message := templates.NoticeBox(notice, true)
	snapshot, err := s.cfg.Store.Snapshot(ctx, c.Param("hall"))
	if err != nil {
		return render(c, status, message)
	}
	data, err := renderBytes(ctx, message, templates.ProctorFragment(proctorView(&snapshot, room, may(c, access.Manage))))
	if err != nil {
		return err
	}
	return c.HTMLBlob(status, data)
}
