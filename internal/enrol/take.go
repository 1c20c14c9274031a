package enrol

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// Step is how many rows are taken in one atomic step: every roster of a hall of
// usual size is.
const Step = 5000

// ErrOtherDay says that the day for which a roster was read is closed by now.
var ErrOtherDay = &hall.Error{
	Code:    hall.CodeWrongState,
	Message: "The day that this roster was read for has been closed since. Choose the file again to load it for the next day.",
}

// Progress says how far a roster was taken. It can be kept and gone on from.
type Progress struct {
	Day    int    // what it is for
	Layout string // tag of the layout that it was read by
	Rows   int    // of the file
	Good   int    // of them, that can be taken
	Taken  int    // of these, so far

	Created, Updated, Unchanged int
	InUse                       []hall.RejectedRow // refused while it was taken
	Stopped                     string             // why no more are taken, "" for no reason
}

func (p *Progress) add(r *hall.RosterResult, rows int) {
	p.Taken += rows
	p.Created, p.Updated, p.Unchanged = p.Created+r.Created, p.Updated+r.Updated, p.Unchanged+r.Unchanged
	p.InUse = append(p.InUse, r.Rejected...)
}

// result is what was done so far, without what the file itself has wrong.
func (p *Progress) result() hall.RosterResult {
	return hall.RosterResult{Created: p.Created, Updated: p.Updated, Unchanged: p.Unchanged, Rejected: p.InUse}
}

// Take takes the rows of a plan from where it was left, for the day of before
// only: else ErrOtherDay. After each step it reports how far it is, and stops
// when report fails. A key in by makes a step that is taken again, since nobody
// heard of its end, answer what it did. The result is of the whole file, also
// with an error: then it says what was taken before.
func (p *Plan) Take(ctx context.Context, store hall.Store, hallID string, before Progress, by hall.Caller, report func(Progress) error) (hall.RosterResult, error) {
	now := before
	if now.Layout != p.Layout || now.Good != len(p.Rows) { // other rows are good by now: they are all taken again
		now = Progress{Day: before.Day, Layout: p.Layout, Rows: p.Total, Good: len(p.Rows)}
	}
	for now.Taken < len(p.Rows) {
		rows := p.Rows[now.Taken:min(now.Taken+Step, len(p.Rows))]
		r, err := store.PutRosterOf(ctx, hallID, now.Day, rows, p.keyed(by, rows[0].Row))
		if hall.CodeOf(err) == hall.CodeUnknownDay {
			err = ErrOtherDay
		}
		if err != nil {
			return p.whole(now.result()), err
		}
		now.add(&r, len(rows))
		if err := report(now); err != nil {
			return p.whole(now.result()), err
		}
	}
	return p.whole(now.result()), nil
}

// keyed names a step of a roster that has a name.
func (p *Plan) keyed(by hall.Caller, row int) hall.Caller {
	if by.Key != "" {
		by.Key = fmt.Sprintf("roster %s row %d layout %s", by.Key, row, p.Layout)
	}
	return by
}

// Begin is the progress of a plan of which nothing is taken yet.
func (p *Plan) Begin() Progress {
	return Progress{Day: p.Day, Layout: p.Layout, Rows: p.Total, Good: len(p.Rows)}
}

// reason says to people why a roster was not taken to its end.
func reason(err error) string {
	var domain *hall.Error
	if errors.As(err, &domain) {
		return strings.TrimSpace(domain.Message)
	}
	return "Something went wrong on the server. It is in the server’s log."
}
