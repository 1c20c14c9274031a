package hall

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Limits of an event of another system.
const (
	MaxOutsideFields = 32
	MaxOutsideValue  = 256 // characters
)

var (
	outsideName = regexp.MustCompile(`^x_[a-z0-9_]{1,60}$`)
	fieldName   = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)
)

// ownFields are what an event has of itself, or a figure of its time: fields of
// these names would stand in their place.
var ownFields = []string{"id", "event", "at", "by", "day", "hour", "tenMinutes", "first", "metricsName"}

// OutsideEvent is an event of another system, for the figures: no names, no ID
// numbers and no free text, like every event.
type OutsideEvent struct {
	Event  EventName
	Fields map[string]string
}

// Outside takes events of other systems into the day's stream.
type Outside interface {
	// AppendEvent appends an event; nothing but figures made from events is
	// changed by it. CodeInvalid for what Check does not take.
	AppendEvent(ctx context.Context, id string, e OutsideEvent, by Caller) (Event, error)
}

// Check returns CodeInvalid, with the place of each fault, for a name or
// fields that cannot be taken.
func (e OutsideEvent) Check() error {
	var f faults
	if !outsideName.MatchString(string(e.Event)) {
		f.add("body.event", string(e.Event), "must be x_ and then 1 to 60 small letters, digits or _")
	}
	if len(e.Fields) > MaxOutsideFields {
		f.add("body.fields", len(e.Fields), "must be at most %d", MaxOutsideFields)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Fields)) {
		value := e.Fields[name]
		switch {
		case !fieldName.MatchString(name):
			f.add("body.fields", name, "has a name that is not 1 to 64 letters, digits or _")
		case slices.Contains(ownFields, name):
			f.add("body.fields."+name, value, "has a name that every event has itself")
		case utf8.RuneCountInString(value) > MaxOutsideValue:
			f.add("body.fields."+name, value, "must have at most %d characters", MaxOutsideValue)
		case !utf8.ValidString(value) || slices.ContainsFunc([]rune(value), isControl):
			f.add("body.fields."+name, fmt.Sprintf("%q", value), "must be text without control characters")
		}
	}
	return f.refusal("This event cannot be taken.")
}
