package prom

import (
	"context"
	"errors"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hallcall/hallcall/internal/hall"
)

// hallsCollector reads the halls for one answer.
type hallsCollector struct {
	*Exposition

	ctx    context.Context //nolint:containedctx // of the one answer that it is made for
	wanted wanted
}

// Describe implements prometheus.Collector.
func (h *hallsCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range ofHalls {
		ch <- desc
	}
}

// Collect implements prometheus.Collector. A hall that cannot be read in time
// is said not to be, and all others are shown.
func (h *hallsCollector) Collect(ch chan<- prometheus.Metric) {
	ids, details := h.wanted.halls, true
	if len(ids) == 0 {
		var err error
		ids, err = h.cfg.Store.HallIDs(h.ctx)
		ch <- prometheus.MustNewConstMetric(storeUp, prometheus.GaugeValue, truth(err == nil))
		if err != nil {
			h.cfg.Log.Warn("halls not shown to Prometheus", "error", err)
			return
		}
		details = len(ids) <= detailedHalls
		ch <- prometheus.MustNewConstMetric(detailed, prometheus.GaugeValue, truth(details))
	}
	queue := make(chan string)
	var reading sync.WaitGroup
	for range min(atOnce, len(ids)) {
		reading.Go(func() {
			for id := range queue {
				h.collect(ch, id, details)
			}
		})
	}
	for _, id := range ids {
		queue <- id
	}
	close(queue)
	reading.Wait()
}

// collect shows one hall, all of it or nothing.
func (h *hallsCollector) collect(ch chan<- prometheus.Metric, id string, details bool) {
	shown, err := h.read(id, details)
	if hall.CodeOf(err) == hall.CodeUnknownHall && len(h.wanted.halls) == 0 {
		return // it went since
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		h.cfg.Log.Warn("hall not shown to Prometheus", "hall", id, "error", err)
	}
	ch <- prometheus.MustNewConstMetric(success, prometheus.GaugeValue, truth(err == nil), id)
	for _, m := range shown {
		ch <- m
	}
}

func (h *hallsCollector) read(id string, details bool) ([]prometheus.Metric, error) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-h.ctx.Done():
		return nil, h.ctx.Err()
	}
	if err := h.ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(h.ctx, h.cfg.HallLimit)
	defer cancel()
	of, err := h.cfg.Store.Hall(ctx, id)
	if err != nil {
		return nil, err
	}
	r := &reading{hall: &of}
	r.add(dayOpen, truth(of.Day.State == hall.DayOpen))
	if of.Day.State == hall.DayOpen && h.cfg.Metrics != nil {
		r.basics()
		if details {
			r.durations()
		}
		if (details && len(of.Layout.Machines) <= fewMachines) || h.wanted.machines {
			r.machines()
		}
		err = r.ask(ctx, h.cfg.Metrics)
	}
	if len(r.left) > 0 {
		h.cfg.Log.Warn("figures not shown to Prometheus", "hall", id, "metrics", r.left)
	}
	if err := errors.Join(err, r.err); err != nil {
		return nil, err
	}
	return r.shown, nil
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
