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
