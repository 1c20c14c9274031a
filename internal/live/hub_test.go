package live_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/hallcall/hallcall/internal/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = 10 * time.Second

// bundle is a hub behind a server.
type bundle struct {
	hub     *live.Hub
	url     string
	watched chan string
}

func setup(t *testing.T, cfg live.Config) *bundle {
	t.Helper()
	b := &bundle{watched: make(chan string, 1000)}
	cfg.Watched = func(topic string) { b.watched <- topic }
	b.hub = live.NewHub(cfg)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := b.hub.Serve(w, r, r.URL.Query().Get("topic"), r.URL.Query().Get("holder")); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	b.url = "ws" + strings.TrimPrefix(server.URL, "http")
	t.Cleanup(server.Close)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = b.hub.Close(ctx)
	})
	return b
}

func (b *bundle) dial(topic string, header http.Header) (*websocket.Conn, *http.Response, error) {
	return websocket.DefaultDialer.Dial(b.url+"?topic="+topic, header)
}

func (b *bundle) join(t *testing.T, topic string) *websocket.Conn {
	t.Helper()
	conn, response, err := b.dial(topic, nil)
	if err != nil {
		t.Fatalf("join %s: %v", topic, err)
	}
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// read returns the next message.
func read(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	_, message, err := conn.ReadMessage()
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(message)
}

// closeCode reads until the connection ends and returns its code.
func closeCode(t *testing.T, conn *websocket.Conn) int {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) {
				t.Fatalf("ended without a close: %v", err)
			}
			return closed.Code
		}
	}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("never: %s", what)
		case <-tick.C:
		}
	}
}

func (b *bundle) awaitWatched(t *testing.T, topic string) {
	t.Helper()
	select {
	case got := <-b.watched:
		if got != topic {
			t.Fatalf("watched %q, want %q", got, topic)
		}
	case <-time.After(patience):
		t.Fatalf("%q is not asked for", topic)
	}
}

func TestWhoWatchesGetsTheStateAndItsChanges(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	first := b.join(t, "a")
	b.awaitWatched(t, "a")
	b.hub.Publish("a", []byte("one"))
	if got := read(t, first); got != "one" {
		t.Errorf("first message %q, want one", got)
	}
	second := b.join(t, "a")
	if got := read(t, second); got != "one" {
		t.Errorf("later client got %q, want the present state", got)
	}
	b.hub.Publish("a", []byte("two"))
	for _, conn := range []*websocket.Conn{first, second} {
		if got := read(t, conn); got != "two" {
			t.Errorf("got %q, want two", got)
		}
	}
	if len(b.watched) != 0 {
		t.Error("a topic with a state was asked for")
	}
}

func TestTheSameStateIsNotSentTwice(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	conn := b.join(t, "a")
	b.awaitWatched(t, "a")
	for _, message := range []string{"one", "one", "one"} {
		b.hub.Publish("a", []byte(message))
	}
	if got := read(t, conn); got != "one" {
		t.Fatalf("got %q", got)
	}
	b.hub.Publish("a", []byte("one"))
	b.hub.Publish("a", []byte("two"))
	if got := read(t, conn); got != "two" {
		t.Errorf("got %q, want two at once", got)
	}
}

func TestTopicsAreThoseThatSomebodyWatches(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	b.hub.Publish("nobody", []byte("lost"))
	conn := b.join(t, "a")
	b.awaitWatched(t, "a")
	if got := b.hub.Topics(); len(got) != 1 || got[0] != "a" {
		t.Errorf("topics %v, want a", got)
	}
	_ = conn.Close()
	eventually(t, "topic gone", func() bool { return len(b.hub.Topics()) == 0 })
	b.join(t, "a")
	b.awaitWatched(t, "a") // it has no state any more
}

func TestAStateGoesToThoseWhoWatchItsTopic(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	conns := map[string]*websocket.Conn{}
	for _, topic := range []string{"a", "b"} {
		conns[topic] = b.join(t, topic)
		b.awaitWatched(t, topic)
	}
	b.hub.Publish("a", []byte("for a"))
	b.hub.Publish("b", []byte("for b"))
	for topic, conn := range conns {
		if got := read(t, conn); got != "for "+topic {
			t.Errorf("%s got %q", topic, got)
		}
	}
}

func TestHeartbeat(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{Heartbeat: 5 * time.Millisecond, Beat: func() []byte { return []byte("beat") }})
	conn := b.join(t, "a")
	for range 3 {
		if got := read(t, conn); got != "beat" {
			t.Errorf("got %q, want beat", got)
		}
	}
}

func TestASlowClientSlowsNobodyAndMissesOnlyWhatIsOld(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{WriteWait: patience})
	slow := b.join(t, "a") // does not read
	b.awaitWatched(t, "a")
	fast := b.join(t, "a")
	b.awaitWatched(t, "a")
	filling := strings.Repeat("x", 1<<20)
	const states = 24 // far more than the buffers of a socket hold
	for i := range states {
		message := fmt.Sprintf("%d %s", i, filling)
		b.hub.Publish("a", []byte(message))
		if got := read(t, fast); got != message {
			t.Fatalf("state %d: the fast client got %.10q", i, got)
		}
	}
	received := 0
	for {
		received++
		if strings.HasPrefix(read(t, slow), fmt.Sprintf("%d ", states-1)) {
			break
		}
	}
	if received == states {
		t.Error("the slow client was waited for")
	}
}

func TestAClientThatTakesNothingIsEnded(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{WriteWait: 20 * time.Millisecond})
	b.join(t, "a") // does not read
	b.awaitWatched(t, "a")
	filling := strings.Repeat("x", 1<<20)
	i := 0
	eventually(t, "slow client ended", func() bool {
		i++
		b.hub.Publish("a", fmt.Appendf(nil, "%d %s", i, filling))
		return b.hub.Clients() == 0
	})
	b.dropped(t, live.DropSlow)
}

// dropped fails unless exactly one client was dropped, for this reason.
func (b *bundle) dropped(t *testing.T, why live.Drop) {
	t.Helper()
	want := map[live.Drop]uint64{live.DropSlow: 0, live.DropSilent: 0, live.DropNotAllowed: 0, live.DropFull: 0}
	want[why]++
	if got := b.hub.Drops(); !maps.Equal(got, want) {
		t.Errorf("dropped %v, want %v", got, want)
	}
}

func TestAClientThatGoesIsNotDropped(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	_ = b.join(t, "a").Close()
	eventually(t, "client gone", func() bool { return b.hub.Clients() == 0 })
	for why, n := range b.hub.Drops() {
		if n > 0 {
			t.Errorf("dropped: %s", why)
		}
	}
}

// TestPeopled tells of the first who watches a topic and of the last one, and
// counts those between.
func TestPeopled(t *testing.T) {
	t.Parallel()
	told := make(chan string, 10)
	b := setup(t, live.Config{Peopled: func(topic string) { told <- topic }, Group: func(topic string) string { return topic[:1] }})
	first := b.join(t, "ab")
	if got := <-told; got != "ab" {
		t.Errorf("told of %q", got)
	}
	second := b.join(t, "ab")
	counts := func() map[string]int {
		all := map[string]int{}
		b.hub.Each(func(topic string, clients int) { all[topic] = clients })
		return all
	}
	eventually(t, "both count", func() bool { return maps.Equal(counts(), map[string]int{"ab": 2}) })
	_ = first.Close()
	eventually(t, "one counts", func() bool { return maps.Equal(counts(), map[string]int{"ab": 1}) })
	if len(told) > 0 {
		t.Errorf("told of %q", <-told)
	}
	_ = second.Close()
	if got := <-told; got != "ab" || len(counts()) > 0 {
		t.Errorf("told of %q, left are %v", got, counts())
	}
}

func TestASilentClientIsEnded(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{PongWait: 20 * time.Millisecond})
	b.join(t, "a") // reads nothing, so it answers no ping
	eventually(t, "silent client ended", func() bool { return b.hub.Clients() == 0 })
	b.dropped(t, live.DropSilent)
}

func TestAClientThatAnswersPingsStays(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{PongWait: time.Second})
	conn := b.join(t, "a")
	b.awaitWatched(t, "a")
	pings := make(chan struct{}, 100)
	answer := conn.PingHandler()
	conn.SetPingHandler(func(data string) error { pings <- struct{}{}; return answer(data) })
	done := make(chan string, 1)
	go func() {
		_, message, _ := conn.ReadMessage()
		done <- string(message)
	}()
	for range 4 {
		<-pings
	}
	b.hub.Publish("a", []byte("still there"))
	if got := <-done; got != "still there" {
		t.Errorf("got %q", got)
	}
}

func TestAClientMustNotSend(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	conn := b.join(t, "a")
	if err := conn.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if got := closeCode(t, conn); got != int(live.CloseNotAllowed) {
		t.Errorf("close code %d, want %d", got, live.CloseNotAllowed)
	}
	b.dropped(t, live.DropNotAllowed)
}

func TestPagesOfOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	_, response, err := b.dial("a", http.Header{"Origin": {"https://elsewhere.example"}})
	if err == nil {
		t.Fatal("was let in")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("status %d, want 403", response.StatusCode)
	}
}

func TestAFullHubTakesNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{MaxClients: 1})
	b.join(t, "a")
	_, response, err := b.dial("a", nil)
	if err == nil {
		t.Fatal("was let in")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", response.StatusCode)
	}
	b.dropped(t, live.DropFull)
}

func TestCloseAsksToComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	conn := b.join(t, "a")
	code := make(chan int, 1)
	go func() {
		_, _, err := conn.ReadMessage()
		var closed *websocket.CloseError
		errors.As(err, &closed)
		code <- closed.Code
	}()
	if err := b.hub.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != int(live.CloseRestart) {
		t.Errorf("close code %d, want %d", got, live.CloseRestart)
	}
	if err := b.hub.Close(t.Context()); err != nil {
		t.Errorf("closed again: %v", err)
	}
	_, response, err := b.dial("a", nil)
	if err == nil {
		t.Fatal("a closed hub let somebody in")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", response.StatusCode)
	}
}

func TestCloseDoesNotWaitForeverForAClient(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{CloseWait: patience})
	b.join(t, "a") // answers no close
	b.awaitWatched(t, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.hub.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("close: %v, want canceled", err)
	}
	if got := b.hub.Clients(); got != 0 {
		t.Errorf("%d clients are left", got)
	}
}

func TestCodesSayWhetherToComeBack(t *testing.T) {
	t.Parallel()
	for code, want := range map[live.CloseCode]bool{live.CloseRestart: true, live.CloseNotAllowed: false} {
		if got := code.Reconnects(); got != want {
			t.Errorf("%d: %v, want %v", code, got, want)
		}
	}
}

// Clients come and go and states are published while the hub is closed: run
// under the race detector.
func TestStress(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{Heartbeat: time.Millisecond, Beat: func() []byte { return []byte("{}") }})
	var clients, publishers sync.WaitGroup
	stop := make(chan struct{})
	for i := range 4 {
		publishers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
					b.hub.Publish(strconv.Itoa(i%2), fmt.Appendf(nil, "%d %d", i, n))
					_ = b.hub.Topics()
				}
			}
		})
	}
	for i := range 10 {
		clients.Go(func() {
			for range 5 {
				conn, response, err := b.dial(strconv.Itoa(i%2), nil)
				if err != nil {
					return // the hub is closed
				}
				_ = response.Body.Close()
				for range 3 {
					if _, _, err := conn.ReadMessage(); err != nil {
						break
					}
				}
				_ = conn.Close()
			}
		})
	}
	clients.Wait()
	if err := b.hub.Close(t.Context()); err != nil {
		t.Error(err)
	}
	close(stop)
	publishers.Wait()
}

func TestTopicsOfOneGroup(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{Group: func(topic string) string { return topic[:1] }})
	first := b.join(t, "a1")
	b.join(t, "a2")
	b.join(t, "b1")
	for range 3 {
		<-b.watched
	}
	groups := func() string {
		a, other, none := b.hub.TopicsIn("a"), b.hub.TopicsIn("b"), b.hub.TopicsIn("c")
		slices.Sort(a)
		return fmt.Sprint(a, other, none)
	}
	if got := groups(); got != "[a1 a2] [b1] []" {
		t.Errorf("groups %s", got)
	}
	_ = first.Close()
	for deadline := time.Now().Add(patience); groups() != "[a2] [b1] []"; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("after the last one has left: %s", groups())
		}
	}
}

func TestWhoseRightEndsIsEnded(t *testing.T) {
	t.Parallel()
	b := setup(t, live.Config{})
	staying, going, free := b.join(t, "a&holder=x"), b.join(t, "a&holder=y"), b.join(t, "a")
	eventually(t, "three clients", func() bool { return b.hub.Clients() == 3 })
	holders := b.hub.Holders()
	slices.Sort(holders)
	if !slices.Equal(holders, []string{"x", "y"}) {
		t.Errorf("holders %q, want x and y", holders)
	}
	b.hub.End("y")
	if code := closeCode(t, going); code != int(live.CloseNotAllowed) {
		t.Errorf("ended with %d, want %d", code, live.CloseNotAllowed)
	}
	b.hub.Publish("a", []byte("still there"))
	for _, conn := range []*websocket.Conn{staying, free} {
		if got := read(t, conn); got != "still there" {
			t.Errorf("got %q", got)
		}
	}
}
