package hallredis

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// readings is how often a command is made anew for a hall that changes meanwhile.
const readings = 5

// again runs a command until what it was made for is still so when it runs.
func (s *Store) again(run func() (outcome, reply, error)) (o outcome, r reply, err error) {
	for range readings {
		if o, r, err = run(); err != nil || o != outcomeReadAgain {
			return o, r, err
		}
	}
	return 0, nil, fmt.Errorf("%w: the hall was another one again and again", hall.ErrUnavailable)
}

// windowsOf says to scripts, which know no time zones, when sessions take people
// in on the day that was opened at a time: "" where there are no limits.
func windowsOf(layout *hall.Layout, opened time.Time, zone *time.Location) (string, error) {
	type window struct {
		From  int64 `json:"from,omitempty"`
		Until int64 `json:"until,omitempty"`
	}
	windows := map[string]window{}
	if !opened.IsZero() {
		for code, w := range layout.SessionWindows(opened, zone) {
			if !w.From.IsZero() || !w.Until.IsZero() {
				windows[code] = window{From: millisOf(w.From), Until: millisOf(w.Until)}
			}
		}
	}
	if len(windows) == 0 {
		return "", nil
	}
	text, err := json.Marshal(windows)
	if err != nil {
		return "", fmt.Errorf("encode windows: %w", err)
	}
	return string(text), nil
}

// millisOf is a time as scripts know it, 0 for none.
func millisOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
