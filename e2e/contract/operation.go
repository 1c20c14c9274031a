package contract

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ordinary are headers that say nothing about the operation, and go with any answer.
var ordinary = []string{
	"Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Vary", "X-Request-Id",
	"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Referrer-Policy", "X-Content-Type-Options",
}

// problemType is the content type of errors, which repeat the status.
const problemType = "application/problem+json"

// Operation says what the document describes: Path has its parameters in braces.
type Operation struct {
	ID, Method, Path     string
	TakesBody, NeedsBody bool
}

// operation is one operation of the document.
type operation struct {
	Operation

	path       *regexp.Regexp
	parameters int    // in the path
	place      string // of the answers, as a JSON pointer
	answers    map[string]answer
}

// answer is what the document says of a status.
type answer struct {
	Content map[string]struct{}
	Headers headers
}

// headers are those of an answer by name; a name is written as the document has it.
type headers map[string]struct{ Required bool }

// has reports whether a header is described, in whatever case.
func (h headers) has(name string) bool {
	for described := range h {
		if strings.EqualFold(described, name) {
			return true
		}
	}
	return false
}

// parameter is one in the path of an operation.
var parameter = regexp.MustCompile(`\\\{[^/]+?\\\}`)

func newOperation(id, method, path string, answers map[string]answer) *operation {
	pattern := parameter.ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`)
	return &operation{
		Operation:  Operation{ID: id, Method: strings.ToUpper(method), Path: path},
		path:       regexp.MustCompile("^" + pattern + "$"),
		parameters: strings.Count(path, "{"), place: pointer("paths", path, method, "responses"), answers: answers,
	}
}

// compare puts the operations first that leave less of their path open.
func (o *operation) compare(other *operation) int {
	return cmp.Or(cmp.Compare(o.parameters, other.parameters), strings.Compare(o.ID, other.ID))
}

// compile makes sure that every schema of the answers is one.
func (o *operation) compile(s *schemas) error {
	for status, described := range o.answers {
		for kind := range described.Content {
			if _, err := s.at(o.schemaOf(status, kind)); err != nil {
				return fmt.Errorf("contract: %s: %w", o.ID, err)
			}
		}
		for name := range described.Headers {
			if _, err := s.at(o.headerOf(status, name)); err != nil {
				return fmt.Errorf("contract: %s: %w", o.ID, err)
			}
		}
	}
	return nil
}

func (o *operation) schemaOf(status, kind string) string {
	return o.place + pointer(status, "content", kind, "schema")
}

func (o *operation) headerOf(status, name string) string {
	return o.place + pointer(status, "headers", name, "schema")
}

// check returns what is wrong with an answer of the operation.
func (o *operation) check(s *schemas, response *http.Response, body []byte) error {
	status := strconv.Itoa(response.StatusCode)
	described, ok := o.answers[status]
	if !ok {
		return errors.New("the status is not documented")
	}
	return errors.Join(o.checkHeaders(s, status, described, response.Header), o.checkBody(s, status, described, response, body))
}

func (o *operation) checkHeaders(s *schemas, status string, described answer, header http.Header) error {
	var faults []error
	for name := range header {
		if !described.Headers.has(name) && !slices.Contains(ordinary, name) {
			faults = append(faults, fmt.Errorf("the header %s is not documented", name))
		}
	}
	for name, h := range described.Headers {
		values := header.Values(name)
		if len(values) == 0 && h.Required {
			faults = append(faults, fmt.Errorf("the header %s is missing", name))
		}
		for _, value := range values {
			if err := s.check(o.headerOf(status, name), value); err != nil {
				faults = append(faults, fmt.Errorf("the header %s: %w", name, err))
			}
		}
	}
	return errors.Join(faults...)
}

func (o *operation) checkBody(s *schemas, status string, described answer, response *http.Response, body []byte) error {
	if len(described.Content) == 0 {
		if len(body) > 0 || response.Header.Get("Content-Type") != "" {
			return errors.New("a body is not documented")
		}
		return nil
	}
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("the content type: %w", err)
	}
	if _, ok := described.Content[kind]; !ok {
		return fmt.Errorf("the content type %s is not documented", kind)
	}
	value, err := any(string(body)), error(nil)
	if strings.HasSuffix(kind, "json") {
		value, err = decode(body)
	}
	if err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	if err := s.check(o.schemaOf(status, kind), value); err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	if kind == problemType {
		return sameStatus(value, status)
	}
	return nil
}

// sameStatus checks that a problem has the status it was sent with.
func sameStatus(problem any, status string) error {
	fields, _ := problem.(map[string]any)
	if said := fmt.Sprint(fields["status"]); said != status {
		return fmt.Errorf("the body says status %s", said)
	}
	return nil
}
