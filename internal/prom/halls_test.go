package prom_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/prom"
)

// crowd is a store of many open halls with figures, some of which fail or hang.
type crowd struct {
	ids       []string
	fails     map[string]bool
	hangs     map[string]bool
	gone      bool
	mu        sync.Mutex
	now, most int // halls read at a time
	calls     int
}

func newCrowd(n int) *crowd {
	c := &crowd{fails: map[string]bool{}, hangs: map[string]bool{}}
	for i := range n {
		c.ids = append(c.ids, fmt.Sprintf("h%d", i))
	}
	return c
}

func (c *crowd) HallIDs(context.Context) ([]string, error) {
	if c.gone {
		return nil, hall.ErrUnavailable
	}
	return c.ids, nil
}

func (c *crowd) Hall(_ context.Context, id string) (hall.Hall, error) {
	c.count(1)
	defer c.count(-1)
	return hall.Hall{ID: id, Layout: halltest.Layout("one", "two"), Day: hall.Day{State: hall.DayOpen}}, nil
}

func (c *crowd) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
	c.calls++
}

func (*crowd) Metrics(context.Context) ([]hall.KnownMetric, error)  { return nil, nil }
func (*crowd) PutMetric(context.Context, hall.Metric) (bool, error) { return false, nil }
func (c *crowd) QueryMetrics(ctx context.Context, id string, requests []hall.MetricRequest) ([]hall.MetricAnswer, error) {
	c.count(1)
	defer c.count(-1)
	switch {
	case c.fails[id]:
		return nil, errors.New("broken")
	case c.hangs[id]:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return make([]hall.MetricAnswer, len(requests)), nil
}

func (c *crowd) config() prom.Config { return prom.Config{Store: c, Metrics: c} }

// TestAFailingHall has one hall that cannot be read and one that never
// answers: the others are shown, in time.
func TestAFailingHall(t *testing.T) {
	t.Parallel()
	c := newCrowd(20)
	c.fails["h3"], c.hangs["h7"] = true, true
	cfg := c.config()
	cfg.HallLimit = 50 * time.Millisecond
	text := textOf(t, prom.New(cfg).Handler(), "")
	lint(t, text)
	for i, id := range c.ids {
		want := map[bool]string{true: "0", false: "1"}[i == 3 || i == 7]
		has(t, text, `hallcall_hall_scrape_success{hall="`+id+`"} `+want)
		if want == "1" {
			has(t, text, `hallcall_waiting_by_subject{hall="`+id+`",subject="1"} 0`)
		}
	}
	hasNot(t, text, `hallcall_day_calls{hall="h3"}`, `hallcall_hall_day_open{hall="h7"}`)
}

// TestAllHallsHang is answered in time, with the figures of the node.
func TestAllHallsHang(t *testing.T) {
	t.Parallel()
	c := newCrowd(30)
	for _, id := range c.ids {
		c.hangs[id] = true
	}
	cfg := c.config()
	cfg.Limit = 50 * time.Millisecond
	text := textOf(t, prom.New(cfg).Handler(), "")
	has(t, text, `hallcall_hall_scrape_success{hall="h0"} 0`, `hallcall_hall_scrape_success{hall="h29"} 0`, `hallcall_store_up 1`)
	hasNot(t, text, "hallcall_hall_day_open{")
}

// TestPatience keeps within the time that Prometheus says it waits.
func TestPatience(t *testing.T) {
	t.Parallel()
	c := newCrowd(1)
	c.hangs["h0"] = true
	cfg := c.config()
	cfg.Limit = time.Hour
	began := time.Now()
	text := textOf(t, prom.New(cfg).Handler(), "", "X-Prometheus-Scrape-Timeout-Seconds", "1")
	has(t, text, `hallcall_hall_scrape_success{hall="h0"} 0`)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("answered after %v", took)
	}
}

func TestStoreIsGone(t *testing.T) {
	t.Parallel()
	c := newCrowd(1)
	c.gone = true
	text := textOf(t, prom.New(c.config()).Handler(), "")
	has(t, text, `hallcall_store_up 0`)
	hasNot(t, text, "hallcall_hall_")
}

// TestManyHalls reads many halls, some at a time, each with two calls; what is
// long is shown only of those that are asked for.
func TestManyHalls(t *testing.T) {
	t.Parallel()
	c := newCrowd(400)
	cfg := c.config()
	cfg.Limit, cfg.HallLimit = time.Hour, time.Hour
	handler := prom.New(cfg).Handler()
	text := textOf(t, handler, "")
	has(t, text, `hallcall_scrape_details 0`, `hallcall_hall_scrape_success{hall="h399"} 1`, `hallcall_day_calls{hall="h399"} 0`)
	hasNot(t, text, "hallcall_wait_seconds", "hallcall_machine_out_of_service")
	if c.most > 8 || c.calls != 2*2*len(c.ids) {
		t.Errorf("%d halls at a time, %d calls", c.most, c.calls/2)
	}
	if lines := strings.Count(text, "\n"); lines > 60*len(c.ids) {
		t.Errorf("%d lines", lines)
	}
	chosen := textOf(t, handler, "?hall=h5&hall=h6&hall=h5")
	lint(t, chosen)
	has(t, chosen, `hallcall_wait_seconds_count{hall="h5",subject="1"} 0`, `hallcall_machine_out_of_service{hall="h6",machine="m1",room="A"} 0`)
	hasNot(t, chosen, `hall="h7"`, "hallcall_scrape_details")
}

func TestWrongQuestions(t *testing.T) {
	t.Parallel()
	handler := prom.New(newCrowd(1).config()).Handler()
	for _, query := range []string{"?machines=some", "?machines=", "?hall=%ff", "?" + strings.Repeat("hall=a&", 1001)} {
		if w := ask(t, handler, query); w.Code != http.StatusBadRequest {
			t.Errorf("%.20s is answered %d", query, w.Code)
		}
	}
}

// TestRequests counts requests by template, method and class of the status.
func TestRequests(t *testing.T) {
	t.Parallel()
	e := prom.New(newCrowd(0).config())
	for range 3 {
		e.RequestBegins()("/halls/:hall/board", "GET", 200)
	}
	e.RequestBegins()("", "GET", 404)
	e.RequestBegins()("/halls/:hall/board", "BREW", 405)
	e.RequestBegins() // goes on
	text := textOf(t, e.Handler(), "")
	lint(t, text)
	has(
		t, text,
		`hallcall_http_requests_total{method="GET",route="/halls/:hall/board",status="2xx"} 3`, `hallcall_http_requests_total{method="GET",route="none",status="4xx"} 1`,
		`hallcall_http_requests_total{method="other",route="/halls/:hall/board",status="4xx"} 1`,
		`hallcall_http_request_duration_seconds_count{method="GET",route="/halls/:hall/board"} 3`, `hallcall_http_requests_in_flight 1`,
	)
}

// TestClosedSocketsAreZero shows what was open once.
func TestClosedSocketsAreZero(t *testing.T) {
	t.Parallel()
	c := newCrowd(0)
	open := map[prom.Watching]int{{Hall: "h", View: "board"}: 1}
	cfg := c.config()
	cfg.Sockets = func() prom.Sockets { return prom.Sockets{Open: open} }
	handler := prom.New(cfg).Handler()
	has(t, textOf(t, handler, ""), `hallcall_websockets{hall="h",view="board"} 1`)
	open = nil
	has(t, textOf(t, handler, ""), `hallcall_websockets{hall="h",view="board"} 0`)
}
