// Package app puts the parts of hallcall together: it is the one place that
// knows them all. The command and the browser tests start it.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
	_ "time/tzdata" // the time zones of halls, where the system has none

	"github.com/alexedwards/scs/goredisstore"
	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/account"
	"github.com/hallcall/hallcall/internal/device"
	"github.com/hallcall/hallcall/internal/dispatch"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/limits"
	"github.com/hallcall/hallcall/internal/metrics"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/internal/redisd"
	"github.com/hallcall/hallcall/internal/uploads"
	"github.com/hallcall/hallcall/web"
)

// drainLimit is how long requests and websockets may take to end. A Redis child
// has some seconds more; all of it is within ten.
const drainLimit = 3 * time.Second

// App is the whole program, from Start to Stop.
type App struct {
	config Config
	log    *slog.Logger

	mu      sync.Mutex
	running bool
	stops   []func(context.Context) error // of what was started, in that order
	addr    net.Addr
	url     string
	failed  chan error
}

// New makes a program that does nothing until Start.
func New(config Config) *App {
	config = config.withDefaults()
	return &App{config: config, log: config.Log}
}

// Start starts everything and returns once the server answers. If anything
// fails, what was started before is stopped again. The end of ctx ends Start,
// not what it started. A program that was stopped can be started again.
func (a *App) Start(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running {
		return errors.New("hallcall runs already")
	}
	began := time.Now() //nolint:forbidigo // only to measure
	a.failed = make(chan error, 1)
	if err := a.start(ctx); err != nil {
		return errors.Join(err, a.stop(context.WithoutCancel(ctx)))
	}
	a.running = true
	a.log.Info("hallcall serves", "address", a.addr.String(), "version", a.config.Version, "took", time.Since(began).Round(time.Millisecond))
	return nil
}

// Stop stops everything: it takes no more connections, asks open pages to come
// back later, lets requests finish for some seconds, and ends the loop for time
// and the Redis child. It waits for all of it, may be called twice, and before Start.
func (a *App) Stop(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.running {
		return nil
	}
	a.running = false
	err := a.stop(ctx)
	a.log.Info("hallcall has stopped")
	return err
}

// Addr is the address that the server listens on, such as "127.0.0.1:8080".
func (a *App) Addr() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.addr == nil {
		return ""
	}
	return a.addr.String()
}

// URL is where people reach the server, without a slash at the end.
func (a *App) URL() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.url
}

// Failed gets the error of a server that ended without being stopped.
func (a *App) Failed() <-chan error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

func (a *App) stop(ctx context.Context) error {
	var errs []error
	for len(a.stops) > 0 {
		last := len(a.stops) - 1
		errs = append(errs, a.stops[last](ctx))
		a.stops = a.stops[:last]
	}
	return errors.Join(errs...)
}

// onStop notes how to stop what was just started.
func (a *App) onStop(stop func(context.Context) error) { a.stops = append(a.stops, stop) }

func (a *App) start(ctx context.Context) error {
	certificate, err := a.config.certificate()
	if err != nil {
		return err
	}
	public, err := a.config.publicURL()
	if err != nil {
		return err
	}
	proxies, err := a.config.trustedProxies()
	if err != nil {
		return err
	}
	if err := a.config.checkToken(); err != nil {
		return err
	}
	backend, err := redisd.Open(ctx, redisd.Config{URL: a.config.Redis, DataDir: a.config.DataDir, Log: a.log})
	if err != nil {
		return err
	}
	a.onStop(func(context.Context) error { return backend.Close() })
	store, mended, err := openStore(ctx, backend.Client(), a.config.Prefix)
	if err != nil {
		return err
	}
	if len(mended) > 0 {
		a.log.Warn("halls were missing in the list of halls", "halls", mended)
	}
	accounts := account.New(backend.Client(), a.config.Prefix)
	password, err := accounts.EnsureAdmin(ctx, a.config.AdminPassword)
	if err != nil {
		return fmt.Errorf("first administrator: %w", err)
	}
	a.printPassword(password)
	if a.config.Demo {
		if err := ensureDemo(ctx, store); err != nil {
			return fmt.Errorf("demo hall: %w", err)
		}
	}
	return a.serve(ctx, backend, store, accounts, certificate, public, proxies)
}

// serve starts what stands on the store: the pages, the loop for time, and
// last the listener, so that whoever gets through finds everything.
func (a *App) serve(ctx context.Context, backend *redisd.Redis, store *hallredis.Store, accounts *account.Accounts, certificate *tls.Config, public string, proxies []netip.Prefix) error {
	client, ok := backend.Client().(*redis.Client)
	if !ok {
		return errors.New("sessions cannot be kept in a Redis cluster yet")
	}
	clock := newClock(a.config.Now, store)
	if err := clock.start(ctx); err != nil {
		return err
	}
	a.onStop(func(context.Context) error { clock.stop(); return nil })
	centre, err := metrics.New(client, store, metrics.Options{Prefix: a.config.Prefix, Now: clock.Now, Log: a.log})
	if err != nil {
		return err
	}
	outside, err := a.newAlerts(client, store, clock)
	if err != nil {
		return err
	}
	pages, err := web.New(web.Config{ //nolint:contextcheck // requests have contexts of their own
		Store: store, Metrics: centre, Accounts: accounts, Devices: device.New(client, a.config.Prefix),
		Limits:   limits.New(client, a.config.Prefix, limits.Defaults(), a.log),
		Uploads:  uploads.New(client, a.config.Prefix),
		Sessions: goredisstore.NewWithPrefix(client, a.config.Prefix+"session:"),
		Token:    a.config.AdminToken, Version: a.config.Version, Warning: backend.Warning(),
		SecureCookies: a.config.secureCookies(), PublicURL: public, OwnHost: a.config.ownHost(net.InterfaceAddrs), Log: a.log,
		Now: clock.Now, TrustedProxies: proxies, Pool: func() prom.Pool { return poolOf(client) },
		Webhook: outside.told(),
	})
	if err != nil {
		return err
	}
	if err := pages.Start(ctx); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	loop := dispatch.New(store, dispatch.Config{Now: clock.Now, Log: a.log})
	l := &listener{handler: pages.Handler(), certificate: certificate, log: a.log, failed: a.failed}
	// Stopped in another order than started: first of all nobody new gets in,
	// then the pages go, then the loops for time, for figures and for alerts.
	follower := metrics.NewFollower(centre, 0)
	a.onStop(func(context.Context) error { outside.stop(); return nil })
	a.onStop(func(context.Context) error { follower.Stop(); return nil })
	a.onStop(func(context.Context) error { loop.Stop(); return nil })
	keeper := dispatch.NewKeeper(store, 0, a.log)
	a.onStop(func(context.Context) error { keeper.Stop(); return nil })
	a.onStop(func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, drainLimit)
		defer cancel()
		var closing sync.WaitGroup
		closing.Go(func() { l.stop(ctx) }) // from now on nobody gets in; it does not wait for websockets
		defer closing.Wait()
		return pages.Stop(ctx)
	})
	if err := loop.Start(ctx); err != nil {
		return err
	}
	keeper.Start(ctx)
	if err := follower.Start(ctx); err != nil {
		return err
	}
	if err := outside.start(ctx); err != nil {
		return err
	}
	if a.addr, err = l.start(ctx, a.config.Addr); err != nil {
		return err
	}
	a.url = baseURL(public, a.addr, certificate != nil)
	return a.printPages(ctx, store)
}

// openStore makes the store, and lists halls that the list of halls lacks.
func openStore(ctx context.Context, client redis.UniversalClient, prefix string) (store *hallredis.Store, mended []string, err error) {
	store = hallredis.New(client, hallredis.Options{Prefix: prefix})
	if mended, err = store.MendHallList(ctx); err != nil {
		return nil, nil, fmt.Errorf("mend list of halls: %w", err)
	}
	return store, mended, nil
}

// poolOf tells how the connections to Redis are used.
func poolOf(client *redis.Client) prom.Pool {
	s := client.PoolStats()
	return prom.Pool{
		Idle: s.IdleConns, Used: s.TotalConns - min(s.IdleConns, s.TotalConns),
		Hits: s.Hits, Misses: s.Misses, Timeouts: s.Timeouts, Stale: s.StaleConns,
	}
}
