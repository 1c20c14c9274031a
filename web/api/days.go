package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// DayPath is the address of a day.
type DayPath struct {
	HallPath
	Day string `path:"day" doc:"id of a day, or current for the present one" example:"2026-11-30-1"`
}

// days registers the beginning and the end of days, and what became of them.
func (r *routes) days() {
	register(r, access.Manage, huma.Operation{
		OperationID: "open-day", Method: http.MethodPost, Path: "/halls/{hall}/open",
		Summary:     "Open the day that was prepared",
		Description: "Check-in and calling begin. The day gets its id: the date in the hall's time zone, and which day of that date it is.",
		Errors:      conflict,
	}, r.openDay)
	register(r, access.Manage, huma.Operation{
		OperationID: "close-day", Method: http.MethodPost, Path: "/halls/{hall}/close",
		Summary: "Close the day; the next one is being prepared",
		Description: "Whoever is not done stays in the closed day as they stood, open sittings too. Machines are idle for the next day; " +
			"spare ones and those out of service stay so. Pauses end with the day. Where the body names a day, only this one is closed, " +
			"and one that is closed already answers the same.",
		Errors: conflict,
	}, r.closeDay)
	register(r, access.See, huma.Operation{
		OperationID: "list-days", Method: http.MethodGet, Path: "/halls/{hall}/days",
		Summary: "List the present day, then the closed ones, the latest first",
	}, r.listDays)
	register(r, access.See, huma.Operation{
		OperationID: "get-day", Method: http.MethodGet, Path: "/halls/{hall}/days/{day}",
		Summary: "Show the present day or a closed one, with its figures",
	}, r.getDay)
	register(r, access.Manage, huma.Operation{
		OperationID: "erase-day", Method: http.MethodDelete, Path: "/halls/{hall}/days/{day}/persons",
		Summary: "Erase names, ID numbers and free text of a closed day",
		Description: "Notes, reasons and what incidents and corrections say are free text. Figures and records stay, by the numbers of the " +
			"candidates. The append-only file of Redis is written anew in the background; copies of it and backups are yours to erase.",
		DefaultStatus: http.StatusNoContent, Errors: conflict,
	}, r.eraseDay)
}

// DELETE /halls/{hall}/days/{day}/persons
func (r *routes) eraseDay(ctx context.Context, input *struct{ DayPath }) (*struct{}, error) {
	return nil, r.store.EraseDay(ctx, input.Hall, input.Day, caller(ctx))
}

// POST /halls/{hall}/open
func (r *routes) openDay(ctx context.Context, input *hallInput) (*reply[hallShape], error) {
	h, err := r.store.OpenDay(ctx, input.Hall, caller(ctx))
	return replyHall(&h, err)
}

// POST /halls/{hall}/close
func (r *routes) closeDay(ctx context.Context, input *struct {
	HallPath
	Body *struct {
		Day string `json:"day,omitempty" minLength:"1" maxLength:"64" doc:"id of the day that is meant; the present one if left out" example:"2026-11-30-1"`
	}
},
) (*reply[daySummaryShape], error) {
	day := ""
	if input.Body != nil {
		day = input.Body.Day
	}
	s, err := r.store.CloseDay(ctx, input.Hall, day, caller(ctx))
	return replyDay(&s, err)
}

// GET /halls/{hall}/days
func (r *routes) listDays(ctx context.Context, input *struct {
	HallPath
	Paging
},
) (*reply[list[daySummaryShape]], error) {
	page := input.page()
	days, err := r.store.Days(ctx, input.Hall, page)
	if err != nil {
		return nil, err
	}
	return replyList(days, page, daySummaryShapeOf), nil
}

// GET /halls/{hall}/days/{day}
func (r *routes) getDay(ctx context.Context, input *struct{ DayPath }) (*reply[daySummaryShape], error) {
	s, err := r.store.Day(ctx, input.Hall, input.Day)
	return replyDay(&s, err)
}

func replyDay(s *hall.DaySummary, err error) (*reply[daySummaryShape], error) {
	if err != nil {
		return nil, err
	}
	return &reply[daySummaryShape]{Body: daySummaryShapeOf(s)}, nil
}

// daySummaryShape is a day in numbers.
type daySummaryShape struct {
	ID         string              `json:"id,omitempty" doc:"left out while the day is being prepared" example:"2026-11-30-1"`
	State      hall.DayState       `json:"state" enum:"preparing,open,closed"`
	OpenedAt   moment              `json:"openedAt,omitzero"`
	ClosedAt   moment              `json:"closedAt,omitzero"`
	ErasedAt   moment              `json:"erasedAt,omitzero" doc:"when names, ID numbers and free text were erased"`
	Candidates candidateCountShape `json:"candidates"`
	Sittings   sittingCountShape   `json:"sittings"`
	Waits      *dayWaitsShape      `json:"waits,omitempty" doc:"not in lists"`
	Machines   *machineTotalsShape `json:"machines,omitempty" doc:"not in lists"`
}

// candidateCountShape counts the people of a day where they stand, or stood when it was closed.
type candidateCountShape struct {
	Total   int                         `json:"total"`
	ByState map[hall.CandidateState]int `json:"byState"`
}

// sittingCountShape counts the sittings of a day.
type sittingCountShape struct {
	Total     int                       `json:"total"`
	Open      map[hall.SittingState]int `json:"open,omitempty" doc:"by state, those that have not ended; not in lists"`
	ByOutcome map[hall.Outcome]int      `json:"byOutcome,omitempty" doc:"those that have ended; not in lists"`
}

// dayWaitsShape is how long people waited for a call, over all calls of a day.
type dayWaitsShape struct {
	MeanSeconds float64 `json:"meanSeconds"`
	MaxSeconds  float64 `json:"maxSeconds"`
}

// machineTotalsShape counts machines.
type machineTotalsShape struct {
	Total   int                       `json:"total"`
	ByState map[hall.MachineState]int `json:"byState"`
}

func daySummaryShapeOf(s *hall.DaySummary) daySummaryShape {
	shape := daySummaryShape{
		ID: s.ID, State: s.State, OpenedAt: moment(s.OpenedAt), ClosedAt: moment(s.ClosedAt), ErasedAt: moment(s.ErasedAt),
		Sittings: sittingCountShape{Total: s.Sittings},
	}
	shape.Candidates.ByState, shape.Candidates.Total = everyCount(s.People, hall.CandidateStates)
	if f := s.Figures; f != nil {
		shape.Sittings.Open, _ = everyCount(f.Open, []hall.SittingState{hall.SittingCalled, hall.SittingSeated})
		shape.Sittings.ByOutcome, _ = everyCount(f.Outcomes, hall.Outcomes)
		shape.Waits = &dayWaitsShape{MeanSeconds: seconds(f.MeanWait), MaxSeconds: seconds(f.MaxWait)}
		shape.Machines = &machineTotalsShape{}
		shape.Machines.ByState, shape.Machines.Total = everyCount(f.Machines, hall.MachineStates)
	}
	return shape
}

// everyCount has a number for each kind, also where it is 0, and their sum.
func everyCount[K comparable](counts map[K]int, kinds []K) (every map[K]int, total int) {
	every = make(map[K]int, len(kinds))
	for _, kind := range kinds {
		every[kind] = counts[kind]
		total += counts[kind]
	}
	return every, total
}
