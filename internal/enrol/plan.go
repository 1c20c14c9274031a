package enrol

import (
	"cmp"
	"context"
	"slices"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// Plan is a roster as it was understood, and what it would do.
type Plan struct {
	roster.Reading

	Day    int    // the how-manieth of the hall it is for
	Layout string // tag of the layout that it was read by
	Result hall.RosterResult
}

// Read reads a file for the present day of a hall. The plan has no result yet.
func Read(ctx context.Context, store hall.Store, hallID string, data []byte) (Plan, error) {
	h, err := store.Hall(ctx, hallID)
	if err != nil {
		return Plan{}, err
	}
	day, err := store.DayNumber(ctx, hallID, hall.CurrentDay)
	if err != nil {
		return Plan{}, err
	}
	reading, err := roster.Understand(data, roster.AnyFormat, &h.Layout)
	return Plan{Reading: reading, Day: day, Layout: h.LayoutTag}, err
}

// Look reads a file and finds out what it would do. Nothing is changed.
func Look(ctx context.Context, store hall.Store, hallID string, data []byte) (Plan, error) {
	plan, err := Read(ctx, store, hallID, data)
	if err != nil {
		return plan, err
	}
	result, err := store.PutRoster(ctx, hallID, plan.Rows, true, hall.System)
	if err != nil {
		return plan, err
	}
	plan.Result = plan.whole(result)
	return plan, nil
}

// whole is what became of the whole file: also of the rows that could not be read.
func (p *Plan) whole(result hall.RosterResult) hall.RosterResult {
	result.Rows = p.Total
	result.Rejected = slices.Concat(p.Rejected, result.Rejected)
	slices.SortStableFunc(result.Rejected, func(a, b hall.RejectedRow) int { return cmp.Compare(a.Row, b.Row) })
	return result
}
