package hall

import "time"

// SessionWindow is when a session of a day takes people in, as instants.
type SessionWindow struct {
	Start time.Time // of the session; zero without a starting time
	From  time.Time // nobody is checked in before; zero for no limit
	Until time.Time // nobody is checked in after; zero for no limit
}

// SessionWindows are those of all sessions of the day that was opened at a
// time, by their codes.
//
// A clock time is that which is nearest to the opening: of a day that opens at
// 20:00, a session at 00:30 begins after midnight; of one that opens at 09:10,
// a session at 08:30 began 40 minutes ago. A time that the clocks leave out, as
// in spring, is as much later as they are put forward; of one that comes twice,
// as in autumn, it is the second.
func (l *Layout) SessionWindows(opened time.Time, zone *time.Location) map[string]SessionWindow {
	windows := map[string]SessionWindow{}
	for _, s := range l.Sessions {
		w := SessionWindow{Start: nearest(s.StartsAt, opened, zone), From: nearest(s.CheckInFrom, opened, zone)}
		if !w.Start.IsZero() {
			if l.Rules.LateMinutes > 0 {
				w.Until = w.Start.Add(time.Duration(l.Rules.LateMinutes) * time.Minute)
			}
			if w.From.After(w.Start) { // the evening before: check-in at 23:30 for a session at 00:10
				w.From = on(s.CheckInFrom, w.Start.AddDate(0, 0, -1), zone)
			}
		}
		windows[s.Code] = w
	}
	return windows
}

// nearest is the time that a clock shows HH:MM nearest to a moment; zero for "".
func nearest(clock string, moment time.Time, zone *time.Location) (best time.Time) {
	if clock == "" || moment.IsZero() {
		return time.Time{}
	}
	for days := -1; days <= 1; days++ {
		at := on(clock, moment.In(zone).AddDate(0, 0, days), zone)
		if best.IsZero() || at.Sub(moment).Abs() < best.Sub(moment).Abs() {
			best = at
		}
	}
	return best
}

// on is HH:MM of the date that a moment has in a zone; zero for what is no time.
func on(clock string, moment time.Time, zone *time.Location) time.Time {
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return time.Time{}
	}
	date := moment.In(zone)
	return time.Date(date.Year(), date.Month(), date.Day(), at.Hour(), at.Minute(), 0, 0, zone)
}
