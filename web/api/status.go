package api

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// statusClientGone is what is logged when a client did not wait for the answer.
const statusClientGone = 499

// statuses is the HTTP status of each code of the domain.
var statuses = map[hall.Code]int{
	hall.CodeInvalid:            http.StatusUnprocessableEntity,
	hall.CodeUnknownHall:        http.StatusNotFound,
	hall.CodeUnknownDay:         http.StatusNotFound,
	hall.CodeUnknownRoom:        http.StatusNotFound,
	hall.CodeUnknownCandidate:   http.StatusNotFound,
	hall.CodeUnknownMachine:     http.StatusNotFound,
	hall.CodeUnknownSitting:     http.StatusNotFound,
	hall.CodeUnknownEvent:       http.StatusNotFound,
	hall.CodeUnknownIncident:    http.StatusNotFound,
	hall.CodeUnknownPhone:       http.StatusNotFound,
	hall.CodeUnknownMetric:      http.StatusNotFound,
	hall.CodeUnreadable:         http.StatusConflict,
	hall.CodeNotInQueue:         http.StatusNotFound,
	hall.CodeWrongState:         http.StatusConflict,
	hall.CodeNeedsRestore:       http.StatusConflict,
	hall.CodeAlreadyDone:        http.StatusConflict,
	hall.CodeDayNotOpen:         http.StatusConflict,
	hall.CodeCheckInClosed:      http.StatusConflict,
	hall.CodeTooEarly:           http.StatusConflict,
	hall.CodeTooLate:            http.StatusConflict,
	hall.CodePaused:             http.StatusConflict,
	hall.CodeMachineNotIdle:     http.StatusConflict,
	hall.CodeNoMachine:          http.StatusConflict,
	hall.CodeRecallLimit:        http.StatusConflict,
	hall.CodeInUse:              http.StatusConflict,
	hall.CodeNotUndoable:        http.StatusConflict,
	hall.CodeUndoBlocked:        http.StatusConflict,
	hall.CodeTooManyNotes:       http.StatusConflict,
	hall.CodeTooManyCorrections: http.StatusConflict,
	hall.CodeChanged:            http.StatusPreconditionFailed,
	hall.CodeKeyReused:          http.StatusUnprocessableEntity,
	hall.CodeUnavailable:        http.StatusServiceUnavailable,
}

// StatusOf is the HTTP status that answers an error: 200 without one, 500 for
// an error that is neither the domain's nor the router's.
func StatusOf(err error) int {
	if err == nil {
		return http.StatusOK
	}
	if status, ok := statuses[hall.CodeOf(err)]; ok {
		return status
	}
	var router *echo.HTTPError
	var refused *access.RefusalError
	var locked *access.LockedError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &router):
		return router.Code
	case errors.As(err, &refused):
		return http.StatusForbidden
	case errors.As(err, &locked):
		return http.StatusTooManyRequests
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// conflict is the status of commands that the present state may not allow.
var conflict = []int{http.StatusConflict}

// explanations say in the description of the API what a status means.
var explanations = map[int]string{
	http.StatusBadRequest:            "The query or the body cannot be read",
	http.StatusUnauthorized:          "There is no token, or it is not accepted",
	http.StatusForbidden:             "The token does not have this right in this hall or room, or the request came from a page of another site",
	http.StatusNotFound:              "There is no such hall, day, room, candidate, machine, sitting, event, incident or metric",
	http.StatusRequestTimeout:        "The body took too long to come",
	http.StatusConflict:              "The present state does not allow this; nothing was changed",
	http.StatusPreconditionFailed:    "The layout is not the one that the request expects; nothing was changed",
	http.StatusRequestEntityTooLarge: "The body is too long: 64 MB of a roster, 10 MB of anything else",
	http.StatusUnsupportedMediaType:  "The body is of another type, or JSON that is not in UTF-8",
	http.StatusUnprocessableEntity:   "The input is not valid; errors lists the places, at most 200 of them",
	http.StatusTooManyRequests:       "Too many requests, or too many numbers of candidates that are none, came with this token or from this address; the request may be repeated after Retry-After",
	http.StatusInternalServerError:   "Something went wrong on the server",
	http.StatusServiceUnavailable:    "The store does not answer; the request may be repeated",
}

// describeErrors documents the statuses with which an operation may fail: those
// of all operations, those that follow from its shape, and op.Errors.
func describeErrors[I any](r *routes, op *huma.Operation) {
	statuses := append([]int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}, op.Errors...)
	if strings.Contains(op.Path, "{") {
		statuses = append(statuses, http.StatusNotFound)
	}
	input := reflect.TypeFor[I]()
	if _, body := input.FieldByName("Body"); body || op.RequestBody != nil {
		statuses = append(statuses, http.StatusUnsupportedMediaType)
	}
	for _, status := range statuses {
		op.Responses[strconv.Itoa(status)] = describe[problem](r, explanations[status], problemType)
	}
	op.Responses[strconv.Itoa(http.StatusUnauthorized)].Headers = map[string]*huma.Header{
		"WWW-Authenticate": {Description: "how to show who one is", Required: true, Schema: &huma.Schema{Type: huma.TypeString}},
	}
	op.Responses[strconv.Itoa(http.StatusTooManyRequests)].Headers = map[string]*huma.Header{
		echo.HeaderRetryAfter: {Description: "how many seconds to wait", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger}},
	}
	op.Errors = nil // described, and better than huma does
}

// codes are all that a problem may have, sorted.
func codes() []any {
	known := map[string]bool{codeOf(http.StatusMethodNotAllowed): true} // of the router, at any address
	for code := range statuses {
		known[string(code)] = true
	}
	for status := range explanations {
		known[codeOf(status)] = true
	}
	var list []any
	for _, code := range slices.Sorted(maps.Keys(known)) {
		list = append(list, code)
	}
	return list
}

// codeOf names an error that has no code of the domain.
func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "malformed"
	case http.StatusUnauthorized:
		return "unauthorized"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusNotFound:
		return "not_found"
	case http.StatusMethodNotAllowed:
		return "method_not_allowed"
	case http.StatusRequestTimeout:
		return "request_timeout"
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusUnsupportedMediaType:
		return "unsupported_media_type"
	case http.StatusUnprocessableEntity:
		return string(hall.CodeInvalid)
	case http.StatusTooManyRequests:
		return "too_many_requests"
	case http.StatusServiceUnavailable:
		return string(hall.CodeUnavailable)
	case statusClientGone:
		return "client_gone"
	}
	if status < http.StatusInternalServerError {
		return "refused"
	}
	return "internal"
}
