package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
)

// How long a body may be, if its operation says nothing else, and how much of a
// longer one is waited for: a roster, which may be the longest.
const (
	maxBody = 10 << 20
	maxRest = roster.MaxBytes
)

// jsonType is the content type of all bodies but rosters.
const jsonType = "application/json"

// drainBody holds an answer back until the whole request has come. Clients that
// send all of it before they read would not see an answer, such as that the body
// is too long, but a broken connection. One that waits to be told to go on has
// not sent its body; one that is very long is not waited for.
func drainBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		request := c.Request()
		body := request.Body
		if body != nil && body != http.NoBody && request.Header.Get("Expect") == "" && request.ContentLength <= 2*maxRest {
			c.Response().Before(func() { drain(body) })
		}
		return next(c)
	}
}

// drain reads the rest of a body, within limits.
func drain(body io.Reader) {
	_, _ = io.CopyN(io.Discard, body, maxRest) // whatever happens, the answer is sent
}

// onlyJSON has answers be JSON whatever a client says it accepts, and those
// without a body be of no type: huma would take other names for JSON, and say
// of what is not there that it is JSON.
func (r *routes) onlyJSON(ctx huma.Context, next func(huma.Context)) {
	c := humaecho.Unwrap(ctx)
	c.Request().Header.Set(echo.HeaderAccept, jsonType)
	response := c.Response()
	response.Before(func() {
		if response.Status == http.StatusNoContent {
			response.Header().Del(echo.HeaderContentType)
		}
	})
	next(ctx)
}

// readBody reads the body, whether or not the operation looks at it, and checks
// what all bodies have in common.
func (r *routes) readBody(ctx huma.Context, next func(huma.Context)) {
	request, op := humaecho.Unwrap(ctx).Request(), ctx.Operation()
	if request.Body == nil || request.Body == http.NoBody {
		next(ctx)
		return
	}
	if op.BodyReadTimeout > 0 {
		_ = ctx.SetReadDeadline(time.Now().Add(op.BodyReadTimeout)) //nolint:forbidigo // deadlines are by the node's clock; not every connection has one
	}
	data, err := readAll(request, op.MaxBodyBytes-1)
	if err == nil && len(data) > 0 && op.RequestBody != nil {
		data, err = checkBody(request.Header, op.RequestBody, data)
	}
	if err != nil {
		r.answer(ctx, err)
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(data))
	request.ContentLength = int64(len(data))
	next(huma.WithValue(ctx, bodyKey{}, data))
}

// bodyKey is the key of the body in a request's context.
type bodyKey struct{}

// bodyOf returns the body of a request as readBody found it. What huma hands
// out is a copy, which for a roster may be large.
func bodyOf(ctx context.Context) []byte {
	data, _ := ctx.Value(bodyKey{}).([]byte)
	return data
}

// readAll reads a body up to a limit.
func readAll(request *http.Request, limit int64) ([]byte, error) {
	tooLong := refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is longer than %d MB.", limit>>20))
	if request.ContentLength > limit {
		return nil, tooLong
	}
	var body bytes.Buffer
	body.Grow(int(max(request.ContentLength, 0)) + bytes.MinRead) // so that it need not grow
	_, err := body.ReadFrom(io.LimitReader(request.Body, limit+1))
	data := body.Bytes()
	switch {
	case isTimeout(err):
		return nil, refuse(http.StatusRequestTimeout, "The body took too long to come.")
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "The body did not come whole.")
	case int64(len(data)) > limit:
		drain(request.Body)
		return nil, tooLong
	}
	return data, nil
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// checkBody checks the type and the encoding of a body, and JSON as such.
func checkBody(header http.Header, takes *huma.RequestBody, data []byte) ([]byte, error) {
	kind, charset, err := mediaType(header.Get(echo.HeaderContentType))
	if err != nil {
		return nil, err
	}
	if takes.Content[jsonType] == nil {
		return data, nil // a roster, whose encoding shows by itself
	}
	if !slices.Contains(encodings, charset) {
		return nil, refuse(http.StatusUnsupportedMediaType, "The body must be text in UTF-8.")
	}
	if kind != "" && kind != jsonType && !strings.HasSuffix(kind, "+json") {
		return nil, refuse(http.StatusUnsupportedMediaType, "The body must be sent as application/json.")
	}
	header.Set(echo.HeaderContentType, jsonType)
	data, faults, err := readDocument(data)
	if len(faults) > 0 {
		err = &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: faults}
	}
	return data, err
}

// encodings are the names of UTF-8 and of what is the same in it.
var encodings = []string{"", "utf-8", "utf8", "us-ascii", "ascii"}

// mediaType is the type in a Content-Type header and the encoding in lower
// case, "" if there is none.
func mediaType(header string) (kind, charset string, err error) {
	if header == "" {
		return "", "", nil
	}
	kind, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		return "", "", refuse(http.StatusUnsupportedMediaType, "The content type cannot be read.")
	}
	return kind, strings.ToLower(parameters["charset"]), nil
}
