package enrol

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

const (
	// lease is for how long a node has an upload without another word, and
	// renewal how often it says one.
	lease   = 15 * time.Second
	renewal = 5 * time.Second

	// readers is how many files a node reads at a time: each may take 200 MB.
	readers = 2

	// firstRows is how many rows of a file are shown as they were understood.
	firstRows = 20
)

// Desk takes files from people, and imports them when they say so.
type Desk struct {
	store   hall.Store
	uploads Uploads
	log     *slog.Logger
	node    string
	slots   chan struct{}

	//nolint:containedctx // imports go on after the request that began them, until Stop
	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex
	stopped bool
	running sync.WaitGroup
}

// NewDesk returns a desk that takes files at once.
func NewDesk(store hall.Store, uploads Uploads, log *slog.Logger) *Desk {
	ctx, cancel := context.WithCancel(context.Background())
	return &Desk{store: store, uploads: uploads, log: log, node: rand.Text(), slots: make(chan struct{}, readers), ctx: ctx, cancel: cancel}
}

// Stop ends what is under way between two steps and leaves it to another node.
// It may be called twice. It waits until ctx ends.
func (d *Desk) Stop(ctx context.Context) error {
	d.mu.Lock()
	d.stopped = true
	d.mu.Unlock()
	d.cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.running.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("imports: %w", ctx.Err())
	}
}

// About is what a page says of a file: as long as it waits, what it would do,
// afterwards what it did.
type About struct {
	File       string // name
	Understood roster.Understood
	First      []hall.RosterRow // the first good ones
	Good       int
	Result     hall.RosterResult
	By         string // who imported it
}

// Paper is an upload as it stands.
type Paper struct {
	About

	State    State
	Progress Progress
}

// Receive reads a file and keeps it. The id is that of the upload. A file that
// cannot be read as a roster is an *hall.Error with CodeInvalid.
func (d *Desk) Receive(ctx context.Context, hallID, name string, data []byte) (id string, err error) {
	free, err := d.slot(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	plan, err := Look(ctx, d.store, hallID, data)
	if err != nil {
		return "", err
	}
	about := About{
		File: name, Understood: plan.Understood, First: plan.Rows[:min(firstRows, len(plan.Rows))], Good: len(plan.Rows), Result: plan.Result,
	}
	said, progress, err := encode(about, plan.Begin())
	if err != nil {
		return "", err
	}
	return d.uploads.Keep(ctx, hallID, data, said, progress)
}

// slot waits until a file may be read.
func (d *Desk) slot(ctx context.Context) (free func(), err error) {
	select {
	case d.slots <- struct{}{}:
		return func() { <-d.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("read a file: %w", ctx.Err())
	}
}

func encode(about About, progress Progress) (said, far []byte, err error) {
	if said, err = json.Marshal(about); err == nil {
		far, err = json.Marshal(progress)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("encode roster: %w", err)
	}
	return said, far, nil
}

// Paper says how an upload stands. ErrGone; ErrOtherDay for one that waits and
// whose day is closed.
func (d *Desk) Paper(ctx context.Context, hallID, id string) (Paper, error) {
	paper, err := d.standing(ctx, hallID, id)
	if err != nil {
		return paper, err
	}
	if err := d.ofToday(ctx, hallID, &paper); err != nil {
		return paper, err
	}
	said, err := d.uploads.About(ctx, hallID, id)
	if err != nil {
		return paper, err
	}
	if err := json.Unmarshal(said, &paper.About); err != nil {
		return paper, fmt.Errorf("decode roster: %w", err)
	}
	return paper, nil
}

// standing says how an upload stands, without what is in it.
func (d *Desk) standing(ctx context.Context, hallID, id string) (Paper, error) {
	status, err := d.uploads.Status(ctx, hallID, id)
	if err != nil {
		return Paper{}, err
	}
	paper := Paper{State: status.State}
	if err := json.Unmarshal(status.Progress, &paper.Progress); err != nil {
		return paper, fmt.Errorf("decode progress: %w", err)
	}
	return paper, nil
}

// ofToday refuses what is for a day that is closed, before any of it is taken.
func (d *Desk) ofToday(ctx context.Context, hallID string, paper *Paper) error {
	if paper.State != Waiting {
		return nil
	}
	today, err := d.store.DayNumber(ctx, hallID, hall.CurrentDay)
	if err != nil {
		return err
	}
	if today != paper.Progress.Day {
		return ErrOtherDay
	}
	return nil
}

// Drop erases an upload that nobody wants.
func (d *Desk) Drop(ctx context.Context, hallID, id string) error {
	return d.uploads.Drop(ctx, hallID, id)
}
