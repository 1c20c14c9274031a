package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const webhookSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// inbox is an endpoint that keeps what it gets.
type inbox struct {
	mu  sync.Mutex
	got []message
}

// message is what comes there.
type message struct {
	ID   string
	Type string
	Data struct {
		Hall  *struct{ ID, Name string }
		Event json.RawMessage
	}
}

func (in *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m message
	if body, err := io.ReadAll(r.Body); err != nil || json.Unmarshal(body, &m) != nil || r.Header.Get("webhook-id") != m.ID {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.got = append(in.got, m)
}

// waitFor waits for a message.
func (in *inbox) waitFor(t *testing.T, what string, is func(message) bool) message {
	t.Helper()
	deadline := time.After(40 * time.Second)
	for {
		in.mu.Lock()
		for _, m := range in.got {
			if is(m) {
				in.mu.Unlock()
				return m
			}
		}
		in.mu.Unlock()
		select {
		case <-deadline:
			t.Fatalf("not within 40 s: %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ownRedis starts a Redis that a test can hold up.
func ownRedis(t *testing.T) (url string, process *os.Process) {
	t.Helper()
	needServer(t)
	dir, err := os.MkdirTemp("", "hc") //nolint:usetesting // the path of t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "redis-server", "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	})
	for deadline := time.After(20 * time.Second); ; {
		if conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", socket); err == nil {
			_ = conn.Close()
			return "unix://" + socket, cmd.Process
		}
		select {
		case <-deadline:
			t.Fatal("redis-server does not listen")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func signal(t *testing.T, p *os.Process, s os.Signal) {
	t.Helper()
	if err := p.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// TestAlertsAreToldOutside has somebody who waits too long, and a Redis that
// does not answer for a while.
func TestAlertsAreToldOutside(t *testing.T) {
	t.Parallel()
	url, redis := ownRedis(t)
	in := &inbox{}
	endpoint := httptest.NewServer(in)
	t.Cleanup(endpoint.Close)
	a := start(t, Config{Redis: url, WebhookURL: endpoint.URL, WebhookSecret: webhookSecret, WebhookPrivate: true})
	send(t, a, http.MethodPut, "/api/v1/halls/h", `{"name": "Hall", "timeZone": "UTC", "subjects": [{"code": "1", "minutes": 10}],
		"rooms": [{"id": "A"}], "models": [{"id": "M", "subjects": ["1"]}], "machines": [{"id": "m1", "room": "A", "model": "M", "spare": true}],
		"rules": {"waitTargetSeconds": 1}}`)
	send(t, a, http.MethodPut, "/api/v1/halls/h/candidates/c1", `{"subjects": ["1"]}`)
	wantStatus(t, a, http.MethodPut, "/api/v1/halls/h/queue/c1", http.StatusCreated)

	waits := in.waitFor(t, "a wait over the target", func(m message) bool { return strings.Contains(string(m.Data.Event), "wait_over_target") })
	if waits.Type != "alert.raised" || waits.Data.Hall == nil || waits.Data.Hall.ID != "h" || waits.Data.Hall.Name != "Hall" {
		t.Errorf("told %+v", waits)
	}
	// The event is as the API shows it.
	events := wantStatus(t, a, http.MethodGet, "/api/v1/halls/h/events?size=0", http.StatusOK)
	if !bytes.Contains(events, waits.Data.Event) {
		t.Errorf("%s is not among %s", waits.Data.Event, events)
	}

	signal(t, redis, syscall.SIGSTOP)
	raised := in.waitFor(t, "redis unreachable", func(m message) bool { return strings.HasPrefix(m.ID, "redis_unreachable_") })
	if raised.Type != "alert.raised" || raised.Data.Hall != nil || !strings.HasSuffix(raised.ID, "_raised") {
		t.Errorf("told %+v", raised)
	}
	signal(t, redis, syscall.SIGCONT)
	want := strings.TrimSuffix(raised.ID, "raised") + "cleared"
	if cleared := in.waitFor(t, "redis reachable", func(m message) bool { return m.ID == want }); cleared.Type != "alert.cleared" {
		t.Errorf("told %+v", cleared)
	}
	// Now the events of the day say so too, and the endpoint does not hear of it again.
	for deadline := time.After(20 * time.Second); ; {
		events = wantStatus(t, a, http.MethodGet, "/api/v1/halls/h/events?size=0", http.StatusOK)
		if bytes.Count(events, []byte("redis_unreachable")) == 2 {
			break
		}
		select {
		case <-deadline:
			t.Fatalf("the outage is not among %s", events)
		case <-time.After(50 * time.Millisecond):
		}
	}
	// What it told is counted.
	figures := string(wantStatus(t, a, http.MethodGet, "/metrics", http.StatusOK))
	if !strings.Contains(figures, `hallcall_webhook_alerts_total{result="delivered"} `) || strings.Contains(figures, `{result="delivered"} 0`) ||
		!strings.Contains(figures, `hallcall_webhook_alerts_total{result="given_up"} 0`) || !strings.Contains(figures, "hallcall_webhook_failed_attempts_total ") {
		t.Error("the figures do not say what the webhook was told")
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	times := map[string]int{}
	for _, m := range in.got {
		if times[m.ID]++; times[m.ID] > 1 {
			t.Errorf("%s came %d times", m.ID, times[m.ID])
		}
		if m.Data.Hall != nil && strings.Contains(string(m.Data.Event), "redis_unreachable") {
			t.Errorf("told again: %s", m.Data.Event)
		}
	}
}

// send sends a document and wants it to be taken.
func send(t *testing.T, a *App, method, path, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if answer, err := io.ReadAll(response.Body); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s, %v", method, path, response.StatusCode, answer, err)
	}
}
