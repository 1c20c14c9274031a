package web

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/live"
)

// rightsEvery is how often open websockets are asked for their rights.
const rightsEvery = 2 * time.Second

// holder is on whose right a websocket watches what: kept as text by the hub,
// and never sent anywhere.
type holder struct {
	Session string // token, "" for none
	Device  string // its secret, "" for none
	View    string
	Hall    string
	Room    string
	Manages bool
}

// holderName is the holder of a websocket that a request asks for.
func (s *Server) holderName(c echo.Context, t topic) string {
	h := holder{View: t.view, Hall: t.hall, Room: t.room, Manages: t.manages}
	switch {
	case visitingAs(c) != nil:
		h.Device = secretOf(c)
	case visitor(c).User != "":
		h.Session = s.sessions.token(c)
	}
	name, err := json.Marshal(h)
	if err != nil {
		return ""
	}
	return string(name)
}

// rights ends websockets whose rights have ended.
type rights struct {
	server  *Server
	hub     *live.Hub
	every   time.Duration
	changed chan struct{} // an account was changed here: look at once
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newRights(s *Server) *rights {
	every := s.cfg.RightsEvery
	if every <= 0 {
		every = rightsEvery
	}
	return &rights{server: s, hub: s.hub, every: every, changed: make(chan struct{}, 1)}
}

// start begins to look; it can be done once.
func (r *rights) start(ctx context.Context) {
	ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.running.Go(func() {
		ticker := time.NewTicker(r.every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			case <-r.changed:
			}
			r.look(ctx)
		}
	})
}

func (r *rights) stop() {
	if r.cancel != nil {
		r.cancel()
	}
	r.running.Wait()
}

// hint says that rights have changed.
func (r *rights) hint() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// look ends the websockets of those who may not watch any more. While the store
// does not answer, nobody is ended: nothing new is seen then.
func (r *rights) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for _, name := range r.hub.Holders() {
		var h holder
		if json.Unmarshal([]byte(name), &h) != nil {
			continue
		}
		still, err := r.server.mayStillWatch(ctx, h)
		if err != nil {
			r.server.cfg.Log.Debug("rights not looked at", "error", err)
			return
		}
		if !still {
			r.hub.End(name)
		}
	}
}

// mayStillWatch reports whether a websocket could be opened now as it is.
func (s *Server) mayStillWatch(ctx context.Context, h holder) (bool, error) {
	var account access.Account
	if h.Session != "" {
		session, err := s.sessions.manager.Load(ctx, h.Session)
		if err != nil {
			return false, unavailable(err)
		}
		if account, err = s.holderOf(session); err != nil {
			return false, err
		}
	}
	device, err := s.deviceOf(ctx, h.Device)
	if err != nil {
		return false, err
	}
	if device != nil {
		account = accountOf(device)
		if !mayShow(device, h.Room) {
			return false, nil
		}
	}
	g := account.Grant
	if h.View != viewBoard {
		return access.Allows(g, access.See, h.Hall, h.Room) && access.Allows(g, access.Manage, h.Hall, "") == h.Manages, nil
	}
	if access.Allows(g, access.Watch, h.Hall, "") {
		return true, nil
	}
	known, err := s.cfg.Store.Hall(ctx, h.Hall)
	if err != nil {
		return false, err
	}
	return known.Layout.Rules.OpenScreens, nil
}
