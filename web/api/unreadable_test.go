package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// figures are under a name that none of their methods has.
type figures = hall.Metrics

// unreadable cannot read one figure.
type unreadable struct {
	figures

	metric string
}

func (u unreadable) QueryMetrics(ctx context.Context, id string, requests []hall.MetricRequest) ([]hall.MetricAnswer, error) {
	answers, err := u.figures.QueryMetrics(ctx, id, requests)
	for i := range answers {
		if answers[i].MetricsName == u.metric {
			answers[i].Value, answers[i].Error = nil, "It cannot be read."
		}
	}
	return answers, err
}

func TestUnreadableFigure(t *testing.T) {
	t.Parallel()
	c := measuredHall(t, func(m hall.Metrics) hall.Metrics { return unreadable{m, "machineStates"} })
	c.do(http.MethodPost, "/halls/h/metrics/query", `{"metricsName": "machineStates"}`).problem(http.StatusConflict, "unreadable")
	several := c.do(http.MethodPost, "/halls/h/metrics/query", `{"queries": [{"metricsName": "machineOutNow"}, {"metricsName": "machineStates"}]}`).is(http.StatusOK).Body.String()
	if !strings.Contains(several, `"value":0}`) || !strings.Contains(several, `"value":null,"error":"It cannot be read."}`) {
		t.Errorf("answered %s", several)
	}
}
