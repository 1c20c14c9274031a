package web

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"
)

// boardStore keeps what was reported last.
type boardStore struct {
	mu     sync.Mutex
	boards map[string]int
	nodes  map[string]bool
	told   int
	fails  bool
}

func (b *boardStore) ReportScreens(_ context.Context, hall, node string, boards int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fails {
		return errors.New("gone")
	}
	b.boards[hall], b.nodes[node] = boards, true
	b.told++
	return nil
}

func (b *boardStore) state() (boards map[string]int, told int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.boards), b.told
}

func (b *boardStore) fail(fails bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails = fails
}

// present are the boards that are connected.
type present struct {
	mu  sync.Mutex
	now map[string]int
}

func (p *present) set(hall string, boards int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now[hall] = boards
}

func (p *present) get() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.now)
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("never: %s", what)
		case <-time.After(time.Millisecond):
		}
	}
}

func newBoards(every time.Duration) (*boardStore, *present, *screens) {
	store := &boardStore{boards: map[string]int{}, nodes: map[string]bool{}}
	p := &present{now: map[string]int{}}
	s := newScreens(store, p.get, slog.New(slog.DiscardHandler))
	s.every = every
	return store, p, s
}

// TestBoardsAreReportedAtOnce has the first board of a hall come and the last
// one go: neither waits for the next round. When the server stops its boards are gone.
func TestBoardsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	store, p, s := newBoards(time.Hour)
	s.start(t.Context())
	is := func(hall string, want int) func() bool {
		return func() bool { boards, _ := store.state(); n, told := boards[hall]; return told && n == want }
	}
	p.set("a", 1)
	s.changed()
	until(t, "a has a board", is("a", 1))
	p.set("a", 2)
	p.set("b", 1)
	s.changed()
	until(t, "b has a board", is("b", 1))
	if boards, told := store.state(); boards["a"] != 1 || told != 2 {
		t.Errorf("a second board was told at once: %v, %d reports", boards, told)
	}
	p.set("a", 0)
	s.changed()
	until(t, "a has none", is("a", 0))
	s.stop()
	s.stop()
	if boards, _ := store.state(); boards["b"] != 1 {
		t.Errorf("a board that is still there was reported as %v", boards)
	}
	if len(store.nodes) != 1 {
		t.Errorf("one node calls itself %v", store.nodes)
	}
}

// TestBoardsAreReportedAgain has a store that forgets, and that is gone for a while.
func TestBoardsAreReportedAgain(t *testing.T) {
	t.Parallel()
	store, p, s := newBoards(5 * time.Millisecond)
	p.set("a", 2)
	s.start(t.Context())
	defer s.stop()
	until(t, "three reports", func() bool { boards, told := store.state(); return told >= 3 && boards["a"] == 2 })
	store.fail(true)
	p.set("a", 0)
	s.changed()
	store.fail(false)
	until(t, "the end is told", func() bool { boards, _ := store.state(); return boards["a"] == 0 })
	_, before := store.state()
	p.set("b", 1)
	until(t, "another hall by the round", func() bool { boards, told := store.state(); return boards["b"] == 1 && told > before })
}

func TestScreensStopBeforeStart(t *testing.T) {
	t.Parallel()
	_, _, s := newBoards(time.Millisecond)
	s.stop()
	s.start(t.Context())
	s.stop()
}
