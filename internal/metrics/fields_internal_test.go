package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestOwnFieldsStay has an event of another system, from before such fields were refused.
func TestOwnFieldsStay(t *testing.T) {
	t.Parallel()
	e := hall.Event{ID: "1-0", Event: "x_a", By: "eve", Fields: map[string]string{
		"id": "x", "event": "x", "at": "x", "by": "x", "hour": "x", "tenMinutes": "x", "first": "x", "a": "y",
	}}
	f := fieldsOf(&e, time.UTC, false)
	for name, got := range f.texts {
		if (got == "x") || (name == "a") != (got == "y") {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// TestSecondsAreExact has durations of every millisecond up to some seconds.
func TestSecondsAreExact(t *testing.T) {
	t.Parallel()
	for ms := range 70_000 {
		d := time.Duration(ms) * time.Millisecond
		f := fieldsOf(&hall.Event{Event: hall.EventMachineInService, Wait: &d, Walk: &d, Length: &d, Outage: &d}, time.UTC, false)
		want := fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
		want = strings.TrimSuffix(strings.TrimRight(want, "0"), ".")
		for _, name := range []string{"wait", "walk", "sitting", "outage"} {
			if got := f.texts[name+"Seconds"]; got != want && want != "" {
				t.Fatalf("%s of %v is %s, want %s", name, d, got, want)
			}
		}
	}
}
