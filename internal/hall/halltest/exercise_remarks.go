package halltest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// remarked is what must not be found where it cannot be erased.
const remarked = "the doctor's letter was seen"

func exerciseNotes(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"), Row("b", "1"))
	if c, err := d.store.Candidate(d.Context(), d.id, "a"); err != nil || c.Notes == nil || len(c.Notes) > 0 {
		t.Errorf("nobody wrote anything, and there is %+v (%v)", c.Notes, err)
	}
	first := d.note("a", " \r\n"+remarked+"\r\nby Ann </textarea> \n", hall.Caller{By: "eve"})
	d.clock.Move(time.Minute)
	second := d.note("a", strings.Repeat("字", hall.MaxRemark), testCaller)
	want := []hall.Note{
		{ID: first.ID, At: d.clock.Now().Add(-time.Minute), By: "eve", Text: remarked + "\nby Ann </textarea>"},
		{ID: second.ID, At: d.clock.Now(), By: "test", Text: strings.Repeat("字", hall.MaxRemark)},
	}
	d.notes("a", want...)
	if first != want[0] || second != want[1] {
		t.Errorf("answered %+v and %+v", first, second)
	}
	d.notes("b")
	d.noted(hall.EventCandidateNoted, first.ID, hall.Event{Candidate: "a", By: "eve", Class: hall.ClassNormal, Remaining: []string{"1"}})

	for name, text := range map[string]string{
		"empty": "", "blank": " \n\t ", "too long": strings.Repeat("字", hall.MaxRemark+1), "tab": "a\tb", "nul": "a\x00b",
		"lone return": "a\rb", "line separator": "a\u2028b", "not text": "a\xffb",
	} {
		_, err := d.store.AddNote(d.Context(), d.id, "a", text, testCaller)
		d.refused(err, hall.CodeInvalid)
		if f := faultsOf(err); len(f) != 1 || f[0] != "body.text" {
			t.Errorf("%s: faults at %v", name, f)
		}
	}
	_, err := d.store.AddNote(d.Context(), d.id, "nobody", "x", testCaller)
	d.refused(err, hall.CodeUnknownCandidate)
	_, err = d.store.AddNote(d.Context(), "nowhere", "a", "x", testCaller)
	d.refused(err, hall.CodeUnknownHall)
	d.notes("a", want...)
	exerciseNotesOnce(d)
	exerciseManyNotes(d)
	d.sound()
}

// exerciseNotesOnce has a note that is sent twice, also after others were written.
func exerciseNotesOnce(d *desk) {
	once := hall.Caller{By: "test", Key: "click"}
	first := d.note("b", remarked, once)
	d.clock.Move(time.Second)
	d.note("b", "another", testCaller)
	if again := d.note("b", remarked, once); again != first {
		d.Errorf("the same key gave %+v, then %+v", first, again)
	}
	if c, err := d.store.Candidate(d.Context(), d.id, "b"); err != nil || len(c.Notes) != 2 {
		d.Errorf("there are %d notes, want 2 (%v)", len(c.Notes), err)
	}
	_, err := d.store.AddNote(d.Context(), d.id, "b", "other words", once)
	d.refused(err, hall.CodeKeyReused)
}

// exerciseManyNotes fills the notes of a candidate; the roster's own stays, and
// the roster sent again takes none away.
func exerciseManyNotes(d *desk) {
	row := Row("many", "1")
	row.Person.Note = "left-handed"
	d.putRoster(row)
	for i := range hall.MaxNotes {
		d.note("many", strconv.Itoa(i), testCaller)
	}
	_, err := d.store.AddNote(d.Context(), d.id, "many", "one more", testCaller)
	d.refused(err, hall.CodeTooManyNotes)
	row.Subjects = []string{"2"}
	d.putRoster(row)
	c, err := d.store.Candidate(d.Context(), d.id, "many")
	d.must(err)
	if len(c.Notes) != hall.MaxNotes || c.Notes[0].Text != "0" || c.Notes[hall.MaxNotes-1].Text != strconv.Itoa(hall.MaxNotes-1) {
		d.Errorf("the notes are %+v", c.Notes)
	}
	if c.Person.Note != "left-handed" {
		d.Errorf("the roster's note became %q", c.Person.Note)
	}
}

func exerciseIncidents(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"), Row("b", "1"))
	d.incidents()
	d.checkIn("a") // to m1, in room A
	before, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	whole := d.incident(hall.IncidentReport{
		Category: "machine", Machine: "m1", Candidate: "a", Text: " " + remarked + "\r\n<i>dark</i>", Done: "restarted\n",
	}, hall.Caller{By: "eve"})
	d.clock.Move(time.Minute)
	bare := d.incident(hall.IncidentReport{Category: "other", Text: "Fire drill"}, testCaller)
	absent := d.incident(hall.IncidentReport{Category: "person", Candidate: "b", Text: "shouts at the door"}, testCaller)
	want := hall.Incident{
		IncidentReport: hall.IncidentReport{
			Category: "machine", Machine: "m1", Candidate: "a", Text: remarked + "\n<i>dark</i>", Done: "restarted",
		},
		ID: whole.ID, At: d.clock.Now().Add(-time.Minute), By: "eve", Room: "A", Ticket: "N001",
	}
	if whole != want {
		t.Errorf("answered %+v, want %+v", whole, want)
	}
	d.incidents(whole, bare, absent)
	d.noted(hall.EventIncidentOpened, whole.ID, hall.Event{
		Candidate: "a", By: "eve", Ticket: "N001", Class: hall.ClassNormal, Remaining: []string{"1"},
		Machine: "m1", Model: "one", Room: "A", Category: "machine",
	})
	d.noted(hall.EventIncidentOpened, bare.ID, hall.Event{By: "test", Category: "other"})
	if h, err := d.store.Hall(d.Context(), d.id); err != nil || h.Version != before.Version+3 {
		t.Errorf("three incidents made version %d of %d (%v)", h.Version, before.Version, err)
	}
	d.states(map[string]hall.CandidateState{"a": hall.Called, "b": hall.Registered})
	if snap, err := d.store.Snapshot(d.Context(), d.id); err != nil || snap.Incidents != 3 {
		t.Errorf("screens show %d incidents (%v)", snap.Incidents, err)
	}
	exerciseRefusedIncidents(d)
	d.incidents(whole, bare, absent)
	exerciseCategories(d)
	exerciseIncidentPages(d)
	d.sound()
}

// exerciseRefusedIncidents has reports that change nothing, each with the fields that are wrong.
func exerciseRefusedIncidents(d *desk) {
	for name, test := range map[string]struct {
		report hall.IncidentReport
		code   hall.Code
		faults []string
	}{
		"nothing":           {hall.IncidentReport{}, hall.CodeInvalid, []string{"body.category", "body.text"}},
		"no text":           {hall.IncidentReport{Category: "other", Text: " "}, hall.CodeInvalid, []string{"body.text"}},
		"long text":         {hall.IncidentReport{Category: "other", Text: strings.Repeat("x", hall.MaxRemark+1)}, hall.CodeInvalid, []string{"body.text"}},
		"what was done":     {hall.IncidentReport{Category: "other", Text: "x", Done: "a\x1bb"}, hall.CodeInvalid, []string{"body.done"}},
		"unknown category":  {hall.IncidentReport{Category: "weather", Text: "x", Machine: "m9"}, hall.CodeInvalid, []string{"body.category"}},
		"category's case":   {hall.IncidentReport{Category: "Machine", Text: "x"}, hall.CodeInvalid, []string{"body.category"}},
		"unknown machine":   {hall.IncidentReport{Category: "other", Text: "x", Machine: "m9"}, hall.CodeUnknownMachine, []string{"body.machine"}},
		"unknown candidate": {hall.IncidentReport{Category: "other", Text: "x", Machine: "m1", Candidate: "z"}, hall.CodeUnknownCandidate, []string{"body.candidate"}},
	} {
		_, err := d.store.OpenIncident(d.Context(), d.id, test.report, testCaller)
		d.refused(err, test.code)
		if got := faultsOf(err); !slices.Equal(got, test.faults) {
			d.Errorf("%s: faults at %v, want %v", name, got, test.faults)
		}
	}
	_, err := d.store.OpenIncident(d.Context(), "nowhere", hall.IncidentReport{Category: "other", Text: "x"}, testCaller)
	d.refused(err, hall.CodeUnknownHall)
	_, err = d.store.Incidents(d.Context(), "nowhere", hall.Page{})
	d.refused(err, hall.CodeUnknownHall)
}

// exerciseCategories has a hall that changes its list.
func exerciseCategories(d *desk) {
	layout := Layout("one", "two", "three")
	layout.IncidentCategories = []string{"power-cut"}
	d.putHall(layout)
	_, err := d.store.OpenIncident(d.Context(), d.id, hall.IncidentReport{Category: "machine", Text: "x"}, testCaller)
	d.refused(err, hall.CodeInvalid)
	once := hall.Caller{By: "test", Key: "click"}
	report := hall.IncidentReport{Category: "power-cut", Text: remarked, Done: "waited"}
	first := d.incident(report, once)
	d.putHall(Layout("one", "two", "three")) // the same key gives the first answer, whatever the list says now
	d.clock.Move(time.Second)
	if again := d.incident(report, once); again != first {
		d.Errorf("the same key gave %+v, then %+v", first, again)
	}
	_, err = d.store.OpenIncident(d.Context(), d.id, report, testCaller)
	d.refused(err, hall.CodeInvalid)
}

func exerciseIncidentPages(d *desk) {
	for i := range 20 {
		d.incident(hall.IncidentReport{Category: "other", Text: fmt.Sprintf("incident %02d", i)}, testCaller)
	}
	for _, page := range []struct{ number, size, first, count int }{
		{1, 10, -4, 10}, {2, 10, 6, 10}, {3, 10, 16, 4}, {4, 10, 0, 0}, {1, 0, -4, 24}, {0, -1, -4, 24},
	} {
		list, err := d.store.Incidents(d.Context(), d.id, hall.Page{Number: page.number, Size: page.size})
		d.must(err)
		if list.Total != 24 || len(list.Items) != page.count {
			d.Errorf("page %+v has %d of %d", page, len(list.Items), list.Total)
		}
		for i, incident := range list.Items {
			if n := page.first + i; n >= 0 && incident.Text != fmt.Sprintf("incident %02d", n) {
				d.Errorf("page %+v has %q as item %d", page, incident.Text, i)
			}
		}
	}
}

func (d *desk) note(candidate, text string, by hall.Caller) hall.Note {
	d.Helper()
	n, err := d.store.AddNote(d.Context(), d.id, candidate, text, by)
	d.must(err)
	return n
}

func (d *desk) incident(report hall.IncidentReport, by hall.Caller) hall.Incident {
	d.Helper()
	incident, err := d.store.OpenIncident(d.Context(), d.id, report, by)
	d.must(err)
	return incident
}

// notes fails unless these are the notes about a candidate.
func (d *desk) notes(candidate string, want ...hall.Note) {
	d.Helper()
	c, err := d.store.Candidate(d.Context(), d.id, candidate)
	d.must(err)
	if !slices.Equal(c.Notes, want) {
		d.Errorf("the notes about %s are %+v, want %+v", candidate, c.Notes, want)
	}
}

// incidents fails unless these are those of the day.
func (d *desk) incidents(want ...hall.Incident) {
	d.Helper()
	list, err := d.store.Incidents(d.Context(), d.id, hall.Page{})
	d.must(err)
	if list.Total != len(want) || !slices.Equal(list.Items, want) {
		d.Errorf("the incidents are %+v, want %+v", list.Items, want)
	}
}

// noted fails unless the event of that id is this one, and no event has the
// words of the staff.
func (d *desk) noted(name hall.EventName, id string, want hall.Event) {
	d.Helper()
	list, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	found := false
	for _, e := range list.Items {
		if said := fmt.Sprintf("%+v", e); strings.Contains(said, remarked) {
			d.Errorf("an event tells what was written down: %s", said)
		}
		if e.ID == id {
			found = true
			want.ID, want.Event, want.At = id, name, e.At
			if got := fmt.Sprintf("%+v", e); got != fmt.Sprintf("%+v", want) {
				d.Errorf("the event is %s, want %+v", got, want)
			}
		}
	}
	if !found {
		d.Errorf("there is no event %s", id)
	}
}

// faultsOf lists where an error finds faults.
func faultsOf(err error) []string {
	var locations []string
	for _, f := range hall.FaultsOf(err) {
		locations = append(locations, f.Location)
	}
	return locations
}
