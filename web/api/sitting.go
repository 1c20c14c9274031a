package api

import (
	"github.com/hallcall/hallcall/internal/hall"
)

// sittingShape is one candidate on one machine for one subject.
type sittingShape struct {
	ID          string            `json:"id"`
	Candidate   string            `json:"candidate" doc:"id of the candidate"`
	Name        string            `json:"name"`
	Ticket      string            `json:"ticket" example:"N001"`
	Class       hall.Class        `json:"class" enum:"management,vip,priority,normal"`
	Subject     string            `json:"subject"`
	Machine     string            `json:"machine" doc:"id of the machine"`
	Room        string            `json:"room"`
	State       hall.SittingState `json:"state" enum:"called,seated,ended"`
	CalledAt    moment            `json:"calledAt,omitzero"`
	SeatedAt    moment            `json:"seatedAt,omitzero"`
	EndedAt     moment            `json:"endedAt,omitzero"`
	Recalls     int               `json:"recalls" doc:"how often the call was announced again"`
	Outcome     hall.Outcome      `json:"outcome,omitempty" enum:"finished,aborted,no_show,withdrawn" doc:"once ended"`
	WaitSeconds float64           `json:"waitSeconds" doc:"from the begin of the wait to the call"`
}

func sittingShapeOf(s *hall.Sitting) sittingShape {
	return sittingShape{
		ID: s.ID, Candidate: s.Candidate, Name: s.Name, Ticket: s.Ticket, Class: s.Class,
		Subject: s.Subject, Machine: s.Machine, Room: s.Room, State: s.State,
		CalledAt: moment(s.CalledAt), SeatedAt: moment(s.SeatedAt), EndedAt: moment(s.EndedAt),
		Recalls: s.Recalls, Outcome: s.Outcome, WaitSeconds: seconds(s.Wait),
	}
}

// abortBody says why a sitting is broken off.
type abortBody struct {
	Reason      string          `json:"reason,omitempty" maxLength:"500" pattern:"^\\P{Cc}*$" patternDescription:"text without control characters"`
	Code        hall.OutageCode `json:"code,omitempty" enum:"hardware,software,network,power,cleaning,check,other" doc:"why the machine goes out of service, in one word; other if left out"`
	Fault       hall.AbortFault `json:"fault" enum:"machine,candidate"`
	KeepMachine bool            `json:"keepMachine,omitempty" doc:"after a fault of the machine: leave it in service"`
	Then        string          `json:"then,omitempty" enum:"requeue,withdraw" doc:"after a fault of the candidate: back to the tail, or out"`
}

// abort checks that the fields fit together.
func (b abortBody) abort() (hall.Abort, error) {
	var faults []hall.Fault
	if b.Fault == hall.FaultMachine && b.Then != "" {
		faults = append(faults, hall.Fault{Location: "body.then", Message: "goes with the fault of a candidate only", Value: b.Then})
	}
	if b.Fault == hall.FaultCandidate && b.KeepMachine {
		faults = append(faults, hall.Fault{Location: "body.keepMachine", Message: "goes with the fault of a machine only", Value: true})
	}
	if b.Code != "" && (b.Fault != hall.FaultMachine || b.KeepMachine) {
		faults = append(faults, codeMisfits(b.Code))
	}
	if len(faults) > 0 {
		return hall.Abort{}, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: faults}
	}
	return hall.Abort{Fault: b.Fault, Reason: b.Reason, Code: b.Code, KeepMachine: b.KeepMachine, Withdraw: b.Then == "withdraw"}, nil
}

// codeMisfits is what is wrong with a code for a machine that stays in service.
func codeMisfits(code hall.OutageCode) hall.Fault {
	return hall.Fault{Location: "body.code", Message: "goes with a machine that goes out of service only", Value: string(code)}
}

// transferBody says where a sitting moves.
type transferBody struct {
	Machine      string          `json:"machine,omitempty" doc:"id of an idle machine; any that serves the subject if left out"`
	OutOfService bool            `json:"outOfService,omitempty" doc:"take the old machine out of service in the same step"`
	Reason       string          `json:"reason,omitempty" maxLength:"500" pattern:"^\\P{Cc}*$" patternDescription:"text without control characters" doc:"why the old machine is out of service"`
	Code         hall.OutageCode `json:"code,omitempty" enum:"hardware,software,network,power,cleaning,check,other" doc:"the same in one word; other if left out"`
}

// transfer checks that the fields fit together.
func (b *transferBody) transfer() (hall.Transfer, error) {
	if b == nil {
		return hall.Transfer{}, nil
	}
	if b.Code != "" && !b.OutOfService {
		return hall.Transfer{}, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: []hall.Fault{codeMisfits(b.Code)}}
	}
	return hall.Transfer(*b), nil
}
