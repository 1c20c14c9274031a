package api

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// reply is an answer with a body.
type reply[T any] struct{ Body T }

// statusReply is an answer whose status depends on what happened.
type statusReply[T any] struct {
	Status int
	Body   T
}

// nothing is the body of a command that takes none: it may be left out or be an empty object.
type nothing struct{}

// HallPath is the address of a hall.
type HallPath struct {
	Hall string `path:"hall" doc:"id of the hall, percent-encoded"`
}

// register adds an operation below the base of the API, for those who have a
// permission in the hall of its address. The handler returns errors of the
// domain; they are answered as problems.
func register[I, O any](r *routes, need access.Permission, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	op.Tags = []string{tag(op.Path)}
	op.Path = Base + op.Path
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = maxBody + 1 // huma refuses a body of exactly this length
	}
	op.RejectUnknownQueryParameters = true
	op.Extensions = map[string]any{needs: string(need)}
	if !need.Known() {
		panic("api: " + op.OperationID + " names no permission") // when the server is made, so that no test passes
	}
	op.Security = []map[string][]string{{bearer: {}}}
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	describeErrors[I](r, &op)
	if op.Method != http.MethodGet {
		op.Parameters = append(op.Parameters, keyParameter)
	}
	huma.Register(r.api, op, func(ctx context.Context, input *I) (*O, error) {
		output, err := handler(ctx, input)
		if err != nil {
			return nil, r.problem(ctx, op, err)
		}
		return output, nil
	})
	describeHeaders(op.Responses)
}

// describeHeaders documents that every success with a body has the headers of
// the usual one, the only one that huma describes, and always.
func describeHeaders(responses map[string]*huma.Response) {
	headers := map[string]*huma.Header{}
	var successes []*huma.Response
	for status, response := range responses {
		if status[0] == '2' && len(response.Content) > 0 {
			successes = append(successes, response)
			maps.Copy(headers, response.Headers)
		}
	}
	for _, header := range headers {
		header.Required = true
	}
	for _, response := range successes {
		response.Headers = headers
	}
}

// problem is the answer to an error, which is logged if it is ours.
func (r *routes) problem(ctx context.Context, op huma.Operation, err error) error {
	r.logRefusal(ctx, &op, err)
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) {
		r.log.ErrorContext(ctx, "request failed", "operation", op.OperationID, "error", err)
	}
	header := http.Header{}
	if RetryAfter(header, err); len(header) > 0 {
		return huma.ErrorWithHeaders(p, header)
	}
	return p
}

// describe documents an answer with a body of type T.
func describe[T any](r *routes, description, contentType string) *huma.Response {
	schema := r.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
	return &huma.Response{
		Description: description,
		Content:     map[string]*huma.MediaType{contentType: {Schema: schema}},
	}
}

// tag groups operations by the resource in their path.
func tag(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if parts[0] == "metrics" {
		return "metrics"
	}
	if len(parts) < 3 {
		return "halls"
	}
	switch parts[2] {
	case "pause", "resume":
		return "halls"
	case "open", "close":
		return "days"
	case "roster":
		return "candidates"
	}
	return parts[2]
}

// schemaName names a schema after its Go type without the word shape, and a
// body without a type of its own after its operation.
func schemaName(t reflect.Type, hint string) string {
	words := strings.Split(huma.DefaultSchemaNamer(t, hint), "-")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.ReplaceAll(strings.Join(words, ""), "Shape", "")
}

// callerKey is the key of the caller in a request's context.
type callerKey struct{}

// caller says who sent the request, as authenticate and readKey found it.
func caller(ctx context.Context) hall.Caller {
	by, _ := ctx.Value(callerKey{}).(hall.Caller)
	return by
}
