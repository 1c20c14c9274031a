package web

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/web/api"
)

// Where pages are. Addresses are built by urls.go.
const (
	pathHome     = "/"
	pathLogin    = "/login"
	pathLogout   = "/logout"
	pathDocs     = "/api/docs"
	pathHealthz  = "/healthz"
	pathReadyz   = "/readyz"
	pathMetrics  = "/metrics"
	pathStatic   = "/static/:hash/:name"
	pathHall     = "/halls/:hall"
	pathPhone    = "/t/:token"
	pathRoster   = "/staff/roster" // of a hall
	pathAccount  = "/account"
	pathLanguage = "/language"
	pathAdmin    = "/admin"
)

// router lists everything that the server answers, each with the permission
// that it needs.
func (s *Server) router() (http.Handler, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = s.extractAddress()
	s.use(e)

	bare := routes{server: s, echo: e}
	bare.get(access.Anyone, pathHealthz, s.getHealthz)
	bare.get(access.Anyone, pathReadyz, s.getReadyz)
	bare.get(access.Anyone, pathMetrics, s.metricsRoute()) // it asks for a token itself
	bare.get(access.Anyone, pathStatic, s.getStatic)
	api.Mount(e, s.api)

	s.phoneRoutes(routes{s, e, pathPhone, []echo.MiddlewareFunc{s.pageHeaders, phoneHeaders}})

	pages := routes{s, e, "", []echo.MiddlewareFunc{s.pageHeaders, s.sessions.load, s.identify, decodePath}}
	pages.get(access.Anyone, pathHome, s.getHome)
	pages.get(access.Anyone, pathLogin, s.getLogin)
	pages.post(access.Anyone, pathLogin, s.postLogin)
	pages.post(access.Anyone, pathLogout, s.postLogout)
	pages.get(access.Anyone, pathLogout, s.getLogout)
	pages.post(access.Anyone, pathLanguage, s.postLanguage)
	pages.get(access.Anyone, pathDocs, s.getDocs)
	s.ownRoutes(pages)
	pages.post(access.Report, pathDevice, s.postDevice)
	pages.get(access.Anyone, pathDevice, s.getDevice)
	s.adminRoutes(pages)
	s.hallRoutes(pages.below(pathHall))
	return e, s.checkRoutes(e)
}

// hallRoutes are the pages of a hall.
func (s *Server) hallRoutes(hall routes) {
	hall.get(access.CheckIn, "/kiosk", s.getKiosk)
	hall.post(access.CheckIn, "/kiosk", s.postKiosk)
	hall.get(access.Watch, "/board", s.getBoard)
	hall.get(access.Watch, "/live", s.limited(access.LimitSocket, s.getLive)) // it asks for what the page needs that it is for
	hall.get(access.Report, "/printer", s.getPrinter)
	hall.get(access.See, "/monitor", s.getMonitor)

	s.recordRoutes(hall.below("/staff"))
	s.deviceRoutes(hall.below("/staff/devices"))

	if s.cfg.Uploads != nil {
		s.rosterRoutes(hall.below(pathRoster))
	}

	proctor := hall.below("/proctor")
	proctor.get(access.See, "", s.getProctor)
	proctor.get(access.Attend, "/machines/:machine", s.getMachinePanel)
	proctor.get(access.Attend, "/queue/:candidate", s.getCandidatePanel)
	proctor.get(access.Manage, "/pause", s.getPausePanel)
	proctor.post(access.Manage, "/pause", s.do(s.pause))
	proctor.get(access.Undo, "/undo", s.getUndoPanel)
	proctor.post(access.Undo, "/undo", s.do(s.undo))
	s.sittingRoutes(proctor)
	s.machineRoutes(proctor)
	s.queueRoutes(proctor)
	proctor.get(access.Attend, "/check-in", s.getCheckIn)
	proctor.get(access.Attend, "/search", s.getSearch)
	proctor.post(access.Attend, "/search", s.postSearch)
	proctor.get(access.Attend, "/keys", s.getKeys)
	proctor.post(access.Attend, "/check-in", s.postCheckIn)
	s.markedRoutes(proctor)
	s.noteRoutes(proctor)
	s.incidentRoutes(proctor)
	s.callingRoutes(proctor)
	s.dayRoutes(proctor)
}

// checkRoutes finds routes that were added past the permissions. Those of the
// API have theirs where they are registered.
func (s *Server) checkRoutes(e *echo.Echo) error {
	for _, route := range e.Routes() {
		_, named := s.needs[route.Method+" "+route.Path]
		if !named && route.Path != api.DocumentPath && !strings.HasPrefix(route.Path, api.Base+"/") {
			return fmt.Errorf("web: %s %s names no permission", route.Method, route.Path)
		}
	}
	return nil
}

// Route is an address that the server answers, and the permission that it
// needs. Those of the API are in its description.
type Route struct {
	Method, Path string
	Need         access.Permission
}

// Routes lists the routes of pages, in order of their addresses.
func (s *Server) Routes() []Route {
	var list []Route
	for name, need := range s.needs {
		method, path, _ := strings.Cut(name, " ")
		list = append(list, Route{Method: method, Path: path, Need: need})
	}
	slices.SortFunc(list, func(a, b Route) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method)) })
	return list
}

// routes adds routes below an address. Unlike a group of Echo's with
// middleware it leaves other methods to the router, which answers 405.
type routes struct {
	server     *Server
	echo       *echo.Echo
	prefix     string
	middleware []echo.MiddlewareFunc
}

func (r routes) get(need access.Permission, path string, h echo.HandlerFunc) {
	r.add(http.MethodGet, need, path, h)
}

func (r routes) post(need access.Permission, path string, h echo.HandlerFunc) {
	r.add(http.MethodPost, need, path, h)
}

func (r routes) add(method string, need access.Permission, path string, h echo.HandlerFunc) {
	path = r.prefix + path
	if !need.Known() {
		panic("web: " + method + " " + path + " names no permission") // when the server is made, so that no test passes
	}
	r.server.needs[method+" "+path] = need
	r.echo.Add(method, path, h, slices.Concat(r.middleware, []echo.MiddlewareFunc{r.server.allow(need)})...)
}

// command adds a command to the proctor page. A browser that asks for its
// address, after the page of a refused command or after a login, is led to the
// page: only a POST does anything.
func (r routes) command(need access.Permission, path string, h echo.HandlerFunc) {
	r.post(need, path, h)
	r.get(access.See, path, leadToProctor)
}

// below are routes with more in their address.
func (r routes) below(prefix string) routes {
	return routes{r.server, r.echo, r.prefix + prefix, r.middleware}
}
