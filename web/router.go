package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/web/api"
)

// Where pages are. Addresses are built by urls.go.
const (
	pathHome    = "/"
	pathLogin   = "/login"
	pathLogout  = "/logout"
	pathDocs    = "/api/docs"
	pathHealthz = "/healthz"
	pathReadyz  = "/readyz"
	pathMetrics = "/metrics"
	pathStatic  = "/static/:hash/:name"
	pathHall    = "/halls/:hall"
	pathPhone   = "/t/:token"
	pathRoster  = "/staff/roster" // of a hall
)

// router lists everything that the server answers.
func (s *Server) router() http.Handler {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	s.use(e)

	e.GET(pathHealthz, s.getHealthz)
	e.GET(pathReadyz, s.getReadyz)
	e.GET(pathMetrics, s.metricsRoute())
	e.GET(pathStatic, s.getStatic)
	api.Mount(e, api.Config{
		Store: s.cfg.Store, Metrics: s.cfg.Metrics, Token: s.cfg.Token, Version: s.cfg.Version, Now: s.cfg.Now, Log: s.cfg.Log,
	})

	s.phoneRoutes(routes{e, pathPhone, []echo.MiddlewareFunc{s.pageHeaders, phoneHeaders}})

	pages := routes{e, "", []echo.MiddlewareFunc{s.pageHeaders, s.sessions.load, decodePath}}
	pages.get(pathHome, s.getHome)
	pages.get(pathLogin, s.getLogin)
	pages.post(pathLogin, s.postLogin)
	pages.post(pathLogout, s.postLogout)
	pages.get(pathLogout, s.getLogout)
	pages.get(pathDocs, s.getDocs)

	hall := pages.below(pathHall)
	hall.get("/kiosk", s.getKiosk)
	hall.post("/kiosk", s.postKiosk)
	hall.get("/board", s.getBoard)
	hall.get("/live", s.getLive)

	s.recordRoutes(hall.below("/staff", s.staffOnly))
	hall.below("/monitor", s.staffOnly).get("", s.getMonitor)

	if s.cfg.Uploads != nil {
		s.rosterRoutes(hall.below(pathRoster, s.staffOnly))
	}

	proctor := hall.below("/proctor", s.staffOnly)
	proctor.get("", s.getProctor)
	proctor.get("/machines/:machine", s.getMachinePanel)
	proctor.get("/queue/:candidate", s.getCandidatePanel)
	proctor.get("/pause", s.getPausePanel)
	proctor.post("/pause", s.do(s.pause))
	proctor.get("/undo", s.getUndoPanel)
	proctor.post("/undo", s.do(s.undo))
	s.sittingRoutes(proctor)
	s.machineRoutes(proctor)
	s.queueRoutes(proctor)
	s.noteRoutes(proctor)
	s.incidentRoutes(proctor)
	s.callingRoutes(proctor)
	s.dayRoutes(proctor)
	return e
}

// routes adds routes below an address. Unlike a group of Echo's with
// middleware it leaves other methods to the router, which answers 405.
type routes struct {
	echo       *echo.Echo
	prefix     string
	middleware []echo.MiddlewareFunc
}

func (r routes) get(path string, h echo.HandlerFunc) { r.echo.GET(r.prefix+path, h, r.middleware...) }

func (r routes) post(path string, h echo.HandlerFunc) { r.echo.POST(r.prefix+path, h, r.middleware...) }

// command adds a command to the proctor page. A browser that asks for its
// address, after the page of a refused command or after a login, is led to the
// page: only a POST does anything.
func (r routes) command(path string, h echo.HandlerFunc) {
	r.post(path, h)
	r.get(path, leadToProctor)
}

// below are routes with more in their address and more to go through.
func (r routes) below(prefix string, more ...echo.MiddlewareFunc) routes {
	return routes{r.echo, r.prefix + prefix, slices.Concat(r.middleware, more)}
}
