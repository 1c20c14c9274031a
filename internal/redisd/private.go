package redisd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// attachLimit is how long a command waits for the Redis of a server that is just starting.
const attachLimit = 10 * time.Second

// openFolder gives a server the private child of its data folder; without the
// program for it, a Redis inside the process.
func openFolder(ctx context.Context, config Config) (*Redis, error) {
	log := config.log()
	f, err := newFolder(config.DataDir, log)
	if err != nil {
		return nil, err
	}
	program, missing := config.program()
	lock, err := f.acquire(ctx, holder{PID: os.Getpid(), Server: true, Memory: missing != nil})
	if err != nil {
		return nil, err
	}
	if missing == nil {
		return openChild(ctx, f, program, lock, log)
	}
	log.Warn("redis-server is not installed: without it the data folder is not used", "error", missing)
	r, err := openMemory(log)
	if err != nil {
		return nil, errors.Join(err, unlock(lock))
	}
	r.release = append(r.release, func() error { return unlock(lock) })
	return r, nil
}

// attachFolder gives a command the child of the server on its data folder; if
// no server runs, a child of its own.
func attachFolder(ctx context.Context, config Config) (*Redis, error) {
	f, err := findFolder(config.DataDir)
	if err != nil {
		return nil, err
	}
	lock, err := f.acquire(ctx, holder{PID: os.Getpid()})
	if errors.Is(err, ErrInUse) {
		return attachSocket(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	f, err = newFolder(config.DataDir, config.log())
	if err != nil {
		return nil, errors.Join(err, unlock(lock))
	}
	program, err := config.program()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("no server runs on data folder %s, and redis-server is not installed: %w", f.root, err), unlock(lock))
	}
	return openChild(ctx, f, program, lock, config.log())
}

// openChild starts the child and its supervisor; the lock is theirs from then on.
func openChild(ctx context.Context, f folder, program string, lock *os.File, log *slog.Logger) (*Redis, error) {
	client := f.socket.client()
	s, err := supervise(ctx, f, program, client, log)
	if err != nil {
		return nil, errors.Join(err, client.Close(), unlock(lock))
	}
	return &Redis{client: client, release: []func() error{s.stop, func() error { return unlock(lock) }}}, nil
}

// attachSocket connects to the child of a server that runs.
func attachSocket(ctx context.Context, f folder) (*Redis, error) {
	by := f.heldBy()
	if by.Memory {
		return nil, fmt.Errorf("the store is in the memory of the server that runs (process %d): no other program can reach it", by.PID)
	}
	ctx, cancel := context.WithTimeout(ctx, attachLimit)
	defer cancel()
	client := f.socket.client()
	if err := f.socket.answers(ctx, client, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("redis of the server on data folder %s: %w", f.root, err), client.Close())
	}
	return &Redis{client: client}, nil
}
