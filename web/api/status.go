package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
)

// statusClientGone is what is logged when a client did not wait for the answer.
const statusClientGone = 499

// statuses is the HTTP status of each code of the domain.
var statuses = map[hall.Code]int{
	hall.CodeInvalid:          http.StatusUnprocessableEntity,
	hall.CodeUnknownHall:      http.StatusNotFound,
	hall.CodeUnknownRoom:      http.StatusNotFound,
	hall.CodeUnknownCandidate: http.StatusNotFound,
	hall.CodeUnknownMachine:   http.StatusNotFound,
	hall.CodeUnknownSitting:   http.StatusNotFound,
	hall.CodeNotInQueue:       http.StatusNotFound,
	hall.CodeWrongState:       http.StatusConflict,
	hall.CodeNeedsRestore:     http.StatusConflict,
	hall.CodeAlreadyDone:      http.StatusConflict,
	hall.CodeDayNotOpen:       http.StatusConflict,
	hall.CodeCheckInClosed:    http.StatusConflict,
	hall.CodePaused:           http.StatusConflict,
	hall.CodeMachineNotIdle:   http.StatusConflict,
	hall.CodeNoMachine:        http.StatusConflict,
	hall.CodeRecallLimit:      http.StatusConflict,
	hall.CodeInUse:            http.StatusConflict,
	hall.CodeKeyReused:        http.StatusUnprocessableEntity,
	hall.CodeUnavailable:      http.StatusServiceUnavailable,
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
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &router):
		return router.Code
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
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
