package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// rosterFormats are the formats of a roster by content type; a file without one is tried.
var rosterFormats = map[string]roster.Format{
	"": roster.AnyFormat, "text/csv": roster.Text, "text/tab-separated-values": roster.Text, workbookType: roster.Workbook,
}

const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// roster registers the reading of rosters.
func (r *routes) roster() {
	body := &huma.RequestBody{Content: map[string]*huma.MediaType{}}
	register(r, access.Manage, huma.Operation{
		OperationID: "put-roster", Method: http.MethodPost, Path: "/halls/{hall}/roster",
		Summary: "Read a roster",
		Description: "Good rows are taken, bad rows are listed; the same file again changes nothing. The header may have titles above it. " +
			"Of a workbook the first sheet counts that can be seen and has a header.",
		BodyReadTimeout: time.Minute,
		MaxBodyBytes:    roster.MaxBytes + 1,
		RequestBody:     body,
	}, r.postRoster)
	text := &huma.MediaType{
		Schema: &huma.Schema{
			Type:        huma.TypeString,
			Description: "a text in UTF-8, UTF-16 or GB18030, whatever the charset says, with commas, semicolons or tabs; a header names the columns",
		},
		Example: "candidate_id,name,subjects\n0012,Ann,1|3\n",
	}
	body.Content["text/csv"], body.Content["text/tab-separated-values"] = text, text
	body.Content[workbookType] = &huma.MediaType{
		Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "an Excel workbook; a header names the columns"},
	}
	// The body is not required: an empty file is refused like any other that is no roster.
}

// POST /halls/{hall}/roster
func (r *routes) postRoster(ctx context.Context, input *struct {
	HallPath
	DryRun      bool   `query:"dryRun" doc:"change nothing, only say what would be done"`
	ContentType string `header:"Content-Type" hidden:"true"`
},
) (*reply[rosterShape], error) {
	kind, _, err := mediaType(input.ContentType)
	if err != nil {
		return nil, err
	}
	format, known := rosterFormats[kind]
	if !known {
		return nil, refuse(http.StatusUnsupportedMediaType, "A roster is sent as text/csv, text/tab-separated-values or "+workbookType+".")
	}
	h, err := r.store.Hall(ctx, input.Hall)
	if err != nil {
		return nil, err
	}
	rows, rejected, total, err := roster.ReadBytes(bodyOf(ctx), format, &h.Layout)
	if err != nil {
		return nil, err
	}
	result, err := r.store.PutRoster(ctx, input.Hall, rows, input.DryRun, caller(ctx))
	if err != nil {
		return nil, err
	}
	result.Rows, result.Rejected = total, append(rejected, result.Rejected...)
	return &reply[rosterShape]{Body: rosterShapeOf(&result)}, nil
}

// rosterShape says what became of a roster.
type rosterShape struct {
	Rows      int             `json:"rows"`
	Created   int             `json:"created"`
	Updated   int             `json:"updated"`
	Unchanged int             `json:"unchanged"`
	Rejected  []rejectedShape `json:"rejected" nullable:"false"`
}

// rejectedShape is a row that was not taken.
type rejectedShape struct {
	Row     int    `json:"row" doc:"as a spreadsheet counts: the header is row 1"`
	Column  string `json:"column" example:"id_number"`
	Value   string `json:"value"`
	Code    string `json:"code" example:"number_was_rounded"`
	Message string `json:"message"`
}

func rosterShapeOf(result *hall.RosterResult) rosterShape {
	shape := rosterShape{
		Rows: result.Rows, Created: result.Created, Updated: result.Updated, Unchanged: result.Unchanged,
		Rejected: make([]rejectedShape, len(result.Rejected)),
	}
	for i, row := range result.Rejected {
		shape.Rejected[i] = rejectedShape(row)
	}
	slices.SortStableFunc(shape.Rejected, func(a, b rejectedShape) int { return cmp.Compare(a.Row, b.Row) })
	return shape
}
