package redisd

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// tick is how often keys of an in-process server grow older: it does not do so by itself.
const tick = time.Second

// openMemory starts a Redis inside the process. It listens on a port of the
// loopback interface, so it has a password against other users of the machine.
func openMemory(log *slog.Logger) (*Redis, error) {
	server := miniredis.NewMiniRedis()
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("in-process redis: %w", err)
	}
	log.Warn(inProcessWarning)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		age(server, quit)
	}()
	return &Redis{
		client:  newClient(&redis.Options{Addr: server.Addr(), Password: password}),
		warning: inProcessWarning,
		release: []func() error{func() error {
			close(quit)
			<-done
			server.Close()
			return nil
		}},
	}, nil
}

func age(server *miniredis.Miniredis, quit <-chan struct{}) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			server.FastForward(tick)
		case <-quit:
			return
		}
	}
}
