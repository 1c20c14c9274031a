package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// bearer is the name of the way in which callers show who they are.
const bearer = "bearer"

// adminToken is the account of those who come with the token from the environment.
const adminToken = "admin-token"

var (
	// ErrNoToken says that a request shows no token at all.
	ErrNoToken = errors.New("api: no token")
	// ErrWrongToken says that a token is none, or was revoked.
	ErrWrongToken = errors.New("api: wrong token")
)

// Holder is who came with a token: under what name, and what they were given.
type Holder struct {
	By    string
	Grant access.Grant
}

// Tokens knows the tokens of programs: access.ErrUnknown for what is none.
type Tokens interface {
	Token(ctx context.Context, shown string) (access.Token, error)
}

// tokenCaller begins the name under which programs act; no account's has it.
const tokenCaller = "token:"

// Holder finds out who sends an Authorization header: ErrNoToken, ErrWrongToken.
func (c *Config) Holder(ctx context.Context, header string) (Holder, error) {
	shown, given := bearerToken(header)
	switch {
	case !given:
		return Holder{}, ErrNoToken
	case c.Token != "" && same(shown, c.Token):
		return Holder{By: adminToken, Grant: access.All()}, nil
	case c.Tokens == nil:
		return Holder{}, ErrWrongToken
	}
	token, err := c.Tokens.Token(ctx, shown)
	if errors.Is(err, access.ErrUnknown) {
		return Holder{}, ErrWrongToken
	}
	return Holder{By: tokenCaller + token.Name, Grant: token.Grant}, err
}

// same compares two secrets in a time that tells nothing of them.
func same(shown, expected string) bool {
	has, wants := sha256.Sum256([]byte(shown)), sha256.Sum256([]byte(expected))
	return subtle.ConstantTimeCompare(has[:], wants[:]) == 1
}

// bearerToken is the token in an Authorization header.
func bearerToken(header string) (token string, ok bool) {
	scheme, token, ok := strings.Cut(header, " ")
	token = strings.TrimSpace(token)
	return token, ok && strings.EqualFold(scheme, bearer) && token != ""
}

// noStore keeps answers out of caches: they are of the moment, and for the caller only.
func (r *routes) noStore(ctx huma.Context, next func(huma.Context)) {
	ctx.SetHeader("Cache-Control", "no-store")
	next(ctx)
}

// authenticate lets requests with a token pass. A missing and a wrong token are 401.
func (r *routes) authenticate(config Config) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		who, err := config.Holder(ctx.Context(), ctx.Header("Authorization"))
		if errors.Is(err, ErrNoToken) || errors.Is(err, ErrWrongToken) {
			if locked := r.limitAnonymous(ctx); locked != nil {
				err = locked
			}
		}
		switch {
		case errors.Is(err, ErrNoToken):
			r.challenge(ctx, "Bearer", "This needs an Authorization header with a bearer token.")
		case errors.Is(err, ErrWrongToken):
			r.challenge(ctx, `Bearer error="invalid_token"`, "This token is not accepted.")
		case err != nil:
			r.answer(ctx, err)
		default:
			ctx = huma.WithValue(ctx, grantKey{}, who.Grant)
			next(huma.WithValue(ctx, callerKey{}, hall.Caller{By: who.By}))
		}
	}
}

func (r *routes) challenge(ctx huma.Context, challenge, message string) {
	ctx.SetHeader("WWW-Authenticate", challenge)
	_ = huma.WriteErr(r.api, ctx, http.StatusUnauthorized, message)
}
