package hall

import "time"

// Place is a place in line: milliseconds since the day's base times 1000, plus
// a slot. An ordinary join has slot 0; the slots between two neighbours serve
// those who come back between them. It stays under 10^13.
type Place int64

// slotsPerMillisecond is how many places one millisecond has.
const slotsPerMillisecond = 1000

// BaseBefore is how long before its opening the day's base lies, so that a
// place before the first one of the day exists.
const BaseBefore = 48 * time.Hour

// PlaceAt is the ordinary place of time t on a day with this base.
func PlaceAt(base, t time.Time) Place {
	return Place(t.Sub(base).Milliseconds()) * slotsPerMillisecond
}

// Next is the place of an ordinary join at time t when the last one before it
// was p: a millisecond later at least, since equal places have no order.
func (p Place) Next(base, t time.Time) Place {
	return max(PlaceAt(base, t), p+slotsPerMillisecond)
}

// Time is the time that a place stands for.
func (p Place) Time(base time.Time) time.Time {
	return base.Add(time.Duration(p/slotsPerMillisecond) * time.Millisecond)
}
