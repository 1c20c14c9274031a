package api

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// queue registers the line of those who wait.
func (r *routes) queue() {
	const one = "/halls/{hall}/queue/{candidate}"
	register(r, access.See, huma.Operation{
		OperationID: "list-queue", Method: http.MethodGet, Path: "/halls/{hall}/queue",
		Summary: "List those waiting, in the order in which they would be called",
	}, r.listQueue)
	register(r, access.See, huma.Operation{
		OperationID: "get-queue-entry", Method: http.MethodGet, Path: one,
		Summary: "Show the place of a candidate who checked in today",
	}, r.getEntry)
	register(r, access.CheckIn, huma.Operation{
		OperationID: "check-in", Method: http.MethodPut, Path: one,
		Summary: "Check a candidate in",
		Description: "201 for the first check-in, then 200 with the same ticket and phone page. too_early and too_late are said of whom " +
			"the session does not take in at the time of the place.",
		Responses: map[string]*huma.Response{"201": describe[entryShape](r, "Checked in", jsonType)},
		Errors:    conflict,
	}, r.checkIn)
	register(r, access.Attend, huma.Operation{
		OperationID: "leave-queue", Method: http.MethodDelete, Path: one,
		Summary: "Leave the line", Errors: conflict,
	}, r.leave)
	register(r, access.Attend, huma.Operation{
		OperationID: "hold", Method: http.MethodPost, Path: one + "/hold",
		Summary: "Step away, keeping the place", Errors: conflict,
	}, entryCommand(r.store.Hold))
	register(r, access.Attend, huma.Operation{
		OperationID: "return", Method: http.MethodPost, Path: one + "/return",
		Summary: "Come back to the place", Errors: conflict,
	}, entryCommand(r.store.Return))
	register(r, access.Attend, huma.Operation{
		OperationID: "restore", Method: http.MethodPost, Path: one + "/restore",
		Summary: "Undo a leave or an absence: at the tail, or at the kept place", Errors: conflict,
	}, r.restore)
	register(r, access.Manage, huma.Operation{
		OperationID: "set-class", Method: http.MethodPatch, Path: one,
		Summary: "Change the class; the ticket keeps its letter", Errors: conflict,
	}, r.setClass)
}

// GET /halls/{hall}/queue
func (r *routes) listQueue(ctx context.Context, input *struct {
	HallPath
	Paging
	Order      string     `query:"order" enum:"asc,desc" default:"asc"`
	Subject    string     `query:"subject" doc:"only those with this subject due"`
	Class      hall.Class `query:"class" enum:"management,vip,priority,normal"`
	WaitedOver float64    `query:"waitedOver" minimum:"0" maximum:"1000000000" doc:"only those who have waited longer than so many seconds"`
},
) (*reply[list[entryShape]], error) {
	if math.IsNaN(input.WaitedOver) {
		return nil, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{
			{Location: "query.waitedOver", Message: "is not a number", Value: "NaN"},
		}}
	}
	filter := hall.LineFilter{
		Subject: input.Subject, Class: input.Class, Descending: input.Order == "desc",
		WaitedOver: time.Duration(input.WaitedOver * float64(time.Second)),
	}
	page := input.page()
	line, err := r.store.Line(ctx, input.Hall, filter, page)
	if err != nil {
		return nil, err
	}
	return replyList(line, page, entryShapeOf), nil
}

// GET /halls/{hall}/queue/{candidate}
func (r *routes) getEntry(ctx context.Context, input *struct{ CandidatePath }) (*reply[entryShape], error) {
	entry, err := r.store.Entry(ctx, input.Hall, input.Candidate)
	return replyEntry(&entry, err)
}

// PUT /halls/{hall}/queue/{candidate}
func (r *routes) checkIn(ctx context.Context, input *struct {
	CandidatePath
	Body *struct {
		At    *time.Time `json:"at,omitempty" nullable:"false" doc:"time of the place: not in the future, at most 24 hours back"`
		Class hall.Class `json:"class,omitempty" enum:"management,vip,priority,normal" doc:"class from now on"`
		ID4   string     `json:"id4,omitempty" maxLength:"16" doc:"last four characters of the ID number, from kiosks of halls that ask for them"`
	}
},
) (*statusReply[entryShape], error) {
	var in hall.CheckIn
	var id4 string
	if input.Body != nil {
		id4 = input.Body.ID4
	}
	if body := input.Body; body != nil && (body.At != nil || body.Class != "") {
		if err := may(ctx, access.Manage, input.Hall); err != nil {
			return nil, err
		}
		in.Class = input.Body.Class
		if at := input.Body.At; at != nil {
			in.At = *at
			if in.At.IsZero() { // a time too, and long ago: not none
				in.At = time.Unix(0, 0)
			}
		}
	}
	var entry hall.Entry
	var first bool
	var err error
	if forKiosk(ctx) {
		address, _ := ctx.Value(addressKey{}).(string)
		kiosk := Kiosk{Store: r.store, Limits: r.limits, Device: caller(ctx).By, Address: address}
		var h hall.Hall
		if h, err = r.store.Hall(ctx, input.Hall); err != nil {
			return nil, err
		}
		entry, first, err = kiosk.CheckIn(ctx, &h, input.Candidate, id4, in, caller(ctx))
	} else {
		entry, first, err = r.store.CheckIn(ctx, input.Hall, input.Candidate, in, caller(ctx))
	}
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if first {
		status = http.StatusCreated
	}
	shape := entryShapeOf(&entry)
	if entry.Phone != "" && (first || !forKiosk(ctx)) {
		shape.Phone = PhonePath(input.Hall, entry.Phone)
	}
	if forKiosk(ctx) {
		maskEntry(&shape)
	}
	return &statusReply[entryShape]{Status: status, Body: shape}, nil
}

// DELETE /halls/{hall}/queue/{candidate}
func (r *routes) leave(ctx context.Context, input *struct{ CandidatePath }) (*struct{}, error) {
	return nil, r.store.Leave(ctx, input.Hall, input.Candidate, caller(ctx))
}

// POST /halls/{hall}/queue/{candidate}/restore
func (r *routes) restore(ctx context.Context, input *struct {
	CandidatePath
	Body *struct {
		Place string `json:"place,omitempty" enum:"tail,kept" doc:"where the candidate comes back; tail if left out"`
	}
},
) (*reply[entryShape], error) {
	kept := input.Body != nil && input.Body.Place == "kept"
	if kept {
		if err := may(ctx, access.Manage, input.Hall); err != nil {
			return nil, err
		}
	}
	entry, err := r.store.Restore(ctx, input.Hall, input.Candidate, kept, caller(ctx))
	return replyEntry(&entry, err)
}

// PATCH /halls/{hall}/queue/{candidate}
func (r *routes) setClass(ctx context.Context, input *struct {
	CandidatePath
	Body struct {
		Class  hall.Class `json:"class" enum:"management,vip,priority,normal"`
		Reason string     `json:"reason,omitempty" maxLength:"200" pattern:"^\\P{Cc}*$" patternDescription:"text without control characters"`
	}
},
) (*reply[entryShape], error) {
	entry, err := r.store.SetClass(ctx, input.Hall, input.Candidate, input.Body.Class, input.Body.Reason, caller(ctx))
	return replyEntry(&entry, err)
}

// entryInput names the candidate of a command without a body.
type entryInput struct {
	CandidatePath
	Body *nothing
}

// entryCommand answers POST /halls/{hall}/queue/{candidate}/… by a command of the queue.
func entryCommand(
	command func(ctx context.Context, id, candidate string, by hall.Caller) (hall.Entry, error),
) func(context.Context, *entryInput) (*reply[entryShape], error) {
	return func(ctx context.Context, input *entryInput) (*reply[entryShape], error) {
		entry, err := command(ctx, input.Hall, input.Candidate, caller(ctx))
		return replyEntry(&entry, err)
	}
}

func replyEntry(entry *hall.Entry, err error) (*reply[entryShape], error) {
	if err != nil {
		return nil, err
	}
	return &reply[entryShape]{Body: entryShapeOf(entry)}, nil
}
