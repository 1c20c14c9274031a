package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/live"
	"github.com/hallcall/hallcall/internal/prom"
	"github.com/hallcall/hallcall/static"
	"github.com/hallcall/hallcall/web/api"
)

// Config is what the pages need. Metrics, Limits, Uploads, Pool, Webhook, Now, Log and
// Live may be left out; without Uploads no roster can be loaded.
type Config struct {
	Store          hall.Store
	Metrics        hall.Metrics
	Uploads        enrol.Uploads       // rosters between preview and import
	Pool           func() prom.Pool    // connections to the store, for figures
	Webhook        func() prom.Webhook // what it was told, for figures; nil without one
	Accounts       Accounts
	Devices        Devices
	Limits         api.Limits // who must wait; nobody if nil
	Sessions       scs.Store
	Token          string           // of the API, with every right; "" for none
	Version        string           // of the program
	Warning        string           // shown on every staff page, "" for none
	SecureCookies  bool             // cookies go over TLS only, also where a proxy ends it
	PublicURL      string           // where people reach the server, without a slash at the end; "" for the address that they ask
	OwnHost        string           // of this machine, for others; "" if only this machine can reach the server
	TrustedProxies []netip.Prefix   // what comes from there was made elsewhere
	Now            func() time.Time // that of the store, as far as this node knows it; time.Now if nil
	Log            *slog.Logger
	Live           live.Config   // intervals of the websockets; Beat and Watched are set here
	RightsEvery    time.Duration // between two looks whether open websockets may still be; 2 s if 0
}

// Server answers requests for pages, the API and the websockets.
type Server struct {
	cfg       Config
	assets    *static.Assets
	sessions  *sessions
	hub       *live.Hub
	feed      *feed
	ofDays    *figuresCache
	phoneHub  *live.Hub // apart, so that many phones never keep a board out
	phoneFeed *feed
	desk      *enrol.Desk
	screens   *screens // nil where the store does not want to know
	figures   *prom.Exposition
	rights    *rights
	api       api.Config
	needs     map[string]access.Permission // by method and path
	handler   http.Handler
}

// New returns a server that answers at once; pages change by themselves
// between Start and Stop.
func New(cfg Config) (*Server, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the clock of who gives none
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Limits == nil {
		cfg.Limits = api.NoLimits{}
	}
	assets, err := static.Load()
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	s := &Server{cfg: cfg, assets: assets, sessions: newSessions(cfg), needs: map[string]access.Permission{}}
	s.api = api.Config{
		Store: cfg.Store, Metrics: cfg.Metrics, Token: cfg.Token, Tokens: cfg.Accounts, Version: cfg.Version, Now: cfg.Now, Log: cfg.Log,
		Limits: cfg.Limits, AddressOf: s.addressOf,
	}
	s.figures = s.newFigures()
	s.desk = enrol.NewDesk(cfg.Store, cfg.Uploads, cfg.Log)
	boards := s.liveConfig(func(id string) { s.feed.Touch(id) })
	if store, wanted := cfg.Store.(screenStore); wanted {
		s.screens = newScreens(store, s.boards, cfg.Log)
		boards.Peopled = s.peopled
	}
	s.hub = live.NewHub(boards)
	s.feed = newFeed(cfg.Store, s.hub, cfg.Now, cfg.Log)
	s.ofDays = newFiguresCache(cfg, s.feed.Touch, s.monitored)
	s.feed.show = snapshots{cfg.Store, s.hub, s.ofDays}.show
	s.phoneHub = live.NewHub(s.liveConfig(func(id string) { s.phoneFeed.Touch(id) }))
	s.phoneFeed = newPhoneFeed(cfg.Store, s.phoneHub, cfg.Now, cfg.Log)
	s.rights = newRights(s)
	router, err := s.router()
	if err != nil {
		return nil, err
	}
	s.handler = headAsGet(router)
	return s, nil
}

// Handler answers every request.
func (s *Server) Handler() http.Handler { return s.handler }

// Start begins to watch the store for changes.
func (s *Server) Start(ctx context.Context) error {
	if err := s.feed.Start(ctx); err != nil {
		return err
	}
	if s.screens != nil {
		s.screens.start(ctx)
	}
	s.rights.start(ctx)
	return s.phoneFeed.Start(ctx)
}

// Stop takes no more websockets, asks the pages to come back later, waits for
// them until ctx ends, and watches no longer. It may be called more than once
// and before Start.
func (s *Server) Stop(ctx context.Context) error {
	var closing sync.WaitGroup
	var boards, phones, imports error
	closing.Go(func() { imports = s.desk.Stop(ctx) })
	closing.Go(func() { boards = s.hub.Close(ctx) })
	closing.Go(func() { phones = s.phoneHub.Close(ctx) })
	closing.Wait()
	s.rights.stop()
	s.feed.Stop()
	s.phoneFeed.Stop()
	if s.screens != nil {
		s.screens.stop()
	}
	return errors.Join(boards, phones, imports)
}
