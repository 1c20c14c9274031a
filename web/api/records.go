package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
)

// records registers the lists of a day and their corrections.
func (r *routes) records() {
	lists := r.api.OpenAPI().Components.Schemas
	schema := &huma.Schema{AnyOf: []*huma.Schema{
		schemaOf[list[attendanceShape]](lists), schemaOf[list[sittingRecordShape]](lists),
		schemaOf[list[incidentRecordShape]](lists), schemaOf[list[logShape]](lists),
	}}
	register(r, access.Manage, huma.Operation{
		OperationID: "get-records", Method: http.MethodGet, Path: "/halls/{hall}/days/{day}/records",
		Summary: "Get a list of the present day or of a closed one",
		Description: "Attendance has everybody of the roster, sittings each call and what came of it, the log each event with who, when and why, " +
			"and whether it was taken back; corrections stand beside what they correct. The answer is written as it is read, 500 rows at a " +
			"time: what changes meanwhile on a present day is in it or not; a closed day does not change but by corrections. An answer that " +
			"breaks off is not whole. In CSV, texts stand in quotes, and one that a spreadsheet could take for a formula has an apostrophe in " +
			"front; times are of the hall's time zone with their offset. In a workbook, texts are text cells and times dates of the hall's clock.",
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content: map[string]*huma.MediaType{
				jsonType: {Schema: schema}, "text/csv": {Schema: &huma.Schema{Type: huma.TypeString}},
				records.XLSX.ContentType(): {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
			},
			Headers: map[string]*huma.Param{"Content-Disposition": {
				Description: "the name of the file: hall, day and table", Schema: &huma.Schema{Type: huma.TypeString},
			}},
		}},
	}, r.getRecords)
	register(r, access.Manage, huma.Operation{
		OperationID: "list-corrections", Method: http.MethodGet, Path: "/halls/{hall}/days/{day}/corrections",
		Summary: "List the corrections of a day's records, in the order in which they were made",
	}, r.listCorrections)
	register(r, access.Manage, huma.Operation{
		OperationID: "add-correction", Method: http.MethodPost, Path: "/halls/{hall}/days/{day}/corrections",
		Summary: "Correct the records of a day that is open or closed",
		Description: "What is corrected stays as it is: the correction stands beside it, with who made it, when and why. At most 2000 " +
			"corrections a day.",
		DefaultStatus: http.StatusCreated, Errors: conflict,
	}, r.addCorrection)
}

func schemaOf[T any](registry huma.Registry) *huma.Schema {
	return registry.Schema(typeOf[T](), true, "")
}

// recordsInput asks for a list.
type recordsInput struct {
	DayPath
	Paging
	Table  hall.RecordTable `query:"table" required:"true" enum:"attendance,sittings,incidents,log"`
	Format records.Format   `query:"format" default:"json" enum:"json,csv,xlsx" doc:"csv and xlsx have the whole list; page and size are for json"`
}

// GET /halls/{hall}/days/{day}/records, for managers: ID numbers are whole.
func (r *routes) getRecords(ctx context.Context, input *recordsInput) (*huma.StreamResponse, error) {
	day, err := records.Find(ctx, r.store, input.Hall, input.Day)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(answer huma.Context) { //nolint:contextcheck // the answer has the context of its request
		kind := "attachment"
		if input.Format == records.JSON {
			kind = "inline"
		}
		answer.SetHeader("Content-Type", input.Format.ContentType())
		answer.SetHeader("Content-Disposition", records.Disposition(kind, day.FileName(input.Table, input.Format)))
		c := humaecho.Unwrap(answer)
		err := Stream(c, func(w io.Writer) error { return writeRecords(answer.Context(), w, day, input) })
		if err == nil {
			return
		}
		if !errors.Is(err, context.Canceled) {
			r.log.ErrorContext(answer.Context(), "request failed", "operation", "get-records", "error", err)
		}
		c.Response().Header().Del("Content-Disposition")
		r.answer(answer, err)
	}}, nil
}

func writeRecords(ctx context.Context, w io.Writer, day *records.Day, input *recordsInput) error {
	if input.Format == records.JSON {
		return writeList(ctx, w, day, input)
	}
	table, err := day.Table(ctx, input.Table)
	if err != nil {
		return err
	}
	if input.Format == records.CSV {
		return records.WriteCSV(w, table)
	}
	return records.WriteXLSX(w, table)
}

// writeList writes a page of a list as every list is answered, or all of it row by row.
func writeList(ctx context.Context, w io.Writer, d *records.Day, input *recordsInput) error {
	page, list := input.page(), recordWriter{w: w, page: input.page()}
	switch input.Table {
	case hall.TableAttendance:
		shape := func(p *records.Person) any { return attendanceShapeOf(d, p) }
		return writeItems(ctx, &list, page, d.PeoplePage, d.People, shape)
	case hall.TableSittings:
		return writeItems(ctx, &list, page, d.SittingsPage, d.Sittings, sittingRecordShapeOf)
	case hall.TableIncidents:
		return writeItems(ctx, &list, page, d.IncidentsPage, d.Incidents, incidentRecordShapeOf)
	case hall.TableLog:
		all := func(*records.Entry) bool { return true }
		one := func(ctx context.Context, page hall.Page) (hall.List[records.Entry], error) {
			return d.LogPage(ctx, page, all)
		}
		return writeItems(ctx, &list, page, one, d.Log, logShapeOf)
	}
	return fmt.Errorf("no table %q", input.Table)
}

func writeItems[T any](
	ctx context.Context, w *recordWriter, page hall.Page, one func(context.Context, hall.Page) (hall.List[T], error),
	all func(context.Context) iter.Seq2[*T, error], shape func(*T) any,
) error {
	if page.Size > 0 {
		list, err := one(ctx, page)
		if err != nil {
			return err
		}
		for i := range list.Items {
			if err := w.write(shape(&list.Items[i])); err != nil {
				return err
			}
		}
		return w.end(list.Total)
	}
	for item, err := range all(ctx) {
		if err != nil {
			return err
		}
		if err := w.write(shape(item)); err != nil {
			return err
		}
	}
	return w.end(w.items)
}

// recordWriter writes a list item by item.
type recordWriter struct {
	w     io.Writer
	page  hall.Page
	items int
}

func (w *recordWriter) write(item any) error {
	data, err := json.Marshal(item)
	if err != nil {
		return err
	}
	before := ","
	if w.items == 0 {
		before = `{"items":[`
	}
	w.items++
	_, err = io.WriteString(w.w, before+string(data))
	return err
}

func (w *recordWriter) end(total int) error {
	before := ""
	if w.items == 0 {
		before = `{"items":[`
	}
	_, err := fmt.Fprintf(w.w, `%s],"total":%d,"page":%d,"size":%d}`, before, total, w.page.Number, w.page.Size)
	return err
}

// GET /halls/{hall}/days/{day}/corrections
func (r *routes) listCorrections(ctx context.Context, input *struct {
	DayPath
	Paging
},
) (*reply[list[correctionShape]], error) {
	number, err := r.store.DayNumber(ctx, input.Hall, input.Day)
	if err != nil {
		return nil, err
	}
	all, err := r.store.Corrections(ctx, input.Hall, number)
	if err != nil {
		return nil, err
	}
	page := input.page()
	return replyList(pageOf(all, page), page, correctionShapeOf), nil
}

// POST /halls/{hall}/days/{day}/corrections
func (r *routes) addCorrection(ctx context.Context, input *struct {
	DayPath
	Body struct {
		Table  hall.RecordTable    `json:"table" enum:"attendance,sittings,incidents"`
		Row    string              `json:"row" minLength:"1" doc:"id of the candidate, the sitting or the incident"`
		State  hall.CandidateState `json:"state,omitempty" enum:"registered,waiting,called,seated,resting,held,done,absent,withdrawn" doc:"where the candidate stood; for attendance only"`
		Text   string              `json:"text,omitempty" doc:"what is right: at most 1000 characters; required without a state"`
		Reason string              `json:"reason" doc:"how that is known: 1 to 1000 characters"`
	}
},
) (*reply[correctionShape], error) {
	c, err := r.store.Correct(ctx, input.Hall, input.Day, hall.CorrectionRequest(input.Body), caller(ctx))
	if err != nil {
		return nil, err
	}
	return &reply[correctionShape]{Body: correctionShapeOf(&c)}, nil
}
