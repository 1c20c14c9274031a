package halltest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// recordedDay finds a day for its records.
func (d *desk) recordedDay(day string) hall.RecordedDay {
	d.Helper()
	found, err := d.store.RecordedDay(d.Context(), d.id, day)
	d.must(err)
	return found
}

// exerciseRecords has everybody in the records, first of the day as it goes on, then of the closed one.
func exerciseRecords(t *testing.T, factory Factory) {
	d := busyDay(t, factory)
	began := d.clock.Now()
	s := d.seat("b")
	d.note("i", remarked, testCaller)
	incident := d.incident(hall.IncidentReport{Category: "machine", Machine: "m2", Candidate: "b", Text: "dark", Done: "moved"}, testCaller)
	_, err := d.store.Abort(d.Context(), d.id, s.ID, hall.Abort{Fault: hall.FaultMachine, Reason: "no picture"}, testCaller)
	d.must(err)
	d.clock.Move(time.Minute)
	// The number says which day it is before and after its close.
	day := d.recordedDay(hall.CurrentDay)
	if day.Number != 1 || day.Hall.Day.ID != "2026-11-30-1" || !day.End().Equal(d.clock.Now()) {
		t.Errorf("the day is %+v", day)
	}
	exerciseRecordsOf(d, day.Number, began, &incident)
	closed := d.closeDay()
	d.clock.Move(time.Hour)
	d.putRoster(Row("z", "1"))
	exerciseRecordsOf(d, day.Number, began, &incident)
	if old := d.recordedDay(closed.ID); old.Number != 1 || old.Hall.Day.State != hall.DayClosed || !old.End().Equal(closed.ClosedAt) {
		t.Errorf("the closed day is %+v", old)
	}
	next := d.recordedDay(hall.CurrentDay)
	people, err := d.store.Attendance(d.Context(), d.id, next.Number, hall.Page{})
	d.must(err)
	sittings, err := d.store.DaySittings(d.Context(), d.id, next.Number, hall.Page{})
	d.must(err)
	if next.Number != 2 || people.Total != 1 || people.Items[0].ID != "z" || sittings.Total != 0 || len(sittings.Items) != 0 {
		t.Errorf("the next day is %+v with %+v and %+v", next, people, sittings)
	}
	exerciseUnknownRecords(d)
}

func exerciseRecordsOf(d *desk, number int, began time.Time, incident *hall.Incident) {
	d.Helper()
	people, err := d.store.Attendance(d.Context(), d.id, number, hall.Page{})
	d.must(err)
	var stand []string
	for _, c := range people.Items {
		stand = append(stand, c.ID+" "+string(c.State))
	}
	want := []string{"a seated", "b waiting", "c waiting", "e done", "f held", "g absent", "h withdrawn", "i registered"}
	if !slices.Equal(stand, want) || people.Total != 8 {
		d.Errorf("the records have %q of %d, want %q", stand, people.Total, want)
	}
	b, e, i := people.Items[1], people.Items[3], people.Items[7]
	if !b.FirstCalled.Equal(began.Add(-30*time.Second)) || !b.LastEnded.IsZero() || b.Person.Name != "Name of b" || b.Ticket != "N002" {
		d.Errorf("b is recorded as %+v", b)
	}
	if !e.LastEnded.Equal(began.Add(-20*time.Second)) || !i.FirstCalled.IsZero() || len(i.Notes) != 1 || i.Notes[0].Text != remarked {
		d.Errorf("e is recorded as %+v, i as %+v", e, i)
	}
	sittings, err := d.store.DaySittings(d.Context(), d.id, number, hall.Page{})
	d.must(err)
	var outcomes []string
	for _, s := range sittings.Items {
		outcomes = append(outcomes, fmt.Sprintf("%s %s%s %q", s.Candidate, s.State, s.Outcome, s.Reason))
	}
	if want := []string{`a seated ""`, `b endedaborted "no picture"`, `e endedfinished ""`, `g endedno_show ""`}; !slices.Equal(outcomes, want) || sittings.Total != 4 {
		d.Errorf("the sittings are %q of %d, want %q", outcomes, sittings.Total, want)
	}
	incidents, err := d.store.DayIncidents(d.Context(), d.id, number, hall.Page{})
	d.must(err)
	named := *incident
	named.Name = "Name of b"
	if incidents.Total != 3 || incidents.Items[0].Command != hall.EventCandidateNoShow || incidents.Items[1] != named ||
		incidents.Items[2].Command != hall.EventSittingAborted || incidents.Items[2].Text != "no picture" {
		d.Errorf("the incidents are %+v", incidents)
	}
	exerciseRecordPages(d, number)
}

func exerciseRecordPages(d *desk, number int) {
	for _, page := range []struct {
		number, size     int
		people, sittings string
	}{{2, 3, "e f g", "s4"}, {3, 3, "h i", ""}, {9, 3, "", ""}, {1, 1, "a", "s1"}, {4, 1, "e", "s4"}} {
		people, err := d.store.Attendance(d.Context(), d.id, number, hall.Page{Number: page.number, Size: page.size})
		d.must(err)
		sittings, err := d.store.DaySittings(d.Context(), d.id, number, hall.Page{Number: page.number, Size: page.size})
		d.must(err)
		var ids, sitting []string
		for _, c := range people.Items {
			ids = append(ids, c.ID)
		}
		for _, s := range sittings.Items {
			sitting = append(sitting, s.ID)
		}
		if people.Total != 8 || sittings.Total != 4 || strings.Join(ids, " ") != page.people || strings.Join(sitting, " ") != page.sittings {
			d.Errorf("page %+v has %q and %q", page, ids, sitting)
		}
	}
}

func exerciseUnknownRecords(d *desk) {
	for _, day := range []string{"2026-11-30-2", "", "*"} {
		_, err := d.store.RecordedDay(d.Context(), d.id, day)
		d.refused(err, hall.CodeUnknownDay)
	}
	for _, hallOrDay := range []struct {
		id     string
		number int
		code   hall.Code
	}{{"nowhere", 1, hall.CodeUnknownHall}, {d.id, 9, hall.CodeUnknownDay}, {d.id, 0, hall.CodeUnknownDay}} {
		_, people := d.store.Attendance(d.Context(), hallOrDay.id, hallOrDay.number, hall.Page{})
		_, sittings := d.store.DaySittings(d.Context(), hallOrDay.id, hallOrDay.number, hall.Page{})
		_, incidents := d.store.DayIncidents(d.Context(), hallOrDay.id, hallOrDay.number, hall.Page{})
		_, reasons := d.store.Reasons(d.Context(), hallOrDay.id, hallOrDay.number, []string{"1-0"})
		_, corrections := d.store.Corrections(d.Context(), hallOrDay.id, hallOrDay.number)
		for _, err := range []error{people, sittings, incidents, reasons, corrections} {
			d.refused(err, hallOrDay.code)
		}
	}
}

// exerciseCorrections has a day that is corrected before and after its close.
func exerciseCorrections(t *testing.T, factory Factory) {
	d := busyDay(t, factory)
	incident := d.incident(hall.IncidentReport{Category: "other", Text: "x"}, testCaller)
	events, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	early := d.correct(hall.CurrentDay, hall.CorrectionRequest{
		Table: hall.TableAttendance, Row: "i", State: hall.Absent, Text: " was ill\r\nsays his mother ", Reason: "telephone",
	}, hall.Caller{By: "eve"})
	first := hall.Correction{ID: "c1", At: d.clock.Now(), By: "eve", CorrectionRequest: hall.CorrectionRequest{
		Table: hall.TableAttendance, Row: "i", State: hall.Absent, Text: "was ill\nsays his mother", Reason: "telephone",
	}}
	if early != first {
		t.Errorf("the correction is %+v, want %+v", early, first)
	}
	closed := d.closeDay()
	stood := d.soundDay(closed.ID)
	d.clock.Move(48 * time.Hour)
	want := []hall.Correction{first}
	for _, c := range []hall.CorrectionRequest{
		{Table: hall.TableSittings, Row: "s1", Text: "sat at m3", Reason: "paper list"},
		{Table: hall.TableIncidents, Row: incident.ID, Text: "it was m4", Reason: "seen"},
		{Table: hall.TableAttendance, Row: "i", State: hall.Done, Reason: "mixed up"},
	} {
		want = append(want, d.correct(closed.ID, c, testCaller))
	}
	d.corrections(1, want...)
	d.corrections(2)
	// What was corrected stays as it was, and nothing happened on the closed day.
	if after := d.soundDay(closed.ID); difference(describeState(&after), describeState(&stood)) != "" || len(after.Events) != len(events.Items)+1 {
		t.Errorf("the closed day has changed: %s", difference(describeState(&after), describeState(&stood)))
	}
	exerciseCorrectedOnce(d, closed.ID, want)
	exerciseRefusedCorrections(d, closed.ID)
	d.corrections(1, want...)
	d.sound()
}

// exerciseCorrectedOnce has a correction that is sent twice.
func exerciseCorrectedOnce(d *desk, day string, want []hall.Correction) {
	d.openDay()
	d.putRoster(Row("y", "1"))
	keyed := hall.Caller{By: "test", Key: "click"}
	c := hall.CorrectionRequest{Table: hall.TableAttendance, Row: "y", Text: "early", Reason: "seen"}
	first := d.correct(hall.CurrentDay, c, keyed)
	d.clock.Move(time.Second)
	if again := d.correct(hall.CurrentDay, c, keyed); again.ID != first.ID || !again.At.Equal(first.At) {
		d.Errorf("corrected again: %+v, want %+v", again, first)
	}
	_, err := d.store.Correct(d.Context(), d.id, day, c, keyed)
	d.refused(err, hall.CodeKeyReused)
	d.corrections(2, first)
	d.corrections(1, want...)
}

func exerciseRefusedCorrections(d *desk, day string) {
	good := hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", Text: "x", Reason: "y"}
	for name, test := range map[string]struct {
		day    string
		change func(c *hall.CorrectionRequest)
		code   hall.Code
		faults []string
	}{
		"nothing":         {day, func(c *hall.CorrectionRequest) { *c = hall.CorrectionRequest{} }, hall.CodeInvalid, []string{"body.table", "body.row", "body.text", "body.reason"}},
		"log":             {day, func(c *hall.CorrectionRequest) { c.Table = hall.TableLog }, hall.CodeInvalid, []string{"body.table"}},
		"no reason":       {day, func(c *hall.CorrectionRequest) { c.Reason = " " }, hall.CodeInvalid, []string{"body.reason"}},
		"no text":         {day, func(c *hall.CorrectionRequest) { c.Text = "" }, hall.CodeInvalid, []string{"body.text"}},
		"long text":       {day, func(c *hall.CorrectionRequest) { c.Text = strings.Repeat("x", hall.MaxRemark+1) }, hall.CodeInvalid, []string{"body.text"}},
		"unknown state":   {day, func(c *hall.CorrectionRequest) { c.State = "there" }, hall.CodeInvalid, []string{"body.state"}},
		"state elsewhere": {day, func(c *hall.CorrectionRequest) { c.Table, c.Row, c.State = hall.TableSittings, "s1", hall.Done }, hall.CodeInvalid, []string{"body.state"}},
		"nobody":          {day, func(c *hall.CorrectionRequest) { c.Row = "y" }, hall.CodeUnknownCandidate, []string{"body.row"}},
		"no sitting":      {day, func(c *hall.CorrectionRequest) { c.Table, c.Row = hall.TableSittings, "s9" }, hall.CodeUnknownSitting, []string{"body.row"}},
		"no incident":     {day, func(c *hall.CorrectionRequest) { c.Table, c.Row = hall.TableIncidents, "1-0" }, hall.CodeUnknownIncident, []string{"body.row"}},
		"another day":     {hall.CurrentDay, func(*hall.CorrectionRequest) {}, hall.CodeUnknownCandidate, []string{"body.row"}},
		"unknown day":     {"2026-11-30-2", func(*hall.CorrectionRequest) {}, hall.CodeUnknownDay, nil},
		"no day":          {"", func(*hall.CorrectionRequest) {}, hall.CodeUnknownDay, nil},
	} {
		c := good
		test.change(&c)
		_, err := d.store.Correct(d.Context(), d.id, test.day, c, testCaller)
		d.refused(err, test.code)
		if got := faultsOf(err); !slices.Equal(got, test.faults) {
			d.Errorf("%s: faults at %v, want %v", name, got, test.faults)
		}
	}
	_, err := d.store.Correct(d.Context(), "nowhere", day, good, testCaller)
	d.refused(err, hall.CodeUnknownHall)
	d.closeDay()
	_, err = d.store.Correct(d.Context(), d.id, hall.CurrentDay, good, testCaller)
	d.refused(err, hall.CodeDayNotOpen)
}

func (d *desk) correct(day string, c hall.CorrectionRequest, by hall.Caller) hall.Correction {
	d.Helper()
	made, err := d.store.Correct(d.Context(), d.id, day, c, by)
	d.must(err)
	return made
}

// corrections fails unless these are those of the number-th day.
func (d *desk) corrections(number int, want ...hall.Correction) {
	d.Helper()
	list, err := d.store.Corrections(d.Context(), d.id, number)
	d.must(err)
	if !slices.Equal(list, want) {
		d.Errorf("the corrections are %+v, want %+v", list, want)
	}
}
