// Package contract holds the answers of the API against the document in which
// the API describes itself: a client may rely on what stands there, so an answer
// that does not is a fault, whatever the test that got it was about.
package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// Where the API and its document are on a server.
const (
	base         = "/api/v1/"
	documentPath = "/api/openapi.json"
)

// Document is an OpenAPI 3.1 document to judge answers by, and remembers what
// was answered as it says. It may be used from several goroutines.
type Document struct {
	operations []*operation
	schemas    *schemas

	mu       sync.Mutex
	answered map[string]bool // operation and status
}

// Fetch reads the document of a server; transport carries the request.
func Fetch(ctx context.Context, transport http.RoundTripper, server string) (*Document, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server+documentPath, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("contract: read the document: %w", err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("contract: read the document: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("contract: the document is answered with %d", response.StatusCode)
	}
	return Parse(data)
}

// Parse reads a document. Every schema of an answer in it must be one.
func Parse(data []byte) (*Document, error) {
	var raw struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody *struct{ Required bool }
			Responses   map[string]answer
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("contract: parse the document: %w", err)
	}
	known, err := newSchemas(data)
	if err != nil {
		return nil, err
	}
	d := &Document{schemas: known, answered: map[string]bool{}}
	for path, methods := range raw.Paths {
		for method, described := range methods {
			o := newOperation(described.OperationID, method, path, described.Responses)
			if described.RequestBody != nil {
				o.TakesBody, o.NeedsBody = true, described.RequestBody.Required
			}
			if err := o.compile(known); err != nil {
				return nil, err
			}
			d.operations = append(d.operations, o)
		}
	}
	slices.SortFunc(d.operations, (*operation).compare)
	return d, nil
}

// Check returns what is wrong with an answer, with all of its body: the
// operation, the status, the type, a header or the body is not as described.
func (d *Document) Check(request *http.Request, response *http.Response, body []byte) error {
	o := d.find(request)
	if o == nil {
		return fmt.Errorf("contract: %s %s is no operation of the document", request.Method, request.URL.EscapedPath())
	}
	if err := o.check(d.schemas, response, body); err != nil {
		return fmt.Errorf("contract: %s answered %d: %w in %s", o.ID, response.StatusCode, err, brief(body))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answered[o.ID+" "+strconv.Itoa(response.StatusCode)] = true
	return nil
}

// Operations lists what the document describes.
func (d *Document) Operations() []Operation {
	list := make([]Operation, len(d.operations))
	for i, o := range d.operations {
		list[i] = o.Operation
	}
	return list
}

// Missing lists the operations, each with the status of a success, that have
// not been answered so.
func (d *Document) Missing() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var missing []string
	for _, o := range d.operations {
		for status := range o.answers {
			if answered := o.ID + " " + status; status[0] == '2' && !d.answered[answered] {
				missing = append(missing, answered)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// find returns the operation that a request is for, nil if there is none.
func (d *Document) find(request *http.Request) *operation {
	for _, o := range d.operations {
		if o.Method == request.Method && o.path.MatchString(request.URL.EscapedPath()) {
			return o
		}
	}
	return nil
}

// brief is as much of a body as a message can take.
func brief(body []byte) []byte {
	const most = 2000
	if len(body) <= most {
		return body
	}
	return append(bytes.Clone(body[:most]), "…"...)
}
