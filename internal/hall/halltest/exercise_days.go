package halltest

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// closeDay closes the present day.
func (d *desk) closeDay() hall.DaySummary {
	d.Helper()
	s, err := d.store.CloseDay(d.Context(), d.id, "", testCaller)
	d.must(err)
	return s
}

func (d *desk) openDay() hall.Hall {
	d.Helper()
	h, err := d.store.OpenDay(d.Context(), d.id, testCaller)
	d.must(err)
	return h
}

func (d *desk) day(id string) hall.DaySummary {
	d.Helper()
	s, err := d.store.Day(d.Context(), d.id, id)
	d.must(err)
	return s
}

// soundDay fails unless all invariants hold in a closed day; it returns the day.
func (d *desk) soundDay(id string) hall.State {
	d.Helper()
	st, err := d.store.DayState(d.Context(), d.id, id)
	d.must(err)
	for _, broken := range hall.Check(&st) {
		d.Error(broken)
	}
	return st
}

// busyDay is a day on which somebody stands in every state: a is seated, b
// called, c waits, e is done, f held, g absent, h withdrawn; i never came. m4 is
// a spare and m5 out of service.
func busyDay(t *testing.T, factory Factory) *desk {
	t.Helper()
	layout := with(Layout("one", "two", "three", "three", "one"), func(r *hall.Rules) { r.MaxNoShows, r.MaxHoldSeconds = 1, 60 })
	layout.Machines[3].Spare = true
	d := open(t, factory, layout, Row("a", "1"), Row("b", "2"), Row("c", "1", "2"), Row("e", "3"), Row("f", "1"),
		Row("g", "3"), Row("h", "2"), Row("i", "3"))
	_, err := d.store.SetMachineState(d.Context(), d.id, "m5", hall.MachineOutOfService, hall.OutageReason{Text: "no picture"}, testCaller)
	d.must(err)
	d.checkIn("a", "b")
	d.clock.Move(10 * time.Second)
	d.checkIn("e", "c", "f", "h")
	d.seat("a")
	d.seat("e")
	d.end("e")
	_, err = d.store.Hold(d.Context(), d.id, "f", testCaller)
	d.must(err)
	d.must(d.store.Leave(d.Context(), d.id, "h", testCaller))
	d.checkIn("g")
	d.noShow("g")
	d.clock.Move(20 * time.Second)
	return d
}

var busyStates = map[hall.CandidateState]int{
	hall.Seated: 1, hall.Called: 1, hall.Waiting: 1, hall.Done: 1, hall.Held: 1, hall.Absent: 1, hall.Withdrawn: 1, hall.Registered: 1,
}

func exerciseDays(t *testing.T, factory Factory) {
	d := busyDay(t, factory)
	_, err := d.store.OpenDay(d.Context(), d.id, testCaller)
	d.refused(err, hall.CodeWrongState)
	_, err = d.store.Pause(d.Context(), d.id, "A", "Fire drill", testCaller)
	d.must(err)
	_, err = d.store.OpenCheckIn(d.Context(), d.id, false, testCaller)
	d.must(err)
	before, err := d.store.Hall(d.Context(), d.id)
	d.must(err)

	d.clock.Move(time.Minute)
	s := d.closeDay()
	if s.ID != "2026-11-30-1" || s.State != hall.DayClosed || !s.ClosedAt.Equal(d.clock.Now()) || !s.OpenedAt.Equal(before.Day.OpenedAt) {
		t.Errorf("closed day is %+v", s)
	}
	if !maps.Equal(s.People, busyStates) || s.Sittings != 4 {
		t.Errorf("people %v, %d sittings", s.People, s.Sittings)
	}
	f := s.Figures
	if !maps.Equal(f.Open, map[hall.SittingState]int{hall.SittingSeated: 1, hall.SittingCalled: 1}) ||
		!maps.Equal(f.Outcomes, map[hall.Outcome]int{hall.Finished: 1, hall.NoShow: 1}) ||
		!maps.Equal(f.Machines, map[hall.MachineState]int{
			hall.MachineInUse: 1, hall.MachineCalled: 1, hall.MachineIdle: 1, hall.MachineSpare: 1, hall.MachineOutOfService: 1,
		}) || f.MeanWait != 0 || f.MaxWait != 0 {
		t.Errorf("figures are %+v", f)
	}
	h, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	if h.Day.State != hall.DayPreparing || h.Day.ID != "" || !h.Day.CheckInOpen || len(h.Day.PausedRooms) != 0 || !h.Day.OpenedAt.IsZero() || h.Version <= before.Version {
		t.Errorf("the next day is %+v, version %d after %d", h.Day, h.Version, before.Version)
	}
	d.sound()
	exercisePreparing(d)
	exerciseClosedDay(d)
}

// exercisePreparing has a hall whose day is being prepared.
func exercisePreparing(d *desk) {
	_, err := d.store.CloseDay(d.Context(), d.id, "", testCaller)
	d.refused(err, hall.CodeDayNotOpen)
	for _, candidate := range []string{"a", "nobody"} { // nothing is said about the number
		_, _, err = d.store.CheckIn(d.Context(), d.id, candidate, hall.CheckIn{}, testCaller)
		d.refused(err, hall.CodeDayNotOpen)
	}
	_, err = d.store.Next(d.Context(), d.id, "", testCaller)
	d.refused(err, hall.CodeDayNotOpen)
	_, err = d.store.Candidate(d.Context(), d.id, "a")
	d.refused(err, hall.CodeUnknownCandidate)
	_, err = d.store.End(d.Context(), d.id, "s1", testCaller)
	d.refused(err, hall.CodeUnknownSitting)
	if next, err := d.store.Elapse(d.Context(), d.id); err != nil || !next.IsZero() {
		d.Errorf("due next at %s (%v)", next, err)
	}
	states := map[string]hall.MachineState{
		"m1": hall.MachineIdle, "m2": hall.MachineIdle, "m3": hall.MachineIdle, "m4": hall.MachineSpare, "m5": hall.MachineOutOfService,
	}
	for id, state := range states {
		if m := d.machine(id); m.State != state || m.Sitting != "" || (id == "m5") != (m.Reason == "no picture") {
			d.Errorf("machine %s is %+v, want %s", id, m, state)
		}
	}
	// Layout, roster and machines are prepared.
	layout := Layout("one", "two", "three", "three", "one")
	layout.Subjects[0].Minutes, layout.Rooms[0].Name = 99, "The new hall"
	d.putHall(layout)
	d.putRoster(Row("a", "1"), Row("x", "1"), Row("y", "1"))
	_, err = d.store.SetMachineState(d.Context(), d.id, "m5", hall.MachineIdle, hall.OutageReason{}, testCaller)
	d.must(err)
	d.refused(d.store.Leave(d.Context(), d.id, "x", testCaller), hall.CodeNotInQueue)
	_, err = d.store.Hold(d.Context(), d.id, "x", testCaller)
	d.refused(err, hall.CodeWrongState)
	if s := d.day(hall.CurrentDay); s.ID != "" || s.State != hall.DayPreparing || s.People[hall.Registered] != 3 || s.Sittings != 0 {
		d.Errorf("the prepared day is %+v", s)
	}
	d.sound()
}

// exerciseClosedDay opens the next day and looks at both.
func exerciseClosedDay(d *desk) {
	d.clock.Move(12 * time.Hour)
	h := d.openDay()
	want := hall.Day{
		ID: "2026-12-01-1", State: hall.DayOpen, OpenedAt: d.clock.Now(), Base: d.clock.Now().Add(-hall.BaseBefore),
		CheckInOpen: true, PausedRooms: map[string]string{},
	}
	if !reflect.DeepEqual(h.Day, want) {
		d.Errorf("day is %+v, want %+v", h.Day, want)
	}
	// Numbers begin anew; sittings do not, so that yesterday's pages hit nothing.
	if e := d.checkIn("x"); e.Ticket != "N001" || e.Current == nil || e.Current.ID != "s5" || !e.QueuedAt.Equal(d.clock.Now()) {
		d.Errorf("the first of the new day is %+v with %+v", e, e.Current)
	}
	_, err := d.store.End(d.Context(), d.id, "s1", testCaller)
	d.refused(err, hall.CodeUnknownSitting)
	if list, err := d.store.Sittings(d.Context(), d.id, hall.SittingFilter{}, hall.Page{}); err != nil || list.Total != 1 {
		d.Errorf("the new day has %d sittings (%v)", list.Total, err)
	}
	d.checkIn("a")
	d.states(map[string]hall.CandidateState{"x": hall.Called, "a": hall.Called, "y": hall.Registered})
	d.sound()

	// The closed day keeps its people where they stood, its names and its layout.
	st := d.soundDay("2026-11-30-1")
	if st.Hall.Layout.Rooms[0].Name != "" || st.Hall.Layout.Subjects[0].Minutes != 10 || st.Hall.Day.PausedRooms["A"] != "Fire drill" {
		d.Errorf("the closed day has the layout %+v and the pauses %v", st.Hall.Layout, st.Hall.Day.PausedRooms)
	}
	if a := st.Candidates["a"]; a.State != hall.Seated || a.Person.Name != "Name of a" || a.Ticket != "N001" {
		d.Errorf("in the closed day a is %+v", a)
	}
	if s := st.Sittings["s1"]; s.State != hall.SittingSeated || s.Machine != "m1" {
		d.Errorf("in the closed day s1 is %+v", s)
	}
	last := st.Events[len(st.Events)-1]
	if last.Event != hall.EventDayClosed || last.Day != "2026-11-30-1" || last.By != "test" {
		d.Errorf("the last event of the closed day is %+v", last)
	}
	_, err = d.store.Undo(d.Context(), d.id, st.Events[2].ID, false, testCaller)
	d.refused(err, hall.CodeUnknownEvent)
	exerciseEventsOfDays(d, last.ID)
	exerciseListOfDays(d)
}

// exerciseEventsOfDays has somebody who reads on from the last event of the day before.
func exerciseEventsOfDays(d *desk, after string) {
	list, err := d.store.Events(d.Context(), d.id, after, hall.Page{})
	d.must(err)
	all, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	if list.Total != all.Total || list.Total == 0 {
		d.Errorf("%d events of %d come after those of the day before", list.Total, all.Total)
	}
	first := list.Items[0]
	if first.Event != hall.EventLayoutChanged || first.Machines["m1"] != hall.MachineIdle || first.Machines["m4"] != hall.MachineSpare {
		d.Errorf("the new day begins with %+v", first)
	}
	opened := slices.IndexFunc(list.Items, func(e hall.Event) bool { return e.Event == hall.EventDayOpened })
	loaded := slices.IndexFunc(list.Items, func(e hall.Event) bool { return e.Event == hall.EventCandidateRegistered })
	if opened < 0 || loaded < 0 || loaded > opened || list.Items[opened].Day != "2026-12-01-1" {
		d.Errorf("the roster was loaded by event %d, the day opened by %d", loaded, opened)
	}
}

func exerciseListOfDays(d *desk) {
	d.closeDay()
	d.openDay() // the second one on this date
	for _, test := range []struct {
		page hall.Page
		want []string
	}{
		{hall.Page{}, []string{"2026-12-01-2 open", "2026-12-01-1 closed", "2026-11-30-1 closed"}},
		{hall.Page{Number: 1, Size: 1}, []string{"2026-12-01-2 open"}},
		{hall.Page{Number: 2, Size: 1}, []string{"2026-12-01-1 closed"}},
		{hall.Page{Number: 2, Size: 2}, []string{"2026-11-30-1 closed"}},
		{hall.Page{Number: 3, Size: 2}, []string{}},
	} {
		list, err := d.store.Days(d.Context(), d.id, test.page)
		d.must(err)
		got := []string{}
		for _, s := range list.Items {
			got = append(got, s.ID+" "+string(s.State))
		}
		if !slices.Equal(got, test.want) || list.Total != 3 {
			d.Errorf("page %+v has %q of %d, want %q", test.page, got, list.Total, test.want)
		}
	}
	list, err := d.store.Days(d.Context(), d.id, hall.Page{})
	d.must(err)
	if first := list.Items[2]; !maps.Equal(first.People, busyStates) || first.Sittings != 4 || first.Figures != nil || first.ClosedAt.IsZero() {
		d.Errorf("the first day is listed as %+v", first)
	}
	for _, id := range []string{"2026-11-30-2", "2026-12-01-2x", "", "*", "hall", "..", "2026-11-30-1:people"} {
		_, err = d.store.Day(d.Context(), d.id, id)
		d.refused(err, hall.CodeUnknownDay)
		_, err = d.store.DayState(d.Context(), d.id, id)
		d.refused(err, hall.CodeUnknownDay)
		if id != "" {
			_, err = d.store.CloseDay(d.Context(), d.id, id, testCaller)
			d.refused(err, hall.CodeUnknownDay)
		}
	}
	_, err = d.store.DayState(d.Context(), d.id, "2026-12-01-2")
	d.refused(err, hall.CodeUnknownDay) // it is not closed
	if s := d.day("2026-12-01-2"); s.State != hall.DayOpen || s.Figures == nil {
		d.Errorf("the present day is %+v", s)
	}
	for _, err := range d.onUnknownHall() {
		d.refused(err, hall.CodeUnknownHall)
	}
}

func (d *desk) onUnknownHall() []error {
	_, opened := d.store.OpenDay(d.Context(), "nowhere", testCaller)
	_, closed := d.store.CloseDay(d.Context(), "nowhere", "", testCaller)
	_, listed := d.store.Days(d.Context(), "nowhere", hall.Page{})
	_, one := d.store.Day(d.Context(), "nowhere", hall.CurrentDay)
	_, old := d.store.DayState(d.Context(), "nowhere", "2026-11-30-1")
	return []error{opened, closed, listed, one, old}
}

// exerciseDaysAgain repeats commands of a day after its end.
func exerciseDaysAgain(t *testing.T, factory Factory) {
	d := busyDay(t, factory)
	keyed := func(key string) hall.Caller { return hall.Caller{By: "test", Key: key} }
	first, err := d.store.Seat(d.Context(), d.id, d.calledTo("b").ID, keyed("seat"))
	d.must(err)
	closed, err := d.store.CloseDay(d.Context(), d.id, "", keyed("close"))
	d.must(err)

	// The same key, and the same day by its name, answer as the first time.
	other := Row("b", "1")
	other.Person.Name = "Somebody else"
	d.putRoster(other, Row("z", "1"))
	for _, again := range []struct {
		day string
		by  hall.Caller
	}{{"", keyed("close")}, {closed.ID, testCaller}, {closed.ID, testCaller}} {
		s, err := d.store.CloseDay(d.Context(), d.id, again.day, again.by)
		if err != nil || !reflect.DeepEqual(s, closed) {
			t.Errorf("closed again: %+v, want %+v (%v)", s, closed, err)
		}
	}
	if s, err := d.store.Seat(d.Context(), d.id, first.ID, keyed("seat")); err != nil || s != first || s.Name != "Name of b" {
		t.Errorf("seated again: %+v, want %+v (%v)", s, first, err)
	}
	d.clock.Move(23 * time.Hour) // another date
	opened, err := d.store.OpenDay(d.Context(), d.id, keyed("open"))
	d.must(err)
	d.clock.Move(23 * time.Hour)
	if h, err := d.store.OpenDay(d.Context(), d.id, keyed("open")); err != nil || !reflect.DeepEqual(h, opened) {
		t.Errorf("opened again: %+v, want %+v (%v)", h, opened, err)
	}
	if s := d.day(hall.CurrentDay); s.State != hall.DayOpen || s.People[hall.Registered] != 2 {
		t.Errorf("the day is %+v", s)
	}
	// A page of yesterday does not close today.
	if s, err := d.store.CloseDay(d.Context(), d.id, closed.ID, testCaller); err != nil || s.ID != closed.ID || d.day(hall.CurrentDay).State != hall.DayOpen {
		t.Errorf("closed %+v (%v)", s, err)
	}
	d.sound()
	d.soundDay(closed.ID)
	exerciseClosedTogether(d)
}

// exerciseClosedTogether has many who close the day at once: one of them does.
func exerciseClosedTogether(d *desk) {
	const closers = 8
	closed := make(chan error, closers)
	for range closers {
		go func() {
			_, err := d.store.CloseDay(d.Context(), d.id, "", testCaller)
			closed <- err
		}()
	}
	did := 0
	for range closers {
		if err := <-closed; err == nil {
			did++
		} else {
			d.refused(err, hall.CodeDayNotOpen)
		}
	}
	if list, err := d.store.Days(d.Context(), d.id, hall.Page{}); did != 1 || err != nil || list.Total != 3 {
		d.Errorf("%d closed the day, the hall has %d days (%v)", did, list.Total, err)
	}
}

// exerciseMidnight has a hall in Shanghai, eight hours ahead of the server's clock.
func exerciseMidnight(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"), Row("b", "1"))
	d.closeDay()
	d.clock.Move(14 * time.Hour) // 22:00 in UTC on the 30th: 06:00 on the 1st in Shanghai
	if id := d.openDay().Day.ID; id != "2026-12-01-1" {
		t.Errorf("the day that opens at 06:00 in Shanghai is %s", id)
	}
	d.putRoster(Row("a", "1"), Row("b", "1"))
	d.clock.Move(17 * time.Hour) // 15:00 in UTC: 23:00
	d.checkIn("a")
	d.seat("a")
	d.clock.Move(90 * time.Minute) // 16:30 in UTC: 00:30 on the 2nd
	if e := d.checkIn("b"); e.Ticket != "N002" || e.Position() != 1 {
		t.Errorf("after midnight b is %+v", e)
	}
	d.end("a")
	if s := d.seat("b"); s.Wait != 0 {
		t.Errorf("b waited %s", s.Wait)
	}
	s := d.closeDay()
	if s.ID != "2026-12-01-1" || s.ClosedAt.Sub(s.OpenedAt) != 18*time.Hour+30*time.Minute ||
		s.People[hall.Done] != 1 || s.People[hall.Seated] != 1 || s.Sittings != 2 {
		t.Errorf("the day across midnight is %+v", s)
	}
	if id := d.openDay().Day.ID; id != "2026-12-02-1" { // the same date in UTC
		t.Errorf("the day that opens at 00:30 is %s", id)
	}
	// In another time zone it is the 1st again; its first day is taken.
	d.closeDay()
	elsewhere := Layout("one", "two", "three")
	elsewhere.TimeZone = "UTC"
	d.putHall(elsewhere)
	if id := d.openDay().Day.ID; id != "2026-12-01-2" {
		t.Errorf("the day in UTC is %s", id)
	}
	d.sound()
}
