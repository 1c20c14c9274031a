package records

import (
	"context"
	"iter"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Entry is one entry of the log: an event with what was said of it, or a
// correction of the records.
type Entry struct {
	hall.Event

	Reason     string           // free text that the staff gave with it
	UndoneBy   string           // who took it back, empty if it stands
	UndoneAt   time.Time        // when
	More       int              // so many other rows of the roster were taken in the same step
	Correction *hall.Correction // that was made; the event has only its time and who made it
}

// IsCommand reports whether somebody or the time gave this command: what came of
// one in the same step is none, nor are alerts.
func (e *Entry) IsCommand() bool {
	return e.Cause == "" && e.Event.Event != hall.EventAlertRaised && e.Event.Event != hall.EventAlertCleared
}

// later is what is known of events only when all of them were read.
type later struct {
	undone map[string]undoing // by the event that is taken back
	more   map[string]int     // rows of a roster beside the first, by the event of that
}

func (d *Day) readLater(ctx context.Context) (later, error) {
	l := later{undone: map[string]undoing{}, more: map[string]int{}}
	for events, err := range d.events(ctx) {
		if err != nil {
			return l, err
		}
		for i := range events {
			switch e := &events[i]; {
			case e.Event == hall.EventUndone:
				l.undone[e.Undoes] = undoing{e.By, e.At}
			case e.Cause != "" && (e.Event == hall.EventCandidateRegistered || e.Event == hall.EventCandidateChanged):
				l.more[e.Cause]++
			}
		}
	}
	return l, nil
}

// undoing is the event that took another one back.
type undoing struct {
	by string
	at time.Time
}

// Log goes through all events of the day, the oldest first, with the
// corrections among them. It reads the events twice: an entry says whether
// a later one took it back.
func (d *Day) Log(ctx context.Context) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		known, err := d.readLater(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		left := d.corrections
		for events, err := range d.events(ctx) {
			var entries []Entry
			if err == nil {
				entries, err = d.entries(ctx, events, &known)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range entries {
				for len(left) > 0 && left[0].At.Before(entries[i].At) {
					if !yield(entryOf(&left[0]), nil) {
						return
					}
					left = left[1:]
				}
				if !yield(&entries[i], nil) {
					return
				}
			}
		}
		for i := range left {
			if !yield(entryOf(&left[i]), nil) {
				return
			}
		}
	}
}

func entryOf(c *hall.Correction) *Entry {
	e := &Entry{Event: hall.Event{ID: c.ID, At: c.At, By: c.By}, Reason: c.Reason, Correction: c}
	switch c.Table {
	case hall.TableAttendance:
		e.Candidate = c.Row
	case hall.TableSittings:
		e.Sitting = c.Row
	case hall.TableIncidents, hall.TableLog:
	}
	return e
}

// events reads the day's events part by part.
func (d *Day) events(ctx context.Context) iter.Seq2[[]hall.Event, error] {
	return func(yield func([]hall.Event, error) bool) {
		for after := ""; ; {
			part, err := d.store.DayEvents(ctx, d.Hall.ID, d.Number, after, chunk)
			if !yield(part.Events, err) || err != nil || len(part.Events) < chunk {
				return
			}
			after = part.Events[len(part.Events)-1].ID
		}
	}
}

func (d *Day) entries(ctx context.Context, events []hall.Event, known *later) ([]Entry, error) {
	ids := make([]string, len(events))
	for i := range events {
		ids[i] = events[i].ID
	}
	reasons, err := d.store.Reasons(ctx, d.Hall.ID, d.Number, ids)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(events))
	for i := range events {
		u := known.undone[events[i].ID]
		entries[i] = Entry{Event: events[i], Reason: reasons[events[i].ID], UndoneBy: u.by, UndoneAt: u.at, More: known.more[events[i].ID]}
	}
	return entries, nil
}

// LogPage reads a page of the log; all of it is gone through for that.
func (d *Day) LogPage(ctx context.Context, page hall.Page, allowed func(*Entry) bool) (hall.List[Entry], error) {
	list := hall.List[Entry]{Items: []Entry{}}
	first := (max(page.Number, 1) - 1) * max(page.Size, 0)
	for e, err := range d.Log(ctx) {
		if err != nil {
			return list, err
		}
		if !allowed(e) {
			continue
		}
		if list.Total >= first && (page.Size <= 0 || len(list.Items) < page.Size) {
			list.Items = append(list.Items, *e)
		}
		list.Total++
	}
	return list, nil
}
