package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// closeForm asks for the panel that closes the day and returns the form in it.
func (b *bundle) closeForm() url.Values {
	b.t.Helper()
	form := b.get(proctorPath+"/day").expect(b.t, http.StatusOK).Find("form[action$='/day/close']")
	return url.Values{"day": {form.Find("[name=day]").AttrOr("value", "")}}
}

// openForm is the form on the proctor page that opens the day.
func (b *bundle) openForm() url.Values {
	b.t.Helper()
	form := b.get(proctorPath).expect(b.t, http.StatusOK).Find("form[action$='/day/open']")
	if form.Length() != 1 {
		b.t.Fatal("the page does not offer to open the day")
	}
	return url.Values{"version": {form.Find("[name=version]").AttrOr("value", "")}}
}

func TestClosingSaysWhatIsStillOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	if got := b.get(proctorPath + "/day").text("panel-warning"); got != "" {
		t.Errorf("on an empty day the panel warns %q", got)
	}
	b.checkIn("c1", "c2", "c3", "c4")
	if _, err := b.store.Seat(t.Context(), hallID, "s1", staff); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Hold(t.Context(), hallID, "c4", staff); err != nil {
		t.Fatal(err)
	}
	want := "Still open: 1 at a machine, 1 called, 1 waiting, 1 stepped away."
	for _, headers := range [][]string{nil, htmx} {
		if got := b.get(proctorPath+"/day", headers...).expect(t, http.StatusOK).text("panel-warning"); got != want {
			t.Errorf("the panel warns %q, want %q", got, want)
		}
	}
}

func TestDayIsClosedAndOpenedOnThePages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	if got := b.get(proctorPath).text("day"); !strings.HasPrefix(got, "Open since 16:00") { // in Asia/Shanghai
		t.Errorf("the open day: %q", got)
	}
	form := b.closeForm()
	if form.Get("day") != "2026-11-30-1" {
		t.Fatalf("closes the day %q", form.Get("day"))
	}
	b.post(proctorPath+"/day/close?room=A", url.Values{}).expect(t, http.StatusUnprocessableEntity)
	b.post(proctorPath+"/day/close", url.Values{"day": {"2026-11-29-1"}}).expect(t, http.StatusNotFound)
	for range 2 { // a double click
		sent := b.post(proctorPath+"/day/close?room=A", form).expect(t, http.StatusSeeOther)
		if got := sent.header.Get("Location"); got != proctorPath+"?room=A" {
			t.Errorf("leads to %q", got)
		}
	}
	p := b.get(proctorPath)
	if got := p.text("notice"); got != "Day 2026-11-30-1 is closed. 0 of 5 candidates finished." {
		t.Errorf("the page says %q", got)
	}
	if got := p.text("day"); !strings.HasPrefix(got, "The day is not open. Its roster is still to be loaded.") {
		t.Errorf("the prepared day: %q", got)
	}
	if got := b.get("/").text("status"); got != "Not open" {
		t.Errorf("the home page says %q", got)
	}
	board := b.get("/halls/h/board")
	if got := board.text("nobody") + board.text("last") + board.text("next"); !strings.HasPrefix(got, "The hall is not open.") || strings.Contains(got, "N00") {
		t.Errorf("the board says %q", got)
	}
	b.opensThePreparedDay(form)
}

func (b *bundle) opensThePreparedDay(yesterday url.Values) {
	b.t.Helper()
	if _, err := b.store.PutRoster(b.t.Context(), hallID, []hall.RosterRow{halltest.Row("n1", "1")}, false, staff); err != nil {
		b.t.Fatal(err)
	}
	b.clock.Move(16 * time.Hour)
	form := b.openForm()
	for range 2 { // a double click
		b.post(proctorPath+"/day/open", form).expect(b.t, http.StatusSeeOther)
	}
	if got := b.get(proctorPath).text("notice"); !strings.HasPrefix(got, "The day is open") {
		b.t.Errorf("the page says %q", got)
	}
	late := b.post(proctorPath+"/day/open", url.Values{}).expect(b.t, http.StatusConflict) // of a second proctor
	if got := late.text("notice"); got != "The day is open already." {
		b.t.Errorf("the page says %q", got)
	}
	if e := b.checkIn("n1"); e.Ticket != "N001" || e.State != hall.Called {
		b.t.Errorf("the first of the new day is %+v", e)
	}
	// A page of yesterday closes nothing today.
	b.post(proctorPath+"/day/close", yesterday).expect(b.t, http.StatusSeeOther)
	if got := b.get("/").text("status"); got != "Open" {
		b.t.Errorf("the home page says %q", got)
	}
	b.get(proctorPath+"/day/close").expect(b.t, http.StatusSeeOther) // the address alone does nothing
}

// TestKioskBeforeTheDayIsOpen has no roster yet: it is not the number that is wrong.
func TestKioskBeforeTheDayIsOpen(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]option{
		"plain": nil, "with the ID number": {rules(func(r *hall.Rules) { r.KioskSecondFactor = "id4" })},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, options...)
			if _, err := b.store.CloseDay(t.Context(), hallID, "", staff); err != nil {
				t.Fatal(err)
			}
			for _, candidate := range []string{"c1", "nobody"} {
				form := url.Values{"candidate": {candidate}, "id4": {"1234"}}
				answer := b.post(kioskPath, form, htmx...).expect(t, http.StatusConflict)
				if got := answer.part("answer").Find("h1").Text(); got != "The hall is not open" {
					t.Errorf("%s: the kiosk says %q", candidate, got)
				}
			}
		})
	}
}

func TestNobodyIsCalledBeforeTheDayIsOpen(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.Mode = hall.ModeManual }))
	b.logIn()
	if _, err := b.store.CloseDay(t.Context(), hallID, "", staff); err != nil {
		t.Fatal(err)
	}
	if got := b.get(proctorPath).Find("[data-testid=tile] form").Length(); got != 0 {
		t.Errorf("%d tiles offer a command", got)
	}
	b.post(proctorPath+"/next", url.Values{"machine": {"m1"}}).expect(t, http.StatusConflict)
	if got := b.get(proctorPath+"/day").expect(t, http.StatusOK).Find("form[action$='/day/open']").Length(); got != 1 {
		t.Errorf("the panel offers %d times to open the day", got)
	}
}
