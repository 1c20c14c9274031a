package metrics_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// deep plays all days in full, in-process too, which is slow there.
var deep = flag.Bool("metrics.deep", false, "play long days on the in-process Redis too")

// fewDays are the random days that are played unless -rapid.checks says otherwise.
const fewDays = "12"

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", fewDays); err != nil { // flags of the command line are read later
		panic(err)
	}
	os.Exit(redistest.Run(m))
}

// servers are the kinds of Redis that the tests run on.
var servers = map[string]func(testing.TB) (redis.UniversalClient, string){
	"redis":  redistest.Client,
	"memory": redistest.Memory,
}

// onBoth runs a test on both kinds of Redis.
func onBoth(t *testing.T, test func(s *scene)) {
	t.Helper()
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newScene(t, server))
		})
	}
}

// scene is a hall with the centre that follows it.
type scene struct {
	testing.TB

	client redis.UniversalClient
	prefix string
	store  *hallredis.Store
	clock  *halltest.Clock
	centre *metrics.Centre
	id     string
}

var tester = hall.Caller{By: "test"}

func newScene(tb testing.TB, server func(testing.TB) (redis.UniversalClient, string), machines ...string) *scene {
	tb.Helper()
	client, prefix := server(tb)
	s := &scene{TB: tb, client: client, prefix: prefix, clock: halltest.NewClock(), id: "no7"}
	s.store = hallredis.New(client, hallredis.Options{Prefix: prefix, Now: s.clock.Now})
	s.centre = s.another(0)
	if len(machines) == 0 {
		machines = []string{"one", "two", "both"}
	}
	_, _, err := s.store.PutHall(tb.Context(), s.id, halltest.Layout(machines...), "", tester)
	s.must(err)
	return s
}

// another is the centre of another node.
func (s *scene) another(batch int) *metrics.Centre {
	s.Helper()
	c, err := metrics.New(s.client, s.store, metrics.Options{Prefix: s.prefix, Now: s.clock.Now, Batch: batch})
	s.must(err)
	return c
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// put puts a definition as it is published.
func (s *scene) put(document string) {
	s.Helper()
	var m hall.Metric
	s.must(json.Unmarshal([]byte(document), &m))
	_, err := s.centre.PutMetric(s.Context(), m)
	if err != nil {
		s.Fatalf("%v %+v", err, hall.FaultsOf(err))
	}
}

// send sends an event of another system.
func (s *scene) send(event hall.EventName, pairs ...string) {
	s.Helper()
	_, err := s.store.AppendEvent(s.Context(), s.id, hall.OutsideEvent{Event: event, Fields: params(pairs)}, tester)
	s.must(err)
}

func params(pairs []string) map[string]string {
	m := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// ask asks for a figure, as JSON.
func (s *scene) ask(name string, pairs ...string) string {
	s.Helper()
	return s.askDay("", name, pairs...)
}

func (s *scene) askDay(day, name string, pairs ...string) string {
	s.Helper()
	answers, err := s.centre.QueryMetrics(s.Context(), s.id, []hall.MetricRequest{{MetricsName: name, Params: params(pairs), Day: day}})
	if err != nil {
		s.Fatalf("%s: %v %+v", name, err, hall.FaultsOf(err))
	}
	text, err := json.Marshal(answers[0].Value)
	s.must(err)
	return string(text)
}

// want compares a figure, as JSON.
func (s *scene) want(value, name string, pairs ...string) {
	s.Helper()
	if got := s.ask(name, pairs...); got != value {
		s.Errorf("%s %v is %s, want %s", name, pairs, got, value)
	}
}

// escaped is how ids stand in keys.
var escaped = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// inProcess says that the Redis is the one within the test, on which long days take long.
func (s *scene) inProcess() bool { return strings.HasSuffix(s.Name(), "/memory") }
