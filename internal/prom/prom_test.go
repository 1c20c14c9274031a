package prom_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

var tester = hall.Caller{By: "somebody"}

// scene is a store with a centre and what shows them.
type scene struct {
	*testing.T

	store  *hallredis.Store
	centre *metrics.Centre
	clock  *halltest.Clock
	cfg    prom.Config
}

func newScene(t *testing.T) *scene {
	t.Helper()
	client, prefix := redistest.Client(t)
	s := &scene{T: t, clock: halltest.NewClock()}
	s.store = hallredis.New(client, hallredis.Options{Prefix: prefix, Now: s.clock.Now})
	var err error
	s.centre, err = metrics.New(client, s.store, metrics.Options{Prefix: prefix, Now: s.clock.Now})
	s.must(err)
	s.cfg = prom.Config{Store: s.store, Metrics: s.centre, Version: "v1"}
	return s
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) putHall(id string, machines ...string) {
	s.Helper()
	s.putLayout(id, halltest.Layout(machines...))
}

func (s *scene) putLayout(id string, layout hall.Layout) {
	s.Helper()
	if _, _, err := s.store.PutHall(s.Context(), id, layout, "", tester); err != nil {
		s.Fatal(err, hall.FaultsOf(err))
	}
}

// text asks for /metrics and returns the answer, which must be 200.
func (s *scene) text(query string, headers ...string) string {
	s.Helper()
	return textOf(s.T, prom.New(s.cfg).Handler(), query, headers...)
}

func textOf(t *testing.T, handler http.Handler, query string, headers ...string) string {
	t.Helper()
	w := ask(t, handler, query, headers...)
	if w.Code != http.StatusOK {
		t.Fatalf("answered %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func ask(t *testing.T, handler http.Handler, query string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics"+query, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// parse reads the text as Prometheus does, strictly.
func parse(t *testing.T, text string) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("cannot be parsed: %v\n%s", err, text)
	}
	return families
}

// lint holds the text against what promtool checks.
func lint(t *testing.T, text string) {
	t.Helper()
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// has fails unless each of the lines is in the text.
func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			name, _, _ := strings.Cut(line, "{")
			var like []string
			for other := range strings.Lines(text) {
				if strings.HasPrefix(other, name) && !strings.Contains(other, "_bucket") {
					like = append(like, other)
				}
			}
			t.Errorf("no line %s, but\n%s", line, strings.Join(like, ""))
		}
	}
}

func hasNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s is in\n%s", part, text)
		}
	}
}

// rows are people with all of these subjects due.
func rows(n int, subjects ...string) []hall.RosterRow {
	list := make([]hall.RosterRow, n)
	for i := range list {
		list[i] = halltest.Row(fmt.Sprintf("secret-%d", i), subjects...)
		list[i].Person = hall.Person{Name: fmt.Sprintf("Secret Name %d", i), IDNumber: fmt.Sprintf("secretid%d", i)}
	}
	return list
}
