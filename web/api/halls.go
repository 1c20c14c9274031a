package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// halls registers what concerns halls as a whole.
func (r *routes) halls() {
	layout := r.layoutSchema()
	register(r, access.See, huma.Operation{
		OperationID: "list-halls", Method: http.MethodGet, Path: "/halls",
		Summary: "List the halls",
	}, r.listHalls)
	register(r, access.See, huma.Operation{
		OperationID: "get-hall", Method: http.MethodGet, Path: "/halls/{hall}",
		Summary: "Show a hall",
	}, r.getHall)
	put := &huma.RequestBody{}
	register(r, access.Arrange, huma.Operation{
		OperationID: "put-hall", Method: http.MethodPut, Path: "/halls/{hall}",
		Summary:     "Create a hall or replace its layout and rules",
		Description: "A new hall's day is open at once. Machines that stay keep their state. With If-Match, only the layout with this ETag is replaced.",
		RequestBody: put,
		Responses:   map[string]*huma.Response{"201": describe[hallShape](r, "Created", jsonType)},
		Errors:      []int{http.StatusConflict, http.StatusPreconditionFailed},
	}, r.putHall)
	put.Content[jsonType].Schema = layout
	register(r, access.Manage, huma.Operation{
		OperationID: "pause-hall", Method: http.MethodPost, Path: "/halls/{hall}/pause",
		Summary: "Stop calling, in the whole hall or in one room",
	}, r.pauseHall)
	register(r, access.Manage, huma.Operation{
		OperationID: "resume-hall", Method: http.MethodPost, Path: "/halls/{hall}/resume",
		Summary: "Go on calling, in the whole hall or in one room",
	}, r.resumeHall)
	register(r, access.Manage, huma.Operation{
		OperationID: "open-check-in", Method: http.MethodPost, Path: "/halls/{hall}/check-in/open",
		Summary: "Open the kiosk's door, apart from the calling",
	}, r.checkInDoor(true))
	register(r, access.Manage, huma.Operation{
		OperationID: "close-check-in", Method: http.MethodPost, Path: "/halls/{hall}/check-in/close",
		Summary: "Close the kiosk's door, apart from the calling",
	}, r.checkInDoor(false))
}

// GET /halls
func (r *routes) listHalls(ctx context.Context, input *struct{ Paging }) (*reply[list[hallShape]], error) {
	ids, err := r.store.HallIDs(ctx)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !access.Allows(granted(ctx), access.See, id, "") })
	page := input.page()
	part := pageOf(ids, page)
	halls := hall.List[hall.Hall]{Total: part.Total}
	for _, id := range part.Items {
		h, err := r.store.Hall(ctx, id)
		if hall.CodeOf(err) == hall.CodeUnknownHall {
			continue // listed, but not written or no longer there
		}
		if err != nil {
			return nil, err
		}
		halls.Items = append(halls.Items, h)
	}
	return replyList(halls, page, hallShapeOf), nil
}

// GET /halls/{hall}
func (r *routes) getHall(ctx context.Context, input *struct{ HallPath }) (*taggedHall, error) {
	h, err := r.store.Hall(ctx, input.Hall)
	if err != nil {
		return nil, err
	}
	return tagged(http.StatusOK, &h), nil
}

// taggedHall is a hall with the tag of its layout, for If-Match.
type taggedHall struct {
	Status int
	ETag   string `header:"ETag" doc:"changes with the layout and the rules"`
	Body   hallShape
}

func tagged(status int, h *hall.Hall) *taggedHall {
	return &taggedHall{Status: status, ETag: strconv.Quote(h.LayoutTag), Body: hallShapeOf(h)}
}

// Precondition says which layout may be replaced.
type Precondition struct {
	IfMatch     string `header:"If-Match" doc:"ETag of the layout that is to be replaced, or *"`
	IfNoneMatch string `header:"If-None-Match" enum:"*" doc:"* to create a hall only"`
	given       bool
}

// Resolve notes whether If-Match was sent, empty perhaps.
func (p *Precondition) Resolve(ctx huma.Context) []error {
	ctx.EachHeader(func(name, _ string) { p.given = p.given || strings.EqualFold(name, "If-Match") })
	return nil
}

// expected is what PutHall expects. What is no entity tag names no layout.
func (p *Precondition) expected() (string, error) {
	changed := &hall.Error{Code: hall.CodeChanged, Message: "The layout is not the one that the request expects."}
	tag, quoted := strings.CutPrefix(p.IfMatch, `"`)
	tag, closed := strings.CutSuffix(tag, `"`)
	switch {
	case p.IfNoneMatch != "" && p.given:
		return "", changed // no hall is there and not there
	case p.IfNoneMatch != "":
		return hall.NoLayout, nil
	case !p.given:
		return "", nil
	case p.IfMatch == "*":
		return hall.AnyLayout, nil
	case !quoted || !closed || len(tag) != layoutTagLength:
		return "", changed
	}
	return tag, nil
}

// layoutTagLength is that of a SHA-1 in hexadecimal digits.
const layoutTagLength = 40

// PUT /halls/{hall}
func (r *routes) putHall(ctx context.Context, input *struct {
	HallPath
	Precondition
	Body json.RawMessage
},
) (*taggedHall, error) {
	layout, faults := r.readLayout(input.Body)
	if fault := hall.IDFault(input.Hall); fault != "" {
		faults = append(faults, hall.Fault{Location: "path.hall", Message: fault, Value: input.Hall})
	}
	if len(faults) > 0 {
		return nil, &hall.Error{Code: hall.CodeInvalid, Faults: faults, Message: "The hall was not saved."}
	}
	expected, err := input.expected()
	if err != nil {
		return nil, err
	}
	if expected, err = r.expectKnown(ctx, input.Hall, expected); err != nil {
		return nil, err
	}
	h, created, err := r.store.PutHall(ctx, input.Hall, layout, expected, caller(ctx))
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return tagged(status, &h), nil
}

// expectKnown lets those who may not make halls replace only one that is there.
func (r *routes) expectKnown(ctx context.Context, hallID, expected string) (string, error) {
	denied := may(ctx, access.Administer, "")
	if denied == nil {
		return expected, nil
	}
	switch _, err := r.store.Hall(ctx, hallID); {
	case hall.CodeOf(err) == hall.CodeUnknownHall, expected == hall.NoLayout:
		return "", denied
	case err != nil:
		return "", err
	}
	return cmp.Or(expected, hall.AnyLayout), nil
}

// POST /halls/{hall}/pause
func (r *routes) pauseHall(ctx context.Context, input *struct {
	HallPath
	Body *struct {
		Message string `json:"message,omitempty" maxLength:"200" pattern:"^\\P{Cc}*$" patternDescription:"text without control characters" doc:"shown on the screens"`
		Room    string `json:"room,omitempty" doc:"id of a room; the whole hall if left out"`
	}
},
) (*reply[hallShape], error) {
	room, message := "", ""
	if input.Body != nil {
		room, message = input.Body.Room, input.Body.Message
	}
	h, err := r.store.Pause(ctx, input.Hall, room, message, caller(ctx))
	return replyHall(&h, err)
}

// POST /halls/{hall}/resume
func (r *routes) resumeHall(ctx context.Context, input *struct {
	HallPath
	Body *struct {
		Room string `json:"room,omitempty" doc:"id of a room; the whole hall if left out"`
	}
},
) (*reply[hallShape], error) {
	room := ""
	if input.Body != nil {
		room = input.Body.Room
	}
	h, err := r.store.Resume(ctx, input.Hall, room, caller(ctx))
	return replyHall(&h, err)
}

// hallInput names the hall of a command without a body.
type hallInput struct {
	HallPath
	Body *nothing
}

// checkInDoor answers POST /halls/{hall}/check-in/open and /close.
func (r *routes) checkInDoor(open bool) func(context.Context, *hallInput) (*reply[hallShape], error) {
	return func(ctx context.Context, input *hallInput) (*reply[hallShape], error) {
		h, err := r.store.OpenCheckIn(ctx, input.Hall, open, caller(ctx))
		return replyHall(&h, err)
	}
}

func replyHall(h *hall.Hall, err error) (*reply[hallShape], error) {
	if err != nil {
		return nil, err
	}
	return &reply[hallShape]{Body: hallShapeOf(h)}, nil
}

// hallShape is a hall: its layout and rules, and its present day.
type hallShape struct {
	ID string `json:"id"`
	hall.Layout
	Day dayShape `json:"day"`
}

// dayShape is the present day of a hall.
type dayShape struct {
	ID           string            `json:"id,omitempty" doc:"left out while the day is being prepared" example:"2026-11-30-1"`
	State        hall.DayState     `json:"state" enum:"preparing,open"`
	OpenedAt     moment            `json:"openedAt,omitzero"`
	CheckIn      string            `json:"checkIn" enum:"open,closed"`
	Paused       bool              `json:"paused" doc:"no new calls in the whole hall"`
	PauseMessage string            `json:"pauseMessage,omitempty"`
	PausedRooms  map[string]string `json:"pausedRooms,omitempty" doc:"rooms without new calls, and the message for each"`
}

func hallShapeOf(h *hall.Hall) hallShape {
	day := dayShape{
		ID: h.Day.ID, State: h.Day.State, OpenedAt: moment(h.Day.OpenedAt), CheckIn: "closed",
		Paused: h.Day.Paused, PauseMessage: h.Day.PauseMessage, PausedRooms: h.Day.PausedRooms,
	}
	if h.Day.CheckInOpen {
		day.CheckIn = "open"
	}
	return hallShape{ID: h.ID, Layout: h.Layout, Day: day}
}
