package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/limits"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/web"
)

// few lets three requests of each kind pass, and no more while a test runs.
func few() limits.Rates {
	rates := limits.Rates{}
	for of := range limits.Defaults() {
		rates[of] = redis_rate.Limit{Rate: 1, Burst: 3, Period: time.Hour}
	}
	return rates
}

// limited gives a server limits on a real Redis.
func limited(t *testing.T, rates limits.Rates) option {
	t.Helper()
	client, prefix := redistest.Client(t)
	return func(cfg *web.Config, _ *hall.Layout) {
		cfg.Limits = limits.New(client, prefix, rates, slog.New(slog.DiscardHandler))
	}
}

// misses are limits of misses only, with the clock of halltest.
func misses(t *testing.T) option {
	t.Helper()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	return func(cfg *web.Config, _ *hall.Layout) {
		cfg.Limits = limits.New(client, prefix, nil, slog.New(slog.DiscardHandler)).At(clock.Now)
	}
}

// wantWait fails unless an answer says how long to wait.
func (p *page) wantWait(t *testing.T) *page {
	t.Helper()
	p.expect(t, http.StatusTooManyRequests)
	if n, err := strconv.Atoi(p.header.Get("Retry-After")); err != nil || n < 1 {
		t.Errorf("Retry-After is %q", p.header.Get("Retry-After"))
	}
	return p
}

func TestServersShareTheLimits(t *testing.T) {
	t.Parallel()
	shared := limited(t, few())
	one, two := setup(t, shared), setup(t, shared)
	for name, send := range map[string]func(b *bundle) *page{
		"check-in":   func(b *bundle) *page { return b.post(kioskPath, typed("c1"), htmx...) },
		"sign-in":    func(b *bundle) *page { return b.post("/login", credentials("anna", "wrong", "")) },
		"phone page": func(b *bundle) *page { return b.get("/t/000000000000") },
		"websocket":  func(b *bundle) *page { return b.get("/halls/h/live?view=board") },
		"API":        func(b *bundle) *page { return b.get("/api/v1/halls", "Authorization", "Bearer token") },
		"no token":   func(b *bundle) *page { return b.get("/api/v1/halls") },
	} {
		for i := range 3 {
			if p := send([]*bundle{one, two}[i%2]); p.status == http.StatusTooManyRequests {
				t.Errorf("%s: request %d is refused", name, i+1)
			}
		}
		for _, b := range []*bundle{one, two} {
			p := send(b).wantWait(t)
			if strings.HasPrefix(p.header.Get("Content-Type"), "application/problem+json") != (name == "API" || name == "no token") {
				t.Errorf("%s: answered as %s", name, p.header.Get("Content-Type"))
			}
		}
	}
	one.get("/api/v1/halls", "Authorization", "Bearer wrong").problem(t, http.StatusTooManyRequests, "too_many_requests")
	one.get("/").expect(t, http.StatusOK) // not limited
}

func TestALimitedKioskKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t, limited(t, few()))
	for range 3 {
		b.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusOK)
	}
	p := b.post(kioskPath, typed("c2")).wantWait(t)
	if p.part("candidate").AttrOr("value", "") != "c2" || p.Find("form[data-retry]").Length() != 1 || p.text("advice") == "" {
		t.Errorf("the kiosk shows %s", p.body)
	}
	if got := b.candidate("c2").State; got != hall.Registered {
		t.Errorf("c2 is %s", got)
	}
	phone := b.get("/t/000000000000")
	for range 3 {
		phone = b.get("/t/000000000000")
	}
	if phone.wantWait(t); phone.text("error-page") == "" {
		t.Errorf("the phone page says %s", phone.body)
	}
}

// proxies are trusted.
func proxies(networks ...string) option {
	return func(cfg *web.Config, _ *hall.Layout) {
		for _, network := range networks {
			cfg.TrustedProxies = append(cfg.TrustedProxies, netip.MustParsePrefix(network))
		}
	}
}

func TestForwardedAddressesAreThoseOfTrustedProxies(t *testing.T) {
	t.Parallel()
	from := func(b *bundle, address string) *page {
		return b.get("/t/000000000000", "X-Forwarded-For", address)
	}
	plain, proxied := setup(t, limited(t, few())), setup(t, limited(t, few()), proxies("127.0.0.1/32"))
	for i := range 4 {
		address := "192.0.2." + strconv.Itoa(i)
		if p := from(proxied, address); p.status == http.StatusTooManyRequests {
			t.Errorf("behind a proxy, %s shares a limit", address)
		}
		if p := from(plain, address); (p.status == http.StatusTooManyRequests) != (i == 3) {
			t.Errorf("without a proxy, request %d gets %d", i+1, p.status)
		}
	}
}

func TestALimitIsNotWhatTakesTheHallDown(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) {
		cfg.Limits = limits.New(client, "x:", few(), slog.New(slog.DiscardHandler))
	})
	for _, candidate := range []string{"c1", "c2", "c3", "c4", "c5"} {
		b.post(kioskPath, typed(candidate), htmx...).expect(t, http.StatusOK)
	}
}

// Unknown numbers cost a kiosk more and more time, in a browser and over the
// API, and say the same before and after.
func TestAKioskThatGuessesWaits(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t, misses(t))
	kiosk := s.as(s.enter("door", visitors["kiosk"]))
	token := s.token("door", visitors["kiosk"])
	for name, guess := range map[string]func(string) *page{
		"page": func(number string) *page { return kiosk.post(kioskPath, typed(number), htmx...) },
		"API":  func(number string) *page { return s.ask(token, "PUT", "/halls/h/queue/"+number, "") },
	} {
		for i := range 6 {
			if p := guess("x" + strconv.Itoa(i)); p.status == http.StatusTooManyRequests {
				t.Fatalf("%s: guess %d waits", name, i+1)
			}
		}
		unknown, known := guess("x7").wantWait(t), guess("c5").wantWait(t)
		if strings.ReplaceAll(known.body, "c5", "x7") != unknown.body {
			t.Errorf("%s: a number is told while one waits: %s and %s", name, unknown.body, known.body)
		}
	}
	if got := s.candidate("c5").State; got != hall.Registered {
		t.Errorf("c5 is %s", got)
	}
	if p := s.ask(s.token("desk", visitors["proctor"]), "PUT", "/halls/h/queue/c5", ""); p.status != http.StatusCreated {
		t.Errorf("the staff get %d", p.status)
	}
}

func TestACheckInForgetsTheMisses(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t, misses(t))
	kiosk := s.as(s.enter("door", visitors["kiosk"]))
	for _, candidate := range []string{"c1", "c2", "c3"} {
		for range 5 {
			kiosk.post(kioskPath, typed("nobody"), htmx...).expect(t, http.StatusUnprocessableEntity)
		}
		kiosk.post(kioskPath, typed(candidate), htmx...).expect(t, http.StatusOK)
	}
}

// Unknown, not for today and a wrong second factor are one answer, over the API too.
func TestAKioskOverTheAPIShowsTheIDNumber(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	h, err := s.store.Hall(t.Context(), hallID)
	if err != nil {
		t.Fatal(err)
	}
	h.Layout.Rules.KioskSecondFactor = "id4"
	if _, _, err := s.store.PutHall(t.Context(), hallID, h.Layout, "", staff); err != nil {
		t.Fatal(err)
	}
	kiosk := s.token("door", visitors["kiosk"])
	id := s.candidate("c1").Person.IDNumber
	end := id[len(id)-4:]
	unknown := s.ask(kiosk, "PUT", "/halls/h/queue/nobody", `{"id4": "`+end+`"}`)
	for _, body := range []string{"", `{}`, `{"id4": "9999"}`} {
		wrong := s.ask(kiosk, "PUT", "/halls/h/queue/c1", body)
		if wrong.status != http.StatusNotFound || wrong.body != unknown.body {
			t.Errorf("%s gets %d %s, an unknown number %d %s", body, wrong.status, wrong.body, unknown.status, unknown.body)
		}
	}
	if p := s.ask(kiosk, "PUT", "/halls/h/queue/c1", `{"id4": "`+end+`"}`); p.status != http.StatusCreated {
		t.Errorf("the right one gets %d %s", p.status, p.body)
	}
	if p := s.ask(s.token("desk", visitors["proctor"]), "PUT", "/halls/h/queue/c2", ""); p.status != http.StatusCreated {
		t.Errorf("the staff get %d %s", p.status, p.body)
	}
}

// counting are limits that count what they are asked.
type counting struct{ asked map[access.Limit]int }

func (c counting) Take(_ context.Context, of access.Limit, _ string) error {
	c.asked[of]++
	return nil
}
func (counting) Begin(context.Context, string, string) error { return nil }
func (counting) Found(context.Context, string, string, bool) {}

// Staff pages, static files and messages of open websockets cost no limit.
func TestWhatIsNotLimitedCostsNothing(t *testing.T) {
	t.Parallel()
	asked := counting{asked: map[access.Limit]int{}}
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Limits = asked })
	b.logIn()
	clear(asked.asked)
	home := b.get("/").expect(t, http.StatusOK)
	b.get(home.Find(`link[rel="stylesheet"]`).AttrOr("href", "")).expect(t, http.StatusOK)
	b.get(proctorPath).expect(t, http.StatusOK)
	b.get(kioskPath).expect(t, http.StatusOK)
	if len(asked.asked) != 0 {
		t.Errorf("limits were asked: %v", asked.asked)
	}
	conn := b.watch("view=board")
	for range 3 {
		if _, _, err := conn.ReadMessage(); err != nil {
			t.Fatal(err)
		}
	}
	if asked.asked[access.LimitSocket] != 1 || len(asked.asked) != 1 {
		t.Errorf("a websocket costs %v", asked.asked)
	}
}
