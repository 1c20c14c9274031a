package contract

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// Transport is an http.RoundTripper that checks every answer of the API and
// reports what is wrong with it; the answer is passed on all the same.
type Transport struct {
	Base     http.RoundTripper
	Document *Document
	Report   func(error) // such as t.Error; called from the goroutine of the request
}

var _ http.RoundTripper = (*Transport)(nil)

// RoundTrip sends a request by Base. An answer that was cut off is not checked:
// whoever reads it gets as much as came, and the error.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.Base.RoundTrip(request)
	if err != nil || !strings.HasPrefix(request.URL.Path, base) {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // all of it was read
	if err != nil {
		response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), cutOff{err}))
		return response, nil
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err := t.Document.Check(request, response, body); err != nil {
		t.Report(err)
	}
	return response, nil
}

// cutOff is the end of an answer that did not come whole.
type cutOff struct{ err error }

func (c cutOff) Read([]byte) (int, error) { return 0, c.err }
