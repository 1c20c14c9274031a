package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/web/api"
)

const restCount = `{"metricsName": "agentRestCount",
	"metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "queryCommand": "HGET"},
	"metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HINCRBY", "delCommand": "HDEL"},
	"on": [{"event": "x_agent_rest", "do": "save", "value": "1"}]}`

// measuredHall is a client of the hall "h" with a centre.
func measuredHall(t *testing.T, changed ...func(hall.Metrics) hall.Metrics) *client {
	t.Helper()
	redis, prefix := redistest.Client(t)
	store := hallredis.New(redis, hallredis.Options{Prefix: prefix})
	centre, err := metrics.New(redis, store, metrics.Options{Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	var figures hall.Metrics = centre
	for _, change := range changed {
		figures = change(figures)
	}
	c := newClient(t, store)
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = api.WriteProblem(c, err) }
	c.handler, c.api = e, api.Mount(e, api.Config{Store: store, Metrics: figures, Token: token})
	c.do(http.MethodPut, "/halls/h", `{"name": "H", "timeZone": "UTC", "rules": {}, "subjects": [{"code": "1", "minutes": 10}],
		"rooms": [{"id": "a"}], "models": [{"id": "A", "subjects": ["1"]}], "machines": [{"id": "a-1", "room": "a", "model": "A"}]}`).is(http.StatusCreated)
	return c
}

func TestMetricsCentre(t *testing.T) {
	t.Parallel()
	c := measuredHall(t)
	c.do(http.MethodPut, "/metrics/agentRestCount", restCount).is(http.StatusCreated)
	c.do(http.MethodPut, "/metrics/agentRestCount", restCount).is(http.StatusOK)
	sent := c.do(http.MethodPost, "/halls/h/metrics/events",
		`{"event": "x_agent_rest", "fields": {"businessLineId": "32183821", "agentNum": "12345"}}`).is(http.StatusCreated)
	if !strings.Contains(sent.Body.String(), `"fields":{"agentNum":"12345","businessLineId":"32183821"}`) {
		t.Errorf("answered %s", sent.Body)
	}
	asked := c.do(http.MethodPost, "/halls/h/metrics/query",
		`{"metricsName": "agentRestCount", "params": {"businessLineId": "32183821", "agentNum": "12345"}}`).is(http.StatusOK)
	if got := strings.TrimSpace(asked.Body.String()); got != `{"metricsName":"agentRestCount","key":"im:agent:agentRestCount:32183821","field":"12345","command":"HGET","value":1}` {
		t.Errorf("answered %s", got)
	}
	c.do(http.MethodPost, "/halls/h/machines/a-1/out-of-service", `{"reason": "dark"}`).is(http.StatusOK)
	several := c.do(http.MethodPost, "/halls/h/metrics/query", `{"queries": [
		{"metricsName": "machineOutNow"}, {"metricsName": "machineOutCount", "params": {"machine": "a-1"}},
		{"metricsName": "machineLastOutage", "params": {"machine": "a-1"}}, {"metricsName": "waits", "params": {"subject": "1"}}]}`).is(http.StatusOK)
	answers := decode[struct{ Answers []struct{ Value any } }](several).Answers
	if len(answers) != 4 || answers[0].Value != 1.0 || answers[1].Value != 1.0 || answers[2].Value != nil || !strings.Contains(several.Body.String(), `"value":null`) {
		t.Errorf("answered %s", several.Body)
	}
	list := decode[page[struct {
		MetricsName string
		BuiltIn     bool
	}]](c.do(http.MethodGet, "/metrics?size=0", "").is(http.StatusOK))
	if i := slices.IndexFunc(list.Items, func(m struct {
		MetricsName string
		BuiltIn     bool
	},
	) bool {
		return m.MetricsName == "agentRestCount"
	}); i < 0 || list.Items[i].BuiltIn || list.Total != len(list.Items) || list.Total < 20 {
		t.Errorf("list is %+v", list)
	}
}

// published are the examples of the design that the centre follows, as they
// stand; restCount is the fourth.
var published = map[string]string{
	"agentRestList": `{"metricsName": "agentRestList",
		"metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "queryCommand": "HGETALL"},
		"metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HSET", "delCommand": "HDEL"},
		"on": [{"event": "x_agent_rest", "do": "save", "value": "json"}, {"event": "x_agent_back", "do": "del"}]}`,
	"agentRestNum": `{"metricsName": "agentRestNum",
		"metricsQueryMeta": {"keyTemplate": "im:agent:agentRestList:#businessLineId#", "fieldTemplate": "", "queryCommand": "HLEN"}}`,
	"agentRestCount": restCount,
	"agentSingleRestTime": `{"metricsName": "agentSingleRestTime",
		"metricsQueryMeta":      {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "queryCommand": "HGET"},
		"metricsSaveAndDelMeta": {"keyTemplate": "im:agent:#metricsName#:#businessLineId#", "fieldTemplate": "#agentNum#", "saveCommand": "HSET", "delCommand": "HDEL"},
		"on": [{"event": "x_agent_back", "do": "save", "value": "#restSeconds#"}]}`,
}

// TestPublishedExamples puts the published examples after the first events and
// before others, and asks for all of them at once and one by one.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	c := measuredHall(t)
	send := func(event, more string) {
		t.Helper()
		c.do(http.MethodPost, "/halls/h/metrics/events",
			`{"event": "`+event+`", "fields": {"businessLineId": "32183821", "agentNum": "12345"`+more+`}}`).is(http.StatusCreated)
	}
	send("x_agent_rest", "")
	for name, document := range published {
		c.do(http.MethodPut, "/metrics/"+name, document).is(http.StatusCreated)
	}
	send("x_agent_back", `, "restSeconds": "341.5"`)
	send("x_agent_rest", "")
	line, agent := `{"businessLineId": "32183821"}`, `{"businessLineId": "32183821", "agentNum": "12345"}`
	for _, test := range []struct{ name, params, command, value string }{
		{"agentRestList", line, "HGETALL", `{"12345":{"agentNum":"12345",`},
		{"agentRestNum", line, "HLEN", `1}`},
		{"agentRestCount", agent, "HGET", `2}`},
		{"agentSingleRestTime", agent, "HGET", `341.5}`},
		{"agentRestNum", `{"businessLineId": "other"}`, "HLEN", `0}`},
	} {
		question := `{"metricsName": "` + test.name + `", "params": ` + test.params + `}`
		one := c.do(http.MethodPost, "/halls/h/metrics/query", question).is(http.StatusOK).Body.String()
		many := c.do(http.MethodPost, "/halls/h/metrics/query", `{"queries": [`+question+`, `+question+`]}`).is(http.StatusOK).Body.String()
		want := `"command":"` + test.command + `","value":` + test.value
		if !strings.Contains(one, want) || strings.Count(many, want) != 2 {
			t.Errorf("%s %s is answered %s and %s", test.name, test.params, one, many)
		}
	}
}

// TestLongestParam takes a parameter of 128 characters.
func TestLongestParam(t *testing.T) {
	t.Parallel()
	c := measuredHall(t)
	c.do(http.MethodPost, "/halls/h/metrics/query",
		`{"metricsName": "machineOutCount", "params": {"machine": "`+strings.Repeat("机", 128)+`"}}`).is(http.StatusOK)
}

func TestMetricsRefusals(t *testing.T) {
	t.Parallel()
	c := measuredHall(t)
	c.do(http.MethodPut, "/metrics/agentRestCount", restCount).is(http.StatusCreated)
	const query, events = "POST /halls/h/metrics/query", "POST /halls/h/metrics/events"
	for name, test := range map[string]struct {
		request, body  string
		status         int
		code, location string
	}{
		"unknown metric": {query, `{"metricsName": "none"}`, 404, "unknown_metric", "body.metricsName"},
		"unknown hall":   {"POST /halls/no/metrics/query", `{"metricsName": "machineOutNow"}`, 404, "unknown_hall", ""},
		"unknown day":    {query, `{"metricsName": "machineOutNow", "day": "2020-01-01-1"}`, 404, "unknown_day", ""},
		"missing":        {query, `{"metricsName": "agentRestCount", "params": {"agentNum": "1"}}`, 422, "invalid", "body.params.businessLineId"},
		"surplus":        {query, `{"metricsName": "machineOutNow", "params": {"x": "1"}}`, 422, "invalid", "body.params.x"},
		"brace":          {query, `{"metricsName": "machineOutCount", "params": {"machine": "a}b"}}`, 422, "invalid", "body.params.machine"},
		"open brace":     {query, `{"metricsName": "machineOutCount", "params": {"machine": "{a"}}`, 422, "invalid", "body.params.machine"},
		"delete":         {query, `{"metricsName": "machineOutCount", "params": {"machine": "a\u007f"}}`, 422, "invalid", "body.params.machine"},
		"line break":     {query, `{"metricsName": "machineOutCount", "params": {"machine": "a\n"}}`, 422, "invalid", "body.params.machine"},
		"bad range":      {query, `{"metricsName": "waitingByClass", "params": {"class": "vip", "min": "1"}}`, 422, "invalid", "body.params.min"},
		"hash":           {query, `{"metricsName": "machineOutCount", "params": {"machine": "#x#"}}`, 422, "invalid", "body.params.machine"},
		"control":        {query, `{"metricsName": "machineOutCount", "params": {"machine": "a\u0000"}}`, 422, "invalid", "body.params.machine"},
		"long":           {query, `{"metricsName": "machineOutCount", "params": {"machine": "` + strings.Repeat("x", 129) + `"}}`, 422, "invalid", "body.params.machine"},
		"in several": {
			query, `{"queries": [{"metricsName": "machineOutNow"}, {"metricsName": "machineOutCount"}]}`, 422, "invalid", "body.queries[1].params.machine",
		},
		"neither":      {query, `{}`, 422, "invalid", "body.metricsName"},
		"both":         {query, `{"metricsName": "a", "queries": [{"metricsName": "a"}]}`, 422, "invalid", "body.metricsName"},
		"no queries":   {query, `{"queries": []}`, 422, "invalid", "body.queries"},
		"own event":    {events, `{"event": "candidate_called"}`, 422, "invalid", "body.event"},
		"long value":   {events, `{"event": "x_a", "fields": {"a": "` + strings.Repeat("x", 257) + `"}}`, 422, "invalid", "body.fields.a"},
		"own field":    {events, `{"event": "x_a", "fields": {"hour": "1"}}`, 422, "invalid", "body.fields.hour"},
		"field name":   {events, `{"event": "x_a", "fields": {"a b": "1"}}`, 422, "invalid", "body.fields"},
		"other name":   {"PUT /metrics/other", restCount, 422, "invalid", "body.metricsName"},
		"built in":     {"PUT /metrics/machineOutNow", `{"metricsQueryMeta": {"keyTemplate": "a", "queryCommand": "GET"}}`, 409, "in_use", ""},
		"bad name":     {"PUT /metrics/a%20b", `{"metricsQueryMeta": {"keyTemplate": "a", "queryCommand": "GET"}}`, 422, "invalid", "body.metricsName"},
		"two types":    {"PUT /metrics/a", strings.Replace(strings.Replace(restCount, "HGET", "SCARD", 1), "agentRestCount", "a", 1), 422, "invalid", "body.metricsSaveAndDelMeta.saveCommand"},
		"key of other": {"PUT /metrics/a", `{"metricsQueryMeta": {"keyTemplate": "machine:out", "queryCommand": "GET"}}`, 422, "invalid", "body.metricsQueryMeta.keyTemplate"},
		"saved built in": {"PUT /metrics/a", `{"metricsQueryMeta": {"keyTemplate": "a", "queryCommand": "HGETALL"},
			"metricsSaveAndDelMeta": {"keyTemplate": "waits:#x#", "fieldTemplate": "count", "saveCommand": "HINCRBY"}}`, 422, "invalid", "body.metricsSaveAndDelMeta.keyTemplate"},
		"key as of other": {"PUT /metrics/a", `{"metricsQueryMeta": {"keyTemplate": "im:#a#:#b#:#c#", "queryCommand": "GET"}}`, 422, "invalid", "body.metricsQueryMeta.keyTemplate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method, path, _ := strings.Cut(test.request, " ")
			p := c.do(method, path, test.body).problem(test.status, test.code)
			if test.location != "" && !slices.Contains(p.locations(), test.location) {
				t.Errorf("faults at %v, want %s", p.locations(), test.location)
			}
		})
	}
}
