package web_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// listening is a store that wants to know of boards.
type listening struct {
	hall.Store

	mu    sync.Mutex
	nodes map[string]bool
	told  chan int
}

func (l *listening) ReportScreens(_ context.Context, _, node string, boards int) error {
	l.mu.Lock()
	l.nodes[node] = true
	l.mu.Unlock()
	l.told <- boards
	return nil
}

// TestBoardsAreReported opens a board and closes it: the store hears of both
// at once. A proctor's page is no board.
func TestBoardsAreReported(t *testing.T) {
	t.Parallel()
	l := &listening{nodes: map[string]bool{}, told: make(chan int, 100)}
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { l.Store, cfg.Store = cfg.Store, l })
	hears := func(want int) {
		t.Helper()
		select {
		case got := <-l.told:
			if got != want {
				t.Errorf("%d boards were reported, want %d", got, want)
			}
		case <-time.After(patience):
			t.Fatalf("%d boards were never reported", want)
		}
	}
	b.logIn()
	b.watch("view=proctor")
	board := b.watch("view=board&room=A")
	hears(1)
	_ = board.Close()
	hears(0)
	if len(l.told) > 0 || len(l.nodes) != 1 {
		t.Errorf("%d more reports, by %v", len(l.told), l.nodes)
	}
}
