package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// SittingPath is the address of a sitting.
type SittingPath struct {
	HallPath
	Sitting string `path:"sitting" doc:"id of the sitting"`
}

// sittings registers the day's calls and what comes of them.
func (r *routes) sittings() {
	register(r, access.See, huma.Operation{
		OperationID: "list-sittings", Method: http.MethodGet, Path: "/halls/{hall}/sittings",
		Summary: "List the sittings of the day, in the order of their calls",
	}, r.listSittings)
	const one = "/halls/{hall}/sittings/{sitting}"
	register(r, access.Attend, huma.Operation{
		OperationID: "seat", Method: http.MethodPost, Path: one + "/seat",
		Summary: "The called candidate sits at the machine", Errors: conflict,
	}, sittingCommand(r.store.Seat))
	register(r, access.Attend, huma.Operation{
		OperationID: "end", Method: http.MethodPost, Path: one + "/end",
		Summary: "The candidate is finished with the subject", Errors: conflict,
	}, sittingCommand(r.store.End))
	register(r, access.Attend, huma.Operation{
		OperationID: "recall", Method: http.MethodPost, Path: one + "/recall",
		Summary: "Announce the call again", Errors: conflict,
	}, r.recall)
	register(r, access.Attend, huma.Operation{
		OperationID: "no-show", Method: http.MethodPost, Path: one + "/no-show",
		Summary: "The called candidate did not come", Errors: conflict,
	}, sittingCommand(r.store.NoShow))
	register(r, access.Attend, huma.Operation{
		OperationID: "abort", Method: http.MethodPost, Path: one + "/abort",
		Summary: "Break the sitting off; the subject is still due", Errors: conflict,
	}, r.abort)
	register(r, access.Attend, huma.Operation{
		OperationID: "transfer", Method: http.MethodPost, Path: one + "/transfer",
		Summary: "Move the sitting to another idle machine", Errors: conflict,
	}, r.transfer)
}

// GET /halls/{hall}/sittings
func (r *routes) listSittings(ctx context.Context, input *struct {
	HallPath
	Paging
	State   hall.SittingState `query:"state" enum:"called,seated,ended"`
	Room    string            `query:"room"`
	Subject string            `query:"subject"`
},
) (*reply[list[sittingShape]], error) {
	page := input.page()
	filter := hall.SittingFilter{State: input.State, Room: input.Room, Subject: input.Subject}
	sittings, err := r.store.Sittings(ctx, input.Hall, filter, page)
	if err != nil {
		return nil, err
	}
	return replyList(sittings, page, sittingShapeOf), nil
}

// POST /halls/{hall}/sittings/{sitting}/recall
func (r *routes) recall(ctx context.Context, input *struct {
	SittingPath
	Body struct {
		Recall int `json:"recall" minimum:"2" maximum:"1000" doc:"number of the announcement: the call is 1, the first repeat 2"`
	}
},
) (*reply[sittingShape], error) {
	sitting, err := r.store.Recall(ctx, input.Hall, input.Sitting, input.Body.Recall, caller(ctx))
	return replySitting(&sitting, err)
}

// POST /halls/{hall}/sittings/{sitting}/abort
func (r *routes) abort(ctx context.Context, input *struct {
	SittingPath
	Body abortBody
},
) (*reply[sittingShape], error) {
	abort, err := input.Body.abort()
	if err != nil {
		return nil, err
	}
	sitting, err := r.store.Abort(ctx, input.Hall, input.Sitting, abort, caller(ctx))
	return replySitting(&sitting, err)
}

// POST /halls/{hall}/sittings/{sitting}/transfer
func (r *routes) transfer(ctx context.Context, input *struct {
	SittingPath
	Body *transferBody
},
) (*reply[sittingShape], error) {
	transfer, err := input.Body.transfer()
	if err != nil {
		return nil, err
	}
	if err := access.CheckChoice(ctx, r.store, granted(ctx), input.Hall, transfer.Machine); err != nil {
		return nil, err
	}
	sitting, err := r.store.Transfer(ctx, input.Hall, input.Sitting, transfer, caller(ctx))
	return replySitting(&sitting, err)
}

// sittingInput names the sitting of a command without a body.
type sittingInput struct {
	SittingPath
	Body *nothing
}

// sittingCommand answers POST /halls/{hall}/sittings/{sitting}/… by a command on the sitting.
func sittingCommand(
	command func(ctx context.Context, id, sitting string, by hall.Caller) (hall.Sitting, error),
) func(context.Context, *sittingInput) (*reply[sittingShape], error) {
	return func(ctx context.Context, input *sittingInput) (*reply[sittingShape], error) {
		sitting, err := command(ctx, input.Hall, input.Sitting, caller(ctx))
		return replySitting(&sitting, err)
	}
}

func replySitting(s *hall.Sitting, err error) (*reply[sittingShape], error) {
	if err != nil {
		return nil, err
	}
	return &reply[sittingShape]{Body: sittingShapeOf(s)}, nil
}
