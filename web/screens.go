package web

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
)

// How the store is kept told of the boards.
const (
	screensEvery = 10 * time.Second // a node that is not heard of for three of these has no boards
	screensLimit = 2 * time.Second  // for one report
	screensLast  = time.Second      // for all of them when the server stops
)

// screenStore hears how many boards of a hall are connected to a node.
type screenStore interface {
	ReportScreens(ctx context.Context, hall, node string, boards int) error
}

// screens reports the boards connected to this node, so that a hall that has
// none at all is noticed, whichever node they were on.
type screens struct {
	store  screenStore
	boards func() map[string]int // connected now, by hall
	node   string
	every  time.Duration
	log    *slog.Logger
	wake   chan struct{} // the first board of a hall came, or the last one went

	reported map[string]int // by hall, those that are not 0; of the loop only

	mu      sync.Mutex
	cancel  context.CancelFunc
	stopped bool
	running sync.WaitGroup
}

func newScreens(store screenStore, boards func() map[string]int, log *slog.Logger) *screens {
	return &screens{
		store: store, boards: boards, node: rand.Text(), every: screensEvery, log: log,
		wake: make(chan struct{}, 1), reported: map[string]int{},
	}
}

// changed says that a hall has its first board, or none any more.
func (s *screens) changed() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// start begins to report, once.
func (s *screens) start(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil || s.stopped {
		return
	}
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.running.Go(func() { s.loop(ctx) })
}

// stop ends reporting; what is still connected to nobody is said to be gone.
func (s *screens) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.cancel != nil {
		s.cancel()
	}
	s.running.Wait()
}

func (s *screens) loop(ctx context.Context) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	for {
		select {
		case <-s.wake:
			s.report(ctx, false)
		case <-ticker.C:
			s.report(ctx, true)
		case <-ctx.Done():
			s.sayLast(ctx)
			return
		}
	}
}

// sayLast reports once more when the server stops.
func (s *screens) sayLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), screensLast)
	defer cancel()
	s.report(ctx, true)
}

// report tells the store of all halls with boards, or only of those that had
// none or have none now. What the store did not take is told again.
func (s *screens) report(ctx context.Context, all bool) {
	now := s.boards()
	for id := range s.reported {
		if now[id] == 0 {
			s.tell(ctx, id, 0)
		}
	}
	for id, boards := range now {
		if boards > 0 && (all || s.reported[id] == 0) {
			s.tell(ctx, id, boards)
		}
	}
}

func (s *screens) tell(ctx context.Context, id string, boards int) {
	ctx, cancel := context.WithTimeout(ctx, screensLimit)
	defer cancel()
	if err := s.store.ReportScreens(ctx, id, s.node, boards); err != nil {
		s.log.Debug("boards not reported", "hall", id, "error", err) // the feed says that the store is gone
		return
	}
	if boards == 0 {
		delete(s.reported, id)
	} else {
		s.reported[id] = boards
	}
}

// peopled is told that somebody is the first to watch a topic, or the last one went.
func (s *Server) peopled(name string) {
	if topicOf(name).view == viewBoard {
		s.screens.changed()
	}
}

// boards counts the boards connected to this node, by hall.
func (s *Server) boards() map[string]int {
	all := map[string]int{}
	s.hub.Each(func(name string, clients int) {
		if t := topicOf(name); t.view == viewBoard {
			all[t.hall] += clients
		}
	})
	return all
}
