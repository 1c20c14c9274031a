package prom

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// noRoute stands for every address that no route answers.
const noRoute = "none"

// otherMethod stands for every method that nothing takes.
const otherMethod = "other"

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// requests are the figures of this node's HTTP server.
type requests struct {
	total   *prometheus.CounterVec
	took    *prometheus.HistogramVec
	ongoing prometheus.Gauge
}

func newRequests() *requests {
	return &requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "hallcall_http_requests_total", Help: "Requests answered by this node, by template of the address, method and class of the status.",
		}, []string{"route", "method", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hallcall_http_request_duration_seconds", Help: "How long this node took to answer; of a websocket, to open it.",
			Buckets: []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
		ongoing: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "hallcall_http_requests_in_flight", Help: "Requests that this node answers now, without open websockets.",
		}),
	}
}

// Describe implements prometheus.Collector.
func (r *requests) Describe(ch chan<- *prometheus.Desc) {
	r.total.Describe(ch)
	r.took.Describe(ch)
	r.ongoing.Describe(ch)
}

// Collect implements prometheus.Collector.
func (r *requests) Collect(ch chan<- prometheus.Metric) {
	r.total.Collect(ch)
	r.took.Collect(ch)
	r.ongoing.Collect(ch)
}

// RequestBegins counts a request. What it returns is called once it was
// answered, with the template of its route ("" for none), never its address.
func (e *Exposition) RequestBegins() (ended func(route, method string, status int)) {
	began := time.Now() //nolint:forbidigo // only to measure
	e.requests.ongoing.Inc()
	return func(route, method string, status int) {
		e.requests.ongoing.Dec()
		if route == "" {
			route = noRoute
		}
		if !slices.Contains(methods, method) {
			method = otherMethod
		}
		e.requests.total.WithLabelValues(route, method, strconv.Itoa(status/100)+"xx").Inc()
		e.requests.took.WithLabelValues(route, method).Observe(time.Since(began).Seconds())
	}
}
