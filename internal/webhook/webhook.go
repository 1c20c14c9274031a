package webhook

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/follow"
	"github.com/hallcall/hallcall/internal/hall"
)

// atOnce is how many halls have their alerts sent at a time.
const atOnce = 16

// Webhook tells alerts between Start and Stop. It may run on any number of nodes.
type Webhook struct {
	c      Config
	target *url.URL
	keys   [][]byte
	client *http.Client
	node   string // of this one, among those who ask for a hall
	log    *slog.Logger

	follower *follow.Follower
	counts   counts

	mu    sync.Mutex
	halls map[string]*told
	began time.Time // of this run: what was before is history where nothing was told yet
	quiet time.Time // until then the endpoint wants no requests
	gone  bool      // the endpoint said that it wants no more

	warned time.Time // when a failure was logged last

	own *own
}

// New checks the configuration and returns a webhook that does nothing until Start.
func New(c Config) (*Webhook, error) {
	target, err := c.target()
	if err != nil {
		return nil, err
	}
	keys, err := keysIn(c.Secret)
	if err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	w := &Webhook{
		c: c, target: target, keys: keys, node: strings.ToLower(rand.Text()), log: c.Log.With("webhook", shown(target)),
		halls: map[string]*told{}, own: newOwn(),
	}
	w.client = client(&w.c)
	w.follower = follow.New(follow.Config{Source: c.Store, Look: w.look, Sweep: c.Sweep, AtOnce: atOnce, Log: w.log})
	return w, nil
}

// Start starts to tell. It fails if the store does not answer now or the
// webhook runs already. The end of ctx does not end it.
func (w *Webhook) Start(ctx context.Context) error {
	w.mu.Lock()
	w.began = w.c.Now()
	w.mu.Unlock()
	if err := w.follower.Start(ctx); err != nil {
		return err
	}
	w.own.start(ctx, w)
	return nil
}

// Stop ends the webhook and waits for it. It may be called twice, and before Start.
func (w *Webhook) Stop() {
	w.own.stop()
	w.follower.Stop()
	w.client.CloseIdleConnections()
}

// attempt sends a message once, if the endpoint may be asked now. wait says
// when to try again; 0 when there is nothing more to do with this message.
func (w *Webhook) attempt(ctx context.Context, m *message, t *tries) (lost int, wait time.Duration) {
	if w.c.Now().Sub(m.at) > keep {
		w.counts.givenUp.Add(1)
		w.log.Error("an alert was not told in time and is given up", "id", m.id)
		return 1, 0
	}
	if wait := w.closedFor(); wait > 0 {
		return 0, wait
	}
	r := w.post(ctx, m)
	if ctx.Err() != nil { // the end of this run says nothing about the endpoint
		return 0, firstDelay
	}
	switch r.outcome {
	case delivered:
		w.counts.delivered.Add(1)
		if t.failures > 0 {
			w.log.Info("an alert was told at last", "id", m.id, "attempts", t.failures+1)
		}
		t.failures = 0
		return 0, 0
	case rejected:
		w.counts.rejected.Add(1)
		w.log.Error("the endpoint does not take an alert", "id", m.id, "reason", r.reason)
		t.failures = 0
		return 1, 0
	case gone:
		w.close()
		return 0, goneDelay
	default:
		w.counts.failed.Add(1)
		t.failures++
		if w.isNews() {
			w.log.Warn("an alert could not be told and will be tried again", "id", m.id, "reason", r.reason)
		}
		wait := delay(t.failures, r.wait)
		if r.wait > 0 {
			w.keepQuiet(wait)
		}
		return 0, wait
	}
}

// newsAfter is the time between two failures that are logged.
const newsAfter = time.Minute

// goneDelay is how often it is looked at what waits for an endpoint that wants
// no more: it is told again when the program is started again.
const goneDelay = time.Hour

// tries is what came of the attempts to tell one message.
type tries struct{ failures int }

// closedFor says how long the endpoint wants no requests.
func (w *Webhook) closedFor() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return goneDelay
	}
	return w.quiet.Sub(w.c.Now())
}

// isNews reports whether a failure is to be logged: one in a while is.
func (w *Webhook) isNews() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.c.Now()
	if now.Sub(w.warned) < newsAfter {
		return false
	}
	w.warned = now
	return true
}

func (w *Webhook) keepQuiet(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quiet = w.c.Now().Add(d)
}

func (w *Webhook) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.gone {
		w.gone = true
		w.log.Error("the endpoint answered 410: it gets no more alerts until this program is started again")
	}
}

// isAlert reports whether an event is told. What is about Redis was told by
// the nodes that noticed: in the stream it is for those who read the day.
func isAlert(e *hall.Event) bool {
	return (e.Event == hall.EventAlertRaised || e.Event == hall.EventAlertCleared) && e.Alert != hall.AlertRedis
}
