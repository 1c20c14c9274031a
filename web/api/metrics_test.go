package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

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
func measuredHall(t *testing.T) *client {
	t.Helper()
	redis, prefix := redistest.Memory(t)
	store := hallredis.New(redis, hallredis.Options{Prefix: prefix})
	centre, err := metrics.New(redis, store, metrics.Options{Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, store)
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = api.WriteProblem(c, err) }
	c.handler, c.api = e, api.Mount(e, api.Config{Store: store, Metrics: centre, Token: token})
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
		"field name":   {events, `{"event": "x_a", "fields": {"a b": "1"}}`, 422, "invalid", "body.fields"},
		"other name":   {"PUT /metrics/other", restCount, 422, "invalid", "body.metricsName"},
		"built in":     {"PUT /metrics/machineOutNow", `{"metricsQueryMeta": {"keyTemplate": "a", "queryCommand": "GET"}}`, 409, "in_use", ""},
		"bad name":     {"PUT /metrics/a%20b", `{"metricsQueryMeta": {"keyTemplate": "a", "queryCommand": "GET"}}`, 422, "invalid", "body.metricsName"},
		"two types":    {"PUT /metrics/a", strings.Replace(strings.Replace(restCount, "HGET", "SCARD", 1), "agentRestCount", "a", 1), 422, "invalid", "body.metricsSaveAndDelMeta.saveCommand"},
		"key of other": {"PUT /metrics/a", `{"metricsQueryMeta": {"keyTemplate": "machine:out", "queryCommand": "GET"}}`, 422, "invalid", "body.metricsQueryMeta.keyTemplate"},
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
