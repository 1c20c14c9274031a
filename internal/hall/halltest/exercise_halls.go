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

func exerciseHalls(t *testing.T, factory Factory) {
	store, clock := factory(t)
	ctx := t.Context()
	if _, err := store.Hall(ctx, "no7"); hall.CodeOf(err) != hall.CodeUnknownHall {
		t.Fatalf("unknown hall: got %v", err)
	}
	layout := Layout("one", "both", "three")
	h, created, err := store.PutHall(ctx, "no7", layout, "", testCaller)
	if err != nil || !created {
		t.Fatalf("create: %v, created %v", err, created)
	}
	if !reflect.DeepEqual(h.Layout, layout) {
		t.Errorf("layout came back as %+v", h.Layout)
	}
	want := hall.Day{
		ID: "2026-11-30-1", State: hall.DayOpen, OpenedAt: clock.Now(), Base: clock.Now().Add(-hall.BaseBefore),
		CheckInOpen: true, PausedRooms: map[string]string{},
	}
	if !reflect.DeepEqual(h.Day, want) {
		t.Errorf("day is %+v, want %+v", h.Day, want)
	}
	if _, created, err = store.PutHall(ctx, "no7", layout, "", testCaller); err != nil || created {
		t.Errorf("replace: %v, created %v", err, created)
	}
	if _, _, err = store.PutHall(ctx, "b", layout, "", testCaller); err != nil {
		t.Fatal(err)
	}
	if ids, err := store.HallIDs(ctx); err != nil || !slices.Equal(ids, []string{"b", "no7"}) {
		t.Errorf("halls are %v (%v)", ids, err)
	}
	for _, expected := range []string{"another", h.LayoutTag + "x"} {
		_, _, err = store.PutHall(ctx, "no7", layout, expected, testCaller)
		if hall.CodeOf(err) != hall.CodeChanged {
			t.Errorf("expected %q: got %v", expected, err)
		}
	}
	if _, _, err = store.PutHall(ctx, "new", layout, "*", testCaller); hall.CodeOf(err) != hall.CodeChanged {
		t.Errorf("a new hall where one was expected: got %v", err)
	}
	if h, _, err = store.PutHall(ctx, "no7", layout, h.LayoutTag, testCaller); err != nil || h.LayoutTag == "" {
		t.Errorf("the expected one: got %q, %v", h.LayoutTag, err)
	}
	layout.Machines[0].Model = "unknown"
	layout.Subjects[1].Code = "3"
	_, _, err = store.PutHall(ctx, "no7", layout, "", testCaller)
	if hall.CodeOf(err) != hall.CodeInvalid {
		t.Errorf("faulty layout: got %v", err)
	}
	if h, err = store.Hall(ctx, "no7"); err != nil || h.Layout.Machines[0].Model != "one" {
		t.Errorf("a refused layout changed the hall: %+v (%v)", h.Layout, err)
	}
}

func exerciseReplace(t *testing.T, factory Factory) {
	layout := Layout("one", "two", "three")
	layout.Machines[2].Spare = true
	d := open(t, factory, layout, Row("a", "1"), Row("b", "2"), Row("c", "2"), Row("d", "3"))
	d.checkIn("a", "b", "c", "d")
	d.states(map[string]hall.CandidateState{"a": hall.Called, "b": hall.Called, "c": hall.Waiting, "d": hall.Waiting})

	without := Layout("one", "two", "three")
	without.Machines = without.Machines[1:]
	without.Machines = append(without.Machines, hall.MachineSpec{ID: "new", Room: "A", Model: "one"})
	_, _, err := d.store.PutHall(d.Context(), d.id, without, "", testCaller)
	d.refused(err, hall.CodeInUse)

	other := Layout("one", "two", "three")
	other.Subjects = other.Subjects[:2]
	other.Models = []hall.Model{{ID: "one", Subjects: []string{"1"}}, {ID: "two", Subjects: []string{"2"}}}
	other.Machines = other.Machines[:2]
	_, _, err = d.store.PutHall(d.Context(), d.id, other, "", testCaller)
	d.refused(err, hall.CodeInUse)

	more := Layout("one", "both", "three", "two")
	d.putHall(more)
	d.states(map[string]hall.CandidateState{"c": hall.Called, "d": hall.Waiting})
	if m := d.machine("m3"); m.State != hall.MachineSpare {
		t.Errorf("the spare machine became %s", m.State)
	}
	d.sound()
	d.end("b") // m2 serves 2 and 3 by now
	d.states(map[string]hall.CandidateState{"b": hall.Done, "d": hall.Called})
	d.sound()

	// An open sitting goes along when its machine moves to another room; the
	// machine cannot become one that does not serve the subject.
	moved := Layout("one", "both", "three", "two")
	moved.Machines[0].Room = "B"
	d.clock.Move(time.Second)
	d.putHall(moved)
	if s := d.calledTo("a"); s.Room != "B" || !s.AnnouncedAt.Equal(d.clock.Now()) {
		t.Errorf("the call leads to room %s, announced at %s", s.Room, s.AnnouncedAt)
	}
	d.sound()
	moved.Machines[0].Model, moved.Machines[3].Model = "two", "one"
	_, _, err = d.store.PutHall(d.Context(), d.id, moved, "", testCaller)
	d.refused(err, hall.CodeInUse)

	d.putHall(with(more, func(r *hall.Rules) { r.ConfirmSeat = false }))
	d.putHall(with(more, func(r *hall.Rules) { r.ConfirmSeat = true }))
	d.sound()
}

func (d *desk) machine(id string) hall.Machine {
	d.Helper()
	list, err := d.store.Machines(d.Context(), d.id, hall.MachineFilter{}, hall.Page{})
	d.must(err)
	for _, m := range list.Items {
		if m.ID == id {
			return m
		}
	}
	d.Fatalf("no machine %s", id)
	return hall.Machine{}
}

func exercisePause(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "one", "two", "three"), Row("a", "1"), Row("b", "1"), Row("c", "2"))
	pause := func(room string) hall.Hall {
		h, err := d.store.Pause(d.Context(), d.id, room, "Fire drill", testCaller)
		d.must(err)
		return h
	}
	resume := func(room string) hall.Hall {
		h, err := d.store.Resume(d.Context(), d.id, room, testCaller)
		d.must(err)
		return h
	}
	_, err := d.store.Pause(d.Context(), d.id, "Z", "", testCaller)
	d.refused(err, hall.CodeUnknownRoom)
	_, err = d.store.Resume(d.Context(), d.id, "Z", testCaller)
	d.refused(err, hall.CodeUnknownRoom)
	_, err = d.store.Pause(d.Context(), "nowhere", "", "", testCaller)
	d.refused(err, hall.CodeUnknownHall)

	if h := pause(""); !h.Day.Paused || h.Day.PauseMessage != "Fire drill" {
		t.Errorf("paused day is %+v", h.Day)
	}
	d.checkIn("a", "b", "c")
	d.states(map[string]hall.CandidateState{"a": hall.Waiting, "b": hall.Waiting, "c": hall.Waiting})
	_, err = d.store.Next(d.Context(), d.id, "m1", testCaller)
	d.refused(err, hall.CodePaused)

	if h := pause("A"); h.Day.PausedRooms["A"] != "Fire drill" {
		t.Errorf("paused rooms are %v", h.Day.PausedRooms)
	}
	resume("")
	// m1 and m3 stand in room A, m2 in room B.
	d.states(map[string]hall.CandidateState{"a": hall.Called, "b": hall.Waiting, "c": hall.Waiting})
	if s := d.calledTo("a"); s.Machine != "m2" {
		t.Errorf("called to %s in a paused room", s.Machine)
	}
	d.sound()
	if h := resume("A"); len(h.Day.PausedRooms) != 0 {
		t.Errorf("paused rooms are %v", h.Day.PausedRooms)
	}
	d.states(map[string]hall.CandidateState{"b": hall.Called, "c": hall.Called})
	d.sound()

	// The clock of a call stands while the hall or its room is paused: a and
	// c were called, b with c after m1 was open again.
	d.clock.Move(100 * time.Second)
	pause("")
	d.clock.Move(time.Hour)
	pause("A")
	d.elapse()
	resume("")
	d.clock.Move(79 * time.Second)
	d.elapse()
	recalls := func(candidate string, want int) {
		t.Helper()
		if got := d.calledTo(candidate).Recalls; got != want {
			t.Errorf("%s was announced again %d times, want %d", candidate, got, want)
		}
	}
	recalls("a", 0)
	d.clock.Move(time.Second)
	d.elapse()
	recalls("a", 1)
	d.clock.Move(time.Minute)
	d.elapse()
	recalls("c", 0) // in room A
	resume("A")
	d.clock.Move(79 * time.Second)
	d.elapse()
	recalls("c", 0)
	d.clock.Move(time.Second)
	d.elapse()
	recalls("c", 1)
	d.sound()
}

func exerciseRoster(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"))
	rows := []hall.RosterRow{Row("0001", "1", "2"), Row("0002", "3"), Row("0003", "1")}
	rows[1].Class, rows[1].Session = hall.ClassVIP, "AM"
	dry, err := d.store.PutRoster(d.Context(), d.id, rows, true, testCaller)
	d.must(err)
	want := hall.RosterResult{Rows: 3, Created: 3}
	if !reflect.DeepEqual(dry, want) {
		t.Errorf("dry run says %+v, want %+v", dry, want)
	}
	if list, err := d.store.Candidates(d.Context(), d.id, hall.CandidateFilter{}, hall.Page{}); err != nil || list.Total != 0 {
		t.Errorf("a dry run made %d candidates (%v)", list.Total, err)
	}
	if got := d.putRoster(rows...); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := d.putRoster(rows...); !reflect.DeepEqual(got, hall.RosterResult{Rows: 3, Unchanged: 3}) {
		t.Errorf("the same again: %+v", got)
	}
	c, err := d.store.Candidate(d.Context(), d.id, "0002")
	d.must(err)
	if c.Class != hall.ClassVIP || c.Session != "AM" || c.Person != rows[1].Person || c.State != hall.Registered || c.Ticket != "" {
		t.Errorf("candidate is %+v", c)
	}
	_, err = d.store.Candidate(d.Context(), d.id, "9999")
	d.refused(err, hall.CodeUnknownCandidate)
	_, err = d.store.PutRoster(d.Context(), "nowhere", rows, false, testCaller)
	d.refused(err, hall.CodeUnknownHall)

	// 0001 sits 1; taking it away is refused, the rest of the file is taken.
	d.checkIn("0001")
	sat := d.calledTo("0001").Subject
	other := map[string]string{"1": "2", "2": "1"}[sat]
	changed := []hall.RosterRow{Row("0001", other), Row("0003", "3")}
	got := d.putRoster(changed...)
	if got.Updated != 1 || len(got.Rejected) != 1 || got.Rejected[0].Code != "in_use" || got.Rejected[0].Column != "subjects" {
		t.Errorf("got %+v", got)
	}
	d.seat("0001")
	d.end("0001")
	// What was sat stays sat; a new list means those less the ones sat already.
	d.putRoster(Row("0001", sat))
	d.states(map[string]hall.CandidateState{"0001": hall.Called})
	d.end("0001")
	d.states(map[string]hall.CandidateState{"0001": hall.Done})
	d.putRoster(Row("0001", sat, "3"))
	if e := d.entry("0001"); e.State != hall.Called || !slices.Equal(e.Remaining(), []string{"3"}) {
		t.Errorf("a new subject makes %s with %v", e.State, e.Remaining())
	}
	d.sound()
	exerciseRosterAgain(d)
	exerciseRosterChanges(d)
	exerciseRosterPages(d)
	exerciseRosterOfDay(d)
}

// exerciseRosterChanges has a dry run say what it would change.
func exerciseRosterChanges(d *desk) {
	before, err := d.store.Candidate(d.Context(), d.id, "0002")
	d.must(err)
	row := Row("0002", "2")
	row.Row, row.Class, row.Session, row.Person = 7, hall.ClassManagement, "PM", hall.Person{Name: "Another", IDNumber: "X1", Note: "new"}
	partial := hall.RosterRow{Row: 8, Candidate: "0003", Subjects: []string{"1", "2"}, Without: []string{"name", "id_number", "note", "session", "class"}}
	dry, err := d.store.PutRoster(d.Context(), d.id, []hall.RosterRow{row, partial, Row("new", "1")}, true, testCaller)
	d.must(err)
	want := []hall.RosterChange{
		{Row: 7, Candidate: "0002", Columns: []hall.ColumnChange{
			{Column: "name", Before: before.Person.Name, After: "Another"},
			{Column: "id_number", Before: before.Person.IDNumber, After: "X1"},
			{Column: "subjects", Before: strings.Join(before.Subjects, "|"), After: "2"},
			{Column: "class", Before: string(before.Class), After: "management"},
			{Column: "session", Before: before.Session, After: "PM"},
			{Column: "note", Before: before.Person.Note, After: "new"},
		}},
		{Row: 8, Candidate: "0003", Columns: []hall.ColumnChange{{Column: "subjects", Before: "3", After: "1|2"}}},
	}
	if !reflect.DeepEqual(dry, hall.RosterResult{Rows: 3, Created: 1, Updated: 2, Changes: want}) {
		d.Errorf("the dry run says %+v, want the changes %+v", dry, want)
	}
	after, err := d.store.Candidate(d.Context(), d.id, "0002")
	d.must(err)
	if !reflect.DeepEqual(before, after) {
		d.Errorf("the dry run made %+v of %+v", after, before)
	}
	// What is kept for a key has no names in it.
	keyed, err := d.store.PutRoster(d.Context(), d.id, []hall.RosterRow{row}, true, hall.Caller{By: "test", Key: "a dry run"})
	d.must(err)
	if keyed.Updated != 1 || keyed.Changes != nil {
		d.Errorf("a dry run with a key says %+v", keyed)
	}
}

// exerciseRosterOfDay has a roster that is for one day only.
func exerciseRosterOfDay(d *desk) {
	number, err := d.store.DayNumber(d.Context(), d.id, hall.CurrentDay)
	d.must(err)
	row := Row("of the day", "1")
	_, err = d.store.PutRosterOf(d.Context(), d.id, number+1, []hall.RosterRow{row}, testCaller)
	d.refused(err, hall.CodeUnknownDay)
	got, err := d.store.PutRosterOf(d.Context(), d.id, number, []hall.RosterRow{row}, testCaller)
	d.must(err)
	if got.Created != 1 {
		d.Errorf("the roster of the present day: %+v", got)
	}
	_, err = d.store.CloseDay(d.Context(), d.id, "", testCaller)
	d.must(err)
	_, err = d.store.PutRosterOf(d.Context(), d.id, number, []hall.RosterRow{row}, testCaller)
	d.refused(err, hall.CodeUnknownDay)
	if list, err := d.store.Candidates(d.Context(), d.id, hall.CandidateFilter{}, hall.Page{}); err != nil || list.Total != 0 {
		d.Errorf("the roster of a closed day is on that of the next: %d candidates (%v)", list.Total, err)
	}
	d.sound()
}

// exerciseRosterAgain has files that know less, and files that are sent again.
func exerciseRosterAgain(d *desk) {
	vip := Row("0002", "3")
	vip.Class, vip.Session = hall.ClassVIP, "AM"
	vip.Person.Note = "left-handed"
	d.putRoster(vip)
	short := hall.RosterRow{Candidate: "0002", Subjects: []string{"3", "1"}, Without: []string{"name", "id_number", "note", "session", "class"}}
	if got := d.putRoster(short); got.Updated != 1 {
		d.Errorf("got %+v", got)
	}
	c, err := d.store.Candidate(d.Context(), d.id, "0002")
	d.must(err)
	if c.Person != vip.Person || c.Session != "AM" || c.Class != hall.ClassVIP || !slices.Equal(c.Subjects, []string{"3", "1"}) {
		d.Errorf("a file with fewer columns made %+v", c)
	}
	// The same file again does not take back what the staff changed.
	d.putRoster(vip)
	_, err = d.store.SetClass(d.Context(), d.id, "0002", hall.ClassPriority, "pregnant", testCaller)
	d.must(err)
	d.reason(hall.EventCandidateClassChanged, "pregnant")
	if got := d.putRoster(vip); got.Unchanged != 1 {
		d.Errorf("the same again: %+v", got)
	}
	vip.Class = hall.ClassNormal
	if got := d.putRoster(vip); got.Updated != 1 {
		d.Errorf("another class: %+v", got)
	}
	if c, err = d.store.Candidate(d.Context(), d.id, "0002"); err != nil || c.Class != hall.ClassNormal {
		d.Errorf("the class became %s (%v)", c.Class, err)
	}
	d.sound()
}

func exerciseRosterPages(d *desk) {
	var rows []hall.RosterRow
	for i := range 1203 {
		rows = append(rows, Row(fmt.Sprintf("p%04d", i), "1"))
	}
	d.putRoster(rows...)
	for _, page := range []struct{ number, size, first, count int }{
		{1, 50, 0, 50}, {2, 50, 50, 50}, {25, 50, 1200, 6}, {26, 50, 0, 0}, {1, 0, 0, 1206}, {0, -1, 0, 1206},
	} {
		list, err := d.store.Candidates(d.Context(), d.id, hall.CandidateFilter{}, hall.Page{Number: page.number, Size: page.size})
		d.must(err)
		if list.Total != 1206 || len(list.Items) != page.count {
			d.Errorf("page %+v has %d of %d", page, len(list.Items), list.Total)
		}
		if page.first > 3 && list.Items[0].ID != rows[page.first-3].Candidate {
			d.Errorf("page %+v begins with %s", page, list.Items[0].ID)
		}
	}
	for _, f := range []struct {
		filter hall.CandidateFilter
		total  int
	}{
		{hall.CandidateFilter{Text: "P000"}, 10},
		{hall.CandidateFilter{Text: "name of p12"}, 3},
		{hall.CandidateFilter{State: hall.Called}, 1},
		{hall.CandidateFilter{State: hall.Registered, Text: "000"}, 13},
	} {
		list, err := d.store.Candidates(d.Context(), d.id, f.filter, hall.Page{Number: 1, Size: 2})
		d.must(err)
		if list.Total != f.total || len(list.Items) != min(f.total, 2) {
			d.Errorf("filter %+v finds %d (%d shown), want %d", f.filter, list.Total, len(list.Items), f.total)
		}
	}
}

func exerciseStrangeIDs(t *testing.T, factory Factory) {
	store, _ := factory(t)
	ctx := t.Context()
	ids := []string{
		"{}", "a:b", "*", "a/b", "a b", "100%", "%7B", "}:hints", "考场一", "Зал №1", "x'\"\\", "𠮷", "|1|", "[^a]", "-", "(1",
		"0123456789012345678901234567890123456789012345678901234567890123",
	}
	for _, id := range ids {
		layout := Layout("one", "two", "three")
		layout.Machines[0].ID = id
		layout.Rooms[0].ID = id
		layout.Machines[0].Room, layout.Machines[2].Room = id, id
		d := &desk{T: t, store: store, id: id}
		d.putHall(layout)
		d.putRoster(Row(id, "1"), Row("other", "1"))
		if s := d.checkIn(id).Current; s == nil || s.Machine != id || s.Candidate != id || s.Room != id {
			t.Errorf("%q: called as %+v", id, s)
		}
		if e := d.checkIn("other"); e.Position() != 1 {
			t.Errorf("%q: position is %d", id, e.Position())
		}
		d.seat(id)
		d.end(id)
		d.states(map[string]hall.CandidateState{id: hall.Done, "other": hall.Called})
		d.sound()
	}
	if all, err := store.HallIDs(ctx); err != nil || len(all) != len(ids) {
		t.Errorf("%d halls are listed, want %d (%v)", len(all), len(ids), err)
	}
	for _, id := range []string{"", " a", "a ", "a\nb", "a\x00", "\xff", "..", ids[len(ids)-1] + "x"} {
		_, _, err := store.PutHall(ctx, id, Layout("one", "two", "three"), "", testCaller)
		if hall.CodeOf(err) != hall.CodeInvalid {
			t.Errorf("hall %q: got %v", id, err)
		}
	}
}
