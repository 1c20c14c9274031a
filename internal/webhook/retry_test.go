package webhook

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// endpoint notes when it was asked for what.
type endpoint struct {
	mu    sync.Mutex
	asked []string
	at    []time.Time
	does  func(id string, n int) *http.Response // n counts what was asked of this id, from 1
}

func (e *endpoint) RoundTrip(r *http.Request) (*http.Response, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	id, n := r.Header.Get("webhook-id"), 1
	for _, before := range e.asked {
		if before == id {
			n++
		}
	}
	e.asked, e.at = append(e.asked, id), append(e.at, time.Now())
	return e.does(id, n), nil
}

// inBubble runs a webhook of these halls in a bubble of its own time.
func inBubble(t *testing.T, h *halls, does func(id string, n int) *http.Response, test func(w *Webhook, e *endpoint, p *positions)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e, p := &endpoint{does: does}, &positions{}
		c := testConfig("https://hooks.example/")
		c.Store, c.Positions = h, p
		w := newWebhook(t, c)
		w.client.Transport = e
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		synctest.Wait()
		test(w, e, p)
	})
}

func TestRetries(t *testing.T) {
	t.Parallel()
	h := newHalls("a", "b")
	statuses := []*http.Response{answer(500), answer(503), answer(404), answer(429, "Retry-After", "300"), answer(302), answer(200)}
	inBubble(t, h, func(id string, n int) *http.Response {
		if id == "a_1-0" {
			return statuses[n-1]
		}
		return answer(200)
	}, func(w *Webhook, e *endpoint, p *positions) {
		h.raise("a", 1)
		h.raise("a", 2)
		h.raise("b", 3)
		synctest.Wait()
		if e.mu.Lock(); !slices.Equal(e.asked, []string{"a_1-0", "b_3-0"}) && !slices.Equal(e.asked, []string{"b_3-0", "a_1-0"}) {
			t.Errorf("at once %v: another hall must not wait", e.asked)
		}
		e.asked, e.at = []string{"a_1-0"}, e.at[:1]
		e.mu.Unlock()
		// Hints are no reason to try sooner.
		for range 10 {
			time.Sleep(50 * time.Millisecond) //nolint:forbidigo // the time of the bubble
			h.raise("a", 4)
		}
		time.Sleep(time.Hour) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		e.mu.Lock()
		defer e.mu.Unlock()
		want := append(slices.Repeat([]string{"a_1-0"}, 6), "a_2-0")
		if len(e.asked) < 7 || !slices.Equal(e.asked[:7], want) {
			t.Fatalf("asked %v", e.asked)
		}
		for i, least := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Minute, 16 * time.Second} {
			if d := e.at[i+1].Sub(e.at[i]); d < least || d > least*3/2+time.Millisecond {
				t.Errorf("attempt %d came after %v, want %v and up to half more", i+2, d, least)
			}
		}
		if got := w.Counts(); got.Failed != 5 || got.Rejected != 0 || got.GivenUp != 0 {
			t.Errorf("counts %+v", got)
		}
	})
}

// TestEndpointThatWantsQuiet has an endpoint that says so to one hall: the
// others leave it alone too.
func TestEndpointThatWantsQuiet(t *testing.T) {
	t.Parallel()
	h := newHalls("a", "b")
	inBubble(t, h, func(id string, n int) *http.Response {
		if id == "a_1-0" && n == 1 {
			return answer(503, "Retry-After", "600")
		}
		return answer(200)
	}, func(w *Webhook, e *endpoint, _ *positions) {
		h.raise("a", 1)
		synctest.Wait()
		h.raise("b", 2)
		time.Sleep(599 * time.Second) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		e.mu.Lock()
		if len(e.asked) != 1 {
			t.Errorf("asked %v", e.asked)
		}
		e.mu.Unlock()
		time.Sleep(10 * time.Minute) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		if got := w.Counts(); got.Delivered != 2 {
			t.Errorf("counts %+v", got)
		}
	})
}

func TestOldAlertsAreGivenUp(t *testing.T) {
	t.Parallel()
	h := newHalls("a")
	inBubble(t, h, func(id string, _ int) *http.Response {
		if strings.HasPrefix(id, "a_1-") {
			return answer(500)
		}
		return answer(200)
	}, func(w *Webhook, e *endpoint, p *positions) {
		h.raise("a", 1)
		time.Sleep(23 * time.Hour) //nolint:forbidigo // the time of the bubble
		h.raise("a", 2)
		time.Sleep(2 * time.Hour) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		e.mu.Lock()
		defer e.mu.Unlock()
		if n := len(e.asked); n < 100 || n > 200 || e.asked[n-1] != "a_2-0" || e.asked[n-2] != "a_1-0" {
			t.Errorf("asked %d times, at last for %s", n, e.asked[n-1])
		}
		if got := w.Counts(); got.GivenUp != 1 || got.Delivered != 1 || p.lost != 1 || p.at["a"].After != "2-0" {
			t.Errorf("counts %+v, %d lost, at %v", got, p.lost, p.at)
		}
	})
}

func TestRejectedAlertsLetOthersPass(t *testing.T) {
	t.Parallel()
	h := newHalls("a")
	inBubble(t, h, func(id string, _ int) *http.Response {
		return answer(map[string]int{"a_1-0": 422}[id])
	}, func(w *Webhook, e *endpoint, p *positions) {
		e.does = func(id string, _ int) *http.Response {
			if id == "a_1-0" {
				return answer(422)
			}
			return answer(200)
		}
		h.raise("a", 1)
		h.raise("a", 2)
		synctest.Wait()
		if got := w.Counts(); got.Rejected != 1 || got.Delivered != 1 || got.Failed != 0 || p.lost != 1 {
			t.Errorf("counts %+v, %d lost", got, p.lost)
		}
	})
}

func TestEndpointThatIsGone(t *testing.T) {
	t.Parallel()
	h := newHalls("a", "b")
	inBubble(t, h, func(string, int) *http.Response { return answer(410) }, func(w *Webhook, e *endpoint, p *positions) {
		h.raise("a", 1)
		synctest.Wait()
		h.raise("b", 2)
		w.Redis(hall.EventAlertRaised, "x", time.Now())
		time.Sleep(12 * time.Hour) //nolint:forbidigo // the time of the bubble
		synctest.Wait()
		if e.mu.Lock(); len(e.asked) != 1 {
			t.Errorf("asked %v", e.asked)
		}
		e.does = func(string, int) *http.Response { return answer(200) }
		e.mu.Unlock()
		w.Stop() // and another one begins
		c := w.c
		again := newWebhook(t, c)
		again.client.Transport = e
		if err := again.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		defer again.Stop()
		synctest.Wait()
		if got := again.Counts(); got.Delivered != 2 {
			t.Errorf("counts %+v", got)
		}
	})
}

// TestOwnMessages has Redis unreachable: that is told without it.
func TestOwnMessages(t *testing.T) {
	t.Parallel()
	h := newHalls()
	inBubble(t, h, func(_ string, n int) *http.Response { return answer(map[bool]int{true: 500, false: 200}[n < 3]) },
		func(w *Webhook, e *endpoint, _ *positions) {
			w.Redis(hall.EventAlertRaised, "name", time.Now())
			w.Redis(hall.EventAlertCleared, "name", time.Now())
			time.Sleep(time.Minute) //nolint:forbidigo // the time of the bubble
			synctest.Wait()
			e.mu.Lock()
			defer e.mu.Unlock()
			want := slices.Concat(slices.Repeat([]string{"redis_unreachable_name_raised"}, 3), slices.Repeat([]string{"redis_unreachable_name_cleared"}, 3))
			if !slices.Equal(e.asked, want) {
				t.Errorf("asked %v", e.asked)
			}
		})
}
