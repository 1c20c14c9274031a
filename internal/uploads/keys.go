package uploads

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// DefaultPrefix begins every key unless New is told another one.
const DefaultPrefix = "hallcall:"

// escape keeps what ends a hash tag out of an id, as the keys of the hall do.
var escape = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// ids are those that newID makes: 130 bits that nobody can guess.
var ids = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// keys builds the names of the keys of a hall's uploads.
type keys struct{ base string }

func keysOf(prefix, hallID string) keys {
	return keys{prefix + "{" + escape.Replace(hallID) + "}:"}
}

// list is a zset: the names of the hall's uploads, by when they came.
func (k keys) list() string { return k.base + "uploads" }

// upload is a hash: "state", "node", "until", "progress", and for each part
// ("file", "about", "over") "PART" with the number of its pieces and "PART:0", "PART:1", … with them, sealed.
func (k keys) upload(name string) string { return k.base + "upload:" + name }

// nameOf is what an upload is called in Redis. The id does not follow from it.
func nameOf(hallID, id string) string {
	sum := sha256.Sum256([]byte("name of an upload\x00" + hallID + "\x00" + id))
	return hex.EncodeToString(sum[:16])
}

// sealingKey is the key of an upload's parts.
func sealingKey(hallID, id string) ([]byte, error) {
	return hkdf.Key(sha256.New, []byte(id), nil, "key of an upload\x00"+hallID, 32)
}
