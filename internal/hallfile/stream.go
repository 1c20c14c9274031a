package hallfile

import (
	"strconv"
	"strings"
)

// streamID is an id of a stream.
type streamID struct{ ms, sequence uint64 }

// parseStreamID reads an id as Redis writes it: two numbers.
func parseStreamID(text string) (streamID, bool) {
	first, second, _ := strings.Cut(text, "-")
	ms, err := strconv.ParseUint(first, 10, 64)
	sequence, err2 := strconv.ParseUint(second, 10, 64)
	return streamID{ms, sequence}, err == nil && err2 == nil
}

func (id streamID) before(other streamID) bool {
	return id.ms < other.ms || (id.ms == other.ms && id.sequence < other.sequence)
}

// fits reports whether the state can be that of a stream with this last entry.
func (s StreamState) fits(last streamID) bool {
	if s == (StreamState{}) {
		return true
	}
	id, ok := parseStreamID(s.Last)
	if !ok || id.before(last) {
		return false
	}
	if s.Deleted == "" && s.Added == "" {
		return true
	}
	deleted, ok := parseStreamID(s.Deleted)
	_, err := strconv.ParseInt(s.Added, 10, 64)
	return ok && !id.before(deleted) && err == nil
}
