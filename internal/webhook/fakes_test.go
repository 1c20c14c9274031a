package webhook

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

var testKey = []byte("0123456789abcdef0123456789abcdef")

func testConfig(url string) Config {
	return Config{
		URL: url, Secret: "whsec_" + base64.StdEncoding.EncodeToString(testKey), Now: time.Now, Agent: "hallcall/test",
		Encode: func(e *hall.Event) ([]byte, error) {
			return json.Marshal(map[string]any{"id": e.ID, "candidate": e.Candidate})
		},
	}
}

func newWebhook(t *testing.T, c Config) *Webhook {
	t.Helper()
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// roundTrip is an endpoint without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(status int, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(""))}
}

// halls is a store in memory: the events of one day of each hall.
type halls struct {
	mu     sync.Mutex
	events map[string][]hall.Event
	hints  []func(hall.Hint)
}

func newHalls(ids ...string) *halls {
	h := &halls{events: map[string][]hall.Event{}}
	for _, id := range ids {
		h.events[id] = nil
	}
	return h
}

// raise adds an alert; n tells them apart.
func (h *halls) raise(id string, n int) {
	h.mu.Lock()
	e := hall.Event{ID: fmt.Sprintf("%d-0", n), Event: hall.EventAlertRaised, At: time.Now(), Alert: hall.AlertWait, Candidate: strconv.Itoa(n)}
	h.events[id] = append(h.events[id], e)
	hints := h.hints
	h.mu.Unlock()
	for _, hint := range hints {
		hint(hall.Hint{Hall: id})
	}
}

func (h *halls) Hall(_ context.Context, id string) (hall.Hall, error) {
	return hall.Hall{ID: id, Layout: hall.Layout{Name: "Hall " + id}}, nil
}

func (h *halls) HallIDs(context.Context) ([]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids := make([]string, 0, len(h.events))
	for id := range h.events {
		ids = append(ids, id)
	}
	return ids, nil
}

func (h *halls) DayEvents(_ context.Context, id string, _ int, after string, limit int) (hall.DayEvents, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := 0
	for i, e := range h.events[id] {
		if e.ID == after {
			from = i + 1
		}
	}
	return hall.DayEvents{Events: h.events[id][from:min(from+limit, len(h.events[id]))]}, nil
}

func (h *halls) DayNumber(context.Context, string, string) (int, error) { return 1, nil }

func (h *halls) Watch(ctx context.Context, changed func(hall.Hint)) error {
	h.mu.Lock()
	h.hints = append(h.hints, changed)
	h.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

// positions are kept in memory, for one node.
type positions struct {
	mu   sync.Mutex
	at   map[string]hall.Position
	lost int
}

func (p *positions) Position(_ context.Context, id string) (hall.Position, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at[id], nil
}

func (p *positions) Lease(ctx context.Context, id, _ string, _ time.Duration) (hall.Position, time.Duration, error) {
	at, err := p.Position(ctx, id)
	return at, 0, err
}

func (p *positions) Release(context.Context, string, string) error { return nil }

func (p *positions) Move(_ context.Context, id string, from, to hall.Position, lost int) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at = map[string]hall.Position{}
	}
	if p.at[id] != from {
		return false, nil
	}
	p.at[id] = to
	p.lost += lost
	return true, nil
}
