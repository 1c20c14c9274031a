package hallredis

import (
	"context"

	"github.com/hallcall/hallcall/internal/hall"
)

// entry runs a script that answers an entry.
func (s *Store) entry(ctx context.Context, sc *script, id string, by hall.Caller, args ...any) (hall.Entry, error) {
	_, r, err := s.run(ctx, sc, id, by, args...)
	if err != nil {
		return hall.Entry{}, err
	}
	return entryAnswered(r)
}

// entryAnswered reads what entry_answer answers.
func entryAnswered(r reply) (hall.Entry, error) {
	e, err := entryOf(r)
	if err != nil {
		return e, err
	}
	one := []hall.Entry{e}
	estimate(one, []reply{r}, r.list(7), false)
	return one[0], nil
}

// CheckIn implements hall.Queue.
func (s *Store) CheckIn(ctx context.Context, id, candidate string, in hall.CheckIn, by hall.Caller) (hall.Entry, bool, error) {
	at := int64(0)
	if !in.At.IsZero() {
		at = max(in.At.UnixMilli(), 1) // 0 means none to the script; all before that is too long ago alike
	}
	if in.Class != "" && !in.Class.Valid() {
		return hall.Entry{}, false, unknownClass("body.class", in.Class)
	}
	o, r, err := s.runCommand(ctx, candidateCheckIn, id, by, &command{
		now: s.nowMillis(), args: []any{candidate, at, string(in.Class)}, own: []any{hall.NewPhoneSecret()},
	})
	if err != nil {
		return hall.Entry{}, false, err
	}
	e, err := entryAnswered(r)
	if err != nil {
		return hall.Entry{}, false, err
	}
	e.Phone, err = secretOf(r.text(0))
	return e, o == outcomeFirst, err
}

// Entry implements hall.Queue.
func (s *Store) Entry(ctx context.Context, id, candidate string) (hall.Entry, error) {
	return s.entry(ctx, candidateEntry, id, hall.Caller{}, candidate)
}

// Leave implements hall.Queue.
func (s *Store) Leave(ctx context.Context, id, candidate string, by hall.Caller) error {
	_, _, err := s.run(ctx, candidateLeave, id, by, candidate)
	return err
}

// Hold implements hall.Queue.
func (s *Store) Hold(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error) {
	return s.entry(ctx, candidateHold, id, by, candidate)
}

// Return implements hall.Queue.
func (s *Store) Return(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error) {
	return s.entry(ctx, candidateReturn, id, by, candidate)
}

// Restore implements hall.Queue.
func (s *Store) Restore(ctx context.Context, id, candidate string, kept bool, by hall.Caller) (hall.Entry, error) {
	place := ""
	if kept {
		place = "kept"
	}
	return s.entry(ctx, candidateRestore, id, by, candidate, place)
}

// SetClass implements hall.Queue.
func (s *Store) SetClass(ctx context.Context, id, candidate string, class hall.Class, reason string, by hall.Caller) (hall.Entry, error) {
	if !class.Valid() {
		return hall.Entry{}, unknownClass("body.class", class)
	}
	return s.entry(ctx, candidateClass, id, by, candidate, string(class), reason)
}

func unknownClass(location string, class hall.Class) error {
	const message = "There is no such class."
	return &hall.Error{
		Code: hall.CodeInvalid, Message: message, Faults: []hall.Fault{{Location: location, Message: message, Value: class}},
	}
}

// Call implements hall.Queue.
func (s *Store) Call(ctx context.Context, id, candidate, machine, reason string, by hall.Caller) (hall.Sitting, error) {
	return s.sitting(ctx, queueCall, id, by, candidate, machine, reason)
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
