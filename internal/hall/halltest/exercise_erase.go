package halltest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseErase has a closed day of which nobody shall know any more who was there.
func exerciseErase(t *testing.T, factory Factory) {
	d := busyDay(t, factory)
	s := d.seat("b")
	d.note("i", remarked, testCaller)
	for range 3 {
		d.incident(hall.IncidentReport{Category: "machine", Machine: "m2", Candidate: "b", Text: remarked, Done: remarked}, testCaller)
	}
	_, abortErr := d.store.Abort(d.Context(), d.id, s.ID, hall.Abort{Fault: hall.FaultMachine, Reason: remarked}, testCaller)
	d.must(abortErr)
	_, pauseErr := d.store.Pause(d.Context(), d.id, "A", remarked, testCaller)
	d.must(pauseErr)
	refuse := func(day string, code hall.Code) {
		t.Helper()
		d.refused(d.store.EraseDay(d.Context(), d.id, day, testCaller), code)
	}
	refuse(hall.CurrentDay, hall.CodeWrongState)
	refuse("2026-11-30-1", hall.CodeWrongState)
	closed := d.closeDay()
	d.correct(closed.ID, hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", State: hall.Done, Text: remarked, Reason: remarked}, testCaller)
	d.putRoster(Row("a", "1"), Row("z", "1")) // of the next day
	d.clock.Move(90 * 24 * time.Hour)
	refuse(hall.CurrentDay, hall.CodeWrongState)
	refuse("2026-11-30-2", hall.CodeUnknownDay)
	refuse("", hall.CodeUnknownDay)
	for range 2 {
		d.must(d.store.EraseDay(d.Context(), d.id, closed.ID, testCaller))
		d.clock.Move(time.Second)
	}
	exerciseErased(d, &closed)
	_, err := d.store.Correct(d.Context(), d.id, closed.ID, hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", Text: "x", Reason: "y"}, testCaller)
	d.refused(err, hall.CodeWrongState)
	d.refused(d.store.EraseDay(d.Context(), "nowhere", closed.ID, testCaller), hall.CodeUnknownHall)
	if c, err := d.store.Candidate(d.Context(), d.id, "a"); err != nil || c.Person.Name != "Name of a" {
		t.Errorf("on the next day a is %+v (%v)", c, err)
	}
	d.sound()
}

// exerciseErased fails unless a closed day is as before but for names and texts.
func exerciseErased(d *desk, closed *hall.DaySummary) {
	after := d.day(closed.ID)
	if !after.ErasedAt.Equal(d.clock.Now().Add(-2 * time.Second)) {
		d.Errorf("it was erased at %s", after.ErasedAt)
	}
	if after.ErasedAt = (time.Time{}); !reflect.DeepEqual(after, *closed) {
		d.Errorf("the figures are %+v, want %+v", after, *closed)
	}
	st := d.soundDay(closed.ID)
	number := 1
	people, peopleErr := d.store.Attendance(d.Context(), d.id, number, hall.Page{})
	sittings, sittingsErr := d.store.DaySittings(d.Context(), d.id, number, hall.Page{})
	incidents, incidentsErr := d.store.DayIncidents(d.Context(), d.id, number, hall.Page{})
	corrections, correctionsErr := d.store.Corrections(d.Context(), d.id, number)
	for _, err := range []error{peopleErr, sittingsErr, incidentsErr, correctionsErr} {
		d.must(err)
	}
	all := fmt.Sprintf("%+v %+v %+v %+v %+v", st, people, sittings, incidents, corrections)
	for _, gone := range []string{"Name of", "99999919900101", remarked} {
		if strings.Contains(all, gone) {
			d.Errorf("%q is still there", gone)
		}
	}
	if people.Total != 8 || people.Items[0].Ticket != "N001" || sittings.Total != 4 || incidents.Total != 5 || incidents.Items[1].Category != "machine" ||
		incidents.Items[1].Candidate != "b" || len(corrections) != 1 || corrections[0].State != hall.Done || corrections[0].By != "test" {
		d.Errorf("left are %+v, %+v, %+v, %+v", people, sittings, incidents, corrections)
	}
}

// exerciseKeepDays has days that are erased when their time has come.
func exerciseKeepDays(t *testing.T, factory Factory) {
	d := open(t, factory, with(Layout("one", "two", "three"), func(r *hall.Rules) { r.KeepDays = 30 }), Row("a", "1"))
	first := d.closeDay()
	d.clock.Move(20 * 24 * time.Hour)
	d.openDay()
	d.putRoster(Row("a", "1"))
	second := d.closeDay()
	erases := func(want ...string) {
		t.Helper()
		got, err := d.store.EraseOldDays(d.Context(), d.id)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("erased are %q, want %q (%v)", got, want, err)
		}
	}
	d.clock.Move(10*24*time.Hour - time.Millisecond)
	erases()
	d.clock.Move(time.Millisecond)
	erases(first.ID)
	erases()
	if d.day(first.ID).ErasedAt.IsZero() || !d.day(second.ID).ErasedAt.IsZero() {
		t.Error("another day was erased")
	}
	d.putHall(with(Layout("one", "two", "three"), func(r *hall.Rules) { r.KeepDays = 5 }))
	erases(second.ID)
	_, err := d.store.EraseOldDays(d.Context(), "nowhere")
	d.refused(err, hall.CodeUnknownHall)
}
