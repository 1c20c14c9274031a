package redisd

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	firstDelay = 100 * time.Millisecond // after the second end in a row; the first is made good at once
	lastDelay  = 5 * time.Second
	steady     = 10 * time.Second // who lived so long did not end in a row
)

// supervisor keeps a child running.
type supervisor struct {
	folder  folder
	program string
	log     *slog.Logger
	cancel  context.CancelFunc
	done    chan struct{}
	err     error // after done: how the last child was ended
}

// supervise starts a child and, once it answers, keeps it running until stop.
// One left behind by a killed server is ended first.
func supervise(ctx context.Context, f folder, program string, client redis.Cmdable, log *slog.Logger) (*supervisor, error) {
	s := &supervisor{folder: f, program: program, log: log, done: make(chan struct{})}
	if err := endLeftover(ctx, f, log); err != nil {
		return nil, err
	}
	c, err := startChild(f, program, log)
	if err != nil {
		return nil, err
	}
	if err := c.ready(ctx, f.socket, client); err != nil {
		_ = c.stop()
		return nil, err
	}
	log.Info("redis-server runs", "folder", f.redis(), "took", time.Since(c.started).Round(time.Millisecond))
	var life context.Context
	life, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.done)
		s.err = s.keep(life, c)
	}()
	return s, nil
}

// stop ends the child and waits for it.
func (s *supervisor) stop() error {
	s.cancel()
	<-s.done
	if dir := filepath.Dir(string(s.folder.socket)); dir != s.folder.redis() {
		_ = os.Remove(dir) // made for the socket only
	}
	return s.err
}

// keep starts a new child whenever one ends, until life is over.
func (s *supervisor) keep(life context.Context, c *child) error {
	var delay time.Duration
	for {
		select {
		case <-c.done:
		case <-life.Done():
			return c.stop()
		}
		if time.Since(c.started) > steady {
			delay = 0
		}
		s.log.Error("redis-server is started again", "error", c.cause(), "in", delay)
		if c, delay = s.again(life, delay); c == nil {
			return nil
		}
	}
}

// again starts a child, after a delay that grows each time, until one runs; nil
// if life is over before. The child may still be reading its file.
func (s *supervisor) again(life context.Context, delay time.Duration) (*child, time.Duration) {
	for {
		select {
		case <-time.After(delay):
		case <-life.Done():
			return nil, 0
		}
		delay = min(max(2*delay, firstDelay), lastDelay)
		c, err := s.restart(life)
		if err == nil {
			return c, delay
		}
		s.log.Error("redis-server cannot be started", "error", err, "againIn", delay)
	}
}

// restart starts a child once the last one is gone for good: a fork of it that
// was rewriting the file may live a little longer.
func (s *supervisor) restart(life context.Context) (*child, error) {
	if err := endLeftover(life, s.folder, s.log); err != nil {
		return nil, err
	}
	return startChild(s.folder, s.program, s.log)
}
