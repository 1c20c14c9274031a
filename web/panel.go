package web

import (
	"cmp"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/templates"
)

// showPanel shows a panel in the page that asked for it, or as a page of its
// own for a browser without scripts.
func (s *Server) showPanel(c echo.Context, status int, panel templates.Panel) error {
	if isFragment(c) {
		header := c.Response().Header()
		header.Set("HX-Retarget", "#panel-body")
		header.Set("HX-Reswap", "innerHTML")
		return render(c, status, templates.PanelFragment(panel))
	}
	return render(c, status, templates.PanelScreen(templates.PanelPage{
		Page:  s.staffPage(c, panel.Title, "staff.css", ""),
		Back:  cmp.Or(panel.Back, proctorURL(c)),
		Panel: panel,
	}))
}
