package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/redisd"
)

// twoNodes are two programs on one Redis, one with a clock 5 s behind and one
// with a clock 5 s ahead.
type twoNodes struct {
	*testing.T

	nodes [2]*App
	redis *redis.Client
}

// tolerance is how far a node may be off the time of Redis on a busy machine.
const tolerance = 2 * time.Second

func newTwoNodes(t *testing.T) *twoNodes {
	t.Helper()
	needServer(t)
	dir, err := os.MkdirTemp("", "hc") //nolint:usetesting // the folders of testing are too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	server, err := redisd.Open(t.Context(), redisd.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	socket := dir + "/redis/redis.sock"
	n := &twoNodes{T: t, redis: redis.NewClient(&redis.Options{Network: "unix", Addr: socket, DisableIdentity: true})}
	t.Cleanup(func() { _ = n.redis.Close() })
	for i, off := range []time.Duration{-5 * time.Second, 5 * time.Second} {
		n.nodes[i] = start(t, Config{Redis: "unix://" + socket, Now: func() time.Time { return time.Now().Add(off) }})
	}
	return n
}

// now is the time of Redis, in the milliseconds of the API.
func (n *twoNodes) now() time.Time {
	n.Helper()
	now, err := n.redis.Time(n.Context()).Result()
	if err != nil {
		n.Fatal(err)
	}
	return now.Truncate(time.Millisecond)
}

// send sends a request to a node and reads the answer, which must not be a refusal.
func (n *twoNodes) send(node int, method, path, contentType, body string, to any) {
	n.Helper()
	request, err := http.NewRequestWithContext(n.Context(), method, n.nodes[node].URL()+"/api/v1/halls/no7"+path, strings.NewReader(body))
	if err != nil {
		n.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		n.Error(err)
		return
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode > 299 {
		n.Errorf("%s %s on node %d: %d %s %v", method, path, node, response.StatusCode, read, err)
		return
	}
	if to != nil {
		if err := json.Unmarshal(read, to); err != nil {
			n.Errorf("%s: %v in %s", path, err, read)
		}
	}
}

func (n *twoNodes) get(node int, path string, to any) {
	n.Helper()
	n.send(node, "GET", path, "", "", to)
}

// place is what is told of somebody in line.
type place struct {
	Candidate    string    `json:"candidate"`
	CheckedInAt  time.Time `json:"checkedInAt"`
	QueuedAt     time.Time `json:"queuedAt"`
	WaitingSince time.Time `json:"waitingSince"`
	WaitSeconds  float64   `json:"waitSeconds"`
	Position     int       `json:"position"`
}

func (n *twoNodes) checkIn(node, person int) place {
	n.Helper()
	var p place
	n.send(node, "PUT", fmt.Sprintf("/queue/%03d", person), "application/json", "{}", &p)
	return p
}

// between fails unless a time lies between two readings of Redis' clock.
func (n *twoNodes) between(what string, at, from, to time.Time) {
	n.Helper()
	if at.Before(from) || at.After(to) {
		n.Errorf("%s is %s, which is not between %s and %s", what, at, from, to)
	}
}

const clocksHall = `{"name": "Hall 7", "timeZone": "UTC", "subjects": [{"code": "1", "minutes": 10}], "rooms": [{"id": "A"}],
	"models": [{"id": "M", "subjects": ["1"]}], "machines": [{"id": "m1", "room": "A", "model": "M"}],
	"rules": {"mode": "manual", "openScreens": true}}`

// TestTwoClocks has people check in on two nodes whose clocks are ten seconds
// apart: the hall goes by the one clock of Redis, whichever node was asked.
func TestTwoClocks(t *testing.T) {
	t.Parallel()
	const oneByOne, atOnce = 30, 40
	n := newTwoNodes(t)
	began := n.now()
	n.send(0, "PUT", "", "application/json", clocksHall, nil)
	var csv strings.Builder
	csv.WriteString("candidate_id,subjects\n")
	for i := range oneByOne + atOnce {
		fmt.Fprintf(&csv, "%03d,1\n", i)
	}
	n.send(1, "POST", "/roster", "text/csv", csv.String(), nil)
	var order []string
	for i := range oneByOne {
		person := oneByOne - 1 - i // ids descending
		before := n.now()
		p := n.checkIn(i%2, person)
		after := n.now()
		n.between("checkedInAt", p.CheckedInAt, before, after)
		n.between("queuedAt", p.QueuedAt, before, after.Add(time.Millisecond)) // no two in one millisecond
		n.between("waitingSince", p.WaitingSince, before, after)
		if p.Position != i+1 || p.WaitSeconds < 0 || p.WaitSeconds > after.Sub(before).Seconds()+0.001 {
			t.Errorf("person %d: position %d, waits %v s", i, p.Position, p.WaitSeconds)
		}
		order = append(order, p.Candidate)
	}
	var all sync.WaitGroup
	for i := range atOnce {
		all.Go(func() { n.checkIn(i%2, oneByOne+i) })
	}
	all.Wait()
	n.sameLine(order, began, oneByOne+atOnce)
	n.holds()
	n.pages()
}

// sameLine fails unless both nodes show one line: in the order of the events,
// each wait since the time of its place.
func (n *twoNodes) sameLine(begin []string, began time.Time, people int) {
	n.Helper()
	var events struct {
		Items []struct {
			Event, Candidate string
			At               time.Time
		}
	}
	n.get(0, "/events?size=0", &events)
	var order []string
	last := began
	for _, e := range events.Items {
		n.between(e.Event, e.At, last, n.now())
		last = e.At
		if e.Event == "candidate_checked_in" {
			order = append(order, e.Candidate)
		}
	}
	if len(order) != people || !slices.Equal(order[:len(begin)], begin) {
		n.Errorf("the order of the events is %v, want %v first of %d", order, begin, people)
	}
	for node := range n.nodes {
		var line struct{ Items []place }
		before := n.now()
		n.get(node, "/queue?size=0", &line)
		after := n.now()
		if len(line.Items) != people {
			n.Fatalf("node %d: %d wait, want %d", node, len(line.Items), people)
		}
		for i, p := range line.Items {
			if p.Candidate != order[i] || p.Position != i+1 {
				n.Errorf("node %d: place %d is %s at %d, want %s", node, i+1, p.Candidate, p.Position, order[i])
			}
			told := p.WaitingSince.Add(time.Duration(p.WaitSeconds*1000+0.5) * time.Millisecond)
			n.between("the instant of the wait", told, before, after)
		}
	}
}

// holds has somebody step away: both nodes tell for how long by now, neither
// less nor more. It waits until a clock that is behind would show nothing yet.
func (n *twoNodes) holds() {
	n.Helper()
	before := n.now()
	n.send(0, "POST", "/queue/000/hold", "application/json", "{}", nil)
	after := n.now()
	n.passes(after.Add(tolerance + time.Second))
	for node := range n.nodes {
		var c struct{ HoldSeconds float64 }
		least := n.now().Sub(after) - tolerance
		n.get(node, "/candidates/000", &c)
		if most := n.now().Sub(before) + tolerance; c.HoldSeconds < least.Seconds() || c.HoldSeconds > most.Seconds() {
			n.Errorf("node %d: on hold for %v s, want between %s and %s", node, c.HoldSeconds, least, most)
		}
	}
	n.send(1, "POST", "/queue/000/return", "application/json", "{}", nil)
}

// passes waits until Redis' clock has passed a time.
func (n *twoNodes) passes(at time.Time) {
	n.Helper()
	for now := n.now(); now.Before(at); now = n.now() {
		<-time.After(at.Sub(now))
	}
}

// pages logs in on one node and reads pages on both: the session holds on both,
// and so does the time that their clocks begin with.
func (n *twoNodes) pages() {
	n.Helper()
	form := url.Values{"user": {"admin"}, "password": {"password of the tests"}}.Encode()
	login := n.page(0, "POST", "/login", form, "")
	cookie := login.Header.Get("Set-Cookie")
	if login.StatusCode != http.StatusSeeOther || cookie == "" {
		n.Fatalf("login answered %d", login.StatusCode)
	}
	shown := regexp.MustCompile(`data-now="(\d+)"`)
	for node := range n.nodes {
		for _, path := range []string{"/halls/no7/proctor", "/halls/no7/board"} {
			before := n.now()
			response := n.page(node, "GET", path, "", cookie)
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusOK {
				n.Fatalf("node %d: %s is %d, %v", node, path, response.StatusCode, err)
			}
			found := shown.FindSubmatch(body)
			if found == nil {
				n.Fatalf("node %d: %s does not tell the time", node, path)
			}
			millis, err := strconv.ParseInt(string(found[1]), 10, 64)
			if err != nil {
				n.Fatal(err)
			}
			n.between("the time of the page", time.UnixMilli(millis), before.Add(-tolerance), n.now().Add(tolerance))
			if strings.HasSuffix(path, "proctor") && !bytes.Contains(body, []byte("N001")) {
				n.Errorf("node %d: the line of the page lacks N001", node)
			}
		}
	}
}

func (n *twoNodes) page(node int, method, path, form, cookie string) *http.Response {
	n.Helper()
	request, err := http.NewRequestWithContext(n.Context(), method, n.nodes[node].URL()+path, strings.NewReader(form))
	if err != nil {
		n.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Cookie", strings.Split(cookie, ";")[0])
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		n.Fatal(err)
	}
	n.Cleanup(func() { _ = response.Body.Close() })
	return response
}
