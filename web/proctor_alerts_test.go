package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestProctorsSeeAlertsByKind has machines of the same label in two rooms,
// where nobody comes to one of them and somebody sits for too long at the other.
func TestProctorsSeeAlertsByKind(t *testing.T) {
	t.Parallel()
	b := setupFigures(t)
	ctx := t.Context()
	layout := b.layout(hallID)
	layout.Machines[0].Label, layout.Machines[1].Label = "Machine 03", "Machine 03"
	layout.Rooms[0].Name, layout.Rooms[1].Name = "Blue room", "Red room"
	layout.Rules.CallTimeoutSeconds = 3600
	if _, _, err := b.store.PutHall(ctx, hallID, layout, "", staff); err != nil {
		t.Fatal(err, hall.FaultsOf(err))
	}
	b.checkIn("c1", "c2")
	snapshot, err := b.store.Snapshot(ctx, hallID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range snapshot.Machines {
		if m := &snapshot.Machines[i]; m.ID == "m2" && m.Current != nil {
			if _, err := b.store.Seat(ctx, hallID, m.Current.ID, staff); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.raise(time.Hour, hall.AlertCallUnanswered, hall.AlertSittingLong)

	all := b.get(proctorPath).expect(t, http.StatusOK)
	if got := all.text("alerts-link"); got != "Alerts: no board connected · 1 call unanswered · 1 sitting too long" {
		t.Errorf("all rooms show %q", got)
	}
	room := b.get(proctorPath+"?room=B").expect(t, http.StatusOK)
	if got := room.text("alerts-link"); got != "Alerts: no board connected · 1 sitting too long" {
		t.Errorf("the red room shows %q", got)
	}
	for machine, want := range map[string]string{"m1": "Unanswered", "m2": "Too long", "m3": ""} {
		tile := all.Find("[data-testid=tile][data-machine=" + machine + "]")
		if got := tile.Find("[data-testid=tile-alert]").Text(); got != want || tile.HasClass("alarmed") != (want != "") {
			t.Errorf("the tile of %s says %q, want %q", machine, got, want)
		}
	}
	page := b.get(monitorPath).expect(t, http.StatusOK)
	got := page.text("alerts")
	for _, place := range []string{"Blue room, Machine 03", "Red room, Machine 03"} {
		if !strings.Contains(got, place) {
			t.Errorf("the monitor does not say %q: %q", place, got)
		}
	}
	if strings.Contains(got, "machine Machine") {
		t.Errorf("the monitor says %q", got)
	}
	if got := b.get(proctorPath+"/machines/m2").expect(t, http.StatusOK).Find("h1").Text(); got != "Machine 03: N002" {
		t.Errorf("the panel is that of %q", got)
	}
}

// layout of a hall.
func (b *bundle) layout(id string) hall.Layout {
	b.t.Helper()
	h, err := b.store.Hall(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return h.Layout
}

// raise lets time pass in steps of a minute until there are such alerts.
func (b *bundle) raise(most time.Duration, names ...hall.AlertName) {
	b.t.Helper()
	for range int(most / time.Minute) {
		b.clock.Move(time.Minute)
		if _, err := b.store.Elapse(b.t.Context(), hallID); err != nil {
			b.t.Fatal(err)
		}
		s, err := b.store.Snapshot(b.t.Context(), hallID)
		if err != nil {
			b.t.Fatal(err)
		}
		raised := func(name hall.AlertName) bool {
			return slices.ContainsFunc(s.Alerts, func(a hall.Alert) bool { return a.Name == name })
		}
		if !slices.ContainsFunc(names, func(name hall.AlertName) bool { return !raised(name) }) {
			return
		}
	}
	b.t.Fatalf("there are never alerts of %v", names)
}
