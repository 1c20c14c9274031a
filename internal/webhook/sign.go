package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// secretPrefix begins a secret as people see it.
const secretPrefix = "whsec_"

// A key has as many bytes as the specification says.
const shortestKey, longestKey = 24, 64

// keysIn reads one secret, or several with blanks between them.
func keysIn(secret string) ([][]byte, error) {
	var keys [][]byte
	for _, text := range strings.Fields(secret) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, secretPrefix))
		if err != nil || len(key) < shortestKey || len(key) > longestKey {
			return nil, errors.New(`the webhook's secret must be "whsec_" and 24 to 64 bytes in base64`)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("a webhook needs a secret")
	}
	return keys, nil
}

// signature is what the header webhook-signature says of a message: "v1," and
// the HMAC-SHA256 of id.timestamp.body in base64, for each key.
func signature(keys [][]byte, id string, at time.Time, body []byte) string {
	signed := append([]byte(id+"."+strconv.FormatInt(at.Unix(), 10)+"."), body...)
	all := make([]string, len(keys))
	for i, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		all[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(all, " ")
}
