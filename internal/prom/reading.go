package prom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hallcall/hallcall/internal/hall"
)

// reading collects questions about one hall, which are asked all at once, and
// what their answers show.
type reading struct {
	hall     *hall.Hall
	requests []hall.MetricRequest
	takers   []func(value any)
	shown    []prometheus.Metric
	left     []string // figures that could not be read, and are left out
	err      error    // of what cannot be shown
}

// add shows a number. A hall that has one that cannot be shown is not shown at all.
func (r *reading) add(desc *prometheus.Desc, value float64, labels ...string) {
	m, err := prometheus.NewConstMetric(desc, prometheus.GaugeValue, value, append([]string{r.hall.ID}, labels...)...)
	r.keep(m, err)
}

func (r *reading) keep(m prometheus.Metric, err error) {
	if err != nil {
		r.err = errors.Join(r.err, fmt.Errorf("prom: %w", err))
		return
	}
	r.shown = append(r.shown, m)
}

// want asks for a figure; pairs are its parameters.
func (r *reading) want(metric string, take func(value any), pairs ...string) {
	request := hall.MetricRequest{MetricsName: metric}
	for i := 0; i+1 < len(pairs); i += 2 {
		request.Params = map[string]string{pairs[i]: pairs[i+1]}
	}
	r.requests, r.takers = append(r.requests, request), append(r.takers, take)
}

// ask asks everything in one call, of one moment.
func (r *reading) ask(ctx context.Context, figures hall.Metrics) error {
	answers, err := figures.QueryMetrics(ctx, r.hall.ID, r.requests)
	if err != nil {
		return err
	}
	for i, take := range r.takers {
		if answers[i].Error != "" {
			r.left = append(r.left, answers[i].MetricsName)
			continue
		}
		take(answers[i].Value)
	}
	return nil
}

// basics are what every hall shows.
func (r *reading) basics() {
	for _, s := range r.hall.Layout.Subjects {
		r.want("waitingBySubject", func(v any) { r.add(waitingBySubject, number(v), s.Code) }, "subject", s.Code)
	}
	for _, class := range hall.Classes {
		r.want("waitingByClass", func(v any) { r.add(waitingByClass, number(v), string(class)) }, "class", string(class))
	}
	r.want("machinesByState", func(v any) {
		byState := numbers(v)
		for _, state := range hall.MachineStates {
			r.add(machinesByState, byState[string(state)], string(state))
		}
	})
	r.want("alertsActive", func(v any) {
		byName := numbers(v)
		for _, name := range hall.AlertNames {
			r.add(alertsActive, byName[string(name)], string(name))
		}
	})
	for metric, desc := range map[string]*prometheus.Desc{
		"checkInsPerHour": checkIns, "callsPerHour": calls, "donePerHour": done, "commands": commands,
	} {
		r.want(metric, func(v any) { r.add(desc, sum(v)) })
	}
	r.want("absences", func(v any) { r.add(absences, number(v)) })
	for metric, desc := range map[string]*prometheus.Desc{"noShows": noShows, "recalls": recalls, "aborts": aborts, "sittingsEnded": ended} {
		r.want(metric, func(v any) {
			bySubject := numbers(v)
			for _, s := range r.hall.Layout.Subjects {
				r.add(desc, bySubject[s.Code], s.Code)
			}
		})
	}
	r.want("metricsState", func(v any) {
		state := numbers(v)
		r.add(events, state["events"])
		r.add(setAside, state["setAside"])
		r.add(lag, state["lagSeconds"])
	})
}

// durations are histograms by subject.
func (r *reading) durations() {
	for metric, desc := range map[string]*prometheus.Desc{"waitBuckets": waits, "walkBuckets": walks, "sittingLengthBuckets": lengths} {
		for _, s := range r.hall.Layout.Subjects {
			r.want(metric, func(v any) { r.histogram(desc, numbers(v), s.Code) }, "subject", s.Code)
		}
	}
}

// histogram shows counts by the ends of buckets, as they grow up to each end.
func (r *reading) histogram(desc *prometheus.Desc, counts map[string]float64, subject string) {
	buckets, all := make(map[float64]uint64, len(hall.DurationBounds)), uint64(0)
	for _, bound := range hall.DurationBounds {
		all += uint64(counts[strconv.Itoa(bound)])
		buckets[float64(bound)] = all
	}
	all += uint64(counts["inf"])
	m, err := prometheus.NewConstHistogram(desc, all, counts["millis"]/1000, buckets, r.hall.ID, subject)
	r.keep(m, err)
}

// machines are figures of each machine.
func (r *reading) machines() {
	each := func(metric string, show func(m *hall.MachineSpec, values map[string]any)) {
		r.want(metric, func(v any) {
			values, _ := v.(map[string]any)
			for i := range r.hall.Layout.Machines {
				show(&r.hall.Layout.Machines[i], values)
			}
		})
	}
	each("machineStates", func(m *hall.MachineSpec, values map[string]any) {
		r.add(machineOut, truth(values[m.ID] == string(hall.MachineOutOfService)), m.Room, m.ID)
	})
	each("machineOutCounts", func(m *hall.MachineSpec, values map[string]any) {
		r.add(machineOuts, number(values[m.ID]), m.Room, m.ID)
	})
	each("machineLastOutages", func(m *hall.MachineSpec, values map[string]any) {
		if length, ok := values[m.ID]; ok {
			r.add(lastOutage, number(length), m.Room, m.ID)
		}
	})
}

// number reads a figure that is one; what is not there is 0.
func number(value any) float64 {
	switch v := value.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case float64:
		return v
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return 0
}

// numbers reads a figure that is a number by name.
func numbers(value any) map[string]float64 {
	all := map[string]float64{}
	switch v := value.(type) {
	case map[string]int:
		for name, n := range v {
			all[name] = float64(n)
		}
	case map[string]any:
		for name, n := range v {
			all[name] = number(n)
		}
	}
	return all
}

// sum adds up a figure that is a number by name.
func sum(value any) (all float64) {
	for _, n := range numbers(value) {
		all += n
	}
	return all
}
