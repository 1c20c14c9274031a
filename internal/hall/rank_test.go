package hall_test

import (
	"math"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestRank(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		class  hall.Class
		waited time.Duration
		want   float64
	}{
		{hall.ClassNormal, 0, 0},
		{hall.ClassNormal, -time.Second, 0},
		{hall.ClassNormal, 1500 * time.Millisecond, 1.5},
		{hall.ClassPriority, 0, 3},
		{hall.ClassPriority, time.Second, 3},
		{hall.ClassPriority, 2500 * time.Millisecond, 3},
		{hall.ClassPriority, 10 * time.Second, 10 * math.Log(10)},
		{hall.ClassVIP, 0, 4},
		{hall.ClassVIP, 2 * time.Second, 4},
		{hall.ClassVIP, 10 * time.Second, 20 * math.Log(10)},
		{hall.ClassManagement, 0, math.Inf(1)},
	} {
		if got := hall.Rank(test.class, test.waited); got != test.want {
			t.Errorf("%s after %s: got %g, want %g", test.class, test.waited, got, test.want)
		}
	}
	for _, class := range hall.Classes {
		last := -1.0
		for ms := range 20_000 {
			r := hall.Rank(class, time.Duration(ms)*time.Millisecond)
			if r < last {
				t.Fatalf("%s: the rank falls from %g to %g at %d ms", class, last, r, ms)
			}
			last = r
		}
	}
}
