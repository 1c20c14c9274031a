package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// alerts registers what is wrong in a hall.
func (r *routes) alerts() {
	register(r, access.See, huma.Operation{
		OperationID: "list-alerts", Method: http.MethodGet, Path: "/halls/{hall}/alerts",
		Summary:     "List the alerts that are active, the first raised in front",
		Description: "Their begin and end are events too: alert_raised and alert_cleared.",
	}, r.listAlerts)
}

// GET /halls/{hall}/alerts
func (r *routes) listAlerts(ctx context.Context, input *struct {
	HallPath
	Paging
},
) (*reply[list[alertShape]], error) {
	page := input.page()
	alerts, err := r.store.Alerts(ctx, input.Hall, page)
	if err != nil {
		return nil, err
	}
	return replyList(alerts, page, alertShapeOf), nil
}

// alertShape is an active alert; fields that do not apply are left out.
type alertShape struct {
	Alert     hall.AlertName `json:"alert" example:"call_unanswered"`
	Machine   string         `json:"machine,omitempty" doc:"id of the machine"`
	Candidate string         `json:"candidate,omitempty" doc:"id of the candidate"`
	Ticket    string         `json:"ticket,omitempty"`
	Subject   string         `json:"subject,omitempty" doc:"code"`
	Room      string         `json:"room,omitempty" doc:"id of the machine's room then"`
	Since     moment         `json:"since" doc:"begin of what has lasted too long: the wait, the call, the sitting"`
	RaisedAt  moment         `json:"raisedAt"`
}

func alertShapeOf(a *hall.Alert) alertShape {
	return alertShape{
		Alert: a.Name, Machine: a.Machine, Candidate: a.Candidate, Ticket: a.Ticket, Subject: a.Subject, Room: a.Room,
		Since: moment(a.Since), RaisedAt: moment(a.Raised),
	}
}
