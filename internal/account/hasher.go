package account

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/alexedwards/argon2id"
)

// cost is that of one hash, as OWASP recommends for argon2id.
var cost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hasher hashes passwords, a few at a time: a flood of logins takes neither all
// memory nor all processors from the hall.
type hasher struct {
	slots  chan struct{}
	nobody func() (string, error) // hash that no password has, for users that do not exist
}

func newHasher() *hasher {
	return &hasher{
		slots:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		nobody: sync.OnceValues(func() (string, error) { return argon2id.CreateHash("", cost) }),
	}
}

func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	release, err := h.slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	hash, err := argon2id.CreateHash(password, cost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// compare reports whether a hash is that of a password. An empty hash is that of
// none, which takes as long to find out.
func (h *hasher) compare(ctx context.Context, password, hash string) (bool, error) {
	release, err := h.slot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	exists := hash != ""
	if !exists {
		if hash, err = h.nobody(); err != nil {
			return false, fmt.Errorf("hash password: %w", err)
		}
	}
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return same && exists, nil
}

// slot waits until it is one's turn.
func (h *hasher) slot(ctx context.Context) (release func(), err error) {
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("look at a password: %w", context.Cause(ctx))
	}
}
