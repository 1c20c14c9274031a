package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/live"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/web/api"
)

// forwarded are headers that a proxy adds: the request came from elsewhere,
// whatever they say of it.
var forwarded = []string{
	"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip",
	"Cf-Connecting-Ip", "Via",
}

// newFigures makes what answers Prometheus.
func (s *Server) newFigures() *prom.Exposition {
	return prom.New(prom.Config{
		Store: s.cfg.Store, Metrics: s.cfg.Metrics, Sockets: s.sockets, Pool: s.cfg.Pool, Webhook: s.cfg.Webhook, Version: s.cfg.Version, Log: s.cfg.Log,
	})
}

// metricsRoute answers GET /metrics for programs on this machine and for those
// that have a token.
func (s *Server) metricsRoute() echo.HandlerFunc {
	figures := s.figures.Handler()
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Cache-Control", "no-store")
		who, err := s.api.Holder(c.Request().Context(), c.Request().Header.Get(echo.HeaderAuthorization))
		if err != nil && !errors.Is(err, api.ErrNoToken) && !errors.Is(err, api.ErrWrongToken) {
			return err
		}
		given, right := !errors.Is(err, api.ErrNoToken), access.Allows(who.Grant, access.See, "", "")
		if !right && (given || !s.fromHere(c.Request())) {
			header.Set(echo.HeaderWWWAuthenticate, "Bearer")
			return c.String(http.StatusUnauthorized, "This is for programs on the same machine and for those with a bearer token.\n")
		}
		figures.ServeHTTP(c.Response(), c.Request())
		return nil
	}
}

// fromHere reports whether a request was made on this machine, to this machine:
// not passed on by a proxy, and not by a page that gave its own host this address.
func (s *Server) fromHere(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	for _, proxy := range s.cfg.TrustedProxies {
		if proxy.Contains(peer.Addr().Unmap()) {
			return false
		}
	}
	for _, name := range forwarded {
		if len(r.Header.Values(name)) > 0 {
			return false
		}
	}
	return isLoopbackName(r.Host)
}

// isLoopbackName reports whether a host, with a port or without, is this machine for itself.
func isLoopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else if n := len(host); n > 1 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && addr.Unmap().IsLoopback())
}

// sockets counts the websockets of this node.
func (s *Server) sockets() prom.Sockets {
	all := prom.Sockets{Open: map[prom.Watching]int{}, Dropped: map[string]uint64{}}
	for _, hub := range []*live.Hub{s.hub, s.phoneHub} {
		hub.Each(func(name string, clients int) {
			t := topicOf(name)
			all.Open[prom.Watching{Hall: t.hall, View: t.view}] += clients
		})
		for why, count := range hub.Drops() {
			all.Dropped[string(why)] += count
		}
	}
	return all
}

// measureRequest counts every request by the template of its route.
func (s *Server) measureRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ended := s.figures.RequestBegins()
		defer func() {
			status := c.Response().Status
			if isSocket(c) && !c.Response().Committed {
				status = http.StatusSwitchingProtocols // the websocket's own answer went past the router
			}
			ended(c.Path(), c.Request().Method, status)
		}()
		return next(c)
	}
}
