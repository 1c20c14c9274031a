package hall_test

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestChooseSubject(t *testing.T) {
	t.Parallel()
	loads := map[string]hall.SubjectLoad{
		"1": {Minutes: 10, ToCome: 10, Capacity: 2 * hall.CapacityUnit},                                       // 50 minutes a machine
		"2": {Minutes: 20, ToCome: 3, Capacity: hall.CapacityUnit},                                            // 60
		"3": {Minutes: 60, ToCome: 3, Capacity: hall.CapacityUnit / 2, Ended: 5, TotalTime: 50 * time.Minute}, // 60: five ended, 10 each
		"4": {Minutes: 60, ToCome: 3, Capacity: 3 * hall.CapacityUnit, Ended: 4, TotalTime: 4 * time.Minute},  // 60: four are not enough
	}
	for _, test := range []struct {
		rule            string
		remaining, free []string
		want            string
	}{
		{hall.ChoiceListed, []string{"3", "1", "2"}, []string{"1", "2"}, "1"},
		{hall.ChoiceBottleneck, []string{"3", "1", "2"}, []string{"1", "2"}, "2"},
		{hall.ChoiceBottleneck, []string{"1", "3", "2"}, []string{"1", "2", "3"}, "3"},
		{hall.ChoiceBottleneck, []string{"1", "2", "3"}, []string{"3", "2", "1"}, "2"},
		{hall.ChoiceBottleneck, []string{"4", "2"}, []string{"2", "4"}, "4"},
		{hall.ChoiceBottleneck, []string{"1"}, []string{"2"}, ""},
		{hall.ChoiceListed, nil, []string{"2"}, ""},
	} {
		if got := hall.ChooseSubject(test.rule, test.remaining, test.free, loads); got != test.want {
			t.Errorf("%s of %v, free %v: got %q, want %q", test.rule, test.remaining, test.free, got, test.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	now := base.Add(hall.BaseBefore)
	first := hall.Place(0).Next(base, now)
	if first != 172_800_000_000 || !first.Time(base).Equal(now) {
		t.Errorf("first place is %d, of %s", first, first.Time(base))
	}
	// Two joins in one millisecond, and one after the clock was set back.
	second := first.Next(base, now)
	third := second.Next(base, now.Add(-time.Hour))
	if second != first+1000 || third != second+1000 {
		t.Errorf("places are %d, %d, %d", first, second, third)
	}
	if late := hall.PlaceAt(base, base.Add(115*24*time.Hour)); late >= 10_000_000_000_000 {
		t.Errorf("after 115 days a place is %d", late)
	}
}
