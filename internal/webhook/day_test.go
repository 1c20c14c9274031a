package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/nodes"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

var tester = hall.Caller{By: "test"}

// scene is halls on a Redis and an endpoint that listens.
type scene struct {
	*testing.T

	client redis.UniversalClient
	prefix string
	store  *hallredis.Store
	nodes  *nodes.Nodes
	url    string

	mu   sync.Mutex
	got  []string                               // ids that were taken, in that order
	does func(w http.ResponseWriter, id string) // before it is taken; nil takes all
}

// onBoth runs a test on both kinds of Redis.
func onBoth(t *testing.T, test func(s *scene)) {
	t.Helper()
	for name, server := range map[string]func(testing.TB) (redis.UniversalClient, string){"redis": redistest.Client, "memory": redistest.Memory} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scene{T: t}
			s.client, s.prefix = server(t)
			s.store = hallredis.New(s.client, hallredis.Options{Prefix: s.prefix})
			s.nodes = nodes.New(s.client, s.prefix)
			endpoint := httptest.NewServer(http.HandlerFunc(s.take))
			t.Cleanup(endpoint.Close)
			s.url = endpoint.URL + "/alerts"
			test(s)
		})
	}
}

// take checks a message as its receiver should, and takes it.
func (s *scene) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, testKey)
	_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); err != nil || r.Header.Get("webhook-signature") != want {
		s.Errorf("%s: signature %s, want %s", id, r.Header.Get("webhook-signature"), want)
	}
	if n, err := strconv.ParseInt(at, 10, 64); err != nil || time.Since(time.Unix(n, 0)).Abs() > time.Minute || strings.Contains(id, ".") {
		s.Errorf("timestamp %q, id %q", at, id)
	}
	var m struct {
		ID, Type, Timestamp string
		Data                struct {
			Hall  struct{ ID, Name string }
			Event struct{ ID string }
		}
	}
	if err := json.Unmarshal(body, &m); err != nil || m.ID != id || m.Type != "alert.raised" || r.Method != http.MethodPost ||
		r.Header.Get("Content-Type") != "application/json" || messageID(m.Data.Hall.ID, m.Data.Event.ID) != id || m.Data.Hall.Name != "Test hall" {
		s.Errorf("%s %s %s, %v", r.Method, r.Header, body, err)
	}
	if _, err := time.Parse(time.RFC3339, m.Timestamp); err != nil {
		s.Error(err)
	}
	if does := s.doing(); does != nil {
		answer := httptest.NewRecorder()
		if does(answer, id); answer.Code != http.StatusOK {
			w.WriteHeader(answer.Code)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, id)
}

func (s *scene) doing() func(http.ResponseWriter, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.does
}

func (s *scene) do(does func(http.ResponseWriter, string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.does = does
}

// taken are the ids that were taken of a hall, the first time each.
func (s *scene) taken(id string) (once []string, all int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, got := range s.got {
		if strings.HasPrefix(got, messageID(id, "")) {
			all++
			if !slices.Contains(once, got) {
				once = append(once, got)
			}
		}
	}
	return once, all
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) hall(id string) {
	s.Helper()
	_, _, err := s.store.PutHall(s.Context(), id, halltest.Layout("one", "two", "both"), "", tester)
	s.must(err)
}

// raise writes an alert into the day as the store does, and returns the id of its message.
func (s *scene) raise(id string) string {
	s.Helper()
	key := s.prefix + "{" + id + "}:events"
	event, err := s.client.XAdd(s.Context(), &redis.XAddArgs{Stream: key, Values: []any{
		"event", "alert_raised", "at", time.Now().UnixMilli(), "by", "system", "alert", string(hall.AlertWait), "candidate", "c",
	}}).Result()
	s.must(err)
	s.must(s.client.Publish(s.Context(), s.prefix+"{"+id+"}:hints", "1 0").Err())
	return messageID(id, event)
}

// node is a webhook of a node of its own.
func (s *scene) node(change ...func(*Config)) *Webhook {
	s.Helper()
	c := testConfig(s.url)
	c.Private, c.Store, c.Positions, c.Sweep = true, s.store, s.nodes, 100*time.Millisecond
	for _, f := range change {
		f(&c)
	}
	return newWebhook(s.T, c)
}

func (s *scene) start(w *Webhook) {
	s.Helper()
	s.must(w.Start(s.Context()))
	s.Cleanup(w.Stop)
}

// ready waits until a node has found where a hall begins.
func (s *scene) ready(ids ...string) {
	s.Helper()
	for _, id := range ids {
		s.eventually("position of "+id, func() bool {
			at, err := s.nodes.Position(s.Context(), id)
			return err == nil && at.Day > 0
		})
	}
}

func (s *scene) eventually(what string, ok func() bool) {
	s.Helper()
	// A node that cannot give a hall back leaves it to others when its lease ends.
	deadline := time.After(lease + 30*time.Second)
	for !ok() {
		select {
		case <-deadline:
			s.Fatalf("not in time: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// gets waits until these were taken, in this order, each for the first time.
func (s *scene) gets(id string, want []string) {
	s.Helper()
	s.eventually(fmt.Sprint(len(want), " alerts of ", id), func() bool {
		once, _ := s.taken(id)
		return len(once) >= len(want)
	})
	if once, _ := s.taken(id); !slices.Equal(once, want) {
		s.Errorf("hall %s: taken %v, want %v", id, once, want)
	}
}

func TestAlertsAreToldFromNowOn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		for range batch + 5 {
			s.raise("a") // history
		}
		<-time.After(2 * time.Millisecond) // times are whole milliseconds
		w := s.node()
		w.Stop() // before Start
		s.start(w)
		if err := w.Start(s.Context()); err == nil {
			s.Error("started twice")
		}
		s.ready("a")
		want := []string{s.raise("a"), s.raise("a")}
		s.gets("a", want)
		w.Stop()
		// What comes while no node is there is told later, by another node too.
		for range 3 {
			want = append(want, s.raise("a"))
		}
		s.start(s.node())
		s.gets("a", want)
		s.hall("new{hall}") // its first alert is told, however soon
		if err := s.client.XAdd(s.Context(), &redis.XAddArgs{Stream: s.prefix + "{new%7Bhall%7D}:events", Values: []any{
			"event", "alert_raised", "at", time.Now().UnixMilli(), "by", "system", "alert", "wait_over_target",
		}}).Err(); err != nil {
			s.Fatal(err)
		}
		s.eventually("the new hall", func() bool { once, _ := s.taken("new{hall}"); return len(once) == 1 })
	})
}

func TestManyEventsBetweenAlerts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		s.start(s.node())
		s.ready("a")
		var want []string
		for range 3 {
			for range 2*batch + 1 {
				_, err := s.store.AppendEvent(s.Context(), "a", hall.OutsideEvent{Event: "x_seen", Fields: map[string]string{"n": "1"}}, tester)
				s.must(err)
			}
			want = append(want, s.raise("a"))
		}
		s.gets("a", want)
		// Who starts anew need not read again what is not told.
		last := strings.TrimPrefix(want[2], "a_")
		s.eventually("the last alert is noted", func() bool { at, err := s.nodes.Position(s.Context(), "a"); return err == nil && at.After == last })
		for range batch {
			_, err := s.store.AppendEvent(s.Context(), "a", hall.OutsideEvent{Event: "x_seen", Fields: map[string]string{"n": "1"}}, tester)
			s.must(err)
		}
		s.eventually("the events after it", func() bool { at, err := s.nodes.Position(s.Context(), "a"); return err == nil && at.After != last })
	})
}

func TestTwoNodesTellOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		ids := []string{"a", "b", "c"}
		for _, id := range ids {
			s.hall(id)
		}
		s.start(s.node())
		s.start(s.node())
		s.ready(ids...)
		want := map[string][]string{}
		for range 40 {
			for _, id := range ids {
				want[id] = append(want[id], s.raise(id))
			}
		}
		for _, id := range ids {
			s.gets(id, want[id])
			if _, all := s.taken(id); all != len(want[id]) {
				s.Errorf("hall %s: %d alerts were told %d times", id, len(want[id]), all)
			}
		}
	})
}

// TestKilledNodes has nodes that are killed again and again, wherever they are.
func TestKilledNodes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		quick := func(c *Config) { c.Positions = shortLease{s.nodes} }
		first := s.node(quick)
		s.start(first)
		s.ready("a")
		first.Stop()
		s.do(func(http.ResponseWriter, string) { <-time.After(rand.N(3 * time.Millisecond)) })
		var want []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 60 {
				w := s.node(quick)
				if w.Start(s.Context()) != nil {
					return
				}
				<-time.After(rand.N(25 * time.Millisecond))
				w.Stop()
			}
		}()
		for range 100 {
			want = append(want, s.raise("a"))
		}
		<-done
		s.start(s.node(quick))
		s.gets("a", want)
	})
}

// shortLease gives halls for a moment only: a lease that is lost does no harm.
type shortLease struct{ *nodes.Nodes }

func (l shortLease) Lease(ctx context.Context, id, node string, _ time.Duration) (hall.Position, time.Duration, error) {
	return l.Nodes.Lease(ctx, id, node, time.Millisecond)
}

// TestDeathBetweenSendingAndNoting has a node die when an alert is out and the
// position is not moved yet: the next node sends the same message again.
func TestDeathBetweenSendingAndNoting(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		dies := &dying{Nodes: s.nodes, now: make(chan struct{})}
		first := s.node(func(c *Config) { c.Positions = dies })
		s.start(first)
		s.ready("a")
		want := []string{s.raise("a")}
		<-dies.now
		first.Stop()
		want = append(want, s.raise("a"))
		s.start(s.node())
		s.gets("a", want)
		s.eventually("the first one twice", func() bool { _, all := s.taken("a"); return all == 3 })
	})
}

// dying is a node that dies when it would move a position for the second time.
type dying struct {
	*nodes.Nodes
	once sync.Once
	now  chan struct{}
}

func (d *dying) Move(ctx context.Context, id string, from, to hall.Position, lost int) (bool, error) {
	if from == (hall.Position{}) {
		return d.Nodes.Move(ctx, id, from, to, lost)
	}
	d.once.Do(func() { close(d.now) })
	return false, errors.New("killed")
}

// TestSlowHall has an endpoint that takes its time for one hall only.
func TestSlowHall(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("slow")
		s.hall("b")
		let := make(chan struct{})
		s.do(func(_ http.ResponseWriter, id string) {
			if strings.HasPrefix(id, "slow_") {
				<-let
			}
		})
		s.start(s.node())
		s.ready("slow", "b")
		slow := []string{s.raise("slow"), s.raise("slow")}
		var want []string
		for range 20 {
			want = append(want, s.raise("b"))
		}
		s.gets("b", want)
		if once, _ := s.taken("slow"); len(once) > 0 {
			s.Errorf("taken %v", once)
		}
		close(let)
		s.gets("slow", slow)
	})
}

// TestClosedDays has days that are closed before their alerts are told.
func TestClosedDays(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		first := s.node()
		s.start(first)
		s.ready("a")
		first.Stop()
		var want []string
		for range 3 {
			want = append(want, s.raise("a"), s.raise("a"))
			_, err := s.store.CloseDay(s.Context(), "a", "", tester)
			s.must(err)
			_, err = s.store.OpenDay(s.Context(), "a", tester)
			s.must(err)
		}
		want = append(want, s.raise("a"))
		s.start(s.node())
		s.gets("a", want)
	})
}

// TestOutagesInTheStreamAreNotTold: the nodes have told them already.
func TestOutagesInTheStreamAreNotTold(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		s.start(s.node())
		s.ready("a")
		h, err := s.store.Hall(s.Context(), "a")
		s.must(err)
		s.must(s.store.RecordOutage(s.Context(), "a", h.Day.OpenedAt.Add(time.Second), h.Day.OpenedAt.Add(time.Minute)))
		events, err := s.store.Events(s.Context(), "a", "", hall.Page{})
		s.must(err)
		if n := slices.IndexFunc(events.Items, func(e hall.Event) bool { return e.Alert == hall.AlertRedis }); n < 0 {
			s.Fatal("the outage is not in the stream")
		}
		s.gets("a", []string{s.raise("a")})
	})
}

// TestWhatAnotherNodeCouldTell has a node wait long after failures: when another
// one has told the alert, it goes on at once.
func TestWhatAnotherNodeCouldTell(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.hall("a")
		unlucky := s.node()
		s.start(unlucky)
		s.ready("a")
		unlucky.keepQuiet(time.Hour) // as the endpoint has asked it
		want := []string{s.raise("a")}
		s.eventually("the first node waits", func() bool {
			t := unlucky.toldOf("a")
			unlucky.follower.Stop()
			defer func() { s.must(unlucky.follower.Start(s.Context())) }()
			return !t.after.IsZero()
		})
		lucky := s.node()
		s.start(lucky)
		s.gets("a", want)
		s.eventually("what was told is noted", func() bool { // else it would be told again, and not by the one that waits
			at, err := s.nodes.Position(s.Context(), "a")
			return err == nil && messageID("a", at.After) == want[0]
		})
		lucky.Stop()
		unlucky.keepQuiet(0)
		s.gets("a", append(want, s.raise("a")))
	})
}
