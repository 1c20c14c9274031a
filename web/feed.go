package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// How the feed keeps time.
const (
	feedPause = 50 * time.Millisecond // between two snapshots of one hall
	feedRetry = time.Second           // after the store did not answer
	feedPing  = 2 * time.Second       // between two looks whether the store answers
	feedLimit = 5 * time.Second       // for one snapshot
)

// publisher is who hands states out to those who watch.
type publisher interface {
	Topics() []string
	TopicsIn(hallID string) []string
	Publish(topic string, message []byte)
}

// feed turns hints of changes into states of the topics that somebody watches:
// a hint is followed by one reading of the hall, each topic is rendered once,
// and everybody gets the same bytes.
type feed struct {
	store hall.Watcher
	out   publisher
	show  shower
	pause time.Duration // between two readings of one hall
	now   func() time.Time
	log   *slog.Logger

	mu      sync.Mutex
	ctx     context.Context //nolint:containedctx // from Start to Stop, for the goroutines that Touch starts
	cancel  context.CancelFunc
	running sync.WaitGroup
	halls   map[string]*watchedHall
	lost    time.Time // since when the store does not answer, zero while it does
}

// watchedHall is a hall for which a goroutine renders now.
type watchedHall struct {
	again bool // it changed since
}

// shower reads a hall and publishes the states of some of its topics.
type shower func(ctx context.Context, id string, topics []topic) error

// newFeed makes the feed of the pages that show a hall.
func newFeed(store hall.Watcher, out publisher, now func() time.Time, log *slog.Logger) *feed {
	return &feed{
		store: store, out: out, show: snapshots{store: store, out: out}.show, pause: feedPause,
		now: now, log: log, halls: map[string]*watchedHall{},
	}
}

// Start begins to watch. A feed can be started once.
func (f *feed) Start(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx != nil {
		return errors.New("web: feed was started before")
	}
	ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	f.ctx = ctx
	f.running.Add(2)
	go f.watch(ctx)
	go f.ping(ctx)
	return nil
}

// Stop ends watching and waits for what runs.
func (f *feed) Stop() {
	f.mu.Lock()
	if f.ctx == nil { // nor can it be started later
		f.ctx, f.cancel = context.WithCancel(context.Background())
	}
	f.cancel()
	f.mu.Unlock()
	f.running.Wait()
}

// watch follows the hints until the feed stops.
func (f *feed) watch(ctx context.Context) {
	defer f.running.Done()
	for ctx.Err() == nil {
		err := f.store.Watch(ctx, f.changed)
		if ctx.Err() != nil {
			return
		}
		f.log.Warn("watching for changes was interrupted", "error", err)
		wait(ctx, feedRetry)
	}
}

// changed takes a hint; one without a hall means that anything may have changed.
func (f *feed) changed(hint hall.Hint) {
	if hint.Hall != "" {
		f.Touch(hint.Hall)
		return
	}
	f.touchAll()
}

func (f *feed) touchAll() {
	for id := range f.topics() {
		f.Touch(id)
	}
}

// topicsIn are those of one hall that somebody watches.
func (f *feed) topicsIn(id string) []topic {
	names := f.out.TopicsIn(id)
	topics := make([]topic, len(names))
	for i, name := range names {
		topics[i] = topicOf(name)
	}
	return topics
}

// topics are those that somebody watches, by hall.
func (f *feed) topics() map[string][]topic {
	byHall := map[string][]topic{}
	for _, name := range f.out.Topics() {
		t := topicOf(name)
		byHall[t.hall] = append(byHall[t.hall], t)
	}
	return byHall
}

// Touch says that a hall changed or that somebody begins to watch it. It
// returns at once.
func (f *feed) Touch(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx == nil || f.ctx.Err() != nil {
		return
	}
	if h, busy := f.halls[id]; busy {
		h.again = true
		return
	}
	h := &watchedHall{}
	f.halls[id] = h
	f.running.Add(1)
	go f.follow(f.ctx, id, h)
}

// follow renders a hall as long as it changes, at most once in f.pause.
func (f *feed) follow(ctx context.Context, id string, h *watchedHall) {
	defer f.running.Done()
	for {
		pause := f.pause
		if err := f.refresh(ctx, id); err != nil && ctx.Err() == nil {
			f.log.Warn("hall not shown", "hall", id, "error", err)
			if errors.Is(err, hall.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
				f.storeLost(ctx, f.topicsIn(id))
			}
			pause = max(pause, feedRetry)
			f.again(h)
		}
		wait(ctx, pause)
		if ctx.Err() != nil || f.finished(id, h) {
			return
		}
	}
}

func (f *feed) again(h *watchedHall) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h.again = true
}

// finished ends the following of a hall unless it changed again.
func (f *feed) finished(id string, h *watchedHall) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.again {
		h.again = false
		return false
	}
	delete(f.halls, id)
	return true
}

// refresh publishes the state of a hall's topics as it is now.
func (f *feed) refresh(ctx context.Context, id string) error {
	topics := f.topicsIn(id)
	if len(topics) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, feedLimit)
	defer cancel()
	return f.show(ctx, id, topics)
}

// ping looks whether the store answers, since no hint comes when it does not.
func (f *feed) ping(ctx context.Context) {
	defer f.running.Done()
	for wait(ctx, feedPing); ctx.Err() == nil; wait(ctx, feedPing) {
		if len(f.out.Topics()) == 0 {
			continue
		}
		if err := f.reachable(ctx); err != nil && ctx.Err() == nil {
			for _, topics := range f.topics() {
				f.storeLost(ctx, topics)
			}
		} else if f.storeBack() {
			f.log.Info("the store answers again")
			f.touchAll()
		}
	}
}

func (f *feed) reachable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, feedPing)
	defer cancel()
	return f.store.Ping(ctx)
}

// storeLost tells who watches that what they see cannot be renewed.
func (f *feed) storeLost(ctx context.Context, topics []topic) {
	since := f.lostSince()
	for _, t := range topics {
		if message, err := renderLost(ctx, t, since); err == nil {
			f.out.Publish(t.name(), message)
		}
	}
}

// lostSince is when the store was first found not to answer.
func (f *feed) lostSince() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost.IsZero() {
		f.lost = f.now()
		f.log.Error("the store does not answer")
	}
	return f.lost
}

func (f *feed) storeBack() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	back := !f.lost.IsZero()
	f.lost = time.Time{}
	return back
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
