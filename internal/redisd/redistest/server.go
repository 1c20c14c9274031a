package redistest

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// script runs a redis-server until standard input ends: the server and its
// folder go with the test binary, also when that is killed.
const script = `
program=$1 dir=$2
"$program" --port 0 --unixsocket "$dir/redis.sock" --dir "$dir" --save '' --appendonly no --loglevel warning \
  </dev/null >"$dir/log" 2>&1 &
server=$!
cat >/dev/null
kill "$server"
wait "$server"
rm -rf "$dir"
`

// server is a private redis-server under a shell that waits for its standard input to end.
type server struct {
	socket string
	shell  *exec.Cmd
	stdin  io.Closer
}

// start starts a redis-server and waits until it takes connections.
func start() (*server, error) {
	program, err := exec.LookPath(cmp.Or(os.Getenv("REDIS_SERVER"), "redis-server"))
	if err != nil {
		return nil, fmt.Errorf("no redis-server: %w", err)
	}
	// Not the test's own folder: a socket's path must be short.
	dir, err := os.MkdirTemp("/tmp", "redistest")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	s := &server{socket: filepath.Join(dir, "redis.sock")}
	// Without a context: it lives as long as the test binary.
	s.shell = exec.Command("/bin/sh", "-c", script, "redistest", program, dir)
	s.shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.stdin, err = s.shell.StdinPipe(); err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	if err := s.shell.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	if err := s.await(15 * time.Second); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		s.stop()
		return nil, fmt.Errorf("%s: %w\n%s", program, err, bytes.TrimSpace(log))
	}
	return s, nil
}

// await polls the socket until it takes a connection.
func (s *server) await(limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for {
		conn, err := net.DialTimeout("unix", s.socket, time.Second)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("does not listen after %v: %w", limit, err)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// stop ends the server and waits for it.
func (s *server) stop() {
	_ = s.stdin.Close()
	_ = s.shell.Wait()
}
