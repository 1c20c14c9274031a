package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// problemType is the content type of errors (RFC 9457).
const problemType = "application/problem+json"

// invalidMessage is said of an input with faults where there is nothing better to say.
const invalidMessage = "The input is not valid."

// maxFaults is how many faults an answer lists.
const maxFaults = 200

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

// describeCodes lists the codes in the description of a problem.
func describeCodes(registry huma.Registry) {
	definition(registry, reflect.TypeFor[problem]()).Properties["code"].Enum = codes()
}

// Error returns the sentence for people.
func (p *problem) Error() string { return p.Detail }

// GetStatus tells huma the status.
func (p *problem) GetStatus() int { return p.Status }

// ContentType tells huma the content type.
func (p *problem) ContentType(string) string { return problemType }

// useProblems makes huma answer its own errors as problems, and take the names
// of fields as they are written.
var useProblems = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	huma.NewError = newProblem
	huma.NewErrorWithContext = func(_ huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newProblem(status, message, errs...)
	}
})

// newProblem is an error that huma found.
func newProblem(status int, message string, errs ...error) huma.StatusError {
	p := refuse(status, sentence(message))
	var faults []hall.Fault
	for _, err := range errs[:min(len(errs), maxFaults+1)] {
		if known := StatusOf(err); status == http.StatusInternalServerError && known != status {
			return problemOf(err)
		}
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			faults = append(faults, faultOf(detail.ErrorDetail()))
		}
	}
	p.list(faults...)
	return p
}

// refuse is an error without more to it than its status and a sentence.
func refuse(status int, message string) *problem {
	return &problem{Title: http.StatusText(status), Status: status, Code: codeOf(status), Detail: message}
}

// malformed is the error for a body that is no JSON.
func malformed(message string) *problem {
	p := refuse(http.StatusBadRequest, "The body cannot be read.")
	p.list(hall.Fault{Location: "body", Message: message})
	return p
}

// list adds what is wrong with the input, as far as an answer goes.
func (p *problem) list(faults ...hall.Fault) {
	if len(faults) > maxFaults {
		faults = faults[:maxFaults]
		p.Detail += fmt.Sprintf(" There is more to put right than the %d things listed.", maxFaults)
	}
	for _, fault := range faults {
		p.Errors = append(p.Errors, faultShapeOf(fault))
	}
}

// problemOf is the answer to an error of the domain or of the router; any other is ours.
func problemOf(err error) *problem {
	var known *problem
	if errors.As(err, &known) {
		return known
	}
	status := StatusOf(err)
	p := refuse(status, internalMessage)
	var domain *hall.Error
	var router *echo.HTTPError
	var refused *access.RefusalError
	var locked *access.LockedError
	switch {
	case errors.As(err, &refused):
		p.Detail = refused.Error()
	case errors.As(err, &locked):
		p.Detail = fmt.Sprintf("This is too much at once. Wait %d s and send it again.", locked.Seconds())
	case errors.As(err, &domain):
		p.Code, p.Detail, p.State = string(domain.Code), domain.Message, domain.State
		p.list(domain.Faults...)
	case errors.As(err, &router) && status < http.StatusInternalServerError:
		p.Detail = routerMessage(status)
	}
	return p
}

// WriteProblem answers an error of a request for the API.
func WriteProblem(c echo.Context, err error) error {
	p := problemOf(err)
	RetryAfter(c.Response().Header(), err)
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
		return invalidMessage
	}
	return strings.TrimSuffix(strings.ToUpper(message[:1])+message[1:], ".") + "."
}

func faultShapeOf(f hall.Fault) faultShape {
	return faultShape{Location: shorten(f.Location), Message: shorten(f.Message), Value: brief(f.Value)}
}

// brief makes a value one that can be sent back: short, and JSON has it.
func brief(value any) any {
	switch v := value.(type) {
	case map[string]any, []any:
		return nil
	case string:
		return shorten(v)
	}
	if _, err := json.Marshal(value); err != nil {
		return shorten(fmt.Sprint(value)) // not a number, say
	}
	return value
}

// shorten keeps the beginning of a long text.
func shorten(text string) string {
	const most = 200
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
