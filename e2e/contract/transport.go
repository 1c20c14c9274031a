package contract

import (
	"bytes"
	"cmp"
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
	body, cutOff := io.ReadAll(response.Body)
	_ = response.Body.Close() // all of it was read
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), end{cmp.Or(cutOff, io.EOF)}))
	if cutOff == nil {
		if err := t.Document.Check(request, response, body); err != nil {
			t.Report(err)
		}
	}
	return response, nil
}

// end is how an answer ended.
type end struct{ err error }

func (e end) Read([]byte) (int, error) { return 0, e.err }
