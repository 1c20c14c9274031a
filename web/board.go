package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
)

// GET /halls/{hall}/board?room=&lang=
func (s *Server) getBoard(c echo.Context) error {
	t := topic{hall: c.Param("hall"), view: viewBoard, room: c.QueryParam("room"), lang: askedLanguage(c)}
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), t.hall)
	if err != nil {
		return err
	}
	if err := s.mayUseScreen(c, &snapshot.Hall, access.Watch); err != nil {
		return err
	}
	if device := visitingAs(c); !mayShow(device, t.room) {
		return c.Redirect(http.StatusSeeOther, deviceURL(device))
	}
	if err := knownRoom(&snapshot.Hall, t.room); err != nil {
		return err
	}
	all := boardTexts(&snapshot.Hall, t.lang)
	c.Set(spoken, all[0])
	p := s.page(c, snapshot.Hall.Layout.Name, "board.css", "board.js")
	p.Theme, p.Live = "dark", liveURL(t)
	inZone(&p, &snapshot)
	p.ReloadAfter, p.ReloadTo = 10, withValues(hallURL(t.hall, "board"), "room", t.room, "lang", t.lang)
	return render(c, http.StatusOK, templates.BoardScreen(templates.BoardPage{
		Page: p, HallName: snapshot.Hall.Layout.Name, RoomName: roomTitle(&snapshot.Hall.Layout, t.room),
		Clock: clock(snapshot.Now, snapshot.Hall.Location()), Board: boardView(all, &snapshot, t.room),
	}))
}
