package hall

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"regexp"
)

// Phones are the pages that candidates open on their own phones. Whoever has
// the secret that a check-in gave sees that one candidate, while the day lasts.
type Phones interface {
	// Phone returns the entry of the candidate to whom a check-in of this day
	// gave the secret. Everything else, an unknown hall too, is CodeUnknownPhone:
	// who guesses learns nothing.
	Phone(ctx context.Context, id, secret string) (Entry, error)
	// PhoneEntries returns the entries for many secrets, by secret; unknown ones
	// are left out. Its cost grows with the number of secrets, not with that of
	// the people who wait.
	PhoneEntries(ctx context.Context, id string, secrets []string) (map[string]Entry, error)
}

// How much of a phone's token cannot be guessed: bytes, and the characters that they make.
const (
	secretBytes  = 16
	secretLength = 22
)

// phoneToken is a secret and more, in the characters of base64url.
var phoneToken = regexp.MustCompile(`^[A-Za-z0-9_-]{22}[A-Za-z0-9_-]+$`)

// NewPhoneSecret makes the secret of a phone page: 128 random bits as 22
// characters that can stand in an address.
func NewPhoneSecret() string {
	var secret [secretBytes]byte
	_, _ = rand.Read(secret[:]) // never fails: without randomness the program ends
	return base64.RawURLEncoding.EncodeToString(secret[:])
}

// PhoneToken is what stands in the address of a phone page: the secret and,
// since the address names no hall, the hall's id in the same characters (its
// UTF-8 bytes in base64url without padding).
func PhoneToken(id, secret string) string {
	return secret + base64.RawURLEncoding.EncodeToString([]byte(id))
}

// ParsePhoneToken takes a token apart. It says only whether a token can be one.
func ParsePhoneToken(token string) (id, secret string, ok bool) {
	if !phoneToken.MatchString(token) {
		return "", "", false
	}
	secret = token[:secretLength]
	data, err := base64.RawURLEncoding.Strict().DecodeString(token[secretLength:])
	if err != nil || IDFault(string(data)) != "" {
		return "", "", false
	}
	return string(data), secret, true
}
