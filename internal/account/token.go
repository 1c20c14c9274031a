package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
)

// What tokens are made of, and how many there may be.
const (
	tokenStart   = "hallcall_"
	tokenBytes   = 32
	tokenAgain   = 10 * time.Minute // a form sent again replaces the secret for so long
	tokensAtMost = 500
	usedEvery    = 5 * time.Minute // how exactly the last use is kept
	usedField    = "used "         // and the id
)

// tokenPattern is what a token looks like: an id and a secret.
var tokenPattern = regexp.MustCompile(`^` + tokenStart + `([0-9a-f]{12})_([A-Za-z0-9_-]{43})$`)

// tokenRecord is how a token is kept.
type tokenRecord struct {
	Name  string `json:"name"`
	Grant string `json:"grant"` // as JSON, so that two can be compared as they are
	By    string `json:"by"`
	Made  string `json:"made"` // milliseconds
	Hash  string `json:"hash"` // SHA-256 of the secret
}

// MakeToken makes a token and returns it as its holder will show it: this is
// the one time. The same form sent again makes no second token but another
// secret, as long as the first was not used; ErrSent after that, ErrTaken if
// another token has this name.
func (a *Accounts) MakeToken(ctx context.Context, token access.Token, form string) (shown string, err error) {
	if !token.Grant.Whole() || token.Name == "" {
		return "", errors.New("account: a name or a grant that cannot be given to a token")
	}
	random := make([]byte, tokenBytes)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("random bytes: %w", err)
	}
	id, secret := digest(form)[:12], base64.RawURLEncoding.EncodeToString(random)
	grant, err := json.Marshal(token.Grant)
	if err != nil {
		return "", fmt.Errorf("grant: %w", err)
	}
	record, err := json.Marshal(tokenRecord{Name: token.Name, Grant: string(grant), By: token.By, Hash: hashOf(secret)})
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	done, err := tokenPut.Run(ctx, a.client, []string{a.tokensKey()}, id, string(record), tokenAgain.Milliseconds(), tokensAtMost).Int()
	switch {
	case err != nil:
		return "", failed(ctx, "write token", err)
	case done == 0:
		return "", access.ErrTaken
	case done == -1:
		return "", access.ErrSent
	case done == -2:
		return "", access.ErrTooMany
	}
	return tokenStart + id + "_" + secret, nil
}

// Token returns the token that was shown, ErrUnknown for what is none or was
// revoked, and notes that it was used.
func (a *Accounts) Token(ctx context.Context, shown string) (access.Token, error) {
	parts := tokenPattern.FindStringSubmatch(shown)
	if parts == nil {
		return access.Token{}, access.ErrUnknown
	}
	id, secret := parts[1], parts[2]
	read := a.client.Pipeline()
	fields := read.HMGet(ctx, a.tokensKey(), id, usedField+id)
	clock := read.Time(ctx)
	if _, err := read.Exec(ctx); err != nil {
		return access.Token{}, failed(ctx, "read token", err)
	}
	text, ok := fields.Val()[0].(string)
	if !ok {
		return access.Token{}, access.ErrUnknown
	}
	token, hash, err := tokenOf(id, text)
	if err != nil {
		return access.Token{}, err
	}
	if subtle.ConstantTimeCompare([]byte(hash), []byte(hashOf(secret))) != 1 {
		return access.Token{}, access.ErrUnknown
	}
	used, _ := fields.Val()[1].(string)
	token.Used = timeOf(used)
	if now := clock.Val(); now.Sub(token.Used) >= usedEvery {
		token.Used = now
		if err := a.client.HSet(ctx, a.tokensKey(), usedField+id, strconv.FormatInt(now.UnixMilli(), 10)).Err(); err != nil {
			return access.Token{}, failed(ctx, "note use of token", err)
		}
	}
	return token, nil
}

// Tokens lists all tokens by name.
func (a *Accounts) Tokens(ctx context.Context) ([]access.Token, error) {
	fields, err := a.client.HGetAll(ctx, a.tokensKey()).Result()
	if err != nil {
		return nil, failed(ctx, "list tokens", err)
	}
	var tokens []access.Token
	for id, text := range fields {
		if strings.HasPrefix(id, usedField) {
			continue
		}
		token, _, err := tokenOf(id, text)
		if err != nil {
			return nil, err
		}
		token.Used = timeOf(fields[usedField+id])
		tokens = append(tokens, token)
	}
	slices.SortFunc(tokens, func(x, y access.Token) int { return strings.Compare(x.Name, y.Name) })
	return tokens, nil
}

// Revoke ends a token at once. One that is not there any more is no error.
func (a *Accounts) Revoke(ctx context.Context, id string) error {
	err := a.client.HDel(ctx, a.tokensKey(), id, usedField+id).Err()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err != nil {
		return failed(ctx, "revoke token", err)
	}
	return nil
}

func tokenOf(id, text string) (token access.Token, hash string, err error) {
	var record tokenRecord
	if err := json.Unmarshal([]byte(text), &record); err != nil {
		return access.Token{}, "", fmt.Errorf("token %s: %w", id, err)
	}
	token = access.Token{ID: id, Name: record.Name, By: record.By, Made: timeOf(record.Made)}
	if err := json.Unmarshal([]byte(record.Grant), &token.Grant); err != nil {
		return access.Token{}, "", fmt.Errorf("grant of token %s: %w", id, err)
	}
	return token, record.Hash, nil
}

// timeOf reads milliseconds; what is none is no time.
func timeOf(millis string) time.Time {
	n, err := strconv.ParseInt(millis, 10, 64)
	if err != nil || n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(n)
}
