package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// MachinePath is the address of a machine.
type MachinePath struct {
	HallPath
	Machine string `path:"machine" doc:"id of the machine, percent-encoded"`
}

// machines registers the computers of a hall.
func (r *routes) machines() {
	register(r, access.See, huma.Operation{
		OperationID: "list-machines", Method: http.MethodGet, Path: "/halls/{hall}/machines",
		Summary: "List the machines, in the order of the layout",
	}, r.listMachines)
	register(r, access.See, huma.Operation{
		OperationID: "machine-statistics", Method: http.MethodGet, Path: "/halls/{hall}/machines/statistics",
		Summary: "Count idle and used machines, by subject and model",
	}, r.machineStatistics)
	register(r, access.Attend, huma.Operation{
		OperationID: "machine-out-of-service", Method: http.MethodPost, Path: "/halls/{hall}/machines/{machine}/out-of-service",
		Summary: "Take a machine out of service", Errors: conflict,
	}, r.outOfService)
	register(r, access.Attend, huma.Operation{
		OperationID: "machine-in-service", Method: http.MethodPost, Path: "/halls/{hall}/machines/{machine}/in-service",
		Summary: "Put a machine in service", Errors: conflict,
	}, r.machineCommand(hall.MachineIdle))
	register(r, access.Attend, huma.Operation{
		OperationID: "machine-spare", Method: http.MethodPost, Path: "/halls/{hall}/machines/{machine}/spare",
		Summary: "Keep a machine in reserve", Errors: conflict,
	}, r.machineCommand(hall.MachineSpare))
}

// GET /halls/{hall}/machines
func (r *routes) listMachines(ctx context.Context, input *struct {
	HallPath
	Paging
	State   hall.MachineState `query:"state" enum:"idle,called,in_use,spare,out_of_service"`
	Subject string            `query:"subject" doc:"only those that serve this subject"`
	Room    string            `query:"room"`
	Model   string            `query:"model"`
},
) (*reply[list[machineShape]], error) {
	page := input.page()
	filter := hall.MachineFilter{State: input.State, Subject: input.Subject, Room: input.Room, Model: input.Model}
	machines, err := r.store.Machines(ctx, input.Hall, filter, page)
	if err != nil {
		return nil, err
	}
	return replyList(machines, page, machineShapeOf), nil
}

// GET /halls/{hall}/machines/statistics
func (r *routes) machineStatistics(ctx context.Context, input *struct{ HallPath }) (*reply[machineStatisticsShape], error) {
	statistics, err := r.store.MachineStatistics(ctx, input.Hall)
	if err != nil {
		return nil, err
	}
	return &reply[machineStatisticsShape]{Body: machineStatisticsShape{
		Idle: machineCountShapeOf(statistics.Idle), Used: machineCountShapeOf(statistics.Used),
	}}, nil
}

// POST /halls/{hall}/machines/{machine}/out-of-service
func (r *routes) outOfService(ctx context.Context, input *struct {
	MachinePath
	Body *struct {
		Code   hall.OutageCode `json:"code,omitempty" enum:"hardware,software,network,power,cleaning,check,other" doc:"why, in one word; other if left out"`
		Reason string          `json:"reason,omitempty" maxLength:"500" pattern:"^\\P{Cc}*$" patternDescription:"text without control characters"`
	}
},
) (*reply[machineShape], error) {
	var why hall.OutageReason
	if input.Body != nil {
		why = hall.OutageReason{Code: input.Body.Code, Text: input.Body.Reason}
	}
	m, err := r.store.SetMachineState(ctx, input.Hall, input.Machine, hall.MachineOutOfService, why, caller(ctx))
	return replyMachine(&m, err)
}

// machineInput names the machine of a command without a body.
type machineInput struct {
	MachinePath
	Body *nothing
}

// machineCommand answers POST /halls/{hall}/machines/{machine}/… by putting the machine into a state.
func (r *routes) machineCommand(state hall.MachineState) func(context.Context, *machineInput) (*reply[machineShape], error) {
	return func(ctx context.Context, input *machineInput) (*reply[machineShape], error) {
		m, err := r.store.SetMachineState(ctx, input.Hall, input.Machine, state, hall.OutageReason{}, caller(ctx))
		return replyMachine(&m, err)
	}
}

func replyMachine(m *hall.Machine, err error) (*reply[machineShape], error) {
	if err != nil {
		return nil, err
	}
	return &reply[machineShape]{Body: machineShapeOf(m)}, nil
}

// machineShape is one computer as it stands now.
type machineShape struct {
	ID       string            `json:"id"`
	Label    string            `json:"label"`
	Room     string            `json:"room"`
	Model    string            `json:"model"`
	Subjects []string          `json:"subjects" nullable:"false" doc:"subjects that it serves"`
	State    hall.MachineState `json:"state" enum:"idle,called,in_use,spare,out_of_service"`
	Since    moment            `json:"since,omitzero" doc:"begin of the state"`
	Reason   string            `json:"reason,omitempty" doc:"why it is out of service"`
	Code     hall.OutageCode   `json:"code,omitempty" enum:"hardware,software,network,power,cleaning,check,other" doc:"the same in one word, as events and figures have it"`
	Sitting  *sittingShape     `json:"sitting,omitempty" doc:"the open sitting"`
}

func machineShapeOf(m *hall.Machine) machineShape {
	shape := machineShape{
		ID: m.ID, Label: m.Label, Room: m.Room, Model: m.Model, Subjects: orEmpty(m.Subjects),
		State: m.State, Since: moment(m.Since), Reason: m.Reason, Code: m.Code,
	}
	if m.Current != nil {
		sitting := sittingShapeOf(m.Current)
		shape.Sitting = &sitting
	}
	return shape
}

// machineStatisticsShape counts idle and used machines.
type machineStatisticsShape struct {
	Idle machineCountShape `json:"idle"`
	Used machineCountShape `json:"used"`
}

// machineCountShape is a number of machines.
type machineCountShape struct {
	Total     int            `json:"total"`
	BySubject map[string]int `json:"bySubject" doc:"idle: by each subject that it serves; used: by the subject being sat"`
	ByModel   map[string]int `json:"byModel"`
}

func machineCountShapeOf(c hall.MachineCount) machineCountShape {
	shape := machineCountShape(c)
	if shape.BySubject == nil {
		shape.BySubject = map[string]int{}
	}
	if shape.ByModel == nil {
		shape.ByModel = map[string]int{}
	}
	return shape
}
