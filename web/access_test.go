package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/account"
	"github.com/hallcall/hallcall/internal/device"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/web"
)

// visitors are who walks: one of each role in hall h, where machine m1 and the
// sitting s1 are in room A, and some who are wrong there.
var visitors = map[string]access.Grant{
	"kiosk":         access.In(access.Kiosk, hallID),
	"board":         access.In(access.Board, hallID),
	"printer":       access.In(access.Printer, hallID),
	"proctor":       access.In(access.Proctor, hallID),
	"room-a":        access.In(access.Proctor, hallID, "A"),
	"room-b":        access.In(access.Proctor, hallID, "B"),
	"manager":       access.In(access.Manager, hallID),
	"other-manager": access.In(access.Manager, "other"),
	"administrator": access.All(),
}

// nobody shows nothing.
const nobody = "nobody"

// The rows of the contract's table "Who may what", and what it leaves open:
// who may.
var (
	rowAnyone     = "nobody kiosk board printer proctor room-a room-b manager other-manager administrator"
	rowOwnAccount = "proctor room-a room-b manager other-manager administrator"
	rowDevice     = "kiosk board printer"
	rowPrinter    = "printer"
	rowCheckIn    = "kiosk proctor room-a room-b manager administrator"
	rowBoard      = "board proctor room-a room-b manager administrator"
	rowRead       = "proctor room-a room-b manager administrator"               // pages of the staff
	rowAnyHall    = "proctor room-a room-b manager other-manager administrator" // what is of no hall
	rowProctor    = "proctor room-a room-b manager administrator"
	rowRoomA      = "proctor room-a manager administrator" // the same, on what stands in room A
	rowRoomB      = "proctor room-b manager administrator"
	rowAnyRoom    = "proctor manager administrator"       // the same, where it could be in any room
	rowUndoOther  = "manager administrator"               // the command of another one
	rowManager    = "manager administrator"               // at, class, out of turn, kept place, pause, door, roster, open, close, rules
	rowArrange    = "manager administrator"               // layout, accounts, devices
	rowAccounts   = "manager other-manager administrator" // those of one's own hall
	rowAdmin      = "administrator"                       // halls, tokens, metric definitions
)

func mayOf(row, who string) bool { return slices.Contains(strings.Fields(row), who) }

// staffed is a bundle with real accounts; its screens are not open.
type staffed struct {
	*bundle

	accounts *account.Accounts
	devices  *device.Devices
}

func setupStaffed(t *testing.T, options ...option) *staffed {
	t.Helper()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	s := &staffed{accounts: account.New(client, prefix).At(clock.Now), devices: device.New(client, prefix).At(clock.Now)} // a wait is not over because the machine is slow
	store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})
	centre, err := metrics.New(client, store, metrics.Options{Prefix: prefix, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	held := &breakable{Store: store}
	layout := halltest.Layout("one", "one", "two", "three")
	s.bundle = setup(t, append([]option{func(cfg *web.Config, _ *hall.Layout) {
		cfg.Accounts, cfg.Devices, cfg.RightsEvery = s.accounts, s.devices, quick
		cfg.Store, cfg.Metrics, cfg.Now = held, centre, clock.Now
	}}, options...)...)
	s.store, s.clock = held, clock
	s.putHall(hallID, layout)
	s.putHall("other", halltest.Layout("one", "two", "three"))
	return s
}

// enter makes an account and signs it in, in a browser of its own; a device is let in.
func (s *staffed) enter(user string, g access.Grant) *http.Client {
	s.t.Helper()
	if slices.Contains(access.DeviceKinds, g.Role) {
		client := s.browser()
		s.letIn(s.as(client), user, g)
		return client
	}
	password, err := s.accounts.Create(s.t.Context(), access.Account{User: user, Grant: g}, "form of "+user)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.signIn(user, password)
}

// letIn lets the device in that a browser is.
func (s *staffed) letIn(browser *staffed, name string, g access.Grant, rooms ...string) access.Device {
	s.t.Helper()
	code := browser.get("/halls/"+g.Hall+"/"+string(g.Role)).expect(s.t, http.StatusUnauthorized).part("pairing").AttrOr("data-code", "")
	code = strings.ReplaceAll(code, "\u2009", "")
	paired, err := s.devices.Pair(s.t.Context(), code, access.Device{Name: name, Hall: g.Hall, Rooms: rooms, By: "boss"}, "form of "+name)
	if err != nil {
		s.t.Fatal(err)
	}
	return paired
}

func (s *staffed) signIn(user, password string) *http.Client {
	s.t.Helper()
	before := s.client
	defer func() { s.client = before }()
	s.client = s.browser()
	s.post("/login", credentials(user, password, "")).expect(s.t, http.StatusSeeOther)
	return s.client
}

// as is the same with somebody's browser.
func (s *staffed) as(client *http.Client) *staffed {
	b := *s.bundle
	b.client = client
	return &staffed{&b, s.accounts, s.devices}
}

// route is what a browser can send, and who may.
type route struct {
	method, path, row string

	form url.Values
}

// oneMark is that of the machine in room A.
var oneMark = url.Values{"key": {"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, "mark": {"m1\x1f\x1f0"}}

// pageRoutes are all, in an order in which one does not undo another. A form
// that is not whole is enough: whoever may send it is told so.
var pageRoutes = []route{
	{method: "GET", path: "/healthz", row: rowAnyone},
	{method: "GET", path: "/readyz", row: rowAnyone},
	{method: "GET", path: "/metrics", row: rowAnyone}, // from this machine
	{method: "GET", path: "/api/openapi.json", row: rowAnyone},
	{method: "GET", path: "/api/docs", row: rowAnyone},
	{method: "GET", path: "/static/:hash/:name", row: rowAnyone},
	{method: "GET", path: "/t/:token", row: rowAnyone},
	{method: "GET", path: "/t/:token/live", row: rowAnyone},
	{method: "GET", path: "/", row: rowAnyone},
	{method: "POST", path: "/language", row: rowAnyone},
	{method: "GET", path: "/login", row: rowAnyone},
	{method: "POST", path: "/login", row: rowAnyone},
	{method: "GET", path: "/logout", row: rowAnyone},
	{method: "GET", path: "/account", row: rowOwnAccount},
	{method: "GET", path: "/account/password", row: rowOwnAccount},
	{method: "POST", path: "/account/password", row: rowOwnAccount},
	{method: "GET", path: "/account/sign-out", row: rowOwnAccount},
	{method: "GET", path: "/admin", row: rowAccounts},
	{method: "GET", path: "/admin/new-account", row: rowAccounts},
	{method: "GET", path: "/admin/accounts", row: rowAccounts},
	{method: "POST", path: "/admin/accounts", row: rowAccounts},
	{method: "GET", path: "/admin/accounts/:user", row: rowArrange},
	{method: "POST", path: "/admin/accounts/:user", row: rowArrange},
	{method: "GET", path: "/admin/accounts/:user/password", row: rowAccounts}, // leads to the page, which refuses
	{method: "POST", path: "/admin/accounts/:user/password", row: rowArrange},
	{method: "GET", path: "/admin/accounts/:user/sign-out", row: rowAccounts},
	{method: "POST", path: "/admin/accounts/:user/sign-out", row: rowArrange},
	{method: "GET", path: "/admin/new-token", row: rowAdmin},
	{method: "GET", path: "/admin/tokens", row: rowAdmin},
	{method: "POST", path: "/admin/tokens", row: rowAdmin},
	{method: "GET", path: "/admin/tokens/:token/revoke", row: rowAdmin},
	{method: "POST", path: "/admin/tokens/:token/revoke", row: rowAdmin},
	{method: "GET", path: "/device", row: rowAnyone},
	{method: "POST", path: "/device", row: rowDevice},
	{method: "GET", path: "/halls/:hall/printer", row: rowPrinter},
	{method: "GET", path: "/halls/:hall/staff/devices", row: rowArrange},
	{method: "POST", path: "/halls/:hall/staff/devices", row: rowArrange},
	{method: "GET", path: "/halls/:hall/staff/devices/:device", row: rowArrange},
	{method: "POST", path: "/halls/:hall/staff/devices/:device", row: rowArrange},
	{method: "GET", path: "/halls/:hall/staff/devices/:device/revoke", row: rowArrange},
	{method: "POST", path: "/halls/:hall/staff/devices/:device/revoke", row: rowArrange},
	{method: "GET", path: "/halls/:hall/kiosk", row: rowCheckIn},
	{method: "POST", path: "/halls/:hall/kiosk", row: rowCheckIn},
	{method: "GET", path: "/halls/:hall/board", row: rowBoard},
	{method: "GET", path: "/halls/:hall/live?view=board", row: rowBoard},
	{method: "GET", path: "/halls/:hall/live?view=proctor", row: rowRead},
	{method: "GET", path: "/halls/:hall/live?view=proctor&room=A", row: rowRoomA},
	{method: "GET", path: "/halls/:hall/live?view=monitor", row: rowRead},
	{method: "GET", path: "/halls/:hall/monitor", row: rowRead},
	{method: "GET", path: "/halls/:hall/proctor", row: rowRead},
	{method: "GET", path: "/halls/:hall/proctor?room=A", row: rowRoomA},
	{method: "GET", path: "/halls/:hall/proctor?room=B", row: rowRoomB},
	{method: "GET", path: "/halls/:hall/proctor/machines/:machine", row: rowRoomA},
	{method: "GET", path: "/halls/:hall/proctor/queue/:candidate", row: rowProctor},
	{method: "GET", path: "/halls/:hall/proctor/queue/:candidate/notes", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/notes", row: rowProctor},
	{method: "GET", path: "/halls/:hall/proctor/check-in", row: rowProctor},
	{method: "GET", path: "/halls/:hall/proctor/keys", row: rowProctor},
	{method: "GET", path: "/halls/:hall/proctor/search", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/search", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/check-in", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/check-in", row: rowManager, form: url.Values{"candidate": {"c9"}, "at": {"08:00"}}},
	{method: "POST", path: "/halls/:hall/proctor/check-in/close", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/check-in/open", row: rowManager},
	{method: "GET", path: "/halls/:hall/proctor/marked", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/marked/seat", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/end", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/recall", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/no-show", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/in-service", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/spare", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/out-of-service", row: rowRoomA, form: oneMark},
	{method: "POST", path: "/halls/:hall/proctor/marked/break-off", row: rowRoomA, form: oneMark},
	{method: "GET", path: "/halls/:hall/proctor/incidents", row: rowRead},
	{method: "POST", path: "/halls/:hall/proctor/incidents", row: rowRoomA, form: url.Values{"key": {"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, "machine": {"m1"}}},
	{method: "GET", path: "/halls/:hall/proctor/incidents/new", row: rowProctor},
	{method: "GET", path: "/halls/:hall/proctor/pause", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/pause", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/resume", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/roster", row: rowManager},
	{method: "POST", path: "/halls/:hall/staff/roster", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/roster/import", row: rowManager},
	{method: "POST", path: "/halls/:hall/staff/roster/import", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/roster/discard", row: rowManager},
	{method: "POST", path: "/halls/:hall/staff/roster/discard", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/roster/:upload", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/roster/:upload/refused.csv", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/days", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/records/:day", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/records/:day/file", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/records/:day/correct", row: rowManager},
	{method: "POST", path: "/halls/:hall/staff/records/:day/correct", row: rowManager},
	{method: "GET", path: "/halls/:hall/staff/records/:day/erase", row: rowManager},
	{method: "POST", path: "/halls/:hall/staff/records/:day/erase", row: rowManager},
	{method: "GET", path: "/halls/:hall/proctor/day", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/day/open", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/day/close", row: rowManager},
	{method: "POST", path: "/halls/:hall/proctor/next", row: rowRoomA, form: url.Values{"machine": {"m1"}}},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/hold", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/return", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/leave", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/restore", row: rowProctor},
	{method: "POST", path: "/halls/:hall/proctor/queue/:candidate/class", row: rowManager, form: url.Values{"class": {"vip"}}},
	{method: "GET", path: "/halls/:hall/proctor/undo", row: rowRead},
	{method: "POST", path: "/halls/:hall/proctor/undo", row: rowUndoOther},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/recall", row: rowRoomA, form: url.Values{"recall": {"2"}}},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/seat", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/transfer", row: rowAnyRoom},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/abort", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/end", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/sittings/:sitting/no-show", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/machines/:machine/out-of-service", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/machines/:machine/in-service", row: rowRoomA},
	{method: "POST", path: "/halls/:hall/proctor/machines/:machine/spare", row: rowRoomA},
	{method: "POST", path: "/account/sign-out", row: rowOwnAccount},
	{method: "POST", path: "/logout", row: rowAnyone},
}

// commands that a GET only leads away from.
func leadsToProctor(r web.Route) bool {
	if r.Method != http.MethodGet || !strings.HasPrefix(r.Path, "/halls/:hall/proctor/") {
		return false
	}
	return r.Need == access.See && !slices.ContainsFunc(pageRoutes, func(known route) bool { return known.method == "GET" && known.path == r.Path })
}

func TestEveryRouteWithEveryRole(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	clients := map[string]*http.Client{nobody: s.browser()}
	for name, g := range visitors {
		clients[name] = s.enter("u-"+name, g)
	}
	if _, err := s.accounts.Create(t.Context(), access.Account{User: "victim", Grant: access.In(access.Proctor, hallID)}, "form"); err != nil {
		t.Fatal(err)
	}
	s.checkIn("c1", "c2", "c3")
	sitting := s.candidate("c1").Sitting
	if _, err := s.store.Seat(t.Context(), hallID, sitting, staff); err != nil {
		t.Fatal(err)
	}
	events, err := s.store.Events(t.Context(), hallID, "", hall.Page{})
	if err != nil {
		t.Fatal(err)
	}
	seated := events.Items[len(events.Items)-1].ID
	fill := strings.NewReplacer(":hash", "x", ":name", "y", ":token", "000000000000", ":user", "victim", ":hall", hallID, ":machine", "m1",
		":candidate", "c3", ":sitting", sitting, ":upload", "x", ":day", "current", ":device", "d1")
	for _, r := range append(s.leads(), pageRoutes...) {
		form := r.form
		if strings.HasSuffix(r.path, "/undo") {
			form = url.Values{"event": {seated}}
		}
		for who, client := range clients {
			var p *page
			if r.method == http.MethodGet {
				p = s.as(client).get(fill.Replace(r.path))
			} else {
				p = s.as(client).post(fill.Replace(r.path), form)
			}
			allowed := !refused(p) || strings.HasPrefix(r.path, "/log") || (r.path == "/account/sign-out" && r.method == "POST" && mayOf(rowOwnAccount, who))
			if want := mayOf(r.row, who); allowed != want {
				t.Errorf("%s %s by %s: status %d to %q, want it allowed: %v", r.method, r.path, who, p.status, p.header.Get("Location"), want)
			}
			if p.status >= http.StatusInternalServerError && p.status != http.StatusServiceUnavailable {
				t.Errorf("%s %s by %s: status %d", r.method, r.path, who, p.status)
			}
			if p.status == http.StatusForbidden && p.text("error-page") == "" {
				t.Errorf("%s %s by %s: the page says nothing", r.method, r.path, who)
			}
		}
	}
}

// refused reports whether an answer is that somebody may not, or must sign in.
func refused(p *page) bool {
	return p.status == http.StatusForbidden || p.status == http.StatusUnauthorized ||
		(p.status == http.StatusSeeOther && strings.HasPrefix(p.header.Get("Location"), "/login"))
}

// leads are the addresses of commands, as a browser asks for them.
func (s *staffed) leads() []route {
	var leads []route
	for _, r := range s.pages.Routes() {
		if leadsToProctor(r) {
			leads = append(leads, route{method: r.Method, path: r.Path, row: rowRead})
		}
	}
	return leads
}

// No route is there that the walk does not take.
func TestTheWalkTakesEveryRoute(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	known := map[string]bool{}
	for _, r := range append(s.leads(), pageRoutes...) {
		path, _, _ := strings.Cut(r.path, "?")
		known[r.method+" "+path] = true
	}
	for _, r := range s.pages.Routes() {
		if !known[r.Method+" "+r.Path] {
			t.Errorf("nobody walks %s %s, which needs %q", r.Method, r.Path, r.Need)
		}
		delete(known, r.Method+" "+r.Path)
	}
	delete(known, "GET /api/openapi.json") // the API's own
	for left := range known {
		t.Errorf("there is no %s", left)
	}
}
