package e2e_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/e2e/contract"
	"github.com/hallcall/hallcall/internal/app"
)

const adminPassword = "e2e password of the administrator"

// server is the whole program on a port of its own.
type server struct {
	url      string
	dataDir  string
	config   app.Config
	program  *app.App
	document *contract.Document // of the API, which answers as it says
}

// shared is the server of all tests that do not stop it; each has its own hall.
var shared struct {
	once   sync.Once
	server *server
	err    error
}

// sharedServer returns the server that runs as long as the tests.
func sharedServer(t *testing.T) *server {
	t.Helper()
	needBrowser(t)
	shared.once.Do(func() {
		dir, err := os.MkdirTemp("", "hc") //nolint:usetesting // outlives the test that is the first to need it
		if err != nil {
			shared.err = err
			return
		}
		shared.server = makeServer(dir, "", os.Stderr)
		shared.err = shared.server.run()
	})
	must(t, shared.err)
	return shared.server
}

// newServer starts a server for one test, with a private Redis child or on the
// Redis of that URL.
func newServer(t *testing.T, redis string) *server {
	t.Helper()
	needBrowser(t)
	var log lockedBuffer
	s := makeServer(shortDir(t), redis, &log)
	s.start(t)
	t.Cleanup(func() {
		s.stop(t)
		if t.Failed() {
			t.Logf("log of the server:\n%s", log.String())
		}
	})
	return s
}

func makeServer(dir, redis string, log io.Writer) *server {
	return &server{dataDir: dir, config: app.Config{
		Addr: "127.0.0.1:0", Redis: redis, DataDir: dir, AdminToken: adminToken, AdminPassword: adminPassword,
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}}
}

// run starts the program, the second time on the port that it had.
func (s *server) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	s.program = app.New(s.config)
	if err := s.program.Start(ctx); err != nil {
		return err
	}
	s.config.Addr, s.url = s.program.Addr(), s.program.URL()
	if s.document == nil {
		var err error
		s.document, err = contract.Fetch(ctx, http.DefaultTransport, s.url)
		return err
	}
	return nil
}

func (s *server) start(t *testing.T) {
	t.Helper()
	must(t, s.run())
}

// stop stops the program as SIGTERM does.
func (s *server) stop(t *testing.T) {
	t.Helper()
	must(t, s.program.Stop(context.WithoutCancel(t.Context())))
}

// stopServers stops the shared server when all tests are over.
func stopServers() {
	shared.once.Do(func() {})
	if shared.server == nil {
		return
	}
	if shared.err == nil {
		_ = shared.server.program.Stop(context.Background())
	}
	_ = os.RemoveAll(shared.server.dataDir)
}

// lockedBuffer keeps a log that is written while it is read.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
