package web

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// source is a store of which tests say what it shows.
type source struct {
	hall.Watcher

	snapshots chan struct{}
	release   chan struct{}
	hints     chan hall.Hint
}

func newSource() *source {
	return &source{snapshots: make(chan struct{}, 1000), release: make(chan struct{}, 1000), hints: make(chan hall.Hint)}
}

func (s *source) Snapshot(ctx context.Context, id string) (hall.Snapshot, error) {
	s.snapshots <- struct{}{}
	select {
	case <-s.release:
	case <-ctx.Done():
		return hall.Snapshot{}, ctx.Err()
	}
	return hall.Snapshot{Hall: hall.Hall{ID: id, Layout: hall.Layout{Name: id, TimeZone: "UTC"}}}, nil
}

func (s *source) Watch(ctx context.Context, changed func(hall.Hint)) error {
	changed(hall.Hint{})
	for {
		select {
		case hint := <-s.hints:
			changed(hint)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *source) Ping(context.Context) error { return nil }

// sink takes what is published.
type sink struct {
	mu        sync.Mutex
	topics    []string
	published chan string
}

func (s *sink) Topics() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.topics
}

func (s *sink) TopicsIn(hallID string) []string {
	return slices.DeleteFunc(slices.Clone(s.Topics()), func(name string) bool { return topicOf(name).hall != hallID })
}

func (s *sink) Publish(topic string, message []byte) {
	s.published <- strings.ReplaceAll(topic, "\x00", " ") + ": " + string(message[:8])
}

func startFeed(t *testing.T, topics ...topic) (*feed, *source, *sink) {
	t.Helper()
	store, out := newSource(), &sink{published: make(chan string, 1000)}
	for _, topic := range topics {
		out.topics = append(out.topics, topic.name())
	}
	f := newFeed(store, out, time.Now, slog.New(slog.DiscardHandler))
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f, store, out
}

func TestHintsInABurstMakeOneSnapshot(t *testing.T) {
	t.Parallel()
	f, store, out := startFeed(t, topic{hall: "h", view: viewBoard}, topic{hall: "h", view: viewProctor, room: "x"})
	<-store.snapshots // of the connection: everything may have changed
	for range 100 {
		f.Touch("h") // while the snapshot is read
	}
	store.release <- struct{}{}
	<-store.snapshots // one for all of them, since the first may be too old
	store.release <- struct{}{}
	for range 4 { // each topic once a snapshot
		<-out.published
	}
	f.Stop()
	if len(store.snapshots) != 0 || len(out.published) != 0 {
		t.Errorf("%d snapshots and %d messages too many", len(store.snapshots), len(out.published))
	}
}

func TestHallsThatNobodyWatchesAreNotRead(t *testing.T) {
	t.Parallel()
	_, store, out := startFeed(t, topic{hall: "h", view: viewBoard})
	<-store.snapshots
	store.release <- struct{}{}
	<-out.published
	store.hints <- hall.Hint{Hall: "other"}
	store.hints <- hall.Hint{Hall: "h"}
	<-store.snapshots
	store.release <- struct{}{}
	if got := <-out.published; !strings.HasPrefix(got, "h board") {
		t.Errorf("published %q", got)
	}
	if len(store.snapshots) != 0 {
		t.Error("a hall was read that nobody watches")
	}
}

func TestTheFeedStopsInAnyOrder(t *testing.T) {
	t.Parallel()
	f := newFeed(newSource(), &sink{}, time.Now, slog.New(slog.DiscardHandler))
	f.Touch("h") // before Start: nothing happens
	f.Stop()
	f.Stop()
	if err := f.Start(t.Context()); err == nil {
		t.Error("a stopped feed was started")
	}
	f, store, _ := startFeed(t, topic{hall: "h", view: viewBoard})
	<-store.snapshots
	var stops sync.WaitGroup
	for range 4 {
		stops.Go(f.Stop) // in the middle of a snapshot
	}
	stops.Wait()
	f.Touch("h")
	if len(store.snapshots) != 0 {
		t.Error("a stopped feed reads")
	}
}
