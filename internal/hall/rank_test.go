package hall_test

import (
	"math"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestLambertW checks the definition w·eʷ = x over the whole range, as
// ln w + w = ln x, which does not overflow.
func TestLambertW(t *testing.T) {
	t.Parallel()
	for exponent := -300; exponent <= 300; exponent++ {
		for _, mantissa := range []float64{1, 1.7, math.E, 9.99} {
			x := mantissa * math.Pow(10, float64(exponent))
			w := hall.LambertW(x)
			off := math.Abs(math.Log(w) + w - math.Log(x))
			if scale := max(1, math.Abs(math.Log(x))); off > 4e-16*scale*4 {
				t.Errorf("W(%g) = %g misses by %g", x, w, off)
			}
		}
	}
	for x, want := range map[float64]float64{0: 0, math.E: 1, 2 * math.E * math.E: 2, 1: 0.5671432904097838} {
		if got := hall.LambertW(x); math.Abs(got-want) > 1e-15*max(1, want) {
			t.Errorf("W(%g) = %.17g, want %.17g", x, got, want)
		}
	}
	if !math.IsInf(hall.LambertW(math.Inf(1)), 1) {
		t.Error("W(∞) is not ∞")
	}
}

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
