package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

// TestTheKioskKnowsSessions asks before, in and after the time of a session.
func TestTheKioskKnowsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *web.Config, layout *hall.Layout) {
		layout.Sessions = []hall.Session{{Code: "AM", Name: "Morning", StartsAt: "16:30", CheckInFrom: "16:10"}}
		layout.Rules.LateMinutes = 15
	})
	var rows []hall.RosterRow
	for i, id := range []string{"early", "late"} {
		row := halltest.Row(id, "1")
		row.Row, row.Session = i+2, "AM"
		rows = append(rows, row)
	}
	if _, err := b.store.PutRoster(t.Context(), hallID, rows, false, staff); err != nil {
		t.Fatal(err)
	}
	early := b.post(kioskPath, typed("early"), htmx...).expect(t, http.StatusConflict)
	if early.part("answer").AttrOr("data-kind", "") != "wait" || early.text("big") != "Check-in from 16:10" ||
		!strings.Contains(early.text("advice"), "Morning") {
		t.Errorf("too early: %q, %q", early.text("big"), early.text("advice"))
	}
	b.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusOK) // of no session

	b.clock.Move(10 * time.Minute)
	b.post(kioskPath, typed("early"), htmx...).expect(t, http.StatusOK)

	b.clock.Move(35*time.Minute + time.Second)
	late := b.post(kioskPath, typed("late"), htmx...).expect(t, http.StatusConflict)
	if late.part("answer").AttrOr("data-kind", "") != "stop" || !strings.Contains(late.text("advice"), "16:30") {
		t.Errorf("too late: %q", late.text("advice"))
	}
	b.post(kioskPath, typed("early"), htmx...).expect(t, http.StatusOK) // is in already
	b.logIn()
	if got := b.get(proctorPath+"/queue/early").expect(t, http.StatusOK).Text(); !strings.Contains(got, "Session Morning, begins at 16:30") {
		t.Errorf("the staff do not see the session: %q", got)
	}
	if c, err := b.store.Candidate(t.Context(), hallID, "late"); err != nil || c.State != hall.Registered {
		t.Errorf("who was refused is %+v, %v", c, err)
	}
}
