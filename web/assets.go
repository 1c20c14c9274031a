package web

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// GET /static/{hash}/{name}. An address with the hash of what it names never
// changes; one of another version (of the server before a restart, of another
// node) gets what there is now, and is asked for again.
func (s *Server) getStatic(c echo.Context) error {
	asset, current := s.assets.Find(c.Param("hash"), c.Param("name"))
	if asset.Name == "" {
		return echo.ErrNotFound
	}
	header := c.Response().Header()
	header.Set("Cache-Control", "no-cache")
	if current {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("ETag", `"`+asset.Hash+`"`)
	header.Set("Vary", "Accept-Encoding")
	header.Set("Content-Type", asset.Type)
	data := asset.Plain
	if strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		data = asset.Gzip()
	}
	http.ServeContent(c.Response(), c.Request(), asset.Name, time.Time{}, bytes.NewReader(data))
	return nil
}
