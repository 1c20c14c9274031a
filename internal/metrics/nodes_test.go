package metrics_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
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
		for _, k := range []string{"hall", "head", "names", "followed", s.prefix + "{no7}:hall", "metrics:definitions", "*"} {
			s.send("x_set", "k", k, "v", "x")
			s.must(s.centre.Follow(s.Context(), s.id))
			if !strings.Contains(k, "{") { // else it cannot be asked for at all
				s.want(`"x"`, "any", "k", k)
			}
			s.send("x_del", "k", k)
			s.send("x_set", "k", k, "v", "x")
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
