// Package redisd gets the program a Redis: one at a URL, a private redis-server
// child in the data folder, or, where neither is to be had, one inside the
// process that forgets everything when it ends.
package redisd

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os/exec"
	"sync"

	"github.com/redis/go-redis/v9"
)

// InProcess is the URL of a Redis inside the process.
const InProcess = "memory"

// inProcessWarning is shown on every page of the staff.
const inProcessWarning = "This server keeps everything in memory: a restart loses the day. Use it for rehearsals only."

// ErrInUse says that a running server has the data folder already.
var ErrInUse = errors.New("in use")

// Config says which Redis is wanted.
type Config struct {
	// URL is redis://, rediss:// or unix:// and names a Redis that runs;
	// InProcess is one inside the process; empty is a private child.
	URL string
	// DataDir is the folder of the private child.
	DataDir string
	// Program is that of the private child; empty means redis-server on PATH.
	Program string
	// Log gets what the child and its supervisor have to say; nil drops it.
	Log *slog.Logger
}

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}

// program looks for the program of the private child.
func (c Config) program() (string, error) {
	return exec.LookPath(cmp.Or(c.Program, "redis-server"))
}

// Redis is a Redis that can be used until Close.
type Redis struct {
	client  redis.UniversalClient
	warning string
	release []func() error // in order
	once    sync.Once
	err     error
}

// Open returns the Redis of a server once it answers. A private child belongs
// to the server that opened its data folder: a second Open of the same folder
// is ErrInUse, a child left behind by a killed server is ended first, and one
// that dies is started again until Close.
func Open(ctx context.Context, config Config) (*Redis, error) {
	switch config.URL {
	case "":
		return openFolder(ctx, config)
	case InProcess:
		return openMemory(config.log())
	default:
		return openURL(ctx, config)
	}
}

// Attach returns the Redis that a server with the same Config uses, for a
// command that works beside it. If no server runs on the data folder, the
// command has the child for itself until Close.
func Attach(ctx context.Context, config Config) (*Redis, error) {
	switch config.URL {
	case "":
		return attachFolder(ctx, config)
	case InProcess:
		return nil, errors.New("the store is in the memory of the server that runs: no other program can reach it")
	default:
		return openURL(ctx, config)
	}
}

// Client is for all that talk to this Redis. It lasts until Close, also while a
// child is being started again: commands fail meanwhile.
func (r *Redis) Client() redis.UniversalClient { return r.client }

// Warning is a sentence for the staff if this Redis cannot be relied on, else "".
func (r *Redis) Warning() string { return r.warning }

// Close closes the client, ends a private child, waits for it and gives the
// data folder free. It may be called twice.
func (r *Redis) Close() error {
	r.once.Do(func() {
		errs := []error{r.client.Close()}
		for _, release := range r.release {
			errs = append(errs, release())
		}
		r.err = errors.Join(errs...)
	})
	return r.err
}
