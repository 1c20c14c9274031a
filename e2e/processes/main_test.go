package processes_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const adminToken = "token-of-the-process-tests"

// binary is the program under test, built once, with the race detector.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hc")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "hallcall")
	build := exec.Command("go", "build", "-race", "-o", binary, "../../cmd/hallcall")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// shortDir is a data folder whose path is short enough for a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hc") //nolint:usetesting // the folders of testing are too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// server is one hallcall process.
type server struct {
	*client

	process *exec.Cmd
	output  *lines
	ended   chan struct{}
}

// address is where a server says that it can be reached.
var address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)

// serve starts a server and waits until it answers. It is ended with the test
// if it still runs then, so that it takes its Redis along.
func serve(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{process: command(append([]string{"serve"}, args...)...), output: &lines{}, ended: make(chan struct{})}
	if !slices.Contains(args, "--addr") {
		s.process.Args = append(s.process.Args, "--addr", "127.0.0.1:0")
	}
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.process.Stderr = s.output
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		defer close(s.ended)
		scanner := bufio.NewScanner(stdout)
		for scanner.Scan() {
			_, _ = s.output.Write([]byte(scanner.Text() + "\n"))
			if url := address.FindString(scanner.Text()); url != "" {
				select {
				case found <- url:
				default:
				}
			}
		}
		_ = s.process.Wait()
	}()
	t.Cleanup(func() {
		_ = s.process.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.ended:
		case <-time.After(10 * time.Second):
			s.kill()
		}
		if t.Failed() {
			t.Logf("server %v said:\n%s", args, s.output)
		}
	})
	select {
	case url := <-found:
		s.client = newClient(t, url)
	case <-s.ended:
		t.Fatalf("the server ended:\n%s", s.output)
	case <-time.After(30 * time.Second):
		t.Fatalf("the server did not start:\n%s", s.output)
	}
	s.await("readiness", func() bool { return s.try("GET", "/readyz", nil, nil) == 200 })
	s.holdToContract()
	return s
}

func command(args ...string) *exec.Cmd {
	c := exec.Command(binary, args...)
	c.Env = append(os.Environ(), "HALLCALL_ADMIN_TOKEN="+adminToken, "HALLCALL_ADMIN_PASSWORD=a password for tests")
	return c
}

// kill ends the server as a crash does: without a word.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	<-s.ended
}

// terminate ends the server as its operator does, and returns its exit code.
func (s *server) terminate(t *testing.T) int {
	t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the server did not stop within 10 s")
	}
	return s.process.ProcessState.ExitCode()
}

// doctor fails unless the doctor finds the hall sound.
func doctor(t *testing.T, hall string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, binary, append([]string{"doctor", hall}, args...)...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
}

// lines collects what a process says.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
