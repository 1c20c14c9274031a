package redisd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	answerPoll = 3 * time.Millisecond  // between two tries whether a child answers
	dialPoll   = 20 * time.Millisecond // between two tries to connect while a child is started again
)

// errEnded says that a child ended while it was waited for.
var errEnded = errors.New("ended")

// socket is the path of a child's unix socket.
type socket string

// client makes a client of the child that bears with one that is started again:
// where nobody listens, or the file is still being read, a new connection waits
// until its dial time-out. So a crash costs the commands of that moment only.
func (s socket) client() *redis.Client {
	return newClient(&redis.Options{Network: "unix", Addr: string(s), Dialer: s.dialPatiently, OnConnect: awaitLoaded})
}

func (s socket) dialPatiently(ctx context.Context, _, _ string) (net.Conn, error) {
	for {
		conn, err := s.dial(ctx)
		if err == nil {
			return conn, nil
		}
		select {
		case <-time.After(dialPoll):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// awaitLoaded waits while a new connection is to a child that reads its file.
// If it takes long, commands get to know.
func awaitLoaded(ctx context.Context, conn *redis.Conn) error {
	for began := time.Now(); time.Since(began) < dialTimeout; {
		if err := conn.Ping(ctx).Err(); err == nil || !strings.HasPrefix(err.Error(), "LOADING") {
			return err
		}
		select {
		case <-time.After(dialPoll):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s socket) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", string(s))
}

// answers waits until the child at the socket answers, has ended, or ctx is
// done. The client is asked only once somebody listens: it would wait itself.
func (s socket) answers(ctx context.Context, client redis.Cmdable, ended <-chan struct{}) error {
	for {
		conn, err := s.dial(ctx)
		if err == nil {
			_ = conn.Close()
			if err = client.Ping(ctx).Err(); err == nil {
				return nil
			}
		}
		select {
		case <-time.After(answerPoll):
		case <-ended:
			return errEnded
		case <-ctx.Done():
			return fmt.Errorf("does not answer: %w", err)
		}
	}
}
