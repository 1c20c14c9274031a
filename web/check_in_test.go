package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

const checkInPath = proctorPath + "/check-in"

// Somebody who was there in time, and could not check in, gets the place of then.
func TestStaffCheckSomebodyIn(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *web.Config, layout *hall.Layout) {
		layout.Sessions = []hall.Session{{Code: "AM", Name: "Morning", StartsAt: "16:30"}}
		layout.Rules.LateMinutes = 15
	})
	row := halltest.Row("late", "1")
	row.Row, row.Session = 2, "AM"
	if _, err := b.store.PutRoster(t.Context(), hallID, []hall.RosterRow{row}, false, staff); err != nil {
		t.Fatal(err)
	}
	b.logIn()
	b.checkIn("c1", "c2", "c3") // two are called, one waits
	b.clock.Move(50 * time.Minute)
	send := func(candidate, at string, status int) *page {
		t.Helper()
		return b.post(checkInPath, url.Values{"candidate": {candidate}, "at": {at}}, htmx...).expect(t, status)
	}
	for name, c := range map[string]struct{ candidate, at, says string }{
		"too late":  {"late", "", "late"},
		"nobody":    {"c99", "", "Nobody on the roster"},
		"no number": {" ", "", "Type the candidate"},
		"no time":   {"late", "half past", "Type the time"},
	} {
		p := send(c.candidate, c.at, http.StatusUnprocessableEntity)
		if got := p.part("check-in-form").Find(".error").Text(); got == "" || !strings.Contains(got, c.says) {
			t.Errorf("%s: it says %q", name, got)
		}
	}
	if got := send("late", "16:05", http.StatusOK).text("notice"); got != "N004 is checked in, 2nd in line." {
		t.Errorf("the page says %q", got)
	}
	if got := send("late", "", http.StatusOK).text("notice"); got != "N004 was checked in before, 2nd in line." {
		t.Errorf("the page says %q", got)
	}
	b.post(checkInPath, url.Values{"candidate": {"c4"}}).expect(t, http.StatusSeeOther)
	if got := b.get(proctorPath).text("notice"); got != "N005 is checked in, 3rd in line." {
		t.Errorf("the page says %q", got)
	}
}

func TestOnlyManagersSaySinceWhen(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	anna := s.as(s.enter("anna", access.In(access.Proctor, hallID)))
	if got := anna.get(checkInPath).expect(t, http.StatusOK); got.Find("[name=at]").Length() != 0 || got.Find("[name=candidate]").Length() != 1 {
		t.Error("a proctor is asked for the time")
	}
	anna.post(checkInPath, url.Values{"candidate": {"c1"}, "at": {"15:59"}}).expect(t, http.StatusForbidden)
	anna.post(checkInPath, url.Values{"candidate": {"c1"}}).expect(t, http.StatusSeeOther)
	if got := s.checkedInBy(t, "c1"); got != "anna" {
		t.Errorf("checked in by %q", got)
	}
}

// The door of check-in is opened and closed apart from the calling.
func TestTheDoorOfCheckIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3") // c3 waits
	door := func(label string) string {
		t.Helper()
		form := b.get(proctorPath).Find("form[action*='/check-in/']")
		if form.Length() != 1 || strings.TrimSpace(form.Text()) != label {
			t.Fatalf("the page offers %q, want %q", form.Text(), label)
		}
		return form.AttrOr("action", "")
	}
	closing := door("Close check-in")
	for range 2 { // a double click
		b.post(closing, nil, htmx...).expect(t, http.StatusOK)
	}
	b.post(kioskPath, typed("c4"), htmx...).expect(t, http.StatusConflict)
	b.end("s1")
	if got := b.candidate("c3").State; got != hall.Called {
		t.Errorf("c3 is %s", got)
	}
	b.post(door("Open check-in"), nil, htmx...).expect(t, http.StatusOK)
	b.post(kioskPath, typed("c4"), htmx...).expect(t, http.StatusOK)
}
