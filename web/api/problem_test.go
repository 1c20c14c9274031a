package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web/api"
)

func TestStatusOf(t *testing.T) {
	t.Parallel()
	for code, status := range map[hall.Code]int{
		hall.CodeInvalid: 422, hall.CodeUnknownHall: 404, hall.CodeUnknownDay: 404, hall.CodeUnknownRoom: 404, hall.CodeUnknownCandidate: 404,
		hall.CodeUnknownMachine: 404, hall.CodeUnknownSitting: 404, hall.CodeNotInQueue: 404, hall.CodeWrongState: 409,
		hall.CodeNeedsRestore: 409, hall.CodeAlreadyDone: 409, hall.CodeDayNotOpen: 409, hall.CodeCheckInClosed: 409, hall.CodeTooEarly: 409, hall.CodeTooLate: 409,
		hall.CodePaused: 409, hall.CodeMachineNotIdle: 409, hall.CodeNoMachine: 409, hall.CodeRecallLimit: 409,
		hall.CodeInUse: 409, hall.CodeKeyReused: 422, hall.CodeUnavailable: 503, hall.Code("unheard of"): 500,
	} {
		err := fmt.Errorf("operation: %w", &hall.Error{Code: code, Message: "No."})
		if got := api.StatusOf(err); got != status {
			t.Errorf("%s is answered %d, want %d", code, got, status)
		}
	}
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"none": {nil, 200}, "router's": {echo.ErrMethodNotAllowed, 405}, "body": {&http.MaxBytesError{}, 413},
		"client gone": {context.Canceled, 499}, "too slow": {context.DeadlineExceeded, 503}, "other": {io.EOF, 500},
	} {
		if got := api.StatusOf(test.err); got != test.status {
			t.Errorf("%s is answered %d, want %d", name, got, test.status)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	answer := func(t *testing.T, err error) answer {
		t.Helper()
		return newClient(t, &fakeStore{checkIn: func(_, _ string, _ hall.Caller) (hall.Entry, bool, error) {
			return hall.Entry{}, false, err
		}}).do(http.MethodPut, "/halls/h/queue/1", "")
	}
	t.Run("state", func(t *testing.T) {
		t.Parallel()
		p := answer(t, &hall.Error{Code: hall.CodeWrongState, Message: "0012 is seated.", State: "seated"}).
			problem(http.StatusConflict, "wrong_state")
		if p.State != "seated" || p.Detail != "0012 is seated." || p.Title != "Conflict" {
			t.Errorf("problem %+v", p)
		}
	})
	t.Run("faults", func(t *testing.T) {
		t.Parallel()
		p := answer(t, &hall.Error{
			Code: hall.CodeInvalid, Message: "No.",
			Faults: []hall.Fault{{Location: "body.name", Message: "is empty", Value: "x"}},
		}).problem(http.StatusUnprocessableEntity, "invalid")
		if len(p.Errors) != 1 || p.Errors[0].Location != "body.name" || p.Errors[0].Message != "is empty" || p.Errors[0].Value != "x" {
			t.Errorf("problem %+v", p)
		}
	})
	t.Run("values that JSON does not have", func(t *testing.T) {
		t.Parallel()
		p := answer(t, &hall.Error{Code: hall.CodeInvalid, Message: "No.", Faults: []hall.Fault{
			{Location: "a", Value: math.Inf(-1)},
			{Location: "b", Value: math.NaN()},
			{Location: "c", Value: []float64{math.Inf(1)}},
			{Location: "d", Value: make(chan int)},
			{Location: "e", Value: "\xff"},
		}}).problem(http.StatusUnprocessableEntity, "invalid")
		if len(p.Errors) != 5 || p.Errors[0].Value != "-Inf" || p.Errors[1].Value != "NaN" || p.Errors[2].Value != "[+Inf]" {
			t.Errorf("problem %+v", p)
		}
	})
	t.Run("very many faults", func(t *testing.T) {
		t.Parallel()
		for many, more := range map[int]bool{200: false, 201: true, 50_000: true} {
			faults := slices.Repeat([]hall.Fault{{Location: strings.Repeat("x", 500), Message: strings.Repeat("y", 500)}}, many)
			p := answer(t, &hall.Error{Code: hall.CodeInvalid, Message: "No.", Faults: faults}).problem(http.StatusUnprocessableEntity, "invalid")
			if len(p.Errors) != 200 || strings.Contains(p.Detail, "There is more to put right than the 200 things listed.") != more {
				t.Errorf("%d faults are answered with %d: %s", many, len(p.Errors), p.Detail)
			}
			if want := strings.Repeat("x", 200) + "…"; p.Errors[0].Location != want {
				t.Errorf("location %q", p.Errors[0].Location)
			}
		}
	})
	t.Run("store gone", func(t *testing.T) {
		t.Parallel()
		answer(t, fmt.Errorf("read entry: %w: connection refused", hall.ErrUnavailable)).
			problem(http.StatusServiceUnavailable, "unavailable")
	})
	t.Run("ours", func(t *testing.T) {
		t.Parallel()
		p := answer(t, errors.New("secret detail")).problem(http.StatusInternalServerError, "internal")
		if p.Detail != "Something went wrong on the server. It is in the server's log." || p.Errors != nil {
			t.Errorf("problem %+v", p)
		}
	})
}
