package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// newPassword makes a password that nobody guesses and everybody can type: 125
// bits, in groups of letters that are not taken for one another.
func newPassword() string {
	text := strings.ToLower(rand.Text())[:25]
	groups := make([]string, 0, 5)
	for ; text != ""; text = text[5:] {
		groups = append(groups, text[:5])
	}
	return strings.Join(groups, "-")
}

// newEpoch is one that no session has.
func newEpoch() string { return rand.Text() }

// digest stands for a text of any length in a key.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// hashOf is how the secret of a token is kept.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
