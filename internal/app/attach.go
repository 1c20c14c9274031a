package app

import (
	"context"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/redisd"
)

// Attached is a store for a command that works beside a running server.
type Attached struct {
	hall.Store

	// Mended are halls that the list of halls lacked until now.
	Mended []string

	// Metrics are the figures, as the program keeps them.
	Metrics *metrics.Centre

	halls   *hallredis.Store
	backend *redisd.Redis
}

// Attach opens the store that a server with the same Redis, DataDir and Prefix
// uses, or, if none runs, would use.
func Attach(ctx context.Context, config Config) (*Attached, error) {
	config = config.withDefaults()
	backend, err := redisd.Attach(ctx, redisd.Config{URL: config.Redis, DataDir: config.DataDir, Log: config.Log})
	if err != nil {
		return nil, err
	}
	store, mended, err := openStore(ctx, backend.Client(), config.Prefix)
	if err != nil {
		_ = backend.Close()
		return nil, err
	}
	centre, err := metrics.New(backend.Client(), store, metrics.Options{Prefix: config.Prefix, Log: config.Log})
	if err != nil {
		_ = backend.Close()
		return nil, err
	}
	return &Attached{Store: store, Mended: mended, Metrics: centre, halls: store, backend: backend}, nil
}

// Close gives the store back.
func (a *Attached) Close() error { return a.backend.Close() }
