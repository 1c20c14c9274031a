package metrics

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hallcall/hallcall/internal/hall"
)

// derivation is a figure that is worked out of others when it is asked for.
type derivation struct {
	name, description string
	command           string
	reads             *definition             // what it is worked out of
	beside            func(generation) string // where it reads what is kept beside the figures; nil for a figure
	args              []string                // of the command
	options           []string                // parameters that may be left out
	value             func(hash map[string]string, params map[string]string, h *hall.Hall) any
	list              func(texts []string) any // instead of value, where the command answers a list
}

var derived = []*derivation{
	spread("waits", "Waits until the calls for a subject", true),
	spread("walks", "From called to seated, for a subject", false),
	spread("sittingLengths", "From seated to ended, for a subject", false),
	derive("machinesByState", "Machines by state, of a room, a model or a subject if these are given", "machine:state",
		countMachines, "room", "model", "subject"),
	derive("machineOutByCode", "Machines out of service by the code of the reason", "machine:out", countCodes),
	waitingOverDay(),
	waitsOverDay(),
	allWaits(),
	followedState(),
	setAside(),
}

func derive(name, description, key string, value func(map[string]string, map[string]string, *hall.Hall) any, options ...string) *derivation {
	read, faults := compile(hall.Metric{MetricsName: name, MetricsQueryMeta: hall.MetricQuery{KeyTemplate: key, QueryCommand: "HGETALL"}})
	if len(faults) > 0 {
		panic(faults) // written above
	}
	return &derivation{name: name, description: description, command: "HGETALL", reads: read, options: options, value: value}
}

func followedState() *derivation {
	d := derive("metricsState", "Events in the figures, how much could not be saved, and lagSeconds: "+
		"how old the oldest event of the last batch was when it was taken in. A query takes in first what nobody has yet, so after a standstill it shows that lag once", "head",
		func(head, _ map[string]string, _ *hall.Hall) any {
			number := func(field string) int64 { n, _ := strconv.ParseInt(head[field], 10, 64); return n }
			return map[string]any{
				"events": number("events"), "setAside": number("aside"), "lagSeconds": float64(number("lag")) / 1000, "lastEvent": head["after"],
			}
		})
	d.beside = generation.head
	return d
}

// setAsideShown is how many things that could not be saved are answered.
const setAsideShown = 20

// setAside tells what could not be saved and why, the newest first.
func setAside() *derivation {
	d := derive("metricsSetAside", "The last "+strconv.Itoa(setAsideShown)+" saves and deletes that were set aside, newest first: metric, id of the event, reason", "aside", nil)
	d.command, d.args, d.beside = "LRANGE", []string{"0", strconv.Itoa(setAsideShown - 1)}, generation.aside
	d.reads.MetricsQueryMeta.QueryCommand = d.command
	d.list = func(texts []string) any {
		all := make([]json.RawMessage, len(texts))
		for i, text := range texts {
			all[i] = json.RawMessage(text)
		}
		return all
	}
	return d
}

func derivedBy(name string) *derivation {
	for _, d := range derived {
		if d.name == name {
			return d
		}
	}
	return nil
}

// metric describes a derived figure like the others.
func (d *derivation) metric() hall.Metric {
	m := d.reads.Metric
	m.Description = d.description
	return m
}

// Spread says how a duration was distributed. Count and mean are exact. The
// others are read from buckets: the share of what lies in one is taken to be
// spread evenly over it. So median and p95 are off by less than the width of
// their bucket (from a minute on at most 25 %), the maximum is the end of the
// last bucket, and the share within the target is exact where a bucket ends at
// the target, as at the usual 1800 seconds. What is longer than twelve hours
// counts as twelve hours.
type Spread struct {
	Count         int     `json:"count"`
	MeanSeconds   float64 `json:"meanSeconds"`
	MedianSeconds float64 `json:"medianSeconds"`
	P95Seconds    float64 `json:"p95Seconds"`
	MaxSeconds    float64 `json:"maxSeconds"`
	// WithinTarget is nil for what has no target, and while Count is 0.
	WithinTarget  *float64 `json:"withinTarget,omitempty"`
	TargetSeconds int      `json:"targetSeconds,omitzero"`
}

// spread derives the distribution of a duration.
func spread(name, description string, target bool) *derivation {
	return derive(name, description, name+":#subject#", func(hash, _ map[string]string, h *hall.Hall) any {
		s := SpreadOf(hash)
		if target {
			s.TargetSeconds = h.Layout.Rules.WaitTargetSeconds
			if s.Count > 0 {
				share := shareWithin(hash, float64(s.TargetSeconds))
				s.WithinTarget = &share
			}
		}
		return s
	})
}

// SpreadOf reads a distribution: fields are the ends of buckets, "count" and
// "millis", the sum.
func SpreadOf(hash map[string]string) Spread {
	var s Spread
	s.Count, _ = strconv.Atoi(hash["count"])
	if s.Count == 0 {
		return s
	}
	sum, _ := strconv.ParseInt(hash["millis"], 10, 64)
	s.MeanSeconds = rounded(float64(sum) / float64(s.Count) / 1000)
	s.MedianSeconds, s.P95Seconds = quantile(hash, s.Count, 0.5), quantile(hash, s.Count, 0.95)
	for _, b := range bucketsIn(hash) {
		s.MaxSeconds = b.end
	}
	return s
}

// bucket is one that is not empty.
type bucket struct {
	begin, end float64 // seconds
	count      int
}

// bucketsIn are the buckets of a distribution that are not empty, in order.
func bucketsIn(hash map[string]string) []bucket {
	var list []bucket
	begin := 0
	for _, bound := range bounds {
		if n, _ := strconv.Atoi(hash[strconv.Itoa(bound)]); n > 0 {
			list = append(list, bucket{float64(begin), float64(bound), n})
		}
		begin = bound
	}
	if n, _ := strconv.Atoi(hash[endless]); n > 0 {
		list = append(list, bucket{float64(begin), float64(begin), n})
	}
	return list
}

// quantile is the duration that the share q does not exceed.
func quantile(hash map[string]string, count int, q float64) float64 {
	rank := math.Ceil(q * float64(count))
	before := 0
	for _, b := range bucketsIn(hash) {
		if float64(before+b.count) >= rank {
			return rounded(b.begin + (b.end-b.begin)*(rank-float64(before))/float64(b.count))
		}
		before += b.count
	}
	return 0
}

// shareWithin is the share of durations that do not exceed a target.
func shareWithin(hash map[string]string, target float64) float64 {
	all, within := 0.0, 0.0
	for _, b := range bucketsIn(hash) {
		n := float64(b.count)
		all += n
		switch {
		case b.end <= target && (b.begin < b.end || target > b.end || b.end == 0):
			within += n
		case b.begin < target:
			within += n * (target - b.begin) / (b.end - b.begin)
		}
	}
	if all == 0 {
		return 0
	}
	return rounded(within / all)
}

func rounded(f float64) float64 { return math.Round(f*1000) / 1000 }

// countMachines counts machines by state, of those that the parameters leave.
// Room, model and subjects of a machine are those of the present layout.
func countMachines(states, params map[string]string, h *hall.Hall) any {
	counts := map[string]int{}
	for _, state := range hall.MachineStates {
		counts[string(state)] = 0
	}
	specs := map[string]hall.MachineSpec{}
	for _, spec := range h.Layout.Machines {
		specs[spec.ID] = spec
	}
	for _, id := range slices.Sorted(maps.Keys(states)) {
		spec := specs[id]
		model, _ := h.Layout.Model(spec.Model)
		fits := func(name string, is func(string) bool) bool { want, ok := params[name]; return !ok || is(want) }
		if fits("room", func(s string) bool { return s == spec.Room }) && fits("model", func(s string) bool { return s == spec.Model }) &&
			fits("subject", func(s string) bool { return slices.Contains(model.Subjects, s) }) {
			counts[states[id]]++
		}
	}
	return counts
}

// countCodes counts machines out of service by the code of the reason, from the
// events that took them out.
func countCodes(out, _ map[string]string, _ *hall.Hall) any {
	counts := map[string]int{}
	for _, code := range hall.OutageCodes {
		counts[string(code)] = 0
	}
	for _, event := range out {
		var said struct{ ReasonCode string }
		if err := json.Unmarshal([]byte(event), &said); err != nil || said.ReasonCode == "" {
			said.ReasonCode = string(hall.OutageOther)
		}
		counts[said.ReasonCode]++
	}
	return counts
}
