package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// GET /api/docs: the description of the API, for whoever may read the document.
func (s *Server) getDocs(c echo.Context) error {
	return render(c, http.StatusOK, templates.Docs(templates.DocsPage{
		Page: s.page(c, "The API", "docs.css", "docs.js"), Document: api.DocumentPath,
	}))
}
