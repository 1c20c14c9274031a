package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
)

// formOf opens a page and returns its form as a browser would send it.
func (s *staffed) formOf(path string) url.Values {
	s.t.Helper()
	p := s.get(path).expect(s.t, http.StatusOK)
	form := url.Values{}
	for _, field := range p.Find("main form").First().Find("input, select").EachIter() {
		name := field.AttrOr("name", "")
		switch {
		case field.AttrOr("type", "") == "checkbox":
			if _, checked := field.Attr("checked"); checked {
				form.Set(name, field.AttrOr("value", ""))
			}
		case field.Is("select"):
			form.Set(name, field.Find("option[selected]").AttrOr("value", field.Find("option").First().AttrOr("value", "")))
		default:
			form.Set(name, field.AttrOr("value", ""))
		}
	}
	return form
}

func with(form url.Values, pairs ...string) url.Values {
	other := url.Values{}
	for name, values := range form {
		other[name] = values
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		other.Set(pairs[i], pairs[i+1])
	}
	return other
}

func TestAnAccountIsMadeAndItsPasswordShownOnce(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss := s.as(s.enter("boss", access.All()))
	form := with(boss.formOf("/admin/new-account"), "user", "anna", "name", "Anna Meyer", "role", "proctor", "hall", hallID, "rooms", "A, B")
	var shown string
	for range 2 { // a double click: what is shown last counts
		boss.post("/admin/accounts", form).expect(t, http.StatusSeeOther)
		shown = boss.get("/admin").text("secret")
	}
	if len(shown) < 20 {
		t.Fatalf("the password is %q", shown)
	}
	p := boss.get("/admin").expect(t, http.StatusOK)
	if p.text("secret") != "" || strings.Contains(p.body, shown) {
		t.Error("the password is shown again")
	}
	if got := strings.Join(strings.Fields(p.Find(`[data-user="anna"]`).Text()), " "); got != "annaAnna MeyerProctor h: A, B" {
		t.Errorf("the list has %q", got)
	}
	s.signIn("anna", shown)
	again := boss.post("/admin/accounts", form).expect(t, http.StatusConflict)
	if got := again.Find("#account-user").AttrOr("value", "") + again.Find("#grant-rooms").AttrOr("value", ""); got != "annaA, B" {
		t.Errorf("kept %q", got)
	}
}

func TestFormsOfAccountsThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss := s.as(s.enter("boss", access.All()))
	good := with(boss.formOf("/admin/new-account"), "user", "anna", "role", "proctor", "hall", hallID)
	for name, test := range map[string]struct {
		field, value, hint string
	}{
		"no user name":       {"user", "", "#account-user-hint"},
		"a token's name":     {"user", "token:x", "#account-user-hint"},
		"the program's name": {"user", "system", "#account-user-hint"},
		"a very long name":   {"name", strings.Repeat("x", 65), "#account-name-hint"},
		"no role":            {"role", "", "#grant-role-hint"},
		"a device's role":    {"role", "kiosk", "#grant-role-hint"},
		"no hall":            {"hall", "", "#grant-hall-hint"},
		"no such hall":       {"hall", "nowhere", "#grant-hall-hint"},
		"no such room":       {"rooms", "A, Z", "#grant-rooms-hint"},
		"a hall for all":     {"role", "administrator", "#grant-hall-hint"},
		"rooms of a manager": {"role", "manager", "#grant-rooms-hint"},
	} {
		form := with(good, test.field, test.value)
		if name == "rooms of a manager" {
			form.Set("rooms", "A")
		}
		p := boss.post("/admin/accounts", form).expect(t, http.StatusUnprocessableEntity)
		if p.Find(test.hint+".error").Text() == "" {
			t.Errorf("%s: nothing is said beside the field", name)
		}
		if test.field != "user" && p.Find("#account-user").AttrOr("value", "") != "anna" {
			t.Errorf("%s: the values are not kept", name)
		}
	}
	boss.post("/admin/accounts", with(good, "key", "")).expect(t, http.StatusUnprocessableEntity)
	if _, err := s.accounts.Find(t.Context(), "anna"); err == nil {
		t.Error("an account was made")
	}
}

func TestAnAccountIsChangedByWhoSawItAsItIs(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss := s.as(s.enter("boss", access.All()))
	anna := s.as(s.enter("anna", access.In(access.Proctor, hallID)))
	stale := boss.formOf("/admin/accounts/anna")
	for range 2 { // a double click
		boss.post("/admin/accounts/anna", with(stale, "role", "manager", "name", "Anna")).expect(t, http.StatusSeeOther)
	}
	anna.get(proctorPath+"/pause").expect(t, http.StatusOK)
	p := boss.post("/admin/accounts/anna", with(stale, "disabled", "true")).expect(t, http.StatusConflict)
	if got := p.text("error"); !strings.Contains(got, "Anna · Manager · h") {
		t.Errorf("it says %q", got)
	}
	if _, disabled := p.Find("[name=disabled]").Attr("checked"); !disabled {
		t.Error("the values are not kept")
	}
	anna.get(proctorPath).expect(t, http.StatusOK)
	boss.post("/admin/accounts/anna", with(boss.formOf("/admin/accounts/anna"), "disabled", "true")).expect(t, http.StatusSeeOther)
	anna.get(proctorPath).expect(t, http.StatusSeeOther)
	boss.post("/admin/accounts/anna/password", nil).expect(t, http.StatusSeeOther)
	boss.get("/admin/accounts/nobody").expect(t, http.StatusNotFound)
	boss.post("/admin/accounts/anna", with(stale, "version", "x")).expect(t, http.StatusUnprocessableEntity)
}

func TestTheFirstAdministratorStaysOne(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	password, err := s.accounts.EnsureAdmin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	admin := s.as(s.signIn(access.Admin, password))
	if n := admin.get("/admin/accounts/admin").expect(t, http.StatusOK).part("account-form").Length(); n != 0 {
		t.Error("the first administrator can be changed")
	}
	form := url.Values{"version": {"1"}, "role": {"proctor"}, "hall": {hallID}, "disabled": {"true"}}
	admin.post("/admin/accounts/admin", form).expect(t, http.StatusUnprocessableEntity)
	admin.get("/admin").expect(t, http.StatusOK)
}

func TestAManagerLooksAfterTheOwnHall(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.enter("theirs", access.In(access.Proctor, "other"))
	s.enter("boss", access.All())
	manager := s.as(s.enter("manager", access.In(access.Manager, hallID)))
	p := manager.get("/admin").expect(t, http.StatusOK)
	if p.Find("[data-user]").Length() != 1 || p.part("new-token").Length() != 0 {
		t.Errorf("a manager sees %s", p.Find("table").Text())
	}
	form := manager.formOf("/admin/new-account")
	if form.Get("hall") != hallID || form.Get("role") != "proctor" {
		t.Errorf("the form begins with %v", form)
	}
	manager.post("/admin/accounts", with(form, "user", "mine")).expect(t, http.StatusSeeOther)
	for name, tampered := range map[string]url.Values{
		"in another hall":  with(form, "user", "x", "hall", "other"),
		"an administrator": with(form, "user", "x", "hall", "", "role", "administrator"),
	} {
		if p := manager.post("/admin/accounts", tampered); p.status != http.StatusForbidden {
			t.Errorf("%s: status %d", name, p.status)
		}
	}
	mine := manager.formOf("/admin/accounts/mine")
	manager.post("/admin/accounts/mine", with(mine, "hall", "other")).expect(t, http.StatusForbidden)
	manager.post("/admin/accounts/mine", with(mine, "role", "manager")).expect(t, http.StatusSeeOther)
	for _, path := range []string{"/theirs", "/theirs/password", "/theirs/sign-out", "/boss/password"} {
		manager.post("/admin/accounts"+path, with(mine)).expect(t, http.StatusForbidden)
	}
}

func TestATokenIsShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	boss := s.as(s.enter("boss", access.All()))
	form := with(boss.formOf("/admin/new-token"), "name", "entrance", "role", "kiosk", "hall", hallID)
	boss.post("/admin/tokens", with(form, "name", "")).expect(t, http.StatusUnprocessableEntity)
	boss.post("/admin/tokens", with(form, "rooms", "A")).expect(t, http.StatusUnprocessableEntity)
	boss.post("/admin/tokens", form).expect(t, http.StatusSeeOther)
	shown := boss.get("/admin").text("secret")
	if p := s.ask(shown, "PUT", "/halls/h/queue/c1", ""); p.status != http.StatusCreated {
		t.Fatalf("check-in with the token %q: %d %s", shown, p.status, p.body)
	}
	if got := boss.post("/admin/tokens", form).expect(t, http.StatusConflict).text("error"); got == "" {
		t.Error("nothing is said of a form that was sent before")
	}
	other := with(boss.formOf("/admin/new-token"), "name", "entrance", "role", "board", "hall", hallID)
	boss.post("/admin/tokens", other).expect(t, http.StatusConflict)
	p := boss.get("/admin")
	row := p.Find(`[data-token="entrance"]`)
	if strings.Contains(p.body, shown) || row.Length() != 1 || !strings.Contains(row.Text(), "Kiosk") {
		t.Errorf("the list has %q", row.Text())
	}
	boss.post(row.Find("form").AttrOr("action", ""), nil).expect(t, http.StatusSeeOther)
	s.ask(shown, "PUT", "/halls/h/queue/c1", "").problem(t, http.StatusUnauthorized, "unauthorized")
}

func TestOnesOwnPassword(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	password, err := s.accounts.Create(t.Context(), access.Account{User: "anna", Name: "Anna Meyer", Grant: access.In(access.Proctor, hallID)}, "form")
	if err != nil {
		t.Fatal(err)
	}
	here, there := s.as(s.signIn("anna", password)), s.as(s.signIn("anna", password))
	form := url.Values{"present": {password}, "new": {"a new one of mine"}, "again": {"a new one of mine"}}
	for name, test := range map[string]struct{ field, value, hint string }{
		"wrong":    {"present", "not this one", "#password-present-hint"},
		"short":    {"new", "short", "#password-new-hint"},
		"her name": {"new", "Anna Meyer 1", "#password-new-hint"},
		"the hall": {"new", "Test hall 2026", "#password-new-hint"},
		"slip":     {"again", "another one of mine", "#password-again-hint"},
	} {
		p := here.post("/account/password", with(form, test.field, test.value)).expect(t, http.StatusUnprocessableEntity)
		if p.Find(test.hint+".error").Text() == "" || strings.Contains(p.body, password) || strings.Contains(p.body, test.value) {
			t.Errorf("%s: %s", name, p.Find(".error").Text())
		}
	}
	here.post("/account/password", form).expect(t, http.StatusSeeOther)
	if got := here.get("/account").expect(t, http.StatusOK).text("notice"); !strings.Contains(got, "is changed") {
		t.Errorf("it says %q", got)
	}
	there.get("/account").expect(t, http.StatusSeeOther)
	after := s.as(s.signIn("anna", "a new one of mine"))
	after.post("/account/sign-out", nil).expect(t, http.StatusSeeOther)
	here.get("/account").expect(t, http.StatusSeeOther)
}

// seconds are how long to wait: they go by while a test runs.
var seconds = regexp.MustCompile(`Wait \d+`)

func TestTooManyTriesMustWait(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.enter("anna", access.In(access.Proctor, hallID))
	var bodies []string
	for _, user := range []string{"anna", "nobody"} {
		for range 10 {
			s.post("/login", credentials(user, "wrong", "")).expect(t, http.StatusUnprocessableEntity)
		}
		p := s.post("/login", credentials(user, "wrong", "")).expect(t, http.StatusTooManyRequests)
		if p.header.Get("Retry-After") == "" || !strings.Contains(p.text("error"), "Too many tries") {
			t.Errorf("it says %q", p.text("error"))
		}
		bodies = append(bodies, seconds.ReplaceAllString(strings.ReplaceAll(p.body, user, "…"), "…"))
	}
	if bodies[0] != bodies[1] {
		t.Error("a user who exists is told from one who does not")
	}
}
