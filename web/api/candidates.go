package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// CandidatePath is the address of a candidate.
type CandidatePath struct {
	HallPath
	Candidate string `path:"candidate" doc:"id of the candidate, percent-encoded"`
}

// candidates registers the reading and editing of the day's candidates.
func (r *routes) candidates() {
	register(r, access.See, huma.Operation{
		OperationID: "list-candidates", Method: http.MethodGet, Path: "/halls/{hall}/candidates",
		Summary: "List the candidates of the day, in the order of the roster",
	}, r.listCandidates)
	register(r, access.See, huma.Operation{
		OperationID: "get-candidate", Method: http.MethodGet, Path: "/halls/{hall}/candidates/{candidate}",
		Summary: "Show a candidate",
	}, r.getCandidate)
	register(r, access.Manage, huma.Operation{
		OperationID: "put-candidate", Method: http.MethodPut, Path: "/halls/{hall}/candidates/{candidate}",
		Summary:     "Add or edit one candidate",
		Description: "By the rules of a roster with one row. What is left out stays as it is.",
		Responses:   map[string]*huma.Response{"201": describe[candidateShape](r, "Added", jsonType)},
		Errors:      conflict,
	}, r.putCandidate)
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
		return candidateShapeOf(c, now, seesIDNumbers(ctx, input.Hall))
	}), nil
}

// GET /halls/{hall}/candidates/{candidate}
func (r *routes) getCandidate(ctx context.Context, input *struct{ CandidatePath }) (*reply[candidateShape], error) {
	c, err := r.store.Candidate(ctx, input.Hall, input.Candidate)
	if err != nil {
		return nil, err
	}
	return &reply[candidateShape]{Body: candidateShapeOf(&c, r.now(), seesIDNumbers(ctx, input.Hall))}, nil
}

// candidateBody is what the staff say of one candidate.
type candidateBody struct {
	Name     *string    `json:"name,omitempty"`
	IDNumber *string    `json:"idNumber,omitempty"`
	Class    hall.Class `json:"class,omitempty" enum:"management,vip,priority,normal"`
	Session  *string    `json:"session,omitempty"`
	Note     *string    `json:"note,omitempty"`
	Subjects []string   `json:"subjects" nullable:"false" minItems:"1" doc:"codes, in the candidate's own order"`
}

// PUT /halls/{hall}/candidates/{candidate}
func (r *routes) putCandidate(ctx context.Context, input *struct {
	CandidatePath
	Body candidateBody
},
) (*statusReply[candidateShape], error) {
	h, err := r.store.Hall(ctx, input.Hall)
	if err != nil {
		return nil, err
	}
	row, err := input.Body.row(input.Candidate, &h.Layout)
	if err != nil {
		return nil, err
	}
	c, created, err := r.store.PutCandidate(ctx, input.Hall, row, caller(ctx))
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return &statusReply[candidateShape]{Status: status, Body: candidateShapeOf(&c, r.now(), seesIDNumbers(ctx, input.Hall))}, nil
}

// rosterFields are the fields of the body by the columns of a roster.
var rosterFields = map[string]string{
	"candidate_id": "path.candidate", "name": "body.name", "id_number": "body.idNumber", "subjects": "body.subjects",
	"class": "body.class", "session": "body.session", "note": "body.note",
}

// row reads the body as a roster with one row, so that one candidate and a
// file go by the same rules.
func (b *candidateBody) row(id string, layout *hall.Layout) (hall.RosterRow, error) {
	header, cells := []string{"candidate_id", "subjects"}, []string{id, strings.Join(b.Subjects, "|")}
	add := func(column string, value *string) {
		if value != nil {
			header, cells = append(header, column), append(cells, *value)
		}
	}
	class := string(b.Class)
	add("name", b.Name)
	add("id_number", b.IDNumber)
	add("class", &class)
	add("session", b.Session)
	add("note", b.Note)
	var file bytes.Buffer
	if err := csv.NewWriter(&file).WriteAll([][]string{header, cells}); err != nil {
		return hall.RosterRow{}, err
	}
	rows, rejected, _, err := roster.ReadBytes(file.Bytes(), roster.Text, layout)
	if err != nil {
		return hall.RosterRow{}, err
	}
	if len(rejected) > 0 {
		refused := rejected[0]
		return hall.RosterRow{}, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{
			{Location: rosterFields[refused.Column], Message: refused.Message, Value: refused.Value},
		}}
	}
	if len(rows) != 1 || rows[0].Candidate != id {
		return hall.RosterRow{}, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{
			{Location: "path.candidate", Message: "cannot stand in a roster", Value: id},
		}}
	}
	return rows[0], nil
}

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
	Notes       []noteShape         `json:"notes,omitzero" nullable:"false" doc:"what the staff wrote down, newest last; not in lists of candidates"`
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
	if c.Notes != nil {
		shape.Notes = noteShapesOf(c.Notes)
	}
	for subject, wait := range c.Waits {
		shape.Waits[subject] = seconds(wait)
	}
	return shape
}
