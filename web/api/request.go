package api

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
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

// readQuery refuses a query of which a part would be left out or taken for something else.
func (r *routes) readQuery(ctx huma.Context, next func(huma.Context)) {
	address := ctx.URL()
	query, err := url.ParseQuery(address.RawQuery)
	if err != nil {
		p := refuse(http.StatusBadRequest, "The query cannot be read.")
		p.list(hall.Fault{Location: "query", Message: "must be names and values, percent-encoded, joined by &", Value: address.RawQuery})
		r.answer(ctx, p)
		return
	}
	var faults []hall.Fault
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := query[name]
		switch {
		case len(values) > 1:
			faults = append(faults, hall.Fault{Location: "query." + name, Message: "is given twice", Value: values[1]})
		case !utf8.ValidString(name + values[0]):
			faults = append(faults, hall.Fault{Location: "query." + name, Message: "is not text in UTF-8"})
		}
	}
	if len(faults) > 0 {
		r.answer(ctx, &hall.Error{Code: hall.CodeInvalid, Message: invalidMessage, Faults: faults})
		return
	}
	next(ctx)
}

// answer answers a request with what is wrong with it.
func (r *routes) answer(ctx huma.Context, err error) {
	if err := WriteProblem(humaecho.Unwrap(ctx), err); err != nil {
		r.log.WarnContext(ctx.Context(), "error not answered", "error", err)
	}
}

// readKey takes the idempotency key into the caller.
func (r *routes) readKey(ctx huma.Context, next func(huma.Context)) {
	keys := humaecho.Unwrap(ctx).Request().Header.Values(keyHeader)
	if len(keys) == 0 || ctx.Method() == http.MethodGet {
		next(ctx)
		return
	}
	if len(keys) > 1 || !keyPattern.MatchString(keys[0]) {
		_ = huma.WriteErr(r.api, ctx, http.StatusUnprocessableEntity, "The idempotency key cannot be used.",
			&huma.ErrorDetail{Location: "header." + keyHeader, Message: "must be given once, as 1 to 255 printable ASCII characters", Value: strings.Join(keys, ", ")})
		return
	}
	by := caller(ctx.Context())
	by.Key = keys[0]
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
