package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// undo registers the taking back of commands.
func (r *routes) undo() {
	register(r, access.Undo, huma.Operation{
		OperationID: "undo", Method: http.MethodPost, Path: "/halls/{hall}/undo",
		Summary: "Take back one of the last commands",
		Description: "Takes back a command about a sitting, a machine or somebody in the queue, and with it what followed by itself " +
			"and nobody has answered: people have their places again, calls are withdrawn. A later command of the staff on the same " +
			"people or machines blocks it: 409 `undo_blocked`, and errors names its event. Taking back twice is once.",
		Errors: conflict,
	}, r.postUndo)
}

// POST /halls/{hall}/undo
func (r *routes) postUndo(ctx context.Context, input *struct {
	HallPath
	DryRun bool `query:"dryRun" doc:"only say what would be withdrawn"`
	Body   struct {
		Event string `json:"event" pattern:"^[0-9]{1,19}-[0-9]{1,19}$" patternDescription:"id of an event" doc:"id of the command's event: of those that it made, the one without a cause"`
	}
},
) (*reply[undoneShape], error) {
	by := caller(ctx)
	if err := access.CheckUndo(ctx, r.store, granted(ctx), input.Hall, input.Body.Event, by.By); err != nil {
		return nil, err
	}
	done, err := r.store.Undo(ctx, input.Hall, input.Body.Event, input.DryRun, by)
	if err != nil {
		return nil, err
	}
	return &reply[undoneShape]{Body: undoneShapeOf(&done)}, nil
}

// undoneShape says what an undo took back.
type undoneShape struct {
	Event     string           `json:"event,omitempty" doc:"id of the event that says so; none after a dry run of what still stands"`
	Undoes    string           `json:"undoes" doc:"id of the command's event"`
	Withdrawn []withdrawnShape `json:"withdrawn" nullable:"false" doc:"calls that do not stand any more"`
}

// withdrawnShape is a call that does not stand any more.
type withdrawnShape struct {
	Sitting   string `json:"sitting" doc:"id of the sitting"`
	Candidate string `json:"candidate"`
	Ticket    string `json:"ticket" example:"N001"`
	Subject   string `json:"subject"`
	Machine   string `json:"machine"`
	Room      string `json:"room"`
}

func undoneShapeOf(u *hall.Undone) undoneShape {
	shape := undoneShape{Event: u.Event, Undoes: u.Undoes, Withdrawn: make([]withdrawnShape, 0, len(u.Withdrawn))}
	for i := range u.Withdrawn {
		s := &u.Withdrawn[i]
		shape.Withdrawn = append(shape.Withdrawn, withdrawnShape{s.ID, s.Candidate, s.Ticket, s.Subject, s.Machine, s.Room})
	}
	return shape
}
