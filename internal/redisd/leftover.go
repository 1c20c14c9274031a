package redisd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// endLeftover ends the child that a killed server left behind, so that there is
// never a second one on the same file. It lives exactly as long as it holds the
// lock of aliveName. Ended and started anew it is ours to wait for, which an
// adopted one would not be.
func endLeftover(ctx context.Context, f folder, log *slog.Logger) error {
	began := time.Now()
	asked := false
	for {
		file, err := flock(f.alive())
		if err == nil {
			return unlock(file)
		}
		if !errors.Is(err, errHeld) {
			return err
		}
		if pid := leftoverPID(f); pid > 0 {
			switch {
			case !asked:
				log.Warn("a redis-server was left behind and is ended", "process", pid)
				asked = syscall.Kill(pid, syscall.SIGTERM) == nil
			case time.Since(began) > stopLimit:
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if time.Since(began) > 2*stopLimit {
			return fmt.Errorf("a redis-server left behind in %s does not end", f.redis())
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return fmt.Errorf("a redis-server left behind in %s does not end: %w", f.redis(), context.Cause(ctx))
		}
	}
}

// leftoverPID is the process that wrote the pid file, if it is a redis-server
// still: its number may belong to another program by now.
func leftoverPID(f folder) int {
	text, err := os.ReadFile(f.pid())
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 1 {
		return 0
	}
	if _, err := os.Stat("/proc/self"); err != nil {
		return pid // a system that does not show its processes
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || !bytes.Contains(line, []byte("redis-server")) {
		return 0
	}
	return pid
}
