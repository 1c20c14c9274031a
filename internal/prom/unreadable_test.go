package prom_test

import (
	"context"
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

// TestOneUnreadableFigure shows a hall without the one figure.
func TestOneUnreadableFigure(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.putHall("no7", "one", "both")
	s.cfg.Metrics = unreadable{s.centre, "machinesByState"}
	text := s.text("")
	lint(t, text)
	if !strings.Contains(text, `hallcall_hall_scrape_success{hall="no7"} 1`) || !strings.Contains(text, `hallcall_day_check_ins{hall="no7"} 0`) ||
		strings.Contains(text, "hallcall_machines{") {
		t.Errorf("shown is %s", text)
	}
}
