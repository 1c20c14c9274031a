package web

import (
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// maxHost is how long the name of a host can be.
const maxHost = 255

// hostAndPort is a host as it stands in an address: a name, or numbers.
var hostAndPort = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)

// tryKey is what the kiosk's script calls one attempt to check in.
var tryKey = regexp.MustCompile(`^[0-9a-f]{32}$`)

// phoneCode is the way from the kiosk to a candidate's phone page; nil if there
// is none, since nobody is kept from checking in for that.
func (s *Server) phoneCode(c echo.Context, hallID, secret, lang string) *templates.QR {
	base := s.outsideURL(c)
	if secret == "" || base == "" {
		return nil
	}
	code, err := qrCode(base + withValues(api.PhonePath(hallID, secret), "lang", lang))
	if err != nil {
		s.cfg.Log.Error("no code for the phone page", "error", err, "id", requestID(c))
		return nil
	}
	return code
}

// outsideURL is where a phone reaches this server, "" if that is not known: the
// public address, or the one that the kiosk itself asks. That comes from the
// kiosk's browser and goes nowhere but to the same screen. A kiosk on the
// server's own machine asks "localhost", which is no use to a phone, so the
// machine's own address stands for it where others can reach the server.
func (s *Server) outsideURL(c echo.Context) string {
	if s.cfg.PublicURL != "" {
		return s.cfg.PublicURL
	}
	host := c.Request().Host
	if len(host) > maxHost || !hostAndPort.MatchString(host) {
		return ""
	}
	if s.cfg.OwnHost != "" {
		host = forOthers(host, s.cfg.OwnHost)
	}
	if c.IsTLS() || s.cfg.SecureCookies {
		return "https://" + host
	}
	return "http://" + host
}

// forOthers puts a machine's own address in place of one that only it can reach.
func forOthers(host, own string) string {
	asked := url.URL{Host: host}
	name := asked.Hostname()
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return host
	}
	if port := asked.Port(); port != "" {
		return net.JoinHostPort(own, port)
	}
	if strings.Contains(own, ":") {
		return "[" + own + "]"
	}
	return own
}
