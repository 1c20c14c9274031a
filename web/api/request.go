package api

import (
	"net/http"
	"net/url"
	"regexp"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"
)

// keyHeader carries the idempotency key of a command.
const keyHeader = "Idempotency-Key"

var (
	keyPattern   = regexp.MustCompile(`^[\x20-\x7e]{1,255}$`)
	keyParameter = &huma.Param{
		Name: keyHeader, In: "header",
		Description: "A command with a key is carried out once: for a day, the same key gets the first answer.",
		Schema:      &huma.Schema{Type: huma.TypeString, Pattern: keyPattern.String()},
	}
)

// limitBody refuses a body that says it is too long, also where none is read.
func (r *routes) limitBody(ctx huma.Context, next func(huma.Context)) {
	if humaecho.Unwrap(ctx).Request().ContentLength > maxBody {
		_ = huma.WriteErr(r.api, ctx, http.StatusRequestEntityTooLarge, "The body is longer than 10 MB.")
		return
	}
	next(ctx)
}

// readKey takes the idempotency key into the caller.
func (r *routes) readKey(ctx huma.Context, next func(huma.Context)) {
	key := ctx.Header(keyHeader)
	if key == "" || ctx.Method() == http.MethodGet {
		next(ctx)
		return
	}
	if !keyPattern.MatchString(key) {
		_ = huma.WriteErr(r.api, ctx, http.StatusUnprocessableEntity, "The idempotency key cannot be used.",
			&huma.ErrorDetail{Location: "header." + keyHeader, Message: "must be 1 to 255 printable ASCII characters", Value: key})
		return
	}
	by := caller(ctx.Context())
	by.Key = key
	next(huma.WithValue(ctx, callerKey{}, by))
}

// decodePath decodes the ids in the path.
func (r *routes) decodePath(ctx huma.Context, next func(huma.Context)) {
	if err := DecodeParams(humaecho.Unwrap(ctx)); err != nil {
		_ = huma.WriteErr(r.api, ctx, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	next(ctx)
}

// DecodeParams percent-decodes the path parameters of a request, which the
// router leaves as they came whenever one of them needs it. It must be called
// once a request. An empty id and one that is not text are echo.ErrNotFound.
func DecodeParams(c echo.Context) error {
	encoded := c.Request().URL.RawPath != "" // else the router worked on the decoded path
	values := append([]string(nil), c.ParamValues()...)
	for i, value := range values {
		if encoded {
			decoded, err := url.PathUnescape(value)
			if err != nil {
				return echo.ErrNotFound
			}
			values[i] = decoded
		}
		if values[i] == "" || !utf8.ValidString(values[i]) {
			return echo.ErrNotFound
		}
	}
	c.SetParamValues(values...)
	return nil
}
