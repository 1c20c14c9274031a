// Package hallredis keeps halls in Redis. Every operation is one Lua script,
// hence one atomic step; lua/ has a file for each, keys.go every key.
package hallredis

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// chunk is how many members of a collection one Redis command reads at most.
const chunk = 500

// Options of a Store. The zero value is right for production.
type Options struct {
	Prefix string           // begins every key; DefaultPrefix if empty
	Now    func() time.Time // the clock; nil for that of Redis, one for all nodes
	Alerts []hall.AlertRule // nil for hall.AlertRules
}

// Store implements hall.Store on Redis 7.0 or later.
type Store struct {
	client redis.UniversalClient
	prefix string
	now    func() time.Time
	alerts []hall.AlertRule
	watch  string // the same, as Elapse gets them
}

var _ hall.Store = (*Store)(nil)

// New returns a store on a client. The client should not repeat commands by
// itself (MaxRetries -1): not every command may run twice.
func New(client redis.UniversalClient, opts Options) *Store {
	if opts.Prefix == "" {
		opts.Prefix = DefaultPrefix
	}
	if opts.Alerts == nil {
		opts.Alerts = hall.AlertRules()
	}
	return &Store{client: client, prefix: opts.Prefix, now: opts.Now, alerts: opts.Alerts, watch: watchRules(opts.Alerts)}
}

// Ping reports whether Redis answers.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return s.failed("ping", err)
	}
	return nil
}

// nowMillis is the time that a script gets: 0 lets it ask Redis.
func (s *Store) nowMillis() int64 {
	if s.now == nil {
		return 0
	}
	return s.now().UnixMilli()
}

func atMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
