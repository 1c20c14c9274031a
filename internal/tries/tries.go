// Package tries counts in Redis, for all servers of a site together, how often
// somebody tried to guess, and says how long to wait before the next try. The
// waits double.
package tries

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed lua/try_begin.lua
	beginText string
	//go:embed lua/try_back.lua
	backText string

	begin = redis.NewScript(beginText)
	back  = redis.NewScript(backText)
)

// Limit says how many tries are free and how long the next ones wait.
type Limit struct {
	Kind           string // part of the key
	Free           int
	First, Longest time.Duration // waits after the free ones; they double
	Kept           time.Duration // without a try they are forgotten after so long
}

// Tries counts, a hash for each that tries.
type Tries struct {
	client redis.Scripter
	del    func(ctx context.Context, keys ...string) *redis.IntCmd
	prefix string
	now    func() time.Time // nil for that of Redis
}

// New returns the tries of the site whose keys begin with prefix.
func New(client redis.Cmdable, prefix string) *Tries {
	return &Tries{client: client, del: client.Del, prefix: prefix}
}

// At is the same with another clock than that of Redis, for tests.
func (t *Tries) At(now func() time.Time) *Tries {
	other := *t
	other.now = now
	return &other
}

// Count counts a try, or returns how long to wait; then nothing is counted.
func (t *Tries) Count(ctx context.Context, l Limit, of string) (wait time.Duration, err error) {
	now := int64(0)
	if t.now != nil {
		now = t.now().UnixMilli()
	}
	millis, err := begin.Run(ctx, t.client, []string{t.key(l, of)},
		l.Free, l.First.Milliseconds(), l.Longest.Milliseconds(), l.Kept.Milliseconds(), now).Int64()
	return time.Duration(millis) * time.Millisecond, err
}

// GiveBack takes back n tries: they were none at guessing.
func (t *Tries) GiveBack(ctx context.Context, l Limit, of string, n int) error {
	return back.Run(ctx, t.client, []string{t.key(l, of)}, n).Err()
}

// Forget takes back all tries.
func (t *Tries) Forget(ctx context.Context, l Limit, of string) error {
	return t.del(ctx, t.key(l, of)).Err()
}

// key is that of somebody who tries. It does not name them.
func (t *Tries) key(l Limit, of string) string {
	sum := sha256.Sum256([]byte(of))
	return t.prefix + "tries:" + l.Kind + ":" + hex.EncodeToString(sum[:16])
}
