package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// incidents registers the incidents of the day.
func (r *routes) incidents() {
	register(r, access.See, huma.Operation{
		OperationID: "list-incidents", Method: http.MethodGet, Path: "/halls/{hall}/incidents",
		Summary: "List the incidents of the day, in order of time",
	}, r.listIncidents)
	register(r, access.Attend, huma.Operation{
		OperationID: "open-incident", Method: http.MethodPost, Path: "/halls/{hall}/incidents",
		Summary:       "Report an incident",
		Description:   "It concerns a machine, a candidate, both, or the hall.",
		DefaultStatus: http.StatusCreated,
	}, r.openIncident)
}

// GET /halls/{hall}/incidents
func (r *routes) listIncidents(ctx context.Context, input *struct {
	HallPath
	Paging
},
) (*reply[list[incidentShape]], error) {
	page := input.page()
	incidents, err := r.store.Incidents(ctx, input.Hall, page)
	if err != nil {
		return nil, err
	}
	return replyList(incidents, page, incidentShapeOf), nil
}

// POST /halls/{hall}/incidents
func (r *routes) openIncident(ctx context.Context, input *struct {
	HallPath
	Body struct {
		Category  string `json:"category" doc:"one of the hall's incidentCategories" example:"machine"`
		Machine   string `json:"machine,omitempty" doc:"id of a machine that it concerns"`
		Candidate string `json:"candidate,omitempty" doc:"id of a candidate whom it concerns"`
		Text      string `json:"text" doc:"what happened: 1 to 1000 characters without outer blanks; no control characters but line breaks"`
		Done      string `json:"done,omitempty" doc:"what was done about it; at most 1000 characters"`
	}
},
) (*reply[incidentShape], error) {
	about := access.Target{Hall: input.Hall, Machine: input.Body.Machine}
	if err := access.Check(ctx, r.store, granted(ctx), access.Attend, about); err != nil {
		return nil, err
	}
	incident, err := r.store.OpenIncident(ctx, input.Hall, hall.IncidentReport(input.Body), caller(ctx))
	if err != nil {
		return nil, err
	}
	return &reply[incidentShape]{Body: incidentShapeOf(&incident)}, nil
}

// incidentShape is a report of the staff as it is kept.
type incidentShape struct {
	ID        string `json:"id" doc:"that of its event" example:"1796025600000-0"`
	At        moment `json:"at"`
	By        string `json:"by" doc:"account, device or system"`
	Category  string `json:"category" example:"machine"`
	Machine   string `json:"machine,omitempty" doc:"id of the machine"`
	Room      string `json:"room,omitempty" doc:"that of the machine then"`
	Candidate string `json:"candidate,omitempty" doc:"id of the candidate"`
	Ticket    string `json:"ticket,omitempty" doc:"that of the candidate then"`
	Command   string `json:"command,omitempty" doc:"event of the command that opened it in the same step; left out for a report of the staff" example:"sitting_transferred"`
	Sitting   string `json:"sitting,omitempty" doc:"that the command was about"`
	To        string `json:"to,omitempty" doc:"id of the machine that a transfer led to"`
	Text      string `json:"text" doc:"what happened; with a command its reason, which may be empty"`
	Done      string `json:"done,omitempty" doc:"what was done about it"`
}

func incidentShapeOf(i *hall.Incident) incidentShape {
	return incidentShape{
		ID: i.ID, At: moment(i.At), By: i.By, Category: i.Category, Machine: i.Machine, Room: i.Room,
		Candidate: i.Candidate, Ticket: i.Ticket, Text: i.Text, Done: i.Done, Command: string(i.Command), Sitting: i.Sitting, To: i.To,
	}
}
