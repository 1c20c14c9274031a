package metrics

import (
	"testing"
	"time"
)

// TestTenMinutes has the hour that comes twice and clocks beside the hour.
func TestTenMinutes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ zone, at, want string }{
		{"UTC", "2026-11-30T08:00:00Z", "2026-11-30T08:00Z"},
		{"UTC", "2026-11-30T08:09:59.999Z", "2026-11-30T08:00Z"},
		{"Asia/Shanghai", "2026-11-30T16:10:00Z", "2026-12-01T00:10+08:00"},
		{"Asia/Kathmandu", "2026-11-30T08:00:00Z", "2026-11-30T13:40+05:45"},
		{"Europe/Berlin", "2026-10-25T00:35:00Z", "2026-10-25T02:30+02:00"},
		{"Europe/Berlin", "2026-10-25T01:35:00Z", "2026-10-25T02:30+01:00"},
	} {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := tenMinutes(at, zone); got != test.want {
			t.Errorf("%s in %s is in %s, want %s", test.at, test.zone, got, test.want)
		}
	}
	twice := slotsIn(map[string]int{"2026-10-25T02:30+01:00": 1, "2026-10-25T02:30+02:00": 1, "2026-10-25T02:50+02:00": 1})
	if twice[0] != "2026-10-25T02:30+02:00" || twice[2] != "2026-10-25T02:30+01:00" {
		t.Errorf("in order they are %v", twice)
	}
}
