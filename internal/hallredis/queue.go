package hallredis

import (
	"context"
	"strconv"

	"github.com/hallcall/hallcall/internal/hall"
)

// entry runs a script that answers an entry.
func (s *Store) entry(ctx context.Context, sc *script, id string, by hall.Caller, args ...any) (hall.Entry, outcome, error) {
	o, r, err := s.run(ctx, sc, id, by, args...)
	if err != nil {
		return hall.Entry{}, o, err
	}
	e, err := entryOf(r)
	return e, o, err
}

// CheckIn implements hall.Queue.
func (s *Store) CheckIn(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, bool, error) {
	e, o, err := s.entry(ctx, candidateCheckIn, id, by, candidate)
	return e, o == outcomeFirst, err
}

// Entry implements hall.Queue.
func (s *Store) Entry(ctx context.Context, id, candidate string) (hall.Entry, error) {
	e, _, err := s.entry(ctx, candidateEntry, id, hall.Caller{}, candidate)
	return e, err
}

// Leave implements hall.Queue.
func (s *Store) Leave(ctx context.Context, id, candidate string, by hall.Caller) error {
	_, _, err := s.run(ctx, candidateLeave, id, by, candidate)
	return err
}

// Hold implements hall.Queue.
func (s *Store) Hold(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error) {
	e, _, err := s.entry(ctx, candidateHold, id, by, candidate)
	return e, err
}

// Return implements hall.Queue.
func (s *Store) Return(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error) {
	e, _, err := s.entry(ctx, candidateReturn, id, by, candidate)
	return e, err
}

// Restore implements hall.Queue.
func (s *Store) Restore(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error) {
	e, _, err := s.entry(ctx, candidateRestore, id, by, candidate)
	return e, err
}

// SetClass implements hall.Queue.
func (s *Store) SetClass(ctx context.Context, id, candidate string, class hall.Class, by hall.Caller) (hall.Entry, error) {
	if !class.Valid() {
		return hall.Entry{}, &hall.Error{Code: hall.CodeInvalid, Message: "There is no such class."}
	}
	e, _, err := s.entry(ctx, candidateClass, id, by, candidate, string(class))
	return e, err
}

// Next implements hall.Queue.
func (s *Store) Next(ctx context.Context, id, machine string, by hall.Caller) (*hall.Sitting, error) {
	o, r, err := s.run(ctx, queueNext, id, by, machine)
	if err != nil || o == outcomeNobody {
		return nil, err
	}
	called, err := sittingOf(r.text(0), r.text(1))
	return &called, err
}

// Line implements hall.Queue.
func (s *Store) Line(ctx context.Context, id string, filter hall.LineFilter, page hall.Page) (hall.List[hall.Entry], error) {
	p := newPager[hall.Entry](page)
	open := filter.Subject == "" && filter.Class == "" && filter.WaitedOver == 0
	after, offset := "", 0
	if open {
		offset = p.skipAll()
	}
	for {
		entries, total, err := s.readLine(ctx, id, after, offset, filter.Descending)
		if err != nil {
			return hall.List[hall.Entry]{}, err
		}
		for _, e := range entries {
			if lineAllows(filter, &e) {
				p.add(e)
			}
		}
		switch {
		case open && (p.full() || len(entries) < chunk):
			p.list.Total = total
			return p.list, nil
		case len(entries) < chunk:
			return p.list, nil
		}
		after, offset = strconv.FormatInt(int64(entries[len(entries)-1].Place), 10), 0
	}
}

// readLine reads one chunk of the line behind a place.
func (s *Store) readLine(ctx context.Context, id, after string, offset int, descending bool) ([]hall.Entry, int, error) {
	direction := ""
	if descending {
		direction = "desc"
	}
	_, r, err := s.run(ctx, queueRead, id, hall.Caller{}, after, offset, chunk, direction)
	if err != nil {
		return nil, 0, err
	}
	entries, err := entriesOf(r.list(1))
	return entries, int(r.number(0)), err
}

// entriesOf reads a list of entries, each with its outcome in front.
func entriesOf(r reply) ([]hall.Entry, error) {
	entries := make([]hall.Entry, 0, len(r))
	for i := range r {
		e, err := entryOf(r.list(i)[1:])
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func lineAllows(f hall.LineFilter, e *hall.Entry) bool {
	return (f.Class == "" || e.Class == f.Class) &&
		(f.Subject == "" || contains(e.Remaining(), f.Subject)) &&
		(f.WaitedOver == 0 || e.Wait(e.Now) > f.WaitedOver)
}
