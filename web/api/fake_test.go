package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web/api"
)

const token = "a-token-for-tests"

// noon is the time of the web node in these tests.
var noon = time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)

// router is a router with the API over a store.
func router(store hall.Store) *echo.Echo {
	e, _ := mounted(store)
	return e
}

func mounted(store hall.Store) (*echo.Echo, huma.API) {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if writeErr := api.WriteProblem(c, err); writeErr != nil {
			c.Logger().Error(writeErr)
		}
	}
	return e, api.Mount(e, api.Config{Store: store, Token: token, Now: func() time.Time { return noon }})
}

// client sends requests to a router, with the token.
type client struct {
	t       *testing.T
	handler http.Handler
	api     huma.API
	header  http.Header
}

func newClient(t *testing.T, store hall.Store) *client {
	t.Helper()
	handler, description := mounted(store)
	return &client{t: t, handler: handler, api: description, header: http.Header{"Authorization": {"Bearer " + token}}}
}

// with is the client with another header.
func (c *client) with(name, value string) *client {
	other := &client{t: c.t, handler: c.handler, api: c.api, header: c.header.Clone()}
	other.header.Set(name, value)
	return other
}

// do sends a request below the base of the API; a body goes as JSON unless the header says otherwise.
func (c *client) do(method, path, body string) answer {
	c.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request := httptest.NewRequestWithContext(c.t.Context(), method, "/api/v1"+path, reader)
	for name, values := range c.header {
		request.Header[name] = values
	}
	if body != "" && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, request)
	if op := c.operation(method, path); op != nil && op.Responses[strconv.Itoa(recorder.Code)] == nil {
		c.t.Errorf("%s %s answered %d, which the description does not have", method, path, recorder.Code)
	}
	return answer{t: c.t, request: method + " " + path, ResponseRecorder: recorder}
}

// operation is what the description has of a request, nil if nothing.
func (c *client) operation(method, path string) *huma.Operation {
	path, _, _ = strings.Cut("/api/v1"+path, "?")
	for template, item := range c.api.OpenAPI().Paths {
		pattern := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(template, "[^/]+")
		if !regexp.MustCompile("^" + pattern + "$").MatchString(path) {
			continue
		}
		if op := map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPut: item.Put, http.MethodPost: item.Post,
			http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		}[method]; op != nil {
			return op
		}
	}
	return nil
}

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	t       *testing.T
	request string
}

// is checks the status.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("%s answered %d, want %d: %s", a.request, a.Code, status, a.Body)
	}
	return a
}

// problem checks that this is a problem with a status and a code.
func (a answer) problem(status int, code string) problem {
	a.t.Helper()
	a.is(status)
	if got := a.Header().Get("Content-Type"); got != "application/problem+json" {
		a.t.Errorf("%s answered a problem as %q", a.request, got)
	}
	p := decode[problem](a)
	if p.Code != code || p.Status != status || p.Title == "" || p.Detail == "" {
		a.t.Errorf("%s answered the problem %+v, want code %q", a.request, p, code)
	}
	return p
}

type problem struct {
	Title, Code, Detail, State string
	Status                     int
	Errors                     []struct {
		Location, Message string
		Value             any
	}
}

// locations lists where the problem's faults stand.
func (p problem) locations() []string {
	locations := make([]string, len(p.Errors))
	for i, fault := range p.Errors {
		locations[i] = fault.Location
	}
	return locations
}

// decode reads the body of an answer.
func decode[T any](a answer) T {
	a.t.Helper()
	var value T
	if err := json.Unmarshal(a.Body.Bytes(), &value); err != nil {
		a.t.Fatalf("%s answered %q: %v", a.request, a.Body, err)
	}
	return value
}

// fakeStore answers what a test sets; anything else panics.
type fakeStore struct {
	hall.Store

	hall       func(id string) (hall.Hall, error)
	ids        func() ([]string, error)
	putHall    func(id string, layout hall.Layout, by hall.Caller) (hall.Hall, bool, error)
	pause      func(id, room, message string) (hall.Hall, error)
	entry      func(id, candidate string) (hall.Entry, error)
	checkIn    func(id, candidate string, by hall.Caller) (hall.Entry, bool, error)
	line       func(filter hall.LineFilter, page hall.Page) (hall.List[hall.Entry], error)
	next       func(machine string) (*hall.Sitting, error)
	leave      func(id, candidate string, by hall.Caller) error
	class      func(candidate string, class hall.Class, reason string) (hall.Entry, error)
	candidates func(filter hall.CandidateFilter, page hall.Page) (hall.List[hall.Candidate], error)
	roster     func(rows []hall.RosterRow, dryRun bool) (hall.RosterResult, error)
	abort      func(sitting string, a hall.Abort) (hall.Sitting, error)
	transfer   func(sitting string, t hall.Transfer) (hall.Sitting, error)
	recall     func(sitting string, announcement int) (hall.Sitting, error)
	sittings   func(filter hall.SittingFilter, page hall.Page) (hall.List[hall.Sitting], error)
	machines   func(filter hall.MachineFilter, page hall.Page) (hall.List[hall.Machine], error)
	machine    func(machine string, state hall.MachineState, why hall.OutageReason) (hall.Machine, error)
	alerts     func(id string, page hall.Page) (hall.List[hall.Alert], error)
	events     func(after string, page hall.Page) (hall.List[hall.Event], error)
}

func (f *fakeStore) Hall(_ context.Context, id string) (hall.Hall, error) { return f.hall(id) }

func (f *fakeStore) Alerts(_ context.Context, id string, page hall.Page) (hall.List[hall.Alert], error) {
	return f.alerts(id, page)
}

func (f *fakeStore) HallIDs(context.Context) ([]string, error) { return f.ids() }

func (f *fakeStore) PutHall(_ context.Context, id string, layout hall.Layout, _ string, by hall.Caller) (hall.Hall, bool, error) {
	return f.putHall(id, layout, by)
}

func (f *fakeStore) Pause(_ context.Context, id, room, message string, _ hall.Caller) (hall.Hall, error) {
	return f.pause(id, room, message)
}

func (f *fakeStore) Entry(_ context.Context, id, candidate string) (hall.Entry, error) {
	return f.entry(id, candidate)
}

func (f *fakeStore) CheckIn(_ context.Context, id, candidate string, _ hall.CheckIn, by hall.Caller) (hall.Entry, bool, error) {
	return f.checkIn(id, candidate, by)
}

func (f *fakeStore) Line(_ context.Context, _ string, filter hall.LineFilter, page hall.Page) (hall.List[hall.Entry], error) {
	return f.line(filter, page)
}

func (f *fakeStore) Next(_ context.Context, _, machine string, _ hall.Caller) (*hall.Sitting, error) {
	return f.next(machine)
}

func (f *fakeStore) Leave(_ context.Context, id, candidate string, by hall.Caller) error {
	return f.leave(id, candidate, by)
}

func (f *fakeStore) SetClass(_ context.Context, _, candidate string, class hall.Class, reason string, _ hall.Caller) (hall.Entry, error) {
	return f.class(candidate, class, reason)
}

func (f *fakeStore) Candidates(_ context.Context, _ string, filter hall.CandidateFilter, page hall.Page) (hall.List[hall.Candidate], error) {
	return f.candidates(filter, page)
}

func (f *fakeStore) PutRoster(_ context.Context, _ string, rows []hall.RosterRow, dryRun bool, _ hall.Caller) (hall.RosterResult, error) {
	return f.roster(rows, dryRun)
}

func (f *fakeStore) Abort(_ context.Context, _, sitting string, a hall.Abort, _ hall.Caller) (hall.Sitting, error) {
	return f.abort(sitting, a)
}

func (f *fakeStore) Transfer(_ context.Context, _, sitting string, t hall.Transfer, _ hall.Caller) (hall.Sitting, error) {
	return f.transfer(sitting, t)
}

func (f *fakeStore) Recall(_ context.Context, _, sitting string, announcement int, _ hall.Caller) (hall.Sitting, error) {
	return f.recall(sitting, announcement)
}

func (f *fakeStore) Sittings(_ context.Context, _ string, filter hall.SittingFilter, page hall.Page) (hall.List[hall.Sitting], error) {
	return f.sittings(filter, page)
}

func (f *fakeStore) Machines(_ context.Context, _ string, filter hall.MachineFilter, page hall.Page) (hall.List[hall.Machine], error) {
	return f.machines(filter, page)
}

func (f *fakeStore) SetMachineState(
	_ context.Context, _, machine string, state hall.MachineState, why hall.OutageReason, _ hall.Caller,
) (hall.Machine, error) {
	return f.machine(machine, state, why)
}

func (f *fakeStore) Events(_ context.Context, _, after string, page hall.Page) (hall.List[hall.Event], error) {
	return f.events(after, page)
}
