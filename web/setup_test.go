package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/device"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/live"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/internal/uploads"
	"github.com/hallcall/hallcall/web"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// patience is how long a test waits for what must happen.
const patience = 30 * time.Second

const hallID = "h"

var staff = hall.Caller{By: "test"}

// accounts know one user, an administrator.
type accounts struct{ web.Accounts }

func (accounts) Verify(_ context.Context, user, password, _ string) (access.Account, error) {
	if user == "anna" && password == "right" {
		return access.Account{User: user, Grant: access.All()}, nil
	}
	return access.Account{}, access.ErrWrong
}

func (accounts) Find(_ context.Context, user string) (access.Account, error) {
	return access.Account{User: user, Grant: access.All()}, nil
}

func (accounts) Token(context.Context, string) (access.Token, error) {
	return access.Token{}, access.ErrUnknown
}

// breakable is a store that can be gone.
type breakable struct {
	hall.Store

	gone atomic.Bool
	step atomic.Pointer[chan struct{}] // holds up the steps of imports until it is closed
}

func (b *breakable) Ping(ctx context.Context) error {
	if b.gone.Load() {
		return hall.ErrUnavailable
	}
	return b.Store.Ping(ctx)
}

func (b *breakable) Hall(ctx context.Context, id string) (hall.Hall, error) {
	if b.gone.Load() {
		return hall.Hall{}, hall.ErrUnavailable
	}
	return b.Store.Hall(ctx, id)
}

func (b *breakable) HallIDs(ctx context.Context) ([]string, error) {
	if b.gone.Load() {
		return nil, hall.ErrUnavailable
	}
	return b.Store.HallIDs(ctx)
}

func (b *breakable) Snapshot(ctx context.Context, id string) (hall.Snapshot, error) {
	if b.gone.Load() {
		return hall.Snapshot{}, hall.ErrUnavailable
	}
	return b.Store.Snapshot(ctx, id)
}

func (b *breakable) Seat(ctx context.Context, id, sitting string, by hall.Caller) (hall.Sitting, error) {
	if b.gone.Load() {
		return hall.Sitting{}, hall.ErrUnavailable
	}
	return b.Store.Seat(ctx, id, sitting, by)
}

func (b *breakable) OpenIncident(ctx context.Context, id string, report hall.IncidentReport, by hall.Caller) (hall.Incident, error) {
	if b.gone.Load() {
		return hall.Incident{}, hall.ErrUnavailable
	}
	return b.Store.OpenIncident(ctx, id, report, by)
}

func (b *breakable) PutRosterOf(ctx context.Context, id string, day int, rows []hall.RosterRow, by hall.Caller) (hall.RosterResult, error) {
	if step := b.step.Load(); step != nil {
		select {
		case <-*step:
		case <-ctx.Done():
			return hall.RosterResult{}, ctx.Err()
		}
	}
	return b.Store.PutRosterOf(ctx, id, day, rows, by)
}

func (b *breakable) Undo(ctx context.Context, id, event string, dryRun bool, by hall.Caller) (hall.Undone, error) {
	if b.gone.Load() {
		return hall.Undone{}, hall.ErrUnavailable
	}
	return b.Store.Undo(ctx, id, event, dryRun, by)
}

// bundle is a server with a hall of two machines for subject 1, m1 and m2, and
// candidates c1 to c5 who have subject 1 due.
type bundle struct {
	t       *testing.T
	store   *breakable
	uploads *uploads.Uploads
	clock   *halltest.Clock
	server  *httptest.Server
	client  *http.Client
	pages   *web.Server
}

// quick is how often rights are looked at in tests.
const quick = 20 * time.Millisecond

type option func(*web.Config, *hall.Layout)

func setup(t *testing.T, options ...option) *bundle {
	t.Helper()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	store := &breakable{Store: hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})}
	layout := halltest.Layout("one", "one", "two", "three")
	layout.Rules.OpenScreens = true
	kept := uploads.New(client, prefix)
	cfg := web.Config{
		Store: store, Accounts: accounts{}, Devices: device.New(client, prefix).At(clock.Now), Sessions: memstore.NewWithCleanupInterval(0), Token: "token", Now: clock.Now,
		Uploads: kept,
		Live:    live.Config{Heartbeat: 20 * time.Millisecond},
	}
	for _, o := range options {
		o(&cfg, &layout)
	}
	b := &bundle{t: t, store: store, uploads: kept, clock: clock}
	b.putHall(hallID, layout)
	pages, err := web.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := pages.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.pages = pages
	b.server = httptest.NewServer(pages.Handler())
	b.client = b.browser()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := pages.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
		b.server.Close()
	})
	return b
}

func (b *bundle) putHall(id string, layout hall.Layout) {
	b.t.Helper()
	if _, _, err := b.store.PutHall(b.t.Context(), id, layout, "", staff); err != nil {
		b.t.Fatal(err)
	}
	rows := make([]hall.RosterRow, 0, 5)
	for i, candidate := range []string{"c1", "c2", "c3", "c4", "c5"} {
		row := halltest.Row(candidate, "1")
		row.Row = i + 2
		rows = append(rows, row)
	}
	if _, err := b.store.PutRoster(b.t.Context(), id, rows, false, staff); err != nil {
		b.t.Fatal(err)
	}
}

// browser is a client of its own that follows no redirects.
func (b *bundle) browser() *http.Client {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	client := &http.Client{
		Jar: jar, Timeout: patience, Transport: &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	b.t.Cleanup(client.CloseIdleConnections)
	return client
}

// page is an answer.
type page struct {
	*goquery.Document

	status int
	header http.Header
	body   string
}

// part is what a page marks for tests.
func (p *page) part(testid string) *goquery.Selection {
	return p.Find(`[data-testid="` + testid + `"]`)
}

// text is what a marked part shows, blanks squeezed.
func (p *page) text(testid string) string {
	return strings.Join(strings.Fields(p.part(testid).Text()), " ")
}

func (b *bundle) do(request *http.Request) *page {
	b.t.Helper()
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	document, err := goquery.NewDocumentFromReader(strings.NewReader(string(body)))
	if err != nil {
		b.t.Fatal(err)
	}
	return &page{Document: document, status: response.StatusCode, header: response.Header, body: string(body)}
}

func (b *bundle) request(method, address string, form url.Values, headers ...string) *http.Request {
	b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+address, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return request
}

func (b *bundle) get(address string, headers ...string) *page {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, address, nil, headers...))
}

func (b *bundle) post(address string, form url.Values, headers ...string) *page {
	b.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	return b.do(b.request(http.MethodPost, address, form, headers...))
}

// expect fails unless an answer has the status.
func (p *page) expect(t *testing.T, status int) *page {
	t.Helper()
	if p.status != status {
		t.Fatalf("status %d, want %d: %.600s", p.status, status, p.body)
	}
	return p
}

// logIn signs the bundle's browser in.
func (b *bundle) logIn() {
	b.t.Helper()
	b.post("/login", url.Values{"user": {"anna"}, "password": {"right"}}).expect(b.t, http.StatusSeeOther)
}

// checkIn checks candidates in and returns the entry of the last one.
func (b *bundle) checkIn(candidates ...string) (entry hall.Entry) {
	b.t.Helper()
	for _, candidate := range candidates {
		var err error
		if entry, _, err = b.store.CheckIn(b.t.Context(), hallID, candidate, hall.CheckIn{}, staff); err != nil {
			b.t.Fatal(err)
		}
	}
	return entry
}

func (b *bundle) candidate(id string) hall.Candidate {
	b.t.Helper()
	c, err := b.store.Candidate(b.t.Context(), hallID, id)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

// sessionsAre are a store for sessions with something in it.
func sessionsAre(store scs.Store) option {
	return func(cfg *web.Config, _ *hall.Layout) { cfg.Sessions = store }
}

func rules(change func(*hall.Rules)) option {
	return func(_ *web.Config, layout *hall.Layout) { change(&layout.Rules) }
}

const proctorPath = "/halls/h/proctor"

var htmx = []string{"HX-Request", "true"}
