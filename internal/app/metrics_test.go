package app

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// TestMetrics asks the whole program for its figures: they are without faults,
// and nobody of the demo hall is in them.
func TestMetrics(t *testing.T) {
	t.Parallel()
	a := start(t, Config{Redis: "memory", Demo: true, Version: "v1.2.3"})
	var list struct {
		Items []struct{ ID, Name, IDNumber string }
	}
	body := wantStatus(t, a, http.MethodGet, "/api/v1/halls/demo/candidates?size=0", http.StatusOK)
	if err := json.Unmarshal(body, &list); err != nil || len(list.Items) < 100 {
		t.Fatalf("%d people, %v", len(list.Items), err)
	}
	for _, c := range list.Items[:20] {
		wantStatus(t, a, http.MethodPut, "/api/v1/halls/demo/queue/"+url.PathEscape(c.ID), http.StatusCreated)
	}
	text := string(wantStatus(t, a, http.MethodGet, "/metrics", http.StatusOK))
	for _, want := range []string{
		`hallcall_hall_scrape_success{hall="demo"} 1`, `hallcall_day_check_ins{hall="demo"} 20`, `hallcall_redis_pool_connections{state="used"}`,
		`version="v1.2.3"`, `hallcall_event_lag_seconds{hall="demo"}`, "go_goroutines", "process_cpu_seconds_total",
		`hallcall_http_requests_total{method="PUT",route="/api/v1/halls/:hall/queue/:candidate",status="2xx"} 20`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "hallcall_webhook") {
		t.Error("it tells of a webhook, and there is none")
	}
	for _, c := range list.Items {
		for _, own := range []string{`"` + c.ID + `"`, c.Name, c.IDNumber} {
			if len(own) > 3 && strings.Contains(text, own) {
				t.Errorf("%s is in it", own)
			}
		}
	}
	if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
