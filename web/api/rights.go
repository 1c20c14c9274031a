package api

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// needs is where the description says which permission an operation needs.
const needs = "x-permission"

// grantKey is the key of the caller's grant in a request's context.
type grantKey struct{}

// granted is what the caller was given.
func granted(ctx context.Context) access.Grant {
	g, _ := ctx.Value(grantKey{}).(access.Grant)
	return g
}

// authorise refuses what the caller may not do in the hall that the address
// names, on the machine or the sitting that it names.
func (r *routes) authorise(ctx huma.Context, next func(huma.Context)) {
	op := ctx.Operation()
	need, _ := op.Extensions[needs].(string)
	err := access.Check(ctx.Context(), r.store, granted(ctx.Context()), access.Permission(need), access.Target{
		Hall: ctx.Param("hall"), Machine: ctx.Param("machine"), Sitting: ctx.Param("sitting"),
	})
	if err != nil {
		r.logRefusal(ctx.Context(), op, err)
		r.answer(ctx, err)
		return
	}
	next(ctx)
}

// logRefusal writes one line for each refusal: who, what, where. It names
// nobody but the caller's account.
func (r *routes) logRefusal(ctx context.Context, op *huma.Operation, err error) {
	var refused *access.RefusalError
	if errors.As(err, &refused) {
		r.log.WarnContext(ctx, "refused", "who", caller(ctx).By, "what", op.OperationID, "needs", string(refused.Need), "hall", refused.Hall)
	}
}

// may refuses a part of a request that needs more than the operation itself.
func may(ctx context.Context, need access.Permission, hallID string) error {
	if g := granted(ctx); !access.Allows(g, need, hallID, "") {
		return access.Refuse(g, need, hallID)
	}
	return nil
}

// seesIDNumbers reports whether the caller may see whole ID numbers, as managers may.
func seesIDNumbers(ctx context.Context, hallID string) bool {
	return access.Allows(granted(ctx), access.Manage, hallID, "")
}

// forKiosk reports whether an answer goes to where everybody reads it.
func forKiosk(ctx context.Context) bool { return granted(ctx).Role == access.Kiosk }

// maskEntry leaves of an entry what a kiosk shows.
func maskEntry(shape *entryShape) {
	shape.Name = hall.MaskName(shape.Name)
	if shape.Sitting != nil {
		shape.Sitting.Name = hall.MaskName(shape.Sitting.Name)
	}
}
