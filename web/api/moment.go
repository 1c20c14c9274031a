package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// moment is a time as it is sent: RFC 3339 in UTC, with milliseconds.
type moment time.Time

// momentPattern is the form in which every time is sent.
const momentPattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`

// MarshalJSON writes the time.
func (m moment) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(m).UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

// IsZero says that there is no such time; the field is left out then.
func (m moment) IsZero() bool { return time.Time(m).IsZero() }

// Schema describes the time to huma.
func (moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Pattern: momentPattern, Examples: []any{"2026-11-30T00:41:07.250Z"}}
}

// seconds is a duration as it is sent, in whole milliseconds.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }

// secondsIfAny is a duration that may not apply.
func secondsIfAny(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := seconds(*d)
	return &s
}
