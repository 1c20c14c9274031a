package hall

import (
	"cmp"
	"math"
	"time"
)

// The least rank of a vip and of a priority candidate under the order ageing.
const (
	vipFloor      = 4
	priorityFloor = 3
)

// Rank is the rank of a class under the order ageing after a wait, counted from
// the time of the place in whole milliseconds. With n the seconds waited:
//
//	management  +Inf
//	vip         max(4, 2·n·ln n)
//	priority    max(3, n·ln n)
//	normal      n
//
// It never falls as n grows, so within a class the earlier place comes first.
func Rank(class Class, waited time.Duration) float64 {
	n := float64(max(0, waited.Milliseconds())) / 1000
	switch class {
	case ClassManagement:
		return math.Inf(1)
	case ClassVIP:
		return max(vipFloor, 2*nLogN(n))
	case ClassPriority:
		return max(priorityFloor, nLogN(n))
	case ClassNormal:
	}
	return n
}

// nLogN is n·ln n, and 0 up to one second, where it would be negative.
func nLogN(n float64) float64 {
	if n <= 1 {
		return 0
	}
	return n * math.Log(n)
}

// LambertW is the principal branch of the Lambert W function for x ≥ 0: the w
// with w·eʷ = x. It takes Halley steps from an estimate that is close for small
// and large x (Corless et al., On the Lambert W Function, 1996). Since
// n·ln n = y has the solution n = y / W(y), it inverts the ranks.
func LambertW(x float64) float64 {
	if x == 0 || math.IsInf(x, 1) {
		return x
	}
	w := math.Log1p(x)
	if x > math.E {
		log := math.Log(x)
		w = log - math.Log(log)
	}
	for range 20 {
		// f = w - x·e⁻ʷ has the same root and does not overflow.
		f := w - x*math.Exp(-w)
		if f == 0 {
			return w
		}
		// Halley's step for w·eʷ - x, divided by eʷ.
		step := f / (w + 1 - (w+2)*f/(2*w+2))
		next := w - step
		if next == w || math.Abs(step) <= math.Abs(w)*1e-16 {
			return next
		}
		w = next
	}
	return w
}

// Before reports whether candidate a stands before b at a time, under an order.
// Equal ranks go by place.
func Before(order string, a, b *Candidate, now time.Time) bool {
	switch order {
	case OrderStrict:
		if c := cmp.Compare(a.Class.level(), b.Class.level()); c != 0 {
			return c < 0
		}
	case OrderAgeing:
		if ra, rb := Rank(a.Class, now.Sub(a.QueuedAt)), Rank(b.Class, now.Sub(b.QueuedAt)); ra != rb {
			return ra > rb
		}
	}
	return a.Place < b.Place
}
