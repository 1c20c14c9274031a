package hallredis

import (
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// TestLambertInLua checks w·eʷ = x, as ln w + w = ln x, for the function that
// the scripts use.
func TestLambertInLua(t *testing.T) {
	t.Parallel()
	source, err := luaFiles.ReadFile("lua/lib/order.lua")
	if err != nil {
		t.Fatal(err)
	}
	client, _ := redistest.Client(t)
	script := redis.NewScript("local rules, now, base = {}, 0, 0\n" + string(source) +
		"\nreturn string.format('%.17g', lambert_w(tonumber(ARGV[1])))")
	lambertW := func(x float64) float64 {
		text, err := script.Run(context.Background(), client, nil, strconv.FormatFloat(x, 'g', 17, 64)).Text()
		if err != nil {
			t.Fatal(err)
		}
		w, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for exponent := -300; exponent <= 300; exponent++ {
		for _, mantissa := range []float64{1, 1.7, math.E, 9.99} {
			x := mantissa * math.Pow(10, float64(exponent))
			w := lambertW(x)
			if off := math.Abs(math.Log(w) + w - math.Log(x)); off > 16e-16*max(1, math.Abs(math.Log(x))) {
				t.Errorf("W(%g) = %g misses by %g", x, w, off)
			}
		}
	}
	for x, want := range map[float64]float64{0: 0, math.E: 1, 2 * math.E * math.E: 2, 1: 0.5671432904097838} {
		if got := lambertW(x); math.Abs(got-want) > 1e-15*max(1, want) {
			t.Errorf("W(%g) = %.17g, want %.17g", x, got, want)
		}
	}
	if !math.IsInf(lambertW(math.Inf(1)), 1) {
		t.Error("W(∞) is not ∞")
	}
}
