package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
)

// problemType is the content type of errors (RFC 9457).
const problemType = "application/problem+json"

// internalMessage is all that is said of an error that is ours.
const internalMessage = "Something went wrong on the server. It is in the server's log."

// problem is an error as it is answered.
type problem struct {
	Title  string       `json:"title" doc:"the HTTP status in words" example:"Conflict"`
	Status int          `json:"status" doc:"the HTTP status" example:"409"`
	Code   string       `json:"code" doc:"stable name of the error" example:"wrong_state"`
	Detail string       `json:"detail" doc:"what is wrong, for people"`
	State  string       `json:"state,omitempty" doc:"the present state, if it did not allow the command"`
	Errors []faultShape `json:"errors,omitempty" nullable:"false" doc:"everything that is wrong with the input"`
}

// faultShape is one thing that is wrong with an input.
type faultShape struct {
	Location string `json:"location" doc:"where it stands" example:"body.machines[3].model"`
	Message  string `json:"message"`
	Value    any    `json:"value,omitempty" doc:"what stands there"`
}

// Error returns the sentence for people.
func (p *problem) Error() string { return p.Detail }

// GetStatus tells huma the status.
func (p *problem) GetStatus() int { return p.Status }

// ContentType tells huma the content type.
func (p *problem) ContentType(string) string { return problemType }

// useProblems makes huma answer its own errors as problems.
var useProblems = sync.OnceFunc(func() {
	huma.NewError = newProblem
	huma.NewErrorWithContext = func(_ huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newProblem(status, message, errs...)
	}
})

// newProblem is an error that huma found.
func newProblem(status int, message string, errs ...error) huma.StatusError {
	p := &problem{Status: status, Detail: sentence(message)}
	for _, err := range errs {
		if known := StatusOf(err); status == http.StatusInternalServerError && known != status {
			return problemOf(err)
		}
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			p.Errors = append(p.Errors, faultShapeOf(faultOf(detail.ErrorDetail())))
		}
	}
	p.Title, p.Code = http.StatusText(p.Status), codeOf(p.Status)
	return p
}

// problemOf is the answer to an error of the domain or of the router; any other is ours.
func problemOf(err error) *problem {
	var known *problem
	if errors.As(err, &known) {
		return known
	}
	status := StatusOf(err)
	p := &problem{Title: http.StatusText(status), Status: status, Code: codeOf(status), Detail: internalMessage}
	var domain *hall.Error
	var router *echo.HTTPError
	switch {
	case errors.As(err, &domain):
		p.Code, p.Detail, p.State = string(domain.Code), domain.Message, domain.State
		for _, fault := range domain.Faults {
			p.Errors = append(p.Errors, faultShapeOf(fault))
		}
	case errors.As(err, &router) && status < http.StatusInternalServerError:
		p.Detail = routerMessage(status)
	}
	return p
}

// WriteProblem answers an error of a request for the API.
func WriteProblem(c echo.Context, err error) error {
	p := problemOf(err)
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.Blob(p.Status, problemType, data)
}

func routerMessage(status int) string {
	switch status {
	case http.StatusNotFound:
		return "There is nothing at this address."
	case http.StatusMethodNotAllowed:
		return "This address does not take this method."
	}
	return http.StatusText(status) + "."
}

// sentence makes a message of huma's one that can be shown.
func sentence(message string) string {
	if message == "" {
		return ""
	}
	if message == "validation failed" {
		return "The input is not valid."
	}
	return strings.TrimSuffix(strings.ToUpper(message[:1])+message[1:], ".") + "."
}

func faultShapeOf(f hall.Fault) faultShape {
	return faultShape{Location: f.Location, Message: f.Message, Value: brief(f.Value)}
}

// brief keeps a value short enough to be sent back.
func brief(value any) any {
	const most = 200
	switch v := value.(type) {
	case map[string]any, []any:
		return nil
	case string:
		if utf8.RuneCountInString(v) > most {
			return string([]rune(v)[:most]) + "…"
		}
	}
	return value
}
