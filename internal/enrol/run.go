package enrol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// errLost says that another node has the upload by now.
var errLost = errors.New("enrol: another node is at it")

// Import begins to take an upload, or goes on with one that was left; what is
// under way or over stays as it is. It returns at once: done is closed when no
// more is done here. ErrGone; ErrOtherDay.
func (d *Desk) Import(ctx context.Context, hallID, id, by string) (done <-chan struct{}, err error) {
	paper, err := d.standing(ctx, hallID, id)
	if err != nil {
		return nil, err
	}
	if err := d.ofToday(ctx, hallID, &paper); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return nil, hall.ErrUnavailable
	}
	mine, err := d.uploads.Take(ctx, hallID, id, d.node, lease)
	if err != nil || !mine {
		close(ended)
		return ended, err
	}
	r := &run{Desk: d, hall: hallID, id: id, by: by}
	d.running.Go(func() {
		defer close(ended)
		r.run(d.ctx)
	})
	return ended, nil
}

// run is one import.
type run struct {
	*Desk

	hall, id, by string
}

func (r *run) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renew(ctx, cancel)
	err := r.take(ctx)
	switch {
	case err == nil, errors.Is(err, errLost), errors.Is(err, ErrGone):
		return
	case ctx.Err() == nil:
		r.log.Error("roster not imported to its end", "hall", r.hall, "error", err)
	}
	// Somebody may go on with it at once.
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	if _, err := r.uploads.Renew(ctx, r.hall, r.id, r.node, 0, nil); err != nil {
		r.log.Warn("roster not given back", "hall", r.hall, "error", err)
	}
}

// renew says from time to time that this node is at it, until ctx ends; it ends
// what is done when that is not so any more.
func (r *run) renew(ctx context.Context, lost context.CancelFunc) {
	ticks := time.NewTicker(renewal)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if mine, err := r.uploads.Renew(ctx, r.hall, r.id, r.node, lease, nil); err == nil && !mine {
				lost()
				return
			}
		}
	}
}

// take reads the file and takes it from where it was left.
func (r *run) take(ctx context.Context) error {
	paper, plan, err := r.read(ctx)
	if err != nil {
		return err
	}
	last := paper.Progress
	result, err := plan.Take(ctx, r.store, r.hall, paper.Progress, hall.Caller{By: r.by, Key: r.id}, func(now Progress) error {
		last = now
		return r.report(ctx, now)
	})
	if err != nil && hall.CodeOf(err) == "" || errors.Is(err, hall.ErrUnavailable) {
		return err // it can be gone on with
	}
	if err != nil {
		last.Stopped = reason(err)
	}
	about := paper.About
	about.First, about.Result, about.By = nil, result, r.by
	said, progress, err := encode(about, last)
	if err != nil {
		return err
	}
	mine, err := r.uploads.Finish(ctx, r.hall, r.id, r.node, said, progress)
	return lostUnless(mine, err)
}

// read reads the file by the layout that the hall has now.
func (r *run) read(ctx context.Context) (Paper, Plan, error) {
	free, err := r.slot(ctx)
	if err != nil {
		return Paper{}, Plan{}, err
	}
	defer free()
	paper, err := r.standing(ctx, r.hall, r.id)
	if err != nil {
		return paper, Plan{}, err
	}
	said, err := r.uploads.About(ctx, r.hall, r.id)
	if err != nil {
		return paper, Plan{}, err
	}
	if err := json.Unmarshal(said, &paper.About); err != nil {
		return paper, Plan{}, fmt.Errorf("decode roster: %w", err)
	}
	file, err := r.uploads.File(ctx, r.hall, r.id)
	if err != nil {
		return paper, Plan{}, err
	}
	plan, err := Read(ctx, r.store, r.hall, file)
	return paper, plan, err
}

// report says how far it is.
func (r *run) report(ctx context.Context, now Progress) error {
	progress, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("encode progress: %w", err)
	}
	mine, err := r.uploads.Renew(ctx, r.hall, r.id, r.node, lease, progress)
	return lostUnless(mine, err)
}

func lostUnless(mine bool, err error) error {
	if err == nil && !mine {
		return errLost
	}
	return err
}
