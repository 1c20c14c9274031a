package webhook

import (
	"context"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

const (
	batch   = 200 // events read at once
	perTurn = 10  // alerts of one hall until it is the turn of others

	lease        = 45 * time.Second // of a hall: a request takes a third of it at most
	patience     = 5 * time.Second  // until a hall is looked at again that another node has
	releaseLimit = time.Second      // for the store, when a hall is given back
)

// told is what this node knows of one hall. One look at a time uses it.
type told struct {
	kept hall.Position // as all nodes know it, zero when it has to be read
	read hall.Position // how far this node has read on from there without an alert
	tries
	passed int       // events read since that was noted
	after  time.Time // not before this the next attempt
}

func (w *Webhook) toldOf(id string) *told {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.halls[id]
	if t == nil {
		t = &told{}
		w.halls[id] = t
	}
	return t
}

// look tells the alerts of a hall that were not told yet.
func (w *Webhook) look(ctx context.Context, id string) (again time.Duration, err error) {
	t := w.toldOf(id)
	if wait, err := w.wait(ctx, id, t); wait > 0 || err != nil {
		return wait, err
	}
	for range perTurn {
		if t.kept == (hall.Position{}) {
			if err := w.readPosition(ctx, id, t); err != nil {
				return 0, err
			}
		}
		e, err := w.next(ctx, id, t)
		if err != nil || e == nil {
			return 0, err
		}
		if again, err := w.tell(ctx, id, t, e); err != nil || again > 0 {
			t.after = w.c.Now().Add(again)
			return again, err
		}
	}
	return time.Nanosecond, nil
}

// wait says how long a hall is left alone after a failure: a hint is no reason
// to try sooner, but another node that has told the alert is.
func (w *Webhook) wait(ctx context.Context, id string, t *told) (time.Duration, error) {
	wait := t.after.Sub(w.c.Now())
	if wait <= 0 {
		return 0, nil
	}
	at, err := w.c.Positions.Position(ctx, id)
	if err != nil || at == t.kept {
		return wait, err
	}
	*t = told{kept: at, read: at}
	return 0, nil
}

// readPosition reads how far a hall was told. Where nothing was, it begins
// with what happened since this run began.
func (w *Webhook) readPosition(ctx context.Context, id string, t *told) error {
	at, err := w.c.Positions.Position(ctx, id)
	if err != nil {
		return err
	}
	if at == (hall.Position{}) {
		if at, err = w.begin(ctx, id); err != nil {
			return err
		}
		moved, err := w.c.Positions.Move(ctx, id, hall.Position{}, at, 0)
		if err != nil {
			return err
		}
		if !moved { // another node has begun
			return w.readPosition(ctx, id, t)
		}
	}
	t.kept, t.read = at, at
	return nil
}

// begin is the position before the first event of this run.
func (w *Webhook) begin(ctx context.Context, id string) (hall.Position, error) {
	day, err := w.c.Store.DayNumber(ctx, id, hall.CurrentDay)
	if err != nil {
		return hall.Position{}, err
	}
	w.mu.Lock()
	began := w.began
	w.mu.Unlock()
	at := hall.Position{Day: day}
	for {
		d, err := w.c.Store.DayEvents(ctx, id, day, at.After, batch)
		if err != nil {
			return hall.Position{}, err
		}
		for i := range d.Events {
			if !d.Events[i].At.Before(began) {
				return at, nil
			}
			at.After = d.Events[i].ID
		}
		if len(d.Events) < batch {
			return at, nil
		}
	}
}

// next reads on to the next alert; nil when there is none.
func (w *Webhook) next(ctx context.Context, id string, t *told) (*hall.Event, error) {
	for {
		d, err := w.c.Store.DayEvents(ctx, id, t.read.Day, t.read.After, batch)
		if hall.CodeOf(err) == hall.CodeUnknownDay { // it is not kept any more
			present, err := w.c.Store.DayNumber(ctx, id, hall.CurrentDay)
			if err != nil || present == t.read.Day {
				return nil, err
			}
			t.read.Day = present
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range d.Events {
			if isAlert(&d.Events[i]) {
				return &d.Events[i], nil
			}
			t.read.After = d.Events[i].ID
		}
		t.passed += len(d.Events)
		switch {
		case len(d.Events) == batch, t.passed >= batch:
		case d.Closed:
			t.read.Day++
		default:
			return nil, nil //nolint:nilnil // there is none, which is no error
		}
		// Noted for whoever starts anew: it need not be read again.
		if err := w.pass(ctx, id, t); err != nil {
			return nil, err
		}
	}
}

// pass moves the position over what is not told, if it is this node's turn.
func (w *Webhook) pass(ctx context.Context, id string, t *told) error {
	t.passed = 0
	mine, _, err := w.take(ctx, id, t)
	if err != nil || !mine {
		return err
	}
	defer w.release(ctx, id)
	return w.move(ctx, id, t, t.read, 0)
}

// take asks for a hall's turn. If the position is not what this node took it
// for, reading begins anew there and it is nobody's turn yet.
func (w *Webhook) take(ctx context.Context, id string, t *told) (mine bool, wait time.Duration, err error) {
	at, wait, err := w.c.Positions.Lease(ctx, id, w.node, lease)
	if err != nil || wait > 0 {
		return false, min(wait, patience), err
	}
	if at != t.kept {
		t.kept, t.read = at, at
		t.failures = 0
		return false, 0, nil
	}
	return true, 0, nil
}

// release gives a hall's turn back, also when this node stops.
func (w *Webhook) release(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseLimit)
	defer cancel()
	_ = w.c.Positions.Release(ctx, id, w.node) // it ends by itself, too
}

// move moves the position.
func (w *Webhook) move(ctx context.Context, id string, t *told, to hall.Position, lost int) error {
	from := t.kept
	t.kept = hall.Position{} // whether it is moved is not known before the answer
	moved, err := w.c.Positions.Move(ctx, id, from, to, lost)
	if err == nil && moved {
		t.kept, t.read = to, to
	}
	return err
}

// tell sends an alert, if it is this node's turn, and moves the position behind
// it. again says when to look again.
func (w *Webhook) tell(ctx context.Context, id string, t *told, e *hall.Event) (again time.Duration, err error) {
	mine, wait, err := w.take(ctx, id, t)
	if err != nil || !mine {
		return wait, err
	}
	defer w.release(ctx, id) // others may go on as soon as this one is through, or has to wait
	h, err := w.c.Store.Hall(ctx, id)
	if err != nil {
		return 0, err
	}
	m, err := newMessage(messageID(id, e.ID), &h, e, w.c.Encode)
	if err != nil {
		return 0, err
	}
	lost, wait := w.attempt(ctx, &m, &t.tries)
	if wait > 0 {
		return wait, nil
	}
	return 0, w.move(ctx, id, t, hall.Position{Day: t.read.Day, After: e.ID}, lost)
}
