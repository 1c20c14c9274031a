package web

import (
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
)

// limited counts what comes from an address, before anything is read for it.
// Pages of the staff and static files are not counted, nor is what goes through
// an open websocket.
func (s *Server) limited(of access.Limit, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.cfg.Limits.Take(c.Request().Context(), of, s.addressOf(c)); err != nil {
			return err
		}
		return next(c)
	}
}

// limitKiosk counts the check-ins of a paired device, of an account, with which
// several kiosks may be signed in, or of an address where screens are open.
func (s *Server) limitKiosk(c echo.Context) error {
	of, who := access.LimitKiosks, visitor(c).User
	switch {
	case who == "":
		who = s.addressOf(c)
	case strings.HasPrefix(who, access.DevicePrefix):
		of = access.LimitDevice
	}
	return s.cfg.Limits.Take(c.Request().Context(), of, who)
}
