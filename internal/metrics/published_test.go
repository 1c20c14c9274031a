package metrics_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

const (
	business = "32183821"
	agent    = "12345"
)

// published are the examples of the design that the centre follows, as they stand.
var published = []string{
	`{"metricsName": "agentRestList",
	 "metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "queryCommand": "HGETALL"},
	 "metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HSET", "delCommand": "HDEL"},
	 "on": [{"event": "x_agent_rest", "do": "save", "value": "json"}, {"event": "x_agent_back", "do": "del"}]}`,
	`{"metricsName": "agentRestNum",
	 "metricsQueryMeta": {"keyTemplate": "im:agent:agentRestList:#businessLineId#", "queryCommand": "HLEN"}}`,
	`{"metricsName": "agentRestCount",
	 "metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "queryCommand": "HGET"},
	 "metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HINCRBY", "delCommand": "HDEL"},
	 "on": [{"event": "x_agent_rest", "do": "save", "value": "1"}]}`,
	`{"metricsName": "agentSingleRestTime",
	 "metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "queryCommand": "HGET"},
	 "metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HSET", "delCommand": "HDEL"},
	 "on": [{"event": "x_agent_back", "do": "save", "value": "#restSeconds#"}]}`,
}

func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		of := []string{"businessLineId", business}
		one := append(of, "agentNum", agent)
		s.send("x_agent_rest", one...) // before there are definitions: counted all the same
		for _, document := range published {
			s.put(document)
		}
		s.want("1", "agentRestNum", of...)
		s.want("1", "agentRestCount", one...)
		s.want("null", "agentSingleRestTime", one...)
		s.send("x_agent_rest", "businessLineId", business, "agentNum", "2")
		s.send("x_agent_back", append(one, "restSeconds", "341.5")...)
		s.send("x_agent_rest", one...)
		s.want("2", "agentRestNum", of...)
		s.want("2", "agentRestCount", one...)
		s.want("341.5", "agentSingleRestTime", one...)
		s.want("0", "agentRestNum", "businessLineId", "other")
		var list map[string]struct{ AgentNum, Event string }
		s.must(json.Unmarshal([]byte(s.ask("agentRestList", of...)), &list))
		if len(list) != 2 || list[agent].AgentNum != agent || list["2"].Event != "x_agent_rest" {
			s.Errorf("resting are %+v", list)
		}
		answers, err := s.centre.QueryMetrics(s.Context(), s.id, []hall.MetricRequest{{MetricsName: "agentRestCount", Params: params(one)}})
		s.must(err)
		answers[0].Value = nil
		if want := (hall.MetricAnswer{MetricsName: "agentRestCount", Key: "im:agent:agentRestCount:" + business, Field: agent, Command: "HGET"}); answers[0] != want {
			s.Errorf("answered %+v, want %+v", answers[0], want)
		}
	})
}

// TestEveryCommand puts a definition with each command and asks for it.
func TestEveryCommand(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		define := func(name, key, save, del, query string, field bool) {
			f := ""
			if field {
				f = `"fieldTemplate": "#f#",`
			}
			s.put(strings.NewReplacer("NAME", name, "KEY", key, "SAVE", save, "DEL", del, "QUERY", query, "FIELD", f).Replace(`{"metricsName": "NAME",
				"metricsQueryMeta": {"keyTemplate": "KEY:#k#", FIELD "queryCommand": "QUERY"},
				"metricsSaveAndDelMeta": {"keyTemplate": "KEY:#k#", FIELD "saveCommand": "SAVE", "delCommand": "DEL"},
				"on": [{"event": "x_save", "do": "save", "value": "#v#"}, {"event": "x_del", "do": "del"}]}`))
		}
		ask := func(name, key, query string) {
			s.put(`{"metricsName": "` + name + `", "metricsQueryMeta": {"keyTemplate": "` + key + `:#k#", "fieldTemplate": "#f#", "queryCommand": "` + query + `"}}`)
		}
		define("hset", "h", "HSET", "HDEL", "HGET", true)
		define("hincrby", "hi", "HINCRBY", "HDEL", "HGET", true)
		define("hincrbyfloat", "hf", "HINCRBYFLOAT", "DEL", "HGET", true)
		ask("hgetall", "h", "HGETALL")
		ask("hlen", "h", "HLEN")
		define("set", "s", "SET", "DEL", "GET", false)
		define("incrby", "i", "INCRBY", "DEL", "GET", false)
		define("sadd", "m", "SADD", "SREM", "SMEMBERS", true)
		ask("scard", "m", "SCARD")
		define("zadd", "z", "ZADD", "ZREM", "ZSCORE", true)
		ask("zcount", "z", "ZCOUNT")
		ask("zrange", "z", "ZRANGE")
		ask("zcard", "z", "ZCARD")
		for _, e := range [][2]string{{"a", "1"}, {"b", "20"}, {"a", "3"}} {
			s.send("x_save", "k", "x:y%", "f", e[0], "v", e[1])
		}
		k := []string{"k", "x:y%"}
		a, b := append(k, "f", "a"), append(k, "f", "b")
		s.want("3", "hset", a...)
		s.want("4", "hincrby", a...)
		s.want("4", "hincrbyfloat", a...)
		s.want(`{"a":3,"b":20}`, "hgetall", k...)
		s.want("2", "hlen", k...)
		s.want("3", "set", k...)
		s.want("24", "incrby", k...)
		s.want(`["a","b"]`, "sadd", k...)
		s.want("2", "scard", k...)
		s.want("20", "zadd", b...)
		s.want("2", "zcount", k...)
		s.want("1", "zcount", append(k, "min", "(3", "max", "20")...)
		s.want(`["a","b"]`, "zrange", k...)
		s.want(`["b"]`, "zrange", append(k, "start", "-1", "stop", "-1")...)
		s.want("2", "zcard", k...)
		s.send("x_del", a...)
		s.want("null", "hset", a...)
		s.want("0", "hincrby", a...)
		s.want("0", "hincrbyfloat", b...) // DEL takes the whole key
		s.want("1", "hlen", k...)
		s.want("null", "set", k...)
		s.want("0", "incrby", k...)
		s.want(`["b"]`, "sadd", k...)
		s.want("null", "zadd", a...)
		s.want("1", "zcard", k...)
		s.want(`{}`, "hgetall", "k", "none")
		s.want(`[]`, "zrange", "k", "none")
	})
}

// TestValuesStayApart has values that would make one key of two.
func TestValuesStayApart(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.put(`{"metricsName": "pairs", "metricsQueryMeta": {"keyTemplate": "p:#a#:#b#", "queryCommand": "GET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "p:#a#:#b#", "saveCommand": "INCRBY"}, "on": [{"event": "x_p", "do": "save", "value": "1"}]}`)
		for _, v := range [][2]string{{"1:2", "3"}, {"1", "2:3"}, {"1%3A2", "3"}, {"", "x"}, {"../../{no7}:hall", "*"}} {
			s.send("x_p", "a", v[0], "b", v[1])
		}
		for _, v := range [][2]string{{"1:2", "3"}, {"1", "2:3"}, {"1%3A2", "3"}, {"", "x"}} {
			s.want("1", "pairs", "a", v[0], "b", v[1])
		}
		before, err := s.store.State(s.Context(), s.id)
		s.must(err)
		if broken := hall.Check(&before); len(broken) > 0 {
			s.Error(broken)
		}
	})
}
