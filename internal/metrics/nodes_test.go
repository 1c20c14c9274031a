package metrics_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/metrics"
)

// TestDefinitionsAreSeenByAllNodes puts a definition on one node: another one,
// which has followed the hall until then, answers it at once, with the whole
// day, and shows it in its list.
func TestDefinitionsAreSeenByAllNodes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		other := s.another(0)
		s.send("x_seen", "machine", "m1", "candidate", "1")
		s.must(other.Follow(s.Context(), s.id))
		s.put(seen[0])
		answers, err := other.QueryMetrics(s.Context(), s.id, []hall.MetricRequest{{MetricsName: "seenCount", Params: params([]string{"machine", "m1"})}})
		s.must(err)
		if text, _ := json.Marshal(answers[0].Value); string(text) != "1" {
			s.Errorf("another node answers %s", text)
		}
		list, err := other.Metrics(s.Context())
		s.must(err)
		there := false
		for _, m := range list {
			there = there || (m.MetricsName == "seenCount" && !m.BuiltIn)
		}
		if !there {
			s.Error("another node does not list it")
		}
	})
}

// TestTwoPutAtOnce puts definitions of one key and two types on two nodes at
// the same time: one of them is refused.
func TestTwoPutAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		nodes := []*metrics.Centre{s.centre, s.another(0)}
		const rounds = 30
		for round := range rounds {
			var both sync.WaitGroup
			errs := make([]error, len(nodes))
			for i, query := range []string{"GET", "HGETALL"} {
				save := hall.MetricSave{KeyTemplate: fmt.Sprint("k", round), SaveCommand: "SET"}
				if i == 1 {
					save.SaveCommand, save.FieldTemplate = "HSET", "f"
				}
				m := hall.Metric{
					MetricsName:      fmt.Sprint("m", round, "_", i),
					MetricsQueryMeta: hall.MetricQuery{KeyTemplate: save.KeyTemplate, QueryCommand: query}, MetricsSaveAndDelMeta: save,
				}
				both.Go(func() { _, errs[i] = nodes[i].PutMetric(s.Context(), m) })
			}
			both.Wait()
			if (errs[0] == nil) == (errs[1] == nil) || hall.CodeOf(errors.Join(errs...)) != hall.CodeInvalid {
				s.Fatalf("round %d: %v", round, errs)
			}
		}
	})
}

// TestTwoNodesAtOnce has two nodes follow the same hall again and again while
// events come: each is counted once.
func TestTwoNodesAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.put(seen[0])
		other := s.another(3)
		const rounds = 30
		for range rounds {
			s.send("x_seen", "machine", "m1", "candidate", "1")
			s.send("x_seen", "machine", "m2", "candidate", "2")
			var both sync.WaitGroup
			errs := make([]error, 2)
			both.Go(func() { errs[0] = s.centre.Follow(s.Context(), s.id) })
			both.Go(func() { errs[1] = other.Follow(s.Context(), s.id) })
			both.Wait()
			s.must(errors.Join(errs...))
		}
		s.want("30", "seenCount", "machine", "m1")
		s.want("30", "seenCount", "machine", "m2")
	})
}

// TestNothingReachesOutside has templates and values that look like keys of
// the hall, of another one and of the site: whatever is saved is within the
// space of the hall's metrics.
func TestNothingReachesOutside(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.put(`{"metricsName": "up", "metricsQueryMeta": {"keyTemplate": "../:hall", "queryCommand": "GET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "../:hall", "saveCommand": "SET", "delCommand": "DEL"},
			"on": [{"event": "x_set", "do": "save", "value": "#v#"}, {"event": "x_del", "do": "del"}]}`)
		s.put(`{"metricsName": "any", "metricsQueryMeta": {"keyTemplate": "#k#", "queryCommand": "GET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "#k#", "saveCommand": "SET", "delCommand": "DEL"},
			"on": [{"event": "x_set", "do": "save", "value": "#v#"}, {"event": "x_del", "do": "del"}]}`)
		before := s.keys()
		for _, k := range []string{"hall", "head", "names", "followed", s.prefix + "{no7}:hall", "metrics:definitions", "*", "machine:state", "figure:machine:state", "waits:1"} {
			s.send("x_set", "k", k, "v", "x")
			s.must(s.centre.Follow(s.Context(), s.id))
			if !strings.Contains(k, "{") { // else it cannot be asked for at all
				s.want(`"x"`, "any", "k", k)
			}
			s.send("x_del", "k", k)
			s.send("x_set", "k", k, "v", "x")
		}
		s.want(`{"m1":"idle","m2":"idle","m3":"idle"}`, "machineStates") // nor is anything of another figure reached
		s.want("0", "waitCount", "subject", "1")
		if followed := s.client.HGet(s.Context(), s.prefix+"{no7}:metrics:followed", "day").Val(); followed != "" {
			s.Errorf("the day that is followed became %q", followed)
		}
		own := s.prefix + "{no7}:metrics:"
		for key := range s.keys() {
			if !before[key] && !strings.HasPrefix(key, own) {
				s.Errorf("there is a new key %s", key)
			}
		}
		after := s.keys()
		for key := range before {
			if !after[key] && !strings.HasPrefix(key, own) {
				s.Errorf("there is no key %s any more", key)
			}
		}
		state, err := s.store.State(s.Context(), s.id)
		s.must(err)
		if broken := hall.Check(&state); len(broken) > 0 {
			s.Error(broken)
		}
	})
}

// overBuiltIn are definitions whose keys can be written as those of built-in
// figures are: with another type, and with the same one.
var overBuiltIn = []string{
	`{"metricsName": "second", "metricsQueryMeta": {"keyTemplate": "machine:#a#", "queryCommand": "GET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "machine:#a#", "saveCommand": "SET", "delCommand": "DEL"},
		"on": [{"event": "x_e", "do": "save", "value": "7"}, {"event": "x_del", "do": "del"}]}`,
	`{"metricsName": "first", "metricsQueryMeta": {"keyTemplate": "#b#s:#subject#", "fieldTemplate": "count", "queryCommand": "HGET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "#b#s:#subject#", "fieldTemplate": "count", "saveCommand": "HINCRBY", "delCommand": "DEL"},
		"on": [{"event": "candidate_called", "do": "save", "value": "100", "as": {"b": "wait"}}, {"event": "x_del", "do": "del"}]}`,
}

// TestBuiltInFiguresStay has such definitions save and delete: all built-in
// figures stay what they are without them.
func TestBuiltInFiguresStay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		for _, document := range overBuiltIn {
			s.put(document)
		}
		_, err := s.store.PutRoster(s.Context(), s.id, []hall.RosterRow{halltest.Row("p", "1")}, false, tester)
		s.must(err)
		_, _, err = s.store.CheckIn(s.Context(), s.id, "p", hall.CheckIn{}, tester)
		s.must(err)
		s.send("x_e", "a", "state")
		s.send("x_e", "a", "out")
		unharmed := func() {
			s.Helper()
			s.want(`{"m1":"called","m2":"idle","m3":"idle"}`, "machineStates")
			s.want("0", "machineOutNow")
			s.want("1", "waitCount", "subject", "1")
		}
		unharmed()
		s.want("7", "second", "a", "state")
		s.want("100", "first", "b", "wait", "subject", "1")
		s.send("x_del", "a", "state", "b", "wait", "subject", "1")
		unharmed()
		s.want("null", "second", "a", "state")
	})
}

// TestBuiltInKeysAreRead has a definition that reads what a built-in one saves.
func TestBuiltInKeysAreRead(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.put(`{"metricsName": "machines", "metricsQueryMeta": {"keyTemplate": "machine:state", "queryCommand": "HLEN"}}`)
		s.want("3", "machines")
	})
}

// keys are all keys of the test.
func (s *scene) keys() map[string]bool {
	s.Helper()
	all := map[string]bool{}
	scan := s.client.Scan(s.Context(), 0, s.prefix+"*", 1000).Iterator()
	for scan.Next(s.Context()) {
		all[scan.Val()] = true
	}
	s.must(scan.Err())
	return all
}
