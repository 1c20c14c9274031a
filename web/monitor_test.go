package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/web"
)

const monitorPath = "/halls/h/monitor"

// setupFigures is a server with figures, whose staff is signed in.
func setupFigures(t *testing.T, options ...option) *bundle {
	t.Helper()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})
	centre, err := metrics.New(client, store, metrics.Options{Prefix: prefix, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	held := &breakable{Store: store}
	b := setup(t, append([]option{func(cfg *web.Config, _ *hall.Layout) {
		cfg.Store, cfg.Metrics, cfg.Now = held, centre, clock.Now
	}}, options...)...)
	b.store, b.clock = held, clock
	layout := halltest.Layout("one", "one", "two", "three")
	layout.Rules.OpenScreens = true
	layout.Subjects[0].Name = map[string]string{"en": "<b>Signs</b>"}
	b.putHall(hallID, layout)
	b.logIn()
	return b
}

func TestMonitorNeedsALogin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := b.get(monitorPath).expect(t, http.StatusSeeOther)
	if got := sent.header.Get("Location"); got != "/login?next="+url.QueryEscape(monitorPath) {
		t.Errorf("leads to %q", got)
	}
	b.get("/halls/h/live?view=monitor").expect(t, http.StatusUnauthorized)
	b.logIn()
	b.get("/halls/nowhere/monitor").expect(t, http.StatusNotFound)
	if got := b.get(monitorPath).expect(t, http.StatusOK).text("no-figures"); got == "" {
		t.Error("a server without figures does not say so")
	}
}

// brokenUnit is a number with a blank before its unit where a line may break.
var brokenUnit = regexp.MustCompile(`[0-9] (%|min|h)([^a-z]|$)`)

// TestMonitorShowsTheDay brings a hall through half an hour.
func TestMonitorShowsTheDay(t *testing.T) {
	t.Parallel()
	b := setupFigures(t)
	ctx := t.Context()
	p := b.get(monitorPath).expect(t, http.StatusOK)
	if p.Find("svg[role=img]").Length() != 0 || !strings.Contains(p.text("curve"), "Nobody has been called yet.") {
		t.Errorf("before anything happened the curves show %q", p.text("curve"))
	}

	b.checkIn("c1", "c2", "c3", "c4") // two wait
	for range 3 {
		b.clock.Move(5 * time.Minute)
		if _, err := b.store.Elapse(ctx, hallID); err != nil { // calls run out: 15:00 to 15:15 in Shanghai and so on
			t.Fatal(err)
		}
	}
	for _, sitting := range b.openSittings() {
		if _, err := b.store.Seat(ctx, hallID, sitting, staff); err != nil {
			t.Fatal(err)
		}
	}
	b.clock.Move(20 * time.Minute)
	if _, err := b.store.End(ctx, hallID, b.openSittings()[0], staff); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.SetMachineState(ctx, hallID, "m3", hall.MachineOutOfService, hall.OutageReason{Text: "dark"}, staff); err != nil {
		t.Fatal(err)
	}
	snapshot, err := b.store.Snapshot(ctx, hallID)
	if err != nil {
		t.Fatal(err)
	}
	b.figuresAnew()
	p = b.get(monitorPath).expect(t, http.StatusOK)
	for name, state := range map[string]hall.CandidateState{
		"waiting": hall.Waiting, "called": hall.Called, "seated": hall.Seated, "done": hall.Done, "absent": hall.Absent, "registered": hall.Registered,
	} {
		if got, want := p.text("figure-"+name), itoa(snapshot.States[state]); got != want {
			t.Errorf("%s are %q, want %q", name, got, want)
		}
	}
	if got := p.text("machine-counts"); !strings.Contains(got, "X 1 out of service") {
		t.Errorf("machines are %q", got)
	}
	cell := p.Find(`[data-testid=cell][data-machine=m3]`)
	if cell.Text() != "X" || cell.AttrOr("aria-label", "") != "m3, out of service" || cell.AttrOr("href", "") != proctorPath+"/machines/m3" {
		t.Errorf("m3 is %q, %q, %q", cell.Text(), cell.AttrOr("aria-label", ""), cell.AttrOr("href", ""))
	}
	if got := brokenUnit.FindString(p.Find("main").Text()); got != "" {
		t.Errorf("%q may be broken over two lines", got)
	}
	if got := p.part("wait-row").First().Find("th").Text(); got != "<b>Signs</b>" || p.Find("main b").Length() != 0 {
		t.Errorf("the subject is %q", got)
	}
	curve := func(name string) *goquery.Selection { return p.Find(`[data-testid=curve][data-curve=` + name + `]`) }
	if got := curve("done").Find("tbody tr").Text(); !strings.Contains(got, "16:30") || curve("done").Find("svg .bars").Length() != 1 {
		t.Errorf("done are %q", got)
	}
	calls, err := b.store.Sittings(ctx, hallID, hall.SittingFilter{}, hall.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Find("[data-testid=wait-row].all td").Eq(2).Text(); got != itoa(calls.Total) {
		t.Errorf("%s calls, want %d", got, calls.Total)
	}
	p.Find("figure").Each(func(_ int, f *goquery.Selection) {
		title := f.AttrOr("aria-labelledby", "")
		if p.Find("#"+title).Text() == "" || f.Find("svg[role=img]").AttrOr("aria-labelledby", "") != title || f.Find("table th[scope=col]").Length() < 2 {
			t.Errorf("curve %s has no title or no table", title)
		}
	})
	if p.Find("[style]").Length() != 0 || p.Find("svg style, svg script").Length() != 0 {
		t.Error("the policy for content forbids styles in the page")
	}
}

// openSittings are the ids of those called and seated.
func (b *bundle) openSittings() (ids []string) {
	b.t.Helper()
	list, err := b.store.Sittings(b.t.Context(), hallID, hall.SittingFilter{}, hall.Page{})
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range list.Items {
		if list.Items[i].State != hall.SittingEnded {
			ids = append(ids, list.Items[i].ID)
		}
	}
	return ids
}

// figuresAnew waits until figures that were read before are not used any more.
func (b *bundle) figuresAnew() {
	b.t.Helper()
	b.await("newer figures", func() bool {
		return !strings.Contains(b.get(monitorPath).text("curve"), "Nobody has been called yet.")
	})
}

func (b *bundle) await(what string, so func() bool) {
	b.t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	tooLate := time.After(patience)
	for !so() {
		select {
		case <-again.C:
		case <-tooLate:
			b.t.Fatalf("never: %s", what)
		}
	}
}

func TestMonitorPagesChangeByThemselves(t *testing.T) {
	t.Parallel()
	b := setupFigures(t)
	conn := b.watch("view=monitor")
	shows := func(id, text string) func(*goquery.Document) bool {
		return func(d *goquery.Document) bool {
			return strings.Contains(d.Find("#monitor[hx-swap-oob] [data-testid="+id+"]").Text(), text)
		}
	}
	await(t, conn, "the state at the begin", shows("figure-registered", "5"))
	b.checkIn("c1", "c2", "c3")
	await(t, conn, "one who waits", shows("figure-waiting", "1"))
	await(t, conn, "the curves, without another event", shows("curve", "Calls"))
	b.store.gone.Store(true)
	await(t, conn, "the store is gone", func(d *goquery.Document) bool { return d.Find("[data-testid=store-state]").Length() == 1 })
	b.store.gone.Store(false)
	await(t, conn, "the store is back", shows("figure-waiting", "1"))
}

// TestMonitorOfAClosedDay keeps the figures of the day until the next one.
func TestMonitorOfAClosedDay(t *testing.T) {
	t.Parallel()
	b := setupFigures(t)
	ctx := t.Context()
	b.checkIn("c1", "c2", "c3")
	if _, err := b.store.Seat(ctx, hallID, "s1", staff); err != nil {
		t.Fatal(err)
	}
	b.clock.Move(10 * time.Minute)
	if _, err := b.store.End(ctx, hallID, "s1", staff); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Pause(ctx, hallID, "", "Back at <i>one</i>", staff); err != nil {
		t.Fatal(err)
	}
	p := b.get(monitorPath).expect(t, http.StatusOK)
	if got := p.text("note"); got != "Calling is paused. Back at <i>one</i>" || p.text("tag") != "Paused" {
		t.Errorf("a paused hall shows %q, %q", got, p.text("tag"))
	}
	if _, err := b.store.CloseDay(ctx, hallID, "", staff); err != nil {
		t.Fatal(err)
	}
	p = b.get(monitorPath).expect(t, http.StatusOK)
	if got := p.text("note"); !strings.Contains(got, "This day is closed") || p.text("tag") != "Closed" {
		t.Errorf("a closed day shows %q, %q", got, p.text("tag"))
	}
	if got := p.text("day"); got != "Monday 30 November 2026, 16:00 to 16:10" {
		t.Errorf("the day is %q", got)
	}
	if p.text("figure-done") != "1" || p.text("figure-called") != "2" || p.Find("svg[role=img]").Length() != 3 {
		t.Errorf("done are %q, called %q", p.text("figure-done"), p.text("figure-called"))
	}
	if _, err := b.store.OpenDay(ctx, hallID, staff); err != nil {
		t.Fatal(err)
	}
	if p = b.get(monitorPath).expect(t, http.StatusOK); p.text("figure-done") != "0" || p.Find("svg[role=img]").Length() != 0 {
		t.Errorf("on the next day %q are done", p.text("figure-done"))
	}
}

// TestMonitorNamesAlerts has people sit, and one wait, for far too long.
func TestMonitorNamesAlerts(t *testing.T) {
	t.Parallel()
	b := setupFigures(t)
	ctx := t.Context()
	if got := b.get(monitorPath).text("no-alert"); got != "No alerts" {
		t.Errorf("without alerts it shows %q", got)
	}
	b.checkIn("c1", "c2", "c3")
	for _, sitting := range b.openSittings() {
		if _, err := b.store.Seat(ctx, hallID, sitting, staff); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		b.clock.Move(time.Minute)
		if _, err := b.store.Elapse(ctx, hallID); err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := b.store.Snapshot(ctx, hallID)
	if err != nil || len(snapshot.Alerts) == 0 {
		t.Fatalf("no alerts (%v)", err)
	}
	p := b.get(monitorPath).expect(t, http.StatusOK)
	for _, a := range snapshot.Alerts {
		group := p.Find(`[data-testid=alert][data-alert=` + string(a.Name) + `]`)
		if group.Length() != 1 || !strings.Contains(group.Text(), a.Ticket) {
			t.Errorf("%s of %q is not shown: %q", a.Name, a.Ticket, group.Text())
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
