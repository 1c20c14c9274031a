package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// notes registers what the staff write down about candidates.
func (r *routes) notes() {
	register(r, access.Attend, huma.Operation{
		OperationID: "add-note", Method: http.MethodPost, Path: "/halls/{hall}/candidates/{candidate}/notes",
		Summary:       "Write down a note about a candidate",
		Description:   "The roster's own note stays as it is. At most 100 notes about one candidate.",
		DefaultStatus: http.StatusCreated,
		Errors:        conflict,
	}, r.addNote)
}

// POST /halls/{hall}/candidates/{candidate}/notes
func (r *routes) addNote(ctx context.Context, input *struct {
	CandidatePath
	Body struct {
		Text string `json:"text" doc:"1 to 1000 characters without outer blanks; no control characters but line breaks"`
	}
},
) (*reply[noteShape], error) {
	note, err := r.store.AddNote(ctx, input.Hall, input.Candidate, input.Body.Text, caller(ctx))
	if err != nil {
		return nil, err
	}
	return &reply[noteShape]{Body: noteShapeOf(&note)}, nil
}

// noteShape is what somebody of the staff wrote down.
type noteShape struct {
	ID   string `json:"id" doc:"that of its event" example:"1796025600000-0"`
	At   moment `json:"at"`
	By   string `json:"by" doc:"account or device"`
	Text string `json:"text" doc:"lines end with a line feed"`
}

func noteShapeOf(n *hall.Note) noteShape {
	return noteShape{ID: n.ID, At: moment(n.At), By: n.By, Text: n.Text}
}

func noteShapesOf(notes []hall.Note) []noteShape {
	shapes := make([]noteShape, len(notes))
	for i := range notes {
		shapes[i] = noteShapeOf(&notes[i])
	}
	return shapes
}
