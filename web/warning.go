package web

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// warning is what every page of the staff says, "" for nothing: also to those who
// come from another machine over a connection that everybody on the way can read.
func (s *Server) warning(c echo.Context) string {
	words := s.cfg.Warning
	if !s.isPrivate(c) {
		words += " " + textsOf(c).Text("head.plain")
	}
	return strings.TrimSpace(words)
}

// isPrivate reports whether nobody can read a connection: under TLS, through a
// trusted proxy, which has it, or within this machine.
func (s *Server) isPrivate(c echo.Context) bool {
	r := c.Request()
	if c.IsTLS() || s.fromHere(r) {
		return true
	}
	if len(s.cfg.TrustedProxies) == 0 {
		return s.cfg.SecureCookies // whoever signs in does so over TLS
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && slices.ContainsFunc(s.cfg.TrustedProxies, func(proxy netip.Prefix) bool {
		return proxy.Contains(peer.Addr().Unmap())
	})
}
