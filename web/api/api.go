// Package api is the HTTP API of hallcall: JSON over the commands and readings
// of the domain, described by an OpenAPI document that is made from the code.
//
// Each resource has a file: its routes on top, then the handlers, then the
// shapes in which it is sent and the mapping to them.
package api

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
)

// Base is where the API is found.
const Base = "/api/v1"

// DocumentPath is where the API's description is found.
const DocumentPath = "/api/openapi.json"

// Config is what the API needs. Token is the bearer token with every right,
// Tokens knows the others. All but Store may be left out.
type Config struct {
	Store   hall.Store
	Metrics hall.Metrics
	Token   string
	Tokens  Tokens
	Limits  Limits
	Version string
	Now     func() time.Time
	Log     *slog.Logger

	AddressOf func(echo.Context) string // where a request comes from; that of Echo if nil
}

// routes has what the handlers need.
type routes struct {
	api     huma.API
	store   hall.Store
	metrics hall.Metrics // nil for none
	now     func() time.Time
	log     *slog.Logger
	limits  Limits

	addressOf func(echo.Context) string
}

// Mount adds the API to a router. Errors of the router itself (an unknown
// address, a wrong method) go to the router's error handler, which answers them
// with WriteProblem where InAPI says so. All answers of the router wait for the
// body of their request, within limits.
func Mount(e *echo.Echo, config Config) huma.API {
	useProblems()
	r := &routes{
		api:   humaecho.New(e, humaConfig(config.Version)),
		store: config.Store, metrics: config.Metrics, now: config.Now, log: config.Log,
		limits: config.Limits, addressOf: config.AddressOf,
	}
	if r.limits == nil {
		r.limits = NoLimits{}
	}
	if r.addressOf == nil {
		r.addressOf = echo.Context.RealIP
	}
	if r.now == nil {
		r.now = time.Now //nolint:forbidigo // the clock of who gives none
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	e.Pre(drainBody)
	r.api.UseMiddleware(r.noStore, r.onlyJSON, r.authenticate(config), r.limit, r.decodePath, r.authorise, r.readQuery, r.readBody, r.readKey)
	describeCodes(r.api.OpenAPI().Components.Schemas)
	r.halls()
	r.days()
	r.records()
	r.roster()
	r.candidates()
	r.queue()
	r.next()
	r.statistics()
	r.machines()
	r.sittings()
	r.undo()
	r.notes()
	r.incidents()
	r.alerts()
	r.events()
	r.metricsCentre()
	serveOpenAPI(e, r.api)
	return r.api
}

// InAPI reports whether a request is for the API, so that errors are answered by WriteProblem.
func InAPI(r *http.Request) bool {
	return r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/")
}

// humaConfig leaves out huma's own pages and links: the description is served
// by serveOpenAPI, and no page asks another host for anything.
func humaConfig(version string) huma.Config {
	config := huma.DefaultConfig("hallcall", version)
	config.Info.Description = "Runs exam halls: check-in, queue, calls, sittings."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		bearer: {Type: "http", Scheme: "bearer"},
	}
	return config
}

// serveOpenAPI answers the description; it is made once, at the first request.
func serveOpenAPI(e *echo.Echo, api huma.API) {
	document := sync.OnceValues(func() ([]byte, error) { return api.OpenAPI().MarshalJSON() })
	e.GET(DocumentPath, func(c echo.Context) error {
		data, err := document()
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "application/openapi+json", data)
	})
}
