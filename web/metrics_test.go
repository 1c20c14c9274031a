package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// TestMetricsAreForThisMachineAndTokens asks for /metrics from here and from
// elsewhere, directly and through proxies.
func TestMetricsAreForThisMachineAndTokens(t *testing.T) {
	t.Parallel()
	const here, elsewhere, local = "127.0.0.1:4321", "192.0.2.7:4321", "127.0.0.1:8080"
	token := []string{"Authorization", "Bearer token"}
	for name, test := range map[string]struct {
		peer, host string
		headers    []string
		proxies    []string
		status     int
	}{
		"from here":                        {here, local, nil, nil, http.StatusOK},
		"by name":                          {here, "localhost", nil, nil, http.StatusOK},
		"by IPv6":                          {"[::1]:4321", "[::1]:8080", nil, nil, http.StatusOK},
		"by IPv6 without a port":           {"[::1]:4321", "[::1]", nil, nil, http.StatusOK},
		"by mapped IPv4":                   {"[::ffff:127.0.0.1]:4321", local, nil, nil, http.StatusOK},
		"from elsewhere":                   {elsewhere, "hall.example", nil, nil, http.StatusUnauthorized},
		"from elsewhere, says localhost":   {elsewhere, "localhost", nil, nil, http.StatusUnauthorized},
		"says it is from here":             {elsewhere, local, []string{"X-Forwarded-For", "127.0.0.1"}, nil, http.StatusUnauthorized},
		"says so another way":              {elsewhere, local, []string{"Forwarded", "for=127.0.0.1", "X-Real-IP", "::1"}, nil, http.StatusUnauthorized},
		"by a proxy here":                  {here, local, []string{"X-Forwarded-For", "192.0.2.7"}, nil, http.StatusUnauthorized},
		"by a proxy here that is deceived": {here, local, []string{"X-Forwarded-For", "127.0.0.1"}, nil, http.StatusUnauthorized},
		"by a proxy that adds nothing":     {here, "hall.example", nil, nil, http.StatusUnauthorized},
		"by a trusted proxy here":          {here, local, nil, []string{"127.0.0.0/8"}, http.StatusUnauthorized},
		"by a trusted proxy here by IPv6":  {"[::ffff:127.0.0.1]:1", local, nil, []string{"127.0.0.1/32"}, http.StatusUnauthorized},
		"trusted proxy elsewhere":          {"192.0.2.7:1", local, []string{"X-Forwarded-For", "127.0.0.1"}, []string{"192.0.2.0/24"}, http.StatusUnauthorized},
		"from here beside such a proxy":    {here, local, nil, []string{"192.0.2.0/24"}, http.StatusOK},
		"with a token":                     {elsewhere, "hall.example", token, nil, http.StatusOK},
		"with a token by a proxy":          {here, "hall.example", append([]string{"X-Forwarded-For", "192.0.2.7"}, token...), []string{"127.0.0.1/32"}, http.StatusOK},
		"with a wrong token":               {elsewhere, "hall.example", []string{"Authorization", "Bearer wrong"}, nil, http.StatusUnauthorized},
		"with a wrong token from here":     {here, local, []string{"Authorization", "Bearer wrong"}, nil, http.StatusUnauthorized},
		"with a password":                  {elsewhere, "hall.example", []string{"Authorization", "Basic dG9rZW46"}, nil, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, func(cfg *web.Config, _ *hall.Layout) {
				for _, proxy := range test.proxies {
					cfg.TrustedProxies = append(cfg.TrustedProxies, netip.MustParsePrefix(proxy))
				}
			})
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
			r.RemoteAddr, r.Host = test.peer, test.host
			for i := 0; i < len(test.headers); i += 2 {
				r.Header.Set(test.headers[i], test.headers[i+1])
			}
			w := httptest.NewRecorder()
			b.server.Config.Handler.ServeHTTP(w, r)
			if w.Code != test.status {
				t.Errorf("answered %d, want %d: %.200s", w.Code, test.status, w.Body)
			}
			shown := strings.Contains(w.Body.String(), "hallcall_")
			if challenge := w.Header().Get("WWW-Authenticate"); shown != (test.status == http.StatusOK) || (challenge == "Bearer") == shown {
				t.Errorf("challenge %q, answered %.200s", challenge, w.Body)
			}
		})
	}
}

// TestMetricsWithoutAToken has a server that takes none: an empty one is wrong too.
func TestMetricsWithoutAToken(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Token = "" })
	b.get("/metrics").expect(t, http.StatusOK)
	b.get("/metrics", "Authorization", "Bearer ").expect(t, http.StatusOK) // is none
	b.get("/metrics", "Authorization", "Bearer x").expect(t, http.StatusUnauthorized)
	b.post("/metrics", nil).expect(t, http.StatusMethodNotAllowed)
}

// TestMetricsOfTheNode has requests and websockets of all kinds: addresses are
// shown as templates, so nothing of what stands in them.
func TestMetricsOfTheNode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.watch("view=board")
	b.watch("view=board&room=A")
	b.watch("view=proctor")
	b.checkIn("c1", "c2")
	phone := b.phonePath("c3")
	b.get(phone).expect(t, http.StatusOK)
	b.get("/halls/h/board").expect(t, http.StatusOK)
	b.get("/no/such/address").expect(t, http.StatusNotFound)
	b.get("/halls/nowhere/board").expect(t, http.StatusNotFound)
	b.get("/api/v1/halls/h/candidates/c1", "Authorization", "Bearer token").expect(t, http.StatusOK)
	text := b.get("/metrics").expect(t, http.StatusOK).body
	for _, want := range []string{
		`hallcall_websockets{hall="h",view="board"} 2`, `hallcall_websockets{hall="h",view="proctor"} 1`,
		`hallcall_websocket_drops_total{reason="slow"} 0`, `hallcall_http_requests_total{method="GET",route="/halls/:hall/live",status="1xx"} 3`,
		`hallcall_http_requests_total{method="GET",route="/t/:token",status="2xx"} 1`, `hallcall_http_requests_total{method="GET",route="none",status="4xx"} 1`,
		`hallcall_http_requests_total{method="GET",route="/halls/:hall/board",status="2xx"} 1`,
		`hallcall_http_requests_total{method="GET",route="/halls/:hall/board",status="4xx"} 1`,
		`hallcall_http_requests_total{method="GET",route="/api/v1/halls/:hall/candidates/:candidate",status="2xx"} 1`,
		`hallcall_http_request_duration_seconds_count{method="GET",route="/halls/:hall/board"} 2`, `hallcall_http_requests_in_flight 1`,
		`hallcall_hall_scrape_success{hall="h"} 1`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	for _, secret := range []string{strings.TrimPrefix(phone, "/t/"), "c1", "nowhere", "such"} {
		if strings.Contains(text, `"`+secret) || strings.Contains(text, "/"+secret) {
			t.Errorf("%s is in it", secret)
		}
	}
	if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	if _, err := parser.TextToMetricFamilies(strings.NewReader(text)); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "hallcall_http_requests_total") || strings.HasPrefix(line, "hallcall_web") {
				t.Log(line)
			}
		}
	}
}
