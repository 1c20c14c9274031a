package web

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/hallcall/hallcall/web/api"
)

// requestTimeout is how long a request may take; websockets and the API's long
// lists are not asked for by people who wait.
const requestTimeout = 10 * time.Second

// maxBody is how much a form may carry.
const maxBody = "10M"

// originalContext is that of the request as it came; it ends with the client.
const originalContext = "web.original-context"

// onlyHead marks requests that came as HEAD.
type onlyHead struct{}

// contentPolicy lets pages load what this server serves and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// use adds what every request goes through.
func (s *Server) use(e *echo.Echo) {
	e.Use(
		s.measureRequest,
		middleware.RequestID(),
		s.logRequest,
		middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true, LogErrorFunc: s.logPanic}),
		securityHeaders,
		sameOrigin(http.NewCrossOriginProtection()),
		middleware.ContextTimeoutWithConfig(middleware.ContextTimeoutConfig{Timeout: requestTimeout, Skipper: takesLong}),
		middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: maxBody, Skipper: isLong}),
		middleware.GzipWithConfig(middleware.GzipConfig{MinLength: 1024, Skipper: isPackedOrSocket}),
	)
}

// headAsGet answers HEAD wherever GET is answered: net/http leaves the body
// out. A request for a websocket stays what it is.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && r.Header.Get("Upgrade") == "" {
			r = r.WithContext(context.WithValue(r.Context(), onlyHead{}, true))
			r.Method = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

func isHead(r *http.Request) bool { return r.Context().Value(onlyHead{}) != nil }

func isSocket(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/live") }

// isLong skips what has limits of its own.
func isLong(c echo.Context) bool { return isSocket(c) || api.InAPI(c.Request()) || isUpload(c) }

// takesLong skips what may take longer than a page.
func takesLong(c echo.Context) bool { return isLong(c) || isRecordFile(c) }

func isRecordFile(c echo.Context) bool { return strings.HasSuffix(c.Path(), pathRecordFile) }

// isPackedOrSocket skips what is compressed already and what must not be.
func isPackedOrSocket(c echo.Context) bool {
	return isSocket(c) || c.Path() == pathStatic || c.QueryParam("format") == "xlsx"
}

func securityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Content-Security-Policy", contentPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		return next(c)
	}
}

// sameOrigin refuses commands that pages of other origins send.
func sameOrigin(protection *http.CrossOriginProtection) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := protection.Check(c.Request()); err != nil {
				return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
			}
			return next(c)
		}
	}
}

// pageHeaders keeps pages out of caches: they are of the moment, and after a
// sign-out the back button must not bring them back.
func (s *Server) pageHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		return next(c)
	}
}

// decodePath decodes the ids in the path of a page.
func decodePath(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := api.DecodeParams(c); err != nil {
			return err
		}
		return next(c)
	}
}

func (s *Server) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now() //nolint:forbidigo // only to measure
		c.Set(originalContext, c.Request().Context())
		err := next(c)
		if err != nil {
			c.Error(err) // answers, so that the status is known
		}
		s.cfg.Log.LogAttrs(c.Request().Context(), slog.LevelDebug, "request",
			slog.String("method", c.Request().Method), slog.String("path", loggedPath(c)),
			slog.Int("status", c.Response().Status), slog.Duration("took", time.Since(start)), slog.String("id", requestID(c)))
		return nil
	}
}

// loggedPath is the path of a request without what opens a page to anybody, and
// without numbers of candidates: it may be an ID number that somebody scanned.
func loggedPath(c echo.Context) string {
	r := c.Request()
	if slices.Contains(c.ParamNames(), "candidate") {
		return c.Path()
	}
	path := r.URL.EscapedPath()
	if strings.HasPrefix(r.URL.Path, "/t/") || strings.HasPrefix(path, "/t/") {
		return "/t/…"
	}
	if upload := strings.Index(path, pathRoster+"/"); upload >= 0 {
		return path[:upload] + pathRoster + "/…"
	}
	return path
}

func (s *Server) logPanic(c echo.Context, err error, stack []byte) error {
	s.cfg.Log.Error("panic", "error", err, "id", requestID(c), "stack", string(stack))
	return err
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }
