package prom

import (
	"maps"
	"runtime"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// Sockets are the websockets of a node: those open, and how many it cut off,
// by reason, since it started.
type Sockets struct {
	Open    map[Watching]int
	Dropped map[string]uint64
}

// Watching is what websockets show: a view of a hall.
type Watching struct{ Hall, View string }

// Pool says how a node's connections to Redis are used. Hits, Misses, Timeouts
// and Stale are counted from its start.
type Pool struct {
	Idle, Used                    uint32
	Hits, Misses, Timeouts, Stale uint32
}

// Webhook counts what a node told a webhook since it started: alerts that were
// taken, that were rejected and that were given up, and attempts that failed.
type Webhook struct {
	Delivered, Rejected, GivenUp, Failed int64
}

var (
	socketsOpen = prometheus.NewDesc("hallcall_websockets",
		"Open websockets of this node, by hall and view: board, proctor, monitor or phone. A kiosk has none.", []string{"hall", "view"}, nil)
	socketsDropped = prometheus.NewDesc("hallcall_websocket_drops_total",
		"Websockets that this node cut off or refused, by reason.", []string{"reason"}, nil)
	poolConnections = prometheus.NewDesc("hallcall_redis_pool_connections",
		"Connections of this node to Redis.", []string{"state"}, nil)
	poolHits = prometheus.NewDesc("hallcall_redis_pool_hits_total",
		"How often this node found a free connection to Redis.", nil, nil)
	poolMisses = prometheus.NewDesc("hallcall_redis_pool_misses_total",
		"How often this node found no free connection to Redis.", nil, nil)
	poolTimeouts = prometheus.NewDesc("hallcall_redis_pool_timeouts_total",
		"How often this node waited for a connection to Redis in vain.", nil, nil)
	webhookAlerts = prometheus.NewDesc("hallcall_webhook_alerts_total",
		"Alerts that this node is done with telling the webhook, by result: delivered, rejected or given_up.", []string{"result"}, nil)
	webhookFailed = prometheus.NewDesc("hallcall_webhook_failed_attempts_total",
		"Attempts of this node to tell the webhook an alert that failed and are repeated.", nil, nil)
	poolStale = prometheus.NewDesc("hallcall_redis_pool_stale_connections_total",
		"Connections to Redis that this node gave up because they were of no use.", nil, nil)
)

// nodeCollector reads what others count.
type nodeCollector struct {
	cfg Config

	mu   sync.Mutex
	seen map[Watching]int // what was open once is 0, not gone
}

// Describe implements prometheus.Collector.
func (*nodeCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		socketsOpen, socketsDropped, webhookAlerts, webhookFailed, poolConnections, poolHits, poolMisses, poolTimeouts, poolStale,
	} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (n *nodeCollector) Collect(ch chan<- prometheus.Metric) {
	if n.cfg.Sockets != nil {
		s := n.cfg.Sockets()
		for of, count := range n.withClosed(s.Open) {
			ch <- prometheus.MustNewConstMetric(socketsOpen, prometheus.GaugeValue, float64(count), of.Hall, of.View)
		}
		for reason, count := range s.Dropped {
			ch <- prometheus.MustNewConstMetric(socketsDropped, prometheus.CounterValue, float64(count), reason)
		}
	}
	if n.cfg.Webhook != nil {
		collectWebhook(ch, n.cfg.Webhook())
	}
	if n.cfg.Pool == nil {
		return
	}
	p := n.cfg.Pool()
	ch <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(p.Idle), "idle")
	ch <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(p.Used), "used")
	for desc, count := range map[*prometheus.Desc]uint32{poolHits: p.Hits, poolMisses: p.Misses, poolTimeouts: p.Timeouts, poolStale: p.Stale} {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(count))
	}
}

func collectWebhook(ch chan<- prometheus.Metric, told Webhook) {
	for result, count := range map[string]int64{"delivered": told.Delivered, "rejected": told.Rejected, "given_up": told.GivenUp} {
		ch <- prometheus.MustNewConstMetric(webhookAlerts, prometheus.CounterValue, float64(count), result)
	}
	ch <- prometheus.MustNewConstMetric(webhookFailed, prometheus.CounterValue, float64(told.Failed))
}

// withClosed adds what was open once.
func (n *nodeCollector) withClosed(open map[Watching]int) map[Watching]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	for of := range n.seen {
		n.seen[of] = 0
	}
	maps.Copy(n.seen, open)
	return maps.Clone(n.seen)
}

// buildInfo tells which program this is.
func buildInfo(version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hallcall_build_info", Help: "1; the labels say which program this node runs.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	}, func() float64 { return 1 })
}
