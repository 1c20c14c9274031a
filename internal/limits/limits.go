// Package limits keeps requests within limits that all servers of a site share
// in Redis. It never takes the hall down: while Redis does not answer, nothing
// is limited.
package limits

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/tries"
)

const (
	patience = 500 * time.Millisecond // for an answer of Redis: a request waits no longer for a limit
	pause    = 2 * time.Second        // in which Redis is not asked after it did not answer
)

// Limits are those of one server; what they count is shared.
type Limits struct {
	limiter *redis_rate.Limiter
	tries   *tries.Tries
	rates   Rates
	log     *slog.Logger
	began   time.Time
	resumes atomic.Int64 // since began: Redis is not asked before
}

// New returns the limits of the site whose keys begin with prefix.
func New(client redis.UniversalClient, prefix string, rates Rates, log *slog.Logger) *Limits {
	return &Limits{
		limiter: redis_rate.NewLimiter(prefixed{client, prefix}), tries: tries.New(client, prefix), rates: rates, log: log,
		began: time.Now(), //nolint:forbidigo // only to measure
	}
}

// At is the same with another clock for misses than that of Redis, for tests.
func (l *Limits) At(now func() time.Time) *Limits {
	return &Limits{limiter: l.limiter, tries: l.tries.At(now), rates: l.rates, log: l.log, began: l.began}
}

// Take counts a request of somebody; a *access.LockedError if it is one too many.
func (l *Limits) Take(ctx context.Context, of access.Limit, who string) error {
	rate, ok := l.rates[of]
	if !ok {
		return nil
	}
	return l.ask(ctx, func(ctx context.Context) (time.Duration, error) {
		result, err := l.limiter.Allow(ctx, string(of)+":"+who, rate)
		if err != nil || result.Allowed > 0 {
			return 0, err
		}
		return max(result.RetryAfter, time.Millisecond), nil
	})
}

// Begin counts a look for a number at a device, "" for none, and from its
// address, before it is looked for; a *access.LockedError if it must wait.
func (l *Limits) Begin(ctx context.Context, device, address string) error {
	err := l.count(ctx, missesOfAddress, address)
	if err != nil || device == "" {
		return err
	}
	if err = l.count(ctx, missesOfDevice, device); err != nil {
		_ = l.giveBack(ctx, missesOfAddress, address, 1) // no number was looked for
	}
	return err
}

// Found takes back what Begin counted: the number was one. A first check-in
// forgets what the device missed before. Nobody can have two of those with one
// number, so whoever knows a number does not get around the waits with it.
func (l *Limits) Found(ctx context.Context, device, address string, first bool) {
	n := 1
	if first {
		n = takenOff
	}
	_ = l.giveBack(ctx, missesOfAddress, address, n)
	switch {
	case device == "":
	case first:
		_ = l.ask(ctx, func(ctx context.Context) (time.Duration, error) {
			return 0, l.tries.Forget(ctx, missesOfDevice, device)
		})
	default:
		_ = l.giveBack(ctx, missesOfDevice, device, 1)
	}
}

func (l *Limits) count(ctx context.Context, limit tries.Limit, of string) error {
	return l.ask(ctx, func(ctx context.Context) (time.Duration, error) { return l.tries.Count(ctx, limit, of) })
}

func (l *Limits) giveBack(ctx context.Context, limit tries.Limit, of string, n int) error {
	return l.ask(ctx, func(ctx context.Context) (time.Duration, error) { return 0, l.tries.GiveBack(ctx, limit, of, n) })
}

// ask asks Redis how long to wait. Without an answer nobody waits, and for a
// moment nobody asks.
func (l *Limits) ask(ctx context.Context, how func(context.Context) (time.Duration, error)) error {
	since := time.Since(l.began)
	if int64(since) < l.resumes.Load() {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	wait, err := how(short)
	if err != nil {
		if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
			l.resumes.Store(int64(since + pause))
			l.log.Warn("nothing is limited while Redis does not answer", "error", err)
		}
		return nil
	}
	if wait > 0 {
		return &access.LockedError{Wait: wait}
	}
	return nil
}

// prefixed puts a site's prefix before the keys of redis_rate, which has one of
// its own.
type prefixed struct {
	redis.UniversalClient

	prefix string
}

// Eval runs a script on keys of the site.
func (p prefixed) Eval(ctx context.Context, script string, keys []string, args ...any) *redis.Cmd {
	return p.UniversalClient.Eval(ctx, script, p.keys(keys), args...)
}

// EvalSha runs a script that Redis knows on keys of the site.
func (p prefixed) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	return p.UniversalClient.EvalSha(ctx, sha, p.keys(keys), args...)
}

func (p prefixed) keys(keys []string) []string {
	own := make([]string, 0, len(keys))
	for _, key := range keys {
		own = append(own, p.prefix+key)
	}
	return own
}
