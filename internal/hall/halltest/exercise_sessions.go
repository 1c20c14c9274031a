package halltest

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// sessionsLayout has a morning that begins half an hour after the clock of tests,
// 8:00 in UTC, an afternoon, and a session without times.
func sessionsLayout(lateMinutes int) hall.Layout {
	layout := Layout("one", "two", "three")
	layout.TimeZone = "Asia/Shanghai"
	layout.Sessions = []hall.Session{
		{Code: "AM", StartsAt: "16:30", CheckInFrom: "16:05"}, {Code: "PM", StartsAt: "21:00"}, {Code: "X"},
	}
	layout.Rules.LateMinutes = lateMinutes
	return layout
}

// exerciseSessions checks people in before, in and after the time of their session.
func exerciseSessions(t *testing.T, factory Factory) {
	var rows []hall.RosterRow
	for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
		row := Row(id, "1")
		row.Session = "AM"
		rows = append(rows, row)
	}
	rows[4].Session, rows[5].Session = "X", ""
	d := open(t, factory, sessionsLayout(10), rows...)

	refused := func(candidate string, in hall.CheckIn, code hall.Code) {
		t.Helper()
		_, _, err := d.store.CheckIn(d.Context(), d.id, candidate, in, testCaller)
		d.refused(err, code)
	}
	refused("a", hall.CheckIn{}, hall.CodeTooEarly)
	d.checkIn("e") // of a session without times
	d.checkIn("f") // of none
	d.clock.Move(5 * time.Minute)
	d.checkIn("a") // at the very begin
	d.clock.Move(35 * time.Minute)
	d.checkIn("b") // the last moment
	d.clock.Move(time.Millisecond)
	refused("c", hall.CheckIn{}, hall.CodeTooLate)
	refused("c", hall.CheckIn{At: d.clock.Now().Add(-time.Hour)}, hall.CodeTooEarly)
	d.checkIn("a") // is in already

	// Who was there in time is not late: the staff say so.
	_, first, err := d.store.CheckIn(d.Context(), d.id, "c", hall.CheckIn{At: d.clock.Now().Add(-time.Minute)}, testCaller)
	d.must(err)
	if !first {
		t.Error("not checked in")
	}
	// The rules from now on count, also for those who were refused.
	refused("d", hall.CheckIn{}, hall.CodeTooLate)
	d.putHall(sessionsLayout(0))
	d.checkIn("d")
	d.sound()

	// Another day has its own times: this one opens the evening before.
	d.closeDay()
	d.clock.Move(6 * time.Hour)
	d.putRoster(rows[0])
	d.putHall(sessionsLayout(5))
	_, err = d.store.OpenDay(d.Context(), d.id, testCaller)
	d.must(err)
	d.clock.Move(time.Hour)
	refused("a", hall.CheckIn{}, hall.CodeTooLate) // 23:40 is nearer to today's 16:30 than to tomorrow's
	d.closeDay()
	d.clock.Move(6 * time.Hour)
	d.putRoster(rows[0])
	_, err = d.store.OpenDay(d.Context(), d.id, testCaller)
	d.must(err)
	refused("a", hall.CheckIn{}, hall.CodeTooEarly) // opened at 5:40: 16:30 is still to come
	d.sound()
}
