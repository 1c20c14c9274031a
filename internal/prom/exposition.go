package prom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/hallcall/hallcall/internal/hall"
)

// What one answer may cost.
const (
	answerLimit   = 8 * time.Second // an answer is shorter than Prometheus' usual patience of 10 s
	hallLimit     = 2 * time.Second // for one hall, so that one that hangs does not take the time of others
	answerReserve = 500 * time.Millisecond
	atOnce        = 8  // halls that are read at a time, by all answers together
	inFlight      = 16 // answers at a time
	detailedHalls = 50 // with more halls, details are of those only that are asked for
	fewMachines   = 200
	maxChosen     = 1000
)

// Store is what is read of the halls beside their figures.
type Store interface {
	HallIDs(ctx context.Context) ([]string, error)
	Hall(ctx context.Context, id string) (hall.Hall, error)
}

// Config is what there is to show. Only Store is needed.
type Config struct {
	Store   Store
	Metrics hall.Metrics
	Sockets func() Sockets // of this node
	Pool    func() Pool    // connections of this node to Redis
	Webhook func() Webhook // what this node told; nil without a webhook
	Version string
	Log     *slog.Logger

	Limit     time.Duration // for one answer; 8 s if 0
	HallLimit time.Duration // for one hall; 2 s if 0
}

// Exposition answers with all figures.
type Exposition struct {
	cfg      Config
	node     *prometheus.Registry
	requests *requests
	slots    chan struct{} // one for each hall that may be read now
}

// New returns an exposition that answers at once.
func New(cfg Config) *Exposition {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	cfg.Limit, cfg.HallLimit = cmp.Or(cfg.Limit, answerLimit), cmp.Or(cfg.HallLimit, hallLimit)
	e := &Exposition{cfg: cfg, node: prometheus.NewRegistry(), requests: newRequests(), slots: make(chan struct{}, atOnce)}
	e.node.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		e.requests, &nodeCollector{cfg: cfg, seen: map[Watching]int{}}, buildInfo(cfg.Version),
	)
	return e
}

// Handler answers GET /metrics?hall=&machines=all: of all halls, or of those
// that are named, which are shown in full.
func (e *Exposition) Handler() http.Handler {
	free := make(chan struct{}, inFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
		default:
			http.Error(w, "This is being asked for too often at the same time.", http.StatusServiceUnavailable)
			return
		}
		wanted, err := wantedBy(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), e.limit(r))
		defer cancel()
		promhttp.HandlerFor(e.gatherer(ctx, wanted), promhttp.HandlerOpts{
			ErrorLog: complaints{e.cfg.Log}, ErrorHandling: promhttp.ContinueOnError,
			DisableCompression: true, // the server compresses everything alike
		}).ServeHTTP(w, r)
	})
}

// gatherer has the figures of the node, and of halls those that are wanted.
func (e *Exposition) gatherer(ctx context.Context, w wanted) prometheus.Gatherer {
	halls := prometheus.NewRegistry()
	halls.MustRegister(&hallsCollector{Exposition: e, ctx: ctx, wanted: w})
	return prometheus.Gatherers{e.node, halls}
}

// limit is how long an answer may take: less than who asks will wait.
func (e *Exposition) limit(r *http.Request) time.Duration {
	patience, err := strconv.ParseFloat(r.Header.Get("X-Prometheus-Scrape-Timeout-Seconds"), 64)
	if err != nil || !(patience > 0) || patience > e.cfg.Limit.Seconds() {
		return e.cfg.Limit
	}
	return max(time.Duration(patience*float64(time.Second))-answerReserve, answerReserve)
}

// wanted says what is asked for.
type wanted struct {
	halls    []string // empty for all
	machines bool     // each machine, also of halls with many
}

func wantedBy(r *http.Request) (wanted, error) {
	query := r.URL.Query()
	w := wanted{halls: query["hall"], machines: query.Get("machines") == "all"}
	if query.Has("machines") && !w.machines {
		return w, errors.New("machines must be all, or left out")
	}
	if len(w.halls) > maxChosen {
		return w, fmt.Errorf("hall may be given at most %d times", maxChosen)
	}
	for _, id := range w.halls {
		if !utf8.ValidString(id) {
			return w, fmt.Errorf("hall %q is no text", id)
		}
	}
	slices.Sort(w.halls)
	w.halls = slices.Compact(w.halls)
	return w, nil
}

// complaints logs what cannot be shown.
type complaints struct{ log *slog.Logger }

// Println is called by promhttp.
func (c complaints) Println(v ...any) { c.log.Error("figures not shown", "error", fmt.Sprint(v...)) }
