package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/hall"
)

// CandidatePath is the address of a candidate.
type CandidatePath struct {
	HallPath
	Candidate string `path:"candidate" doc:"id of the candidate, percent-encoded"`
}

// candidates registers the reading of the day's candidates.
func (r *routes) candidates() {
	register(r, huma.Operation{
		OperationID: "list-candidates", Method: http.MethodGet, Path: "/halls/{hall}/candidates",
		Summary: "List the candidates of the day, in the order of the roster",
	}, r.listCandidates)
	register(r, huma.Operation{
		OperationID: "get-candidate", Method: http.MethodGet, Path: "/halls/{hall}/candidates/{candidate}",
		Summary: "Show a candidate",
	}, r.getCandidate)
}

// GET /halls/{hall}/candidates
func (r *routes) listCandidates(ctx context.Context, input *struct {
	HallPath
	Paging
	Query string              `query:"q" doc:"part of id, name or ticket"`
	State hall.CandidateState `query:"state" enum:"registered,waiting,called,seated,resting,held,done,absent,withdrawn"`
},
) (*reply[list[candidateShape]], error) {
	page := input.page()
	filter := hall.CandidateFilter{Text: input.Query, State: input.State}
	candidates, err := r.store.Candidates(ctx, input.Hall, filter, page)
	if err != nil {
		return nil, err
	}
	now := r.now()
	return replyList(candidates, page, func(c *hall.Candidate) candidateShape {
		return candidateShapeOf(c, now, seesIDNumbers(ctx))
	}), nil
}

// GET /halls/{hall}/candidates/{candidate}
func (r *routes) getCandidate(ctx context.Context, input *struct{ CandidatePath }) (*reply[candidateShape], error) {
	c, err := r.store.Candidate(ctx, input.Hall, input.Candidate)
	if err != nil {
		return nil, err
	}
	return &reply[candidateShape]{Body: candidateShapeOf(&c, r.now(), seesIDNumbers(ctx))}, nil
}

// seesIDNumbers reports whether the caller may see whole ID numbers, as managers may.
func seesIDNumbers(ctx context.Context) bool { return caller(ctx).By == adminToken }

// candidateShape is a person on the day's roster.
type candidateShape struct {
	ID          string              `json:"id"`
	Name        string              `json:"name"`
	IDNumber    string              `json:"idNumber" doc:"masked but for managers"`
	Class       hall.Class          `json:"class" enum:"management,vip,priority,normal"`
	Session     string              `json:"session,omitempty"`
	Note        string              `json:"note,omitempty"`
	Subjects    []string            `json:"subjects" nullable:"false"`
	Remaining   []string            `json:"remaining" nullable:"false" doc:"subjects still to sit"`
	State       hall.CandidateState `json:"state" enum:"registered,waiting,called,seated,resting,held,done,absent,withdrawn"`
	Ticket      string              `json:"ticket,omitempty" example:"N001"`
	Waits       map[string]float64  `json:"waits" doc:"seconds waited until the call, by subject"`
	NoShows     int                 `json:"noShows"`
	HoldSeconds float64             `json:"holdSeconds" doc:"time stepped away, all day"`
}

func candidateShapeOf(c *hall.Candidate, now time.Time, whole bool) candidateShape {
	shape := candidateShape{
		ID: c.ID, Name: c.Person.Name, IDNumber: c.Person.IDNumber, Class: c.Class, Session: c.Session,
		Note: c.Person.Note, Subjects: orEmpty(c.Subjects), Remaining: c.Remaining(), State: c.State, Ticket: c.Ticket,
		Waits: make(map[string]float64, len(c.Waits)), NoShows: c.NoShows, HoldSeconds: seconds(c.HoldBy(now)),
	}
	if !whole {
		shape.IDNumber = hall.MaskIDNumber(c.Person.IDNumber)
	}
	for subject, wait := range c.Waits {
		shape.Waits[subject] = seconds(wait)
	}
	return shape
}
