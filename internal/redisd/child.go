package redisd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// stopLimit is how long a child may take to end by itself, before it is killed.
const stopLimit = 6 * time.Second

// child is one run of a private redis-server.
type child struct {
	process *os.Process
	output  *output
	started time.Time
	done    chan struct{} // closed when it has ended
	err     error         // how it ended, after done
}

// startChild starts a redis-server in a folder where none runs. It is in a
// process group of its own, so that a Ctrl-C in the terminal reaches the server
// only, and it holds the lock of aliveName as long as it lives. The shell is
// there for the umask, which would be that of the whole process here.
func startChild(f folder, program string, log *slog.Logger) (*child, error) {
	alive, err := flock(f.alive())
	if err != nil {
		return nil, fmt.Errorf("another redis-server in %s: %w", f.redis(), err)
	}
	defer func() { _ = alive.Close() }()

	out := newOutput(log)
	args := append([]string{"-c", `umask 077; exec "$@"`, "sh", program}, arguments(f)...)
	cmd := exec.Command("/bin/sh", args...) //nolint:gosec,noctx // fixed script; it is ended by stop, not with a context
	cmd.Dir = f.redis()
	cmd.Env = []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.ExtraFiles = []*os.File{alive}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	c := &child{process: cmd.Process, output: out, started: time.Now(), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.err = cmd.Wait()
	}()
	return c, nil
}

// arguments are the whole configuration of a child.
func arguments(f folder) []string {
	return []string{
		"--port", "0",
		"--unixsocket", string(f.socket), "--unixsocketperm", "600",
		"--dir", f.redis(), "--pidfile", f.pid(),
		"--save", "", "--appendonly", "yes", "--appendfsync", "always",
		"--daemonize", "no", "--databases", "1", "--always-show-logo", "no",
	}
}

// ready waits until the child takes commands, which is once it has read its file.
func (c *child) ready(ctx context.Context, at socket, client redis.Cmdable) error {
	err := at.answers(ctx, client, c.done)
	if errors.Is(err, errEnded) {
		return c.cause()
	}
	return err
}

// cause says why a child ended, in its own words as far as there are any.
func (c *child) cause() error {
	if c.output.diskFull() {
		return errors.New("redis-server ended: the disk with the data folder is full; it goes on when there is room again")
	}
	var how *exec.ExitError
	killed := errors.As(c.err, &how) && !how.Exited()
	if said := c.output.last(); said != "" && !killed {
		return fmt.Errorf("redis-server ended: %s", said)
	}
	return fmt.Errorf("redis-server ended: %w", c.err)
}

// stop ends the child and waits for it.
func (c *child) stop() error {
	_ = c.process.Signal(syscall.SIGTERM) // fails only if it has ended
	select {
	case <-c.done:
		return nil
	case <-time.After(stopLimit):
	}
	_ = c.process.Kill()
	<-c.done
	return fmt.Errorf("redis-server did not end within %v and was killed", stopLimit)
}
