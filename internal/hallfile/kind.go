package hallfile

import "time"

// Kind is the type of a key.
type Kind byte

// The kinds of keys, and what one element of each consists of.
const (
	String Kind = 's' // the value; one element
	Hash   Kind = 'h' // field, value
	ZSet   Kind = 'z' // member, score as a decimal number
	List   Kind = 'l' // value, from the first on
	Stream Kind = 'x' // id, then name and value of each field; ids grow
)

// fits reports whether an element of the kind may have so many texts.
func (k Kind) fits(texts int) bool {
	switch k {
	case String, List:
		return texts == 1
	case Hash, ZSet:
		return texts == 2
	case Stream:
		return texts >= 3 && texts%2 == 1
	default:
		return false
	}
}

func (k Kind) known() bool {
	switch k {
	case String, Hash, ZSet, List, Stream:
		return true
	default:
		return false
	}
}

// Key is one key of a hall.
type Key struct {
	Kind Kind
	Name string    // without what all keys of the hall begin with
	Ends time.Time // zero for never
}

// StreamState is what a stream knows beside its entries; ids and numbers as
// Redis writes them, "" for what is not known.
type StreamState struct {
	Last    string // id of the last entry that there ever was
	Deleted string // greatest id of an entry that was deleted
	Added   string // how many entries there ever were
}

// Header says what a file is.
type Header struct {
	Program string    `json:"program"` // its version
	Hall    string    `json:"hall"`    // id
	At      time.Time `json:"at"`      // when it was begun, by the clock of the hall
}

// Summary says what is in a file.
type Summary struct {
	Day        string `json:"day"`   // id of the present day, "" while it is being prepared
	State      string `json:"state"` // of the present day
	Candidates int    `json:"candidates"`
	Events     int    `json:"events"` // of the present day
	ClosedDays int    `json:"closedDays"`
	Keys       int    `json:"keys"`
}
