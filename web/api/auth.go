package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/hall"
)

// bearer is the name of the way in which callers show who they are.
const bearer = "bearer"

// adminToken is the account of those who come with the token from the environment.
const adminToken = "admin-token"

// noStore keeps answers out of caches: they are of the moment, and for the caller only.
func (r *routes) noStore(ctx huma.Context, next func(huma.Context)) {
	ctx.SetHeader("Cache-Control", "no-store")
	next(ctx)
}

// authenticate lets requests with the token pass. A missing and a wrong token are 401.
func (r *routes) authenticate(token string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		given, right := CheckToken(ctx.Header("Authorization"), token)
		if !given {
			r.refuse(ctx, "Bearer", "This needs an Authorization header with a bearer token.")
			return
		}
		if !right {
			r.refuse(ctx, `Bearer error="invalid_token"`, "This token is not accepted.")
			return
		}
		next(huma.WithValue(ctx, callerKey{}, hall.Caller{By: adminToken}))
	}
}

func (r *routes) refuse(ctx huma.Context, challenge, message string) {
	ctx.SetHeader("WWW-Authenticate", challenge)
	_ = huma.WriteErr(r.api, ctx, http.StatusUnauthorized, message)
}

// CheckToken reports whether a header gives a bearer token at all, and whether
// it gives the expected one; an empty one is never right.
func CheckToken(header, expected string) (given, right bool) {
	token, given := bearerToken(header)
	has, wants := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(expected))
	return given, given && expected != "" && subtle.ConstantTimeCompare(has[:], wants[:]) == 1
}

// bearerToken is the token in an Authorization header.
func bearerToken(header string) (token string, ok bool) {
	scheme, token, ok := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	return token, ok && strings.EqualFold(scheme, bearer) && token != ""
}
