package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// health says how the server is, and which version of the pages it has.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// GET /healthz: the process lives.
func (s *Server) getHealthz(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, health{Status: "ok", Version: s.assets.Version()})
}

// GET /readyz: the store answers.
func (s *Server) getReadyz(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	if err := s.cfg.Store.Ping(c.Request().Context()); err != nil {
		s.cfg.Log.Warn("not ready", "error", err)
		return c.JSON(http.StatusServiceUnavailable, health{Status: "store does not answer", Version: s.assets.Version()})
	}
	return c.JSON(http.StatusOK, health{Status: "ok", Version: s.assets.Version()})
}
