package metrics

import (
	"strconv"
	"strings"
)

// DefaultPrefix begins every key unless Options say otherwise.
const DefaultPrefix = "hallcall:"

// escape keeps what ends a hash tag out of an id, as the keys of the hall do:
// figures are in the slot of their hall.
var escape = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// definitionsKey is a hash of the site: name → definition, and the version.
func definitionsKey(prefix string) string { return prefix + "metrics:definitions" }

// versionField is the version's place in that hash; no metric has this name.
const versionField = "#version"

// keys builds the names of a hall's metrics keys.
type keys struct{ base string }

func keysOf(prefix, hallID string) keys {
	return keys{prefix + "{" + escape.Replace(hallID) + "}:metrics:"}
}

// followed is a hash: "day" → number of the day that is followed; "live:N" →
// generation of figures in use of the N-th day.
func (k keys) followed() string { return k.base + "followed" }

func liveField(day int) string { return "live:" + strconv.Itoa(day) }

// day begins the keys of a day. It has its number, which it also has while it
// is being prepared, so nothing has to be renamed when it is closed.
func (k keys) day(day int) string { return k.base + strconv.Itoa(day) + ":" }

// generations is a set: those of a day that have keys.
func (k keys) generations(day int) string { return k.day(day) + "generations" }

// generation builds the keys of one making of a day's figures.
type generation struct{ base string }

func (k keys) generation(day int, id string) generation {
	return generation{k.day(day) + id + ":"}
}

func (g generation) head() string  { return g.base + "head" }  // hash: position, definitions, counts
func (g generation) names() string { return g.base + "names" } // set: keys of figures
func (g generation) aside() string { return g.base + "aside" } // list: what could not be saved, newest first

// figure is the key that a filled template names. All of a space begin alike,
// so that none is one of the others.
func (g generation) figure(of space, name string) string { return g.base + string(of) + name }
