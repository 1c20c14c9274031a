package web_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// figures are under a name that none of their methods has.
type figures = hall.Metrics

// unreadable cannot read some figures.
type unreadable struct {
	figures

	metrics map[string]bool
}

func (u unreadable) QueryMetrics(ctx context.Context, id string, requests []hall.MetricRequest) ([]hall.MetricAnswer, error) {
	answers, err := u.figures.QueryMetrics(ctx, id, requests)
	for i := range answers {
		if u.metrics[answers[i].MetricsName] {
			answers[i].Value, answers[i].Error = nil, "It cannot be read."
		}
	}
	return answers, err
}

// TestMonitorWithoutOneFigure leaves out what cannot be read, and says nothing
// in its place.
func TestMonitorWithoutOneFigure(t *testing.T) {
	t.Parallel()
	b := setupFigures(t, func(cfg *web.Config, _ *hall.Layout) {
		cfg.Metrics = unreadable{cfg.Metrics, map[string]bool{"waitsOverDay": true, "waits": true}}
	})
	b.checkIn("c1")
	p := b.get(monitorPath).expect(t, http.StatusOK)
	if n := p.Find(`[data-testid=curve]`).Length(); n != 2 || p.Find(`[data-curve=waits]`).Length() != 0 {
		t.Errorf("there are %d curves", n)
	}
	calls := p.part("wait-row").Map(func(_ int, row *goquery.Selection) string { return row.Find("td").Eq(2).Text() })
	if len(calls) < 2 || calls[0] != "–" || calls[len(calls)-1] != "1" {
		t.Errorf("calls are %q", calls)
	}
}
