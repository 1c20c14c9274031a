package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// Limits knows who must wait before the next request, or before the next look
// for a number. Their only error is *access.LockedError: a store that does not
// answer limits nothing.
type Limits interface {
	// Take counts a request of somebody.
	Take(ctx context.Context, of access.Limit, who string) error
	// Begin counts a look for a number at a device, "" for none, and from its address.
	Begin(ctx context.Context, device, address string) error
	// Found takes back what Begin counted; first is the first check-in with the number.
	Found(ctx context.Context, device, address string, first bool)
}

// NoLimits limits nothing.
type NoLimits struct{}

// Take lets every request pass.
func (NoLimits) Take(context.Context, access.Limit, string) error { return nil }

// Begin lets everybody look.
func (NoLimits) Begin(context.Context, string, string) error { return nil }

// Found does nothing.
func (NoLimits) Found(context.Context, string, string, bool) {}

// addressKey is the key of the caller's address in a request's context.
type addressKey struct{}

// limit counts the requests of a token, before anything is read for them.
func (r *routes) limit(ctx huma.Context, next func(huma.Context)) {
	if err := r.limits.Take(ctx.Context(), access.LimitToken, caller(ctx.Context()).By); err != nil {
		r.answer(ctx, err)
		return
	}
	next(huma.WithValue(ctx, addressKey{}, r.addressOf(humaecho.Unwrap(ctx))))
}

// limitAnonymous counts the requests of an address that come without a token.
func (r *routes) limitAnonymous(ctx huma.Context) error {
	return r.limits.Take(ctx.Context(), access.LimitAnonymous, r.addressOf(humaecho.Unwrap(ctx)))
}

// Kiosk is where candidates check in by themselves.
type Kiosk struct {
	Store   hall.Store
	Limits  Limits
	Device  string // "" for none
	Address string
}

// CheckIn checks a candidate in. Where the hall asks for the end of the ID
// number, a wrong one is like an unknown candidate, in the same words. Whoever
// finds nobody again and again has to wait: *access.LockedError.
func (k Kiosk) CheckIn(ctx context.Context, h *hall.Hall, candidate, id4 string, in hall.CheckIn, by hall.Caller) (e hall.Entry, first bool, err error) {
	if err := k.Limits.Begin(ctx, k.Device, k.Address); err != nil {
		return hall.Entry{}, false, err
	}
	if err = k.secondFactor(ctx, h, candidate, id4); err == nil {
		e, first, err = k.Store.CheckIn(ctx, h.ID, candidate, in, by)
	}
	switch hall.CodeOf(err) {
	case hall.CodeUnknownCandidate, hall.CodeInvalid, hall.CodeNotInQueue:
		return hall.Entry{}, false, &hall.Error{Code: hall.CodeUnknownCandidate, Message: "There is no such candidate on today's list."}
	default:
		k.Limits.Found(ctx, k.Device, k.Address, first)
		return e, first, err
	}
}

// secondFactor looks whether the end of an ID number is that of a candidate, if
// the hall asks for it. Before the day is open the store says so of every number.
func (k Kiosk) secondFactor(ctx context.Context, h *hall.Hall, candidate, id4 string) error {
	if h.Layout.Rules.KioskSecondFactor != "id4" || h.Day.State != hall.DayOpen {
		return nil
	}
	known, err := k.Store.Candidate(ctx, h.ID, candidate)
	if err != nil {
		return err
	}
	if !endsIn(known.Person.IDNumber, id4) {
		return &hall.Error{Code: hall.CodeUnknownCandidate}
	}
	return nil
}

// RetryAfter says in the header of an answer how long to wait, if that is what is wrong.
func RetryAfter(header http.Header, err error) {
	var locked *access.LockedError
	if errors.As(err, &locked) {
		header.Set(echo.HeaderRetryAfter, strconv.Itoa(locked.Seconds()))
	}
}

// endsIn reports whether an ID number ends in these four characters.
func endsIn(idNumber, typed string) bool {
	runes := []rune(idNumber)
	return len(runes) >= 4 && strings.EqualFold(string(runes[len(runes)-4:]), typed)
}
