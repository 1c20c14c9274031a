package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// mainEnv makes the test binary the program itself.
const mainEnv = "HALLCALL_TEST_MAIN"

// token is that of the API in these tests.
const token = "token of the tests"

func TestMain(m *testing.M) {
	if os.Getenv(mainEnv) != "" {
		main()
	}
	os.Exit(m.Run())
}

func needServer(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no redis-server on PATH")
	}
	t.Skip("no redis-server on PATH")
}

// process is the program as a process of its own.
type process struct {
	cmd *exec.Cmd
	url string
}

// launch starts a server with the demo hall and waits until it has printed where it is.
func launch(t *testing.T, dir string) *process {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], "serve", "--demo", "--addr", "127.0.0.1:0", "--data", dir)
	cmd.Env = append(os.Environ(), mainEnv+"=1", "HALLCALL_ADMIN_TOKEN="+token)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for p.url == "" && lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 && fields[0] == "Home" {
			p.url = strings.TrimSuffix(fields[1], "/")
		}
	}
	if p.url == "" {
		t.Fatal("the server ended before it printed its address")
	}
	return p
}

// end sends a signal and waits for the end; the error is that of the process.
func (p *process) end(t *testing.T, signal os.Signal) error {
	t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	return p.cmd.Wait()
}

// checkIn checks a candidate in; an error means that nothing was answered.
func (p *process) checkIn(ctx context.Context, candidate string) (status int, ticket string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, p.url+"/api/v1/halls/demo/queue/"+candidate, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, "", err
	}
	var entry struct{ Ticket string }
	if response.StatusCode < 300 {
		err = json.Unmarshal(body, &entry)
	}
	return response.StatusCode, entry.Ticket, err
}

// candidates are those of the demo hall.
func candidates(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../internal/app/demo/roster.csv")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i > 0 {
			id, _, _ := strings.Cut(line, ",")
			ids = append(ids, id)
		}
	}
	return ids
}

// answers are the tickets that the server has promised.
type answers struct {
	mu      sync.Mutex
	tickets map[string]string
}

// put notes a ticket and returns how many there are.
func (a *answers) put(candidate, ticket string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tickets[candidate] = ticket
	return len(a.tickets)
}

// crowd checks people in, some at a time, until all are or the server is gone;
// what does not answer with a ticket is tried again as long as retry says so.
// after is called with the number of tickets so far.
func crowd(t *testing.T, p *process, people []string, retry bool, after func(n int)) *answers {
	t.Helper()
	given := &answers{tickets: map[string]string{}}
	queue := make(chan string, len(people))
	for _, id := range people {
		queue <- id
	}
	close(queue)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for id := range queue {
				status, ticket, err := p.checkIn(t.Context(), id)
				for deadline := time.Now().Add(30 * time.Second); retry && (err != nil || status >= 500) && time.Now().Before(deadline); {
					status, ticket, err = p.checkIn(t.Context(), id)
				}
				switch {
				case err != nil && !retry:
					return
				case status == http.StatusCreated || status == http.StatusOK:
					after(given.put(id, ticket))
				default:
					t.Errorf("check-in of %s: %d, %v", id, status, err)
				}
			}
		})
	}
	all.Wait()
	return given
}

// wantDoctor runs the doctor beside the server.
func wantDoctor(t *testing.T, dir string) {
	t.Helper()
	var out strings.Builder
	if code := run(t.Context(), []string{"doctor", "--data", dir}, &out, &out); code != 0 {
		t.Errorf("doctor: %s", &out)
	}
}

func TestNothingAnsweredIsLostWhenServerIsKilled(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir, people := t.TempDir(), candidates(t)
	p := launch(t, dir)
	var once sync.Once
	before := crowd(t, p, people, false, func(n int) {
		if n >= len(people)/3 {
			once.Do(func() { _ = p.cmd.Process.Kill() })
		}
	})
	_ = p.cmd.Wait()
	if n := len(before.tickets); n < len(people)/3 || n == len(people) {
		t.Fatalf("%d of %d were checked in when the server was killed", n, len(people))
	}
	t.Logf("killed after %d answers", len(before.tickets))

	p = launch(t, dir)
	for id, ticket := range before.tickets {
		status, again, err := p.checkIn(t.Context(), id)
		if err != nil || status != http.StatusOK || again != ticket {
			t.Errorf("%s had ticket %s, after the restart: %d %s, %v", id, ticket, status, again, err)
		}
	}
	after := crowd(t, p, people, true, func(int) {})
	wantDistinct(t, after, len(people))
	wantDoctor(t, dir)
}

func TestNothingAnsweredIsLostWhenRedisIsKilled(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir, people := t.TempDir(), candidates(t)
	p := launch(t, dir)
	given := crowd(t, p, people, true, func(n int) {
		if n == len(people)/3 || n == len(people)*2/3 {
			killRedis(t, dir)
		}
	})
	wantDistinct(t, given, len(people))
	for id, ticket := range given.tickets {
		if status, again, err := p.checkIn(t.Context(), id); err != nil || status != http.StatusOK || again != ticket {
			t.Errorf("%s had ticket %s, then %d %s, %v", id, ticket, status, again, err)
		}
	}
	wantDoctor(t, dir)
}

func killRedis(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "redis", "redis.pid"))
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		t.Error(err)
	}
}

func wantDistinct(t *testing.T, given *answers, want int) {
	t.Helper()
	holders := map[string]string{}
	for id, ticket := range given.tickets {
		if other, ok := holders[ticket]; ok {
			t.Errorf("%s and %s both have ticket %s", id, other, ticket)
		}
		holders[ticket] = id
	}
	if len(holders) != want {
		t.Errorf("%d tickets, want %d", len(holders), want)
	}
}

func TestSignalsStopServer(t *testing.T) {
	t.Parallel()
	needServer(t)
	for name, signal := range map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := launch(t, dir)
			began := time.Now()
			if err := p.end(t, signal); err != nil {
				t.Errorf("the server ended with %v, want exit code 0", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("stopped after %v", took)
			}
			if _, err := os.Stat(filepath.Join(dir, "redis", "redis.pid")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the pid file of redis-server: %v, want none", err)
			}
		})
	}
}
