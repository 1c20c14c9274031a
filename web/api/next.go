package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
)

// next registers the calling of the next one, and of one out of turn.
func (r *routes) next() {
	register(r, access.Attend, huma.Operation{
		OperationID: "call-next", Method: http.MethodPost, Path: "/halls/{hall}/queue/next",
		Summary:     "Call the first in order for a machine",
		Description: "Without a machine: the first in order for whom any machine is idle.",
		Responses:   map[string]*huma.Response{"204": {Description: "Nobody waits for it"}},
		Errors:      conflict,
	}, r.callNext)
	register(r, access.Manage, huma.Operation{
		OperationID: "call-out-of-turn", Method: http.MethodPost, Path: "/halls/{hall}/queue/{candidate}/call",
		Summary: "Call this one out of turn; the reason is kept", Errors: conflict,
	}, r.callOutOfTurn)
}

// POST /halls/{hall}/queue/next
func (r *routes) callNext(ctx context.Context, input *struct {
	HallPath
	Body *struct {
		Machine string `json:"machine,omitempty" doc:"id of an idle machine; any if left out"`
	}
},
) (*statusReply[*sittingShape], error) {
	machine := ""
	if input.Body != nil {
		machine = input.Body.Machine
	}
	if err := access.CheckChoice(ctx, r.store, granted(ctx), input.Hall, machine); err != nil {
		return nil, err
	}
	sitting, err := r.store.Next(ctx, input.Hall, machine, caller(ctx))
	if err != nil {
		return nil, err
	}
	if sitting == nil {
		return &statusReply[*sittingShape]{Status: http.StatusNoContent}, nil
	}
	shape := sittingShapeOf(sitting)
	return &statusReply[*sittingShape]{Status: http.StatusOK, Body: &shape}, nil
}

// POST /halls/{hall}/queue/{candidate}/call
func (r *routes) callOutOfTurn(ctx context.Context, input *struct {
	CandidatePath
	Body struct {
		Machine string `json:"machine" doc:"id of an idle machine that serves a due subject"`
		Reason  string `json:"reason" minLength:"1" maxLength:"200" pattern:"^\\P{Cc}*[^\\p{Cc}\\p{Z}]\\P{Cc}*$" patternDescription:"text without control characters that is not blank"`
	}
},
) (*reply[sittingShape], error) {
	sitting, err := r.store.Call(ctx, input.Hall, input.Candidate, input.Body.Machine, input.Body.Reason, caller(ctx))
	if err != nil {
		return nil, err
	}
	return &reply[sittingShape]{Body: sittingShapeOf(&sitting)}, nil
}
