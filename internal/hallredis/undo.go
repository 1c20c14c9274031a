package hallredis

import (
	"context"

	"github.com/hallcall/hallcall/internal/hall"
)

// Undo implements hall.Undoer.
func (s *Store) Undo(ctx context.Context, id, event string, dryRun bool, by hall.Caller) (hall.Undone, error) {
	dry := ""
	if dryRun {
		dry = "dry"
	}
	if !streamID.MatchString(event) {
		if _, err := s.Hall(ctx, id); err != nil {
			return hall.Undone{}, err
		}
		return hall.Undone{}, outcomeUnknownEvent.refusal(undo.name, nil)
	}
	_, r, err := s.run(ctx, undo, id, by, event, dry)
	if err != nil {
		return hall.Undone{}, err
	}
	done := hall.Undone{Event: r.text(0), Undoes: event}
	calls := r.list(1)
	for i := range calls {
		sitting, err := sittingOf(calls.text(i), "")
		if err != nil {
			return hall.Undone{}, err
		}
		done.Withdrawn = append(done.Withdrawn, sitting)
	}
	return done, nil
}
