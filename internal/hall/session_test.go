package hall_test

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestSessionWindows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		zone, opened       string
		starts, from       string
		late               int
		start, begin, ends string // RFC 3339, "" for none
	}{
		"in the morning":             {"Asia/Shanghai", "2026-11-30T07:30:00+08:00", "08:30", "07:45", 15, "2026-11-30T08:30:00+08:00", "2026-11-30T07:45:00+08:00", "2026-11-30T08:45:00+08:00"},
		"opened late":                {"Asia/Shanghai", "2026-11-30T09:10:00+08:00", "08:30", "", 0, "2026-11-30T08:30:00+08:00", "", ""},
		"after midnight":             {"Asia/Shanghai", "2026-11-30T20:00:00+08:00", "00:30", "23:45", 30, "2026-12-01T00:30:00+08:00", "2026-11-30T23:45:00+08:00", "2026-12-01T01:00:00+08:00"},
		"opened after midnight":      {"Asia/Shanghai", "2026-12-01T00:05:00+08:00", "23:30", "", 0, "2026-11-30T23:30:00+08:00", "", ""},
		"opened the evening before":  {"Pacific/Auckland", "2026-11-30T22:00:00+13:00", "08:30", "07:00", 0, "2026-12-01T08:30:00+13:00", "2026-12-01T07:00:00+13:00", ""},
		"check-in of the day before": {"UTC", "2026-11-30T11:00:00Z", "00:10", "23:30", 0, "2026-11-30T00:10:00Z", "2026-11-29T23:30:00Z", ""},
		"no times":                   {"UTC", "2026-11-30T11:00:00Z", "", "", 10, "", "", ""},
		"clocks put forward":         {"Europe/Berlin", "2026-03-29T01:00:00+01:00", "02:30", "", 10, "2026-03-29T03:30:00+02:00", "", "2026-03-29T03:40:00+02:00"},
		"clocks put back":            {"Europe/Berlin", "2026-10-25T01:00:00+02:00", "02:30", "", 0, "2026-10-25T02:30:00+01:00", "", ""},
		"on the day they are":        {"Europe/Berlin", "2026-10-25T07:00:00+01:00", "08:30", "07:45", 0, "2026-10-25T08:30:00+01:00", "2026-10-25T07:45:00+01:00", ""},
	} {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		layout := hall.Layout{
			Sessions: []hall.Session{{Code: "S", StartsAt: test.starts, CheckInFrom: test.from}},
			Rules:    hall.Rules{LateMinutes: test.late},
		}
		got := layout.SessionWindows(moment(t, test.opened), zone)["S"]
		for what, pair := range map[string][2]time.Time{
			"start": {got.Start, moment(t, test.start)}, "from": {got.From, moment(t, test.begin)}, "until": {got.Until, moment(t, test.ends)},
		} {
			if !pair[0].Equal(pair[1]) {
				t.Errorf("%s: %s is %v, want %v", name, what, pair[0], pair[1])
			}
		}
	}
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
