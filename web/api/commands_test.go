package api_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestAbort(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body   string
		want   hall.Abort
		faults []string
	}{
		"machine": {`{"fault": "machine", "reason": "screen"}`, hall.Abort{Fault: hall.FaultMachine, Reason: "screen"}, nil},
		"kept":    {`{"fault": "machine", "keepMachine": true}`, hall.Abort{Fault: hall.FaultMachine, KeepMachine: true}, nil},
		"coded":   {`{"fault": "machine", "code": "power"}`, hall.Abort{Fault: hall.FaultMachine, Code: hall.OutagePower}, nil},
		"requeue": {`{"fault": "candidate", "then": "requeue"}`, hall.Abort{Fault: hall.FaultCandidate}, nil},
		"back":    {`{"fault": "candidate"}`, hall.Abort{Fault: hall.FaultCandidate}, nil},
		"out":     {`{"fault": "candidate", "then": "withdraw"}`, hall.Abort{Fault: hall.FaultCandidate, Withdraw: true}, nil},

		"whose fault":   {`{"reason": "screen"}`, hall.Abort{}, []string{"body.fault"}},
		"other fault":   {`{"fault": "weather"}`, hall.Abort{}, []string{"body.fault"}},
		"other then":    {`{"fault": "candidate", "then": "home"}`, hall.Abort{}, []string{"body.then"}},
		"then misfits":  {`{"fault": "machine", "then": "withdraw"}`, hall.Abort{}, []string{"body.then"}},
		"keep misfits":  {`{"fault": "candidate", "keepMachine": true}`, hall.Abort{}, []string{"body.keepMachine"}},
		"code misfits":  {`{"fault": "candidate", "code": "power"}`, hall.Abort{}, []string{"body.code"}},
		"code of kept":  {`{"fault": "machine", "keepMachine": true, "code": "power"}`, hall.Abort{}, []string{"body.code"}},
		"other code":    {`{"fault": "machine", "code": "weather"}`, hall.Abort{}, []string{"body.code"}},
		"unknown field": {`{"fault": "machine", "colour": 1}`, hall.Abort{}, []string{"body.colour"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got hall.Abort
			client := newClient(t, &fakeStore{abort: func(_ string, a hall.Abort) (hall.Sitting, error) {
				got = a
				return hall.Sitting{}, nil
			}})
			answer := client.do(http.MethodPost, "/halls/h/sittings/s1/abort", test.body)
			if test.faults != nil {
				if p := answer.problem(http.StatusUnprocessableEntity, "invalid"); !slices.Equal(p.locations(), test.faults) {
					t.Errorf("faults %+v, want at %q", p.Errors, test.faults)
				}
				return
			}
			answer.is(http.StatusOK)
			if got != test.want {
				t.Errorf("aborted with %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestCommandsReachTheStore(t *testing.T) {
	t.Parallel()
	var got []any
	note := func(values ...any) { got = values }
	client := newClient(t, &fakeStore{
		recall:   func(s string, n int) (hall.Sitting, error) { note(s, n); return hall.Sitting{}, nil },
		transfer: func(s string, tr hall.Transfer) (hall.Sitting, error) { note(s, tr); return hall.Sitting{}, nil },
		class: func(c string, class hall.Class, reason string) (hall.Entry, error) {
			note(c, class, reason)
			return hall.Entry{}, nil
		},
		next: func(m string) (*hall.Sitting, error) { note(m); return &hall.Sitting{}, nil },
		machine: func(m string, s hall.MachineState, why hall.OutageReason) (hall.Machine, error) {
			note(m, s, why)
			return hall.Machine{}, nil
		},
		line: func(f hall.LineFilter, p hall.Page) (hall.List[hall.Entry], error) {
			note(f, p)
			return hall.List[hall.Entry]{}, nil
		},
		candidates: func(f hall.CandidateFilter, p hall.Page) (hall.List[hall.Candidate], error) {
			note(f, p)
			return hall.List[hall.Candidate]{}, nil
		},
		sittings: func(f hall.SittingFilter, p hall.Page) (hall.List[hall.Sitting], error) {
			note(f, p)
			return hall.List[hall.Sitting]{}, nil
		},
		machines: func(f hall.MachineFilter, p hall.Page) (hall.List[hall.Machine], error) {
			note(f, p)
			return hall.List[hall.Machine]{}, nil
		},
		events: func(after string, p hall.Page) (hall.List[hall.Event], error) {
			note(after, p)
			return hall.List[hall.Event]{}, nil
		},
	})
	usual := hall.Page{Number: 1, Size: 50}
	for _, test := range []struct {
		method, path, body string
		want               []any
	}{
		{"POST", "/sittings/s1/recall", `{"recall": 3}`, []any{"s1", 3}},
		{"POST", "/sittings/s1/transfer", "", []any{"s1", hall.Transfer{}}},
		{"POST", "/sittings/s1/transfer", `{"machine": "m", "outOfService": true, "reason": "dust"}`, []any{"s1", hall.Transfer{Machine: "m", OutOfService: true, Reason: "dust"}}},
		{"POST", "/sittings/s1/transfer", `{"outOfService": true, "code": "power"}`, []any{"s1", hall.Transfer{OutOfService: true, Code: hall.OutagePower}}},
		{"PATCH", "/queue/x", `{"class": "management", "reason": "guest"}`, []any{"x", hall.ClassManagement, "guest"}},
		{"POST", "/queue/next", "", []any{""}},
		{"POST", "/queue/next", `{"machine": "m"}`, []any{"m"}},
		{"POST", "/machines/m/out-of-service", `{"reason": "dust"}`, []any{"m", hall.MachineOutOfService, hall.OutageReason{Text: "dust"}}},
		{"POST", "/machines/m/out-of-service", `{"code": "cleaning", "reason": "dust"}`, []any{"m", hall.MachineOutOfService, hall.OutageReason{Code: "cleaning", Text: "dust"}}},
		{"POST", "/machines/m/out-of-service", `{"code": "network"}`, []any{"m", hall.MachineOutOfService, hall.OutageReason{Code: "network"}}},
		{"POST", "/machines/m/in-service", "", []any{"m", hall.MachineIdle, hall.OutageReason{}}},
		{"POST", "/machines/m/spare", "{}", []any{"m", hall.MachineSpare, hall.OutageReason{}}},
		{"GET", "/queue", "", []any{hall.LineFilter{}, usual}},
		{"GET", "/queue?order=desc&subject=1&class=vip&waitedOver=30.5&page=2&size=9", "", []any{
			hall.LineFilter{Subject: "1", Class: hall.ClassVIP, WaitedOver: 30500 * time.Millisecond, Descending: true}, hall.Page{Number: 2, Size: 9},
		}},
		{"GET", "/candidates?q=a%20b&state=held&size=0", "", []any{hall.CandidateFilter{Text: "a b", State: hall.Held}, hall.Page{Number: 1}}},
		{"GET", "/candidates?q=&state=&page=&size=", "", []any{hall.CandidateFilter{}, usual}},
		{"GET", "/sittings?state=ended&room=101&subject=1", "", []any{hall.SittingFilter{State: hall.SittingEnded, Room: "101", Subject: "1"}, usual}},
		{"GET", "/machines?state=spare&subject=1&room=101&model=A", "", []any{
			hall.MachineFilter{State: hall.MachineSpare, Subject: "1", Room: "101", Model: "A"}, usual,
		}},
		{"GET", "/events", "", []any{"", usual}},
		{"GET", "/events?after=1700000000000-3", "", []any{"1700000000000-3", usual}},
	} {
		got = nil
		client.do(test.method, "/halls/h"+test.path, test.body).is(http.StatusOK)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %s reached the store as %+v, want %+v", test.method, test.path, got, test.want)
		}
	}
}
