package halltest

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseOpenedIncidents has commands that open an incident in the same step,
// and take it along when they are taken back.
func exerciseOpenedIncidents(t *testing.T, factory Factory) {
	layout := Layout("one", "one", "one", "two", "three")
	layout.Rules.CallTimeoutSeconds, layout.Rules.RecallLimit, layout.Rules.MaxNoShows = 60, 0, 5
	d := open(t, factory, layout, Row("a", "1"), Row("b", "1"))
	d.checkIn("a", "b") // to m1 and m2
	s := d.entry("b").Current
	_, err := d.store.Transfer(d.Context(), d.id, s.ID, hall.Transfer{Machine: "m3", OutOfService: true, Reason: "smokes"}, hall.Caller{By: "eve"})
	d.must(err)
	d.opened(hall.Incident{
		IncidentReport: hall.IncidentReport{Category: "machine", Machine: "m2", Candidate: "b", Text: "smokes"},
		At:             d.clock.Now(), By: "eve", Room: "B", Ticket: "N002", Command: hall.EventSittingTransferred, Sitting: s.ID, To: "m3",
	})
	_, err = d.store.NoShow(d.Context(), d.id, d.entry("a").Sitting, testCaller)
	d.must(err)
	missed := d.lastCommand().ID
	d.opened(hall.Incident{
		IncidentReport: hall.IncidentReport{Category: "person", Machine: "m1", Candidate: "a"},
		At:             d.clock.Now(), By: testCaller.By, Room: "A", Ticket: "N001", Command: hall.EventCandidateNoShow, Sitting: "s1",
	})
	own := d.incident(hall.IncidentReport{Category: "person", Candidate: "a", Text: "was outside"}, testCaller)
	d.undo(missed)
	list := d.listIncidents()
	if len(list) != 2 || list[0].Command != hall.EventSittingTransferred || list[1].ID != own.ID {
		t.Errorf("after the undo there are %+v", list)
	}
	d.undo(missed) // once more, and nothing is lost

	d.clock.Move(61 * time.Second) // the calls of both run out
	_, err = d.store.Elapse(d.Context(), d.id)
	d.must(err)
	list = d.listIncidents()
	if len(list) != 4 || list[2].By != hall.System.By || list[3].By != hall.System.By || list[2].Candidate == list[3].Candidate {
		t.Errorf("after two calls ran out there are %+v", list)
	}
	exerciseOpenedCategories(d)
	d.sound()
}

// exerciseOpenedCategories has a hall with categories of its own.
func exerciseOpenedCategories(d *desk) {
	h, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	for _, test := range []struct {
		categories []string
		want       string
	}{
		{[]string{"power-cut", "machine"}, "machine"}, {[]string{"other", "power-cut"}, "other"}, {[]string{"noise", "power-cut"}, "power-cut"},
	} {
		h.Layout.IncidentCategories = test.categories
		d.putHall(h.Layout)
		_, err := d.store.Abort(d.Context(), d.id, d.entry("a").Sitting, hall.Abort{Fault: hall.FaultMachine, KeepMachine: true, Reason: "dark"}, testCaller)
		d.must(err)
		list := d.listIncidents()
		if got := list[len(list)-1]; got.Category != test.want || got.Command != hall.EventSittingAborted || got.Text != "dark" {
			d.Errorf("with %v it is %+v, want %s", test.categories, got, test.want)
		}
	}
}

func (d *desk) listIncidents() []hall.Incident {
	d.Helper()
	list, err := d.store.Incidents(d.Context(), d.id, hall.Page{})
	d.must(err)
	return list.Items
}

// opened fails unless the last incident is this one, and its event says so of the sitting.
func (d *desk) opened(want hall.Incident) {
	d.Helper()
	list := d.listIncidents()
	if len(list) == 0 {
		d.Fatal("there is no incident")
	}
	got := list[len(list)-1]
	events, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	for _, e := range events.Items {
		if e.ID == got.ID && (e.Event != hall.EventIncidentOpened || e.Sitting != want.Sitting || e.Machine != want.Machine || e.By != want.By) {
			d.Errorf("its event is %+v", e)
		}
	}
	if got.ID = ""; got != want {
		d.Errorf("the incident is %+v, want %+v", got, want)
	}
}
