package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/templates"
)

// GET /halls/{hall}/monitor
func (s *Server) getMonitor(c echo.Context) error {
	ctx := c.Request().Context()
	t := topic{hall: c.Param("hall"), view: viewMonitor}
	snapshot, err := s.cfg.Store.Snapshot(ctx, t.hall)
	if err != nil {
		return err
	}
	figures, err := s.ofDays.of(ctx, &snapshot)
	if err != nil {
		return err
	}
	p := s.staffPage(c, snapshot.Hall.Layout.Name+", monitor", "monitor.css", "monitor.js")
	p.Live = liveURL(t)
	inZone(&p, &snapshot)
	return render(c, http.StatusOK, templates.MonitorScreen(templates.MonitorPage{
		Page: p, HallName: snapshot.Hall.Layout.Name, Links: hallLinks(t.hall, viewMonitor), Monitor: monitorView(&snapshot, &figures),
	}))
}

// monitored reports whether a monitor page of a hall is open.
func (s *Server) monitored(hallID string) bool {
	return slices.Contains(s.hub.TopicsIn(hallID), topic{hall: hallID, view: viewMonitor}.name())
}

// hallLinks lead to the pages of a hall.
func hallLinks(id, current string) []templates.Link {
	var links []templates.Link
	for _, page := range []struct{ text, name string }{
		{"Monitor", viewMonitor}, {"Proctor", viewProctor}, {"Board", viewBoard}, {"Kiosk", "kiosk"},
	} {
		links = append(links, templates.Link{Text: page.text, URL: hallURL(id, page.name), Current: page.name == current})
	}
	return links
}
