package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

const devicesPath = staffPath + "/devices"

// shown is the code that a closed screen shows.
func (p *page) shown(t *testing.T) string {
	t.Helper()
	code := strings.ReplaceAll(p.expect(t, http.StatusUnauthorized).part("pairing").AttrOr("data-code", ""), "\u2009", "")
	if len(code) != 7 || !strings.Contains(p.text("code"), strings.Join(strings.Split(code, ""), " ")) {
		t.Fatalf("the code is %q: %.600s", code, p.body)
	}
	return code
}

// pairing is the form that lets a device in, as it was rendered now.
func (s *staffed) pairing(code, name string, rooms ...string) url.Values {
	s.t.Helper()
	key := s.get(devicesPath).expect(s.t, http.StatusOK).part("pair-form").Find("[name=key]").AttrOr("value", "")
	return url.Values{"key": {key}, "code": {code}, "name": {name}, "room": rooms}
}

// names are those of the devices that the page lists.
func (p *page) names() (names []string) {
	for i := range p.part("device").Length() {
		names = append(names, p.part("device").Eq(i).AttrOr("data-device", ""))
	}
	return names
}

func TestAKioskIsLetInAndShutOut(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss, door := s.as(s.enter("boss", access.In(access.Manager, hallID))), s.as(s.browser())
	first := door.get(kioskPath)
	code := first.shown(t)
	if cookie := first.header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Errorf("the cookie is %q", cookie)
	}
	if again := door.get(kioskPath).shown(t); again != code {
		t.Errorf("asked again, it shows %s after %s", again, code)
	}
	door.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusUnauthorized)
	form := boss.pairing(strings.ToLower(code[:4])+" "+code[4:], "Entrance", "A")
	for range 2 { // a double click
		boss.post(devicesPath, form).expect(t, http.StatusSeeOther)
	}
	list := boss.get(devicesPath)
	if got := list.names(); !slices.Equal(got, []string{"Entrance"}) || list.text("device-state") != "Not seen yet" || !strings.Contains(list.text("device"), "A") {
		t.Errorf("listed: %q %q", got, list.text("device"))
	}
	if got := list.text("notice"); !strings.HasPrefix(got, "The kiosk Entrance is let in.") {
		t.Errorf("the page says %q", got)
	}
	kiosk := door.get(kioskPath).expect(t, http.StatusOK)
	if kiosk.Find("body").AttrOr("data-device", "") != "/device" || kiosk.part("user").Length() != 0 {
		t.Error("the kiosk's page is not that of a device")
	}
	door.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusOK)
	if by := s.checkedInBy(t, "c1"); !strings.HasPrefix(by, access.DevicePrefix) {
		t.Errorf("c1 was checked in by %q", by)
	}
	door.post("/device", url.Values{}, htmx...).expect(t, http.StatusNoContent)
	if got := boss.get(devicesPath).text("device-state"); got != "Online" {
		t.Errorf("it is %q", got)
	}
	s.clock.Move(2 * time.Minute)
	if got := boss.get(devicesPath, htmx...); got.text("device-state") != "Gone since 16:00:00" || got.Find("h1").Length() != 0 {
		t.Errorf("after two minutes it is %q", got.text("device-state"))
	}
	one := boss.get(list.part("device").Find("a").AttrOr("href", ""))
	revoke := one.Find("form[action$='/revoke']").AttrOr("action", "")
	for range 2 {
		boss.post(revoke, nil).expect(t, http.StatusSeeOther)
	}
	if next := door.get(kioskPath).shown(t); next == code {
		t.Error("the code of before is shown again")
	}
	door.post("/device", url.Values{}, htmx...).expect(t, http.StatusUnauthorized)
	if p := door.post(kioskPath, typed("c2"), htmx...); p.status != http.StatusUnauthorized || s.candidate("c2").State != hall.Registered {
		t.Errorf("shut out, it is answered %d", p.status)
	}
}

// checkedInBy is who checked somebody in.
func (s *staffed) checkedInBy(t *testing.T, candidate string) string {
	t.Helper()
	events, err := s.store.Events(t.Context(), hallID, "", hall.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range events.Items {
		if e := &events.Items[i]; e.Event == hall.EventCandidateCheckedIn && e.Candidate == candidate {
			return e.By
		}
	}
	return ""
}

func TestWhatCannotBeLetIn(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss, wall := s.as(s.enter("boss", access.In(access.Manager, hallID))), s.as(s.browser())
	code := wall.get("/halls/h/board").shown(t)
	for name, c := range map[string]struct {
		form   url.Values
		status int
		says   string
	}{
		"no code":              {boss.pairing("", "Wall"), 422, "Type the code"},
		"no name":              {boss.pairing(code, " "), 422, "Give it a name."},
		"a room that is none":  {boss.pairing(code, "Wall", "Z"), 422, "The hall has changed"},
		"a board of two rooms": {boss.pairing(code, "Wall", "A", "B"), 409, "A board shows one room"},
		"a code of nobody":     {boss.pairing("AAAAAAA", "Wall"), 409, "No device shows this code now."},
		"a longer code":        {boss.pairing(strings.Repeat("A", 10_000), "Wall"), 409, "No device shows this code now."},
	} {
		p := boss.post(devicesPath, c.form).expect(t, c.status)
		if got := p.part("pair-form").Find(".error").Text(); !strings.HasPrefix(got, c.says) || p.Find("#device-name").AttrOr("value", "") != strings.TrimSpace(c.form.Get("name")) {
			t.Errorf("%s: it says %q", name, got)
		}
	}
	boss.post(devicesPath, url.Values{"code": {code}, "name": {"Wall"}}).expect(t, http.StatusUnprocessableEntity)
	boss.post(devicesPath, boss.pairing(code, "Wall", "A")).expect(t, http.StatusSeeOther)
	next := s.as(s.browser()).get(kioskPath).shown(t)
	p := boss.post(devicesPath, boss.pairing(next, "Wall")).expect(t, http.StatusConflict)
	if got := p.part("pair-form").Find(".error").Text(); !strings.HasPrefix(got, "Another device") {
		t.Errorf("a second one of this name: %q", got)
	}
	s.clock.Move(10 * time.Minute)
	p = boss.post(devicesPath, boss.pairing(next, "Door")).expect(t, http.StatusConflict)
	if got := p.part("pair-form").Find(".error").Text(); !strings.HasPrefix(got, "No device shows this code now.") {
		t.Errorf("a code of ten minutes ago: %q", got)
	}
}

// A board of one room shows this one and no other, also when it is changed.
func TestABoardOfARoom(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss, wall := s.as(s.enter("boss", access.In(access.Manager, hallID))), s.as(s.browser())
	paired := s.letIn(wall, "Wall", access.In(access.Board, hallID), "A")
	for _, address := range []string{"/halls/h/board", "/halls/h/board?room=B"} {
		if p := wall.get(address).expect(t, http.StatusSeeOther); p.header.Get("Location") != "/halls/h/board?room=A" {
			t.Errorf("%s leads to %q", address, p.header.Get("Location"))
		}
	}
	wall.get("/halls/h/board?room=A").expect(t, http.StatusOK)
	wall.get("/halls/h/live?view=board").expect(t, http.StatusForbidden)
	wall.post("/device", url.Values{"sound": {"muted"}}, htmx...).expect(t, http.StatusNoContent)
	if got := boss.get(devicesPath).text("device-trouble"); got != "Muted" {
		t.Errorf("the staff see %q", got)
	}
	conn := wall.watch("view=board&room=A")
	change := devicesPath + "/" + paired.ID
	boss.post(change, url.Values{"name": {"Wall"}, "room": {"A", "B"}}).expect(t, http.StatusConflict)
	boss.post(change, url.Values{"name": {"Screen"}, "room": {"B"}}).expect(t, http.StatusSeeOther)
	ends(t, "the room of before", conn)
	if p := wall.get("/halls/h/board?room=A").expect(t, http.StatusSeeOther); p.header.Get("Location") != "/halls/h/board?room=B" {
		t.Errorf("leads to %q", p.header.Get("Location"))
	}
	conn = wall.watch("view=board&room=B")
	boss.post(change+"/revoke", nil).expect(t, http.StatusSeeOther)
	ends(t, "a board that was shut out", conn)
	boss.get(change).expect(t, http.StatusNotFound)
	boss.post(change, url.Values{"name": {"Wall"}}).expect(t, http.StatusNotFound)
}

func TestADeviceSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	door := s.as(s.enter("Door", access.In(access.Kiosk, hallID)))
	for _, address := range []string{"/halls/h/board", "/halls/other/kiosk", "/halls/h/proctor", "/halls/h/printer", "/admin"} {
		p := door.get(address).expect(t, http.StatusForbidden)
		if got := p.text("error-page"); !strings.Contains(got, "This is the kiosk Door") || !strings.Contains(got, "/halls/h/kiosk") {
			t.Errorf("%s: %q", address, got)
		}
	}
	// What goes wrong is said in the language of those who stand there.
	gone := door.get("/halls/nowhere/kiosk", "Accept-Language", "zh").expect(t, http.StatusNotFound)
	if got := gone.Find("html").AttrOr("lang", "") + " " + gone.Find("h1").Text(); got != "zh 这里没有内容" {
		t.Errorf("an error is %q", got)
	}
	if p := door.get("/device").expect(t, http.StatusSeeOther); p.header.Get("Location") != kioskPath {
		t.Errorf("its page is %q", p.header.Get("Location"))
	}
	door.get("/login").expect(t, http.StatusOK)
	password, err := s.accounts.Create(t.Context(), access.Account{User: "anna", Grant: access.In(access.Proctor, hallID)}, "form")
	if err != nil {
		t.Fatal(err)
	}
	door.post("/login", credentials("anna", password, "")).expect(t, http.StatusSeeOther) // whoever signs in there is not the device
	door.get(proctorPath).expect(t, http.StatusOK)
	door.post("/logout", nil).expect(t, http.StatusSeeOther)
	door.get(kioskPath).expect(t, http.StatusOK)
}

func TestAPrinterSaysThatItHasNoPaper(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss := s.as(s.enter("boss", access.In(access.Manager, hallID)))
	printer := s.as(s.enter("Slips", access.In(access.Printer, hallID)))
	page := "/halls/h/printer"
	form := url.Values{"paper": {printer.get(page).expect(t, http.StatusOK).Find("[name=paper]").AttrOr("value", "")}}
	if p := printer.post("/device", form).expect(t, http.StatusSeeOther); p.header.Get("Location") != page {
		t.Errorf("leads to %q", p.header.Get("Location"))
	}
	if got := boss.get(devicesPath).text("device-trouble"); got != "Out of paper" {
		t.Errorf("the staff see %q", got)
	}
	if got := printer.get(page); got.Find("[name=paper]").AttrOr("value", "") != "in" || got.Find("body").AttrOr("data-paper", "") != "out" {
		t.Errorf("the printer says %q", got.text("paper"))
	}
	printer.post("/device", url.Values{"paper": {"in"}}, htmx...).expect(t, http.StatusNoContent)
	printer.post("/device", url.Values{"paper": {"maybe"}}, htmx...).expect(t, http.StatusUnprocessableEntity)
	if got := boss.get(devicesPath).text("device-trouble"); got != "" {
		t.Errorf("the staff see %q", got)
	}
}

// Nobody of another hall sees or changes a device.
func TestDevicesAreThoseOfTheHall(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	paired := s.letIn(s.as(s.browser()), "Door", access.In(access.Kiosk, hallID))
	other := s.as(s.enter("other", access.In(access.Manager, "other")))
	theirs := "/halls/other/staff/devices"
	if got := other.get(theirs).expect(t, http.StatusOK).names(); len(got) != 0 {
		t.Errorf("another hall lists %q", got)
	}
	other.get(theirs+"/"+paired.ID).expect(t, http.StatusNotFound)
	other.post(theirs+"/"+paired.ID, url.Values{"name": {"Mine"}}).expect(t, http.StatusNotFound)
	other.post(theirs+"/"+paired.ID+"/revoke", nil).expect(t, http.StatusSeeOther) // there is none to shut out
	if got, err := s.devices.Device(t.Context(), hallID, paired.ID); err != nil || got.Name != "Door" {
		t.Errorf("it is %+v, %v", got, err)
	}
}
