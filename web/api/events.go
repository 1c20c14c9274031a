package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// events registers the reading of the day's events.
func (r *routes) events() {
	register(r, access.See, huma.Operation{
		OperationID: "list-events", Method: http.MethodGet, Path: "/halls/{hall}/events",
		Summary: "List the events of the day, oldest first",
	}, r.listEvents)
}

// GET /halls/{hall}/events
func (r *routes) listEvents(ctx context.Context, input *struct {
	HallPath
	Paging
	After string `query:"after" pattern:"^[0-9]{1,19}(-[0-9]{1,19})?$" patternDescription:"id of an event" doc:"only events after the one with this id"`
},
) (*reply[list[eventShape]], error) {
	page := input.page()
	events, err := r.store.Events(ctx, input.Hall, input.After, page)
	if err != nil {
		return nil, err
	}
	return replyList(events, page, eventShapeOf), nil
}

// eventShape is one change of the day; fields that do not apply are left out.
type eventShape struct {
	ID             string                       `json:"id"`
	Event          hall.EventName               `json:"event" example:"candidate_called"`
	At             moment                       `json:"at"`
	By             string                       `json:"by" doc:"account, device or system"`
	Day            string                       `json:"day,omitempty" doc:"that is opened or closed"`
	Candidate      string                       `json:"candidate,omitempty"`
	Ticket         string                       `json:"ticket,omitempty"`
	Class          hall.Class                   `json:"class,omitempty"`
	Subject        string                       `json:"subject,omitempty"`
	Subjects       []string                     `json:"subjects,omitzero" nullable:"false" doc:"of the candidate, where the roster changes"`
	Remaining      []string                     `json:"remaining,omitzero" nullable:"false"`
	Machine        string                       `json:"machine,omitempty"`
	From           string                       `json:"from,omitempty" doc:"machine that a transfer left"`
	Model          string                       `json:"model,omitempty"`
	Room           string                       `json:"room,omitempty"`
	Sitting        string                       `json:"sitting,omitempty"`
	WaitSeconds    *float64                     `json:"waitSeconds,omitempty"`
	WalkSeconds    *float64                     `json:"walkSeconds,omitempty"`
	SittingSeconds *float64                     `json:"sittingSeconds,omitempty"`
	OutageSeconds  *float64                     `json:"outageSeconds,omitempty"`
	Recalls        int                          `json:"recalls,omitempty"`
	Alert          hall.AlertName               `json:"alert,omitempty" doc:"that is raised or cleared" example:"wait_over_target"`
	Since          moment                       `json:"since,omitzero" doc:"begin of what an alert is about"`
	Until          moment                       `json:"until,omitzero" doc:"end of it, where it was over before the alert was raised"`
	Cause          string                       `json:"cause,omitempty" doc:"the first event of the same step, of which this one came; left out for that itself"`
	Undoes         string                       `json:"undoes,omitempty" doc:"the event that this one takes back; its other fields are those of that event"`
	Category       string                       `json:"category,omitempty" doc:"of an incident"`
	ReasonCode     hall.OutageCode              `json:"reasonCode,omitempty" doc:"why the machine goes out of service" example:"network"`
	Machines       map[string]hall.MachineState `json:"machines,omitempty" doc:"state of each machine after a change of the layout"`
	Codes          map[string]hall.OutageCode   `json:"codes,omitempty" doc:"of the machines that are out of service then"`
	Gone           []string                     `json:"gone,omitempty" nullable:"false" doc:"machines that the layout has no more"`
	State          string                       `json:"state,omitempty" doc:"of the candidate who was changed or the sitting that was transferred; of who was held, withdrawn or made done, the one before"`
	ClassWas       hall.Class                   `json:"classWas,omitempty" doc:"class before a change of the candidate"`
	RemainingWas   []string                     `json:"remainingWas,omitzero" nullable:"false" doc:"subjects left before a change of the roster"`
	Fields         map[string]string            `json:"fields,omitempty" doc:"of an event of another system"`
}

func eventShapeOf(e *hall.Event) eventShape {
	return eventShape{
		ID: e.ID, Event: e.Event, At: moment(e.At), By: e.By, Day: e.Day, Candidate: e.Candidate, Ticket: e.Ticket, Class: e.Class,
		Subject: e.Subject, Subjects: e.Subjects, Remaining: e.Remaining, Machine: e.Machine, From: e.From, Model: e.Model, Room: e.Room,
		Sitting: e.Sitting, WaitSeconds: secondsIfAny(e.Wait), WalkSeconds: secondsIfAny(e.Walk),
		SittingSeconds: secondsIfAny(e.Length), OutageSeconds: secondsIfAny(e.Outage), Recalls: e.Recalls,
		Alert: e.Alert, Since: moment(e.Since), Until: moment(e.Until), Cause: e.Cause, Undoes: e.Undoes, Category: e.Category,
		ReasonCode: e.ReasonCode, Machines: e.Machines, Codes: e.Codes, Gone: e.Gone,
		State: e.State, ClassWas: e.ClassWas, RemainingWas: e.RemainingWas, Fields: e.Fields,
	}
}
