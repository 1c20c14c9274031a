package e2e_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// redisServer is a Redis of its own that a test can stop and start.
type redisServer struct {
	dir string
	cmd *exec.Cmd
}

// startRedis starts a Redis that keeps what it was told over its own restarts.
func startRedis(t *testing.T) *redisServer {
	t.Helper()
	needBrowser(t)
	r := &redisServer{dir: shortDir(t)}
	r.start(t)
	t.Cleanup(func() { r.stop(t) })
	return r
}

func (r *redisServer) socket() string { return filepath.Join(r.dir, "s") }
func (r *redisServer) url() string    { return "unix://" + r.socket() }

func (r *redisServer) start(t *testing.T) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	r.cmd = exec.CommandContext(ctx, "redis-server", "--port", "0", "--unixsocket", r.socket(),
		"--dir", r.dir, "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--loglevel", "warning")
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(t, r.cmd.Start())
	until(t, "redis-server listens", func() bool {
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", r.socket())
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// stop ends the server as a crash does.
func (r *redisServer) stop(t *testing.T) {
	t.Helper()
	if r.cmd == nil {
		return
	}
	must(t, r.cmd.Process.Kill())
	_ = r.cmd.Wait() // it was killed, so it is an error
	_ = os.Remove(r.socket())
	r.cmd = nil
}

// until tries again and again, for as long as patience lasts.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	tooLate := time.After(patience * time.Millisecond)
	for !so() {
		select {
		case <-again.C:
		case <-tooLate:
			t.Fatalf("not so after a while: %s", what)
		}
	}
}

// shortDir is a folder with a path short enough for sockets.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hc") //nolint:usetesting // the path of t.TempDir may be too long for a socket
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}
