package redisd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// dialTimeout is how long it may take to connect.
const dialTimeout = time.Second

// oldest is the first major version of Redis that can be used.
const oldest = 7

// quiet takes from the client library its own way of logging, which writes
// beside the program's log what every command answers with as well.
var quiet = sync.OnceFunc(func() { redis.SetLogger(silence{}) })

// silence is a logger of the client library that drops everything.
type silence struct{}

// Printf drops a line.
func (silence) Printf(context.Context, string, ...any) {}

// newClient makes a client that never repeats a command by itself: whether the
// first one was carried out is unknown, and only the caller knows what then.
func newClient(o *redis.Options) *redis.Client {
	quiet()
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = dialTimeout
	o.ReadTimeout = 3 * time.Second
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o)
}

// openURL connects to a Redis that somebody else runs.
func openURL(ctx context.Context, config Config) (*Redis, error) {
	options, err := redis.ParseURL(config.URL)
	if err != nil {
		// The cause repeats the URL, which may have a password in it.
		return nil, errors.New("the Redis URL cannot be read: it must be redis://, rediss:// or unix://")
	}
	client := newClient(options)
	if err := check(ctx, client, config.log()); err != nil {
		_ = client.Close()
		return nil, fmt.Errorf("redis at %s: %w", options.Addr, err)
	}
	return &Redis{client: client}, nil
}

// check finds out whether a Redis can be used, and warns of settings that may lose a day.
func check(ctx context.Context, client *redis.Client, log *slog.Logger) error {
	if err := client.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("does not answer: %w", err)
	}
	text, err := client.Info(ctx).Result()
	if err != nil {
		log.Debug("redis does not tell its version", "error", err)
		return nil
	}
	info := parseInfo(text)
	major, _, _ := strings.Cut(info["redis_version"], ".")
	if n, err := strconv.Atoi(major); err == nil && n < oldest {
		return fmt.Errorf("is version %s, at least %d.0 is needed", info["redis_version"], oldest)
	}
	if info["aof_enabled"] == "0" {
		log.Warn("redis writes no append-only file: what was done last is lost if it ends")
	}
	if policy := info["maxmemory_policy"]; policy != "" && policy != "noeviction" {
		log.Warn("redis may drop keys when memory is short: set maxmemory-policy noeviction", "policy", policy)
	}
	return nil
}

// parseInfo reads the answer to INFO.
func parseInfo(text string) map[string]string {
	info := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[key] = value
		}
	}
	return info
}
