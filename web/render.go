package web

import (
	"bytes"
	"context"
	"fmt"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// render writes a page whole or not at all: a template that fails is an error,
// not half a page.
func render(c echo.Context, status int, page templ.Component) error {
	data, err := renderBytes(c.Request().Context(), page)
	if err != nil {
		return err
	}
	return c.HTMLBlob(status, data)
}

func renderBytes(ctx context.Context, parts ...templ.Component) ([]byte, error) {
	var buffer bytes.Buffer
	for _, part := range parts {
		if err := part.Render(ctx, &buffer); err != nil {
			return nil, fmt.Errorf("render: %w", err)
		}
	}
	return buffer.Bytes(), nil
}

// page is what every page needs; style and script are names of assets.
func (s *Server) page(c echo.Context, title, style, script string) templates.Page {
	p := templates.Page{
		Title: title, Texts: textsOf(c), Icon: s.assets.URL("icon.svg"), Styles: []string{s.assets.URL(style)},
		Version: s.assets.Version(), Now: s.cfg.Now().UnixMilli(), User: signedIn(c),
		Admin: access.Allows(visitor(c).Grant, access.Arrange, "", ""),
	}
	if device := visitingAs(c); device != nil {
		p.Device, p.Paper = pathDevice, string(device.Paper)
	}
	if script != "" {
		p.Scripts = []string{s.assets.URL(script)}
	}
	return p
}

// publicPage is a page in the language that somebody chooses on it; title is the
// key of a text, address where the page is.
func (s *Server) publicPage(c echo.Context, title, address string) templates.Page {
	p := s.page(c, textsOf(c).Text(title), "page.css", "")
	p.Path, p.Languages = address, languageLinks(address, locale.All(), textsOf(c))
	return p
}

// staffPage is a page for people of the staff.
func (s *Server) staffPage(c echo.Context, title, style, script string) templates.Page {
	p := s.page(c, title, style, script)
	p.Warning = s.warning(c)
	p.Notice = templates.Notice{Text: s.sessions.take(c, sessionNotice)}
	return p
}

// inZone sets the clocks of a page to the hall's time zone.
func inZone(p *templates.Page, s *hall.Snapshot) {
	zone := s.Hall.Location()
	_, p.Offset = s.Now.In(zone).Zone()
	p.Zone = zone.String()
}
