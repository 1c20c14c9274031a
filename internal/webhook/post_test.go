package webhook

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status int
		after  string
		want   outcome
		wait   time.Duration
	}{
		{200, "", delivered, 0},
		{204, "10", delivered, 0},
		{299, "", delivered, 0},
		{301, "", failed, 0},
		{400, "", rejected, 0},
		{401, "", failed, 0},
		{404, "", failed, 0},
		{408, "", failed, 0},
		{410, "", gone, 0},
		{413, "", rejected, 0},
		{415, "", rejected, 0},
		{422, "", rejected, 0},
		{425, "", failed, 0},
		{429, "120", failed, 2 * time.Minute},
		{429, "", failed, 0},
		{429, "-5", failed, 0},
		{429, "soon", failed, 0},
		{429, "999999999999999999999", failed, 0},
		{500, "120", failed, 0},
		{503, "Mon, 30 Nov 2026 08:00:30 GMT", failed, 30 * time.Second},
		{503, "Mon, 30 Nov 2026 07:00:30 GMT", failed, 0},
		{503, "2000000000", failed, longestWait},
	} {
		if got := verdict(c.status, c.after, now); got.outcome != c.want || got.wait != c.wait {
			t.Errorf("%d %q: %d after %v, want %d after %v", c.status, c.after, got.outcome, got.wait, c.want, c.wait)
		}
	}
}

func TestDelays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		failures    int
		asked       time.Duration
		least, most time.Duration
	}{
		{1, 0, time.Second, 1500 * time.Millisecond},
		{2, 0, 2 * time.Second, 3 * time.Second},
		{5, 0, 16 * time.Second, 24 * time.Second},
		{11, 0, lastDelay, lastDelay * 3 / 2},
		{1000, 0, lastDelay, lastDelay * 3 / 2},
		{1, time.Hour, time.Hour, 90 * time.Minute},
	} {
		various := map[time.Duration]bool{}
		for range 50 {
			d := delay(c.failures, c.asked)
			various[d] = true
			if d < c.least || d > c.most {
				t.Errorf("after %d failures: %v", c.failures, d)
			}
		}
		if len(various) < 10 {
			t.Errorf("after %d failures only %d different delays", c.failures, len(various))
		}
	}
}

// TestSecretsAreNotLogged has an address with secrets in all of its parts.
func TestSecretsAreNotLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := testConfig("http://user-secret:pass-secret@127.0.0.1:1/path-secret?query=secret")
	c.Private, c.Log = true, slog.New(slog.NewTextHandler(&log, nil))
	w := newWebhook(t, c)
	if _, wait := w.attempt(t.Context(), &message{id: "x_1-0", at: time.Now()}, &tries{}); wait == 0 {
		t.Error("nobody listens there")
	}
	if text := log.String(); !strings.Contains(text, "127.0.0.1:1") || strings.Contains(text, "secret") {
		t.Errorf("logged %s", text)
	}
}

func TestLongAnswersAreNotRead(t *testing.T) {
	t.Parallel()
	c := testConfig("https://hooks.example/")
	w := newWebhook(t, c)
	body := &endless{}
	w.client.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body}, nil
	})
	if r := w.post(t.Context(), &message{id: "x_1-0"}); r.outcome != delivered || body.read > 2*answerLimit {
		t.Errorf("outcome %d, %d bytes read", r.outcome, body.read)
	}
}

// endless is a body without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) { e.read += len(p); return len(p), nil }
func (*endless) Close() error                 { return nil }
