package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/gorilla/websocket"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/live"
	"github.com/hallcall/hallcall/web"
)

// ends waits until a websocket is ended because it may not be any more.
func ends(t *testing.T, what string, conn *websocket.Conn) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != int(live.CloseNotAllowed) {
				t.Errorf("%s: ended by %v", what, err)
			}
			return
		}
	}
}

// change writes an account anew.
func (s *staffed) change(user string, change func(*access.Account)) {
	s.t.Helper()
	a, err := s.accounts.Find(s.t.Context(), user)
	if err != nil {
		s.t.Fatal(err)
	}
	change(&a)
	if err := s.accounts.Save(s.t.Context(), a); err != nil {
		s.t.Fatal(err)
	}
}

func TestRightsThatAreTakenEndAtOnce(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	for user, take := range map[string]func(){
		"disabled": func() { s.change("disabled", func(a *access.Account) { a.Disabled = true }) },
		"moved":    func() { s.change("moved", func(a *access.Account) { a.Grant.Hall = "other" }) },
		"lowered":  func() { s.change("lowered", func(a *access.Account) { a.Grant = access.In(access.Proctor, hallID) }) },
		"out": func() {
			if err := s.accounts.SignOut(t.Context(), "out"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		on := s.as(s.enter(user, access.In(access.Manager, hallID)))
		proctor, board := on.watch("view=proctor"), on.watch("view=board")
		on.get(proctorPath+"/pause").expect(t, http.StatusOK)
		take()
		if p := on.get(proctorPath + "/pause"); !refused(p) {
			t.Errorf("%s: status %d", user, p.status)
		}
		ends(t, user+", proctor page", proctor)
		if user != "lowered" {
			ends(t, user+", board", board)
		}
	}
}

func TestSigningOutEndsWebsockets(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	first := s.enter("anna", access.In(access.Proctor, hallID))
	conn := s.as(first).watch("view=proctor")
	s.as(first).post("/logout", nil).expect(t, http.StatusSeeOther)
	ends(t, "after sign-out", conn)
}

func TestABoardEndsWhenScreensAreClosed(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	h, err := s.store.Hall(t.Context(), hallID)
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []bool{true, false} {
		h.Layout.Rules.OpenScreens = open
		if _, _, err := s.store.PutHall(t.Context(), hallID, h.Layout, "", staff); err != nil {
			t.Fatal(err)
		}
		if open {
			conn := s.watch("view=board")
			defer ends(t, "board", conn)
			continue
		}
		s.get("/halls/h/live?view=board").expect(t, http.StatusUnauthorized)
	}
}

func TestAProctorTakesBackOwnCommandsOnly(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.checkIn("c1", "c2")
	anna, bert := s.as(s.enter("anna", access.In(access.Proctor, hallID))), s.as(s.enter("bert", access.In(access.Proctor, hallID)))
	sitting := s.candidate("c1").Sitting
	anna.post(proctorPath+"/sittings/"+sitting+"/seat", nil).expect(t, http.StatusSeeOther)
	event := s.lastEvent()
	if n := bert.get(proctorPath + "/undo").part("undo-row").Length(); n != 0 {
		t.Errorf("bert is offered %d commands of anna", n)
	}
	if n := anna.get(proctorPath + "/undo").part("undo-row").Length(); n != 1 {
		t.Errorf("anna is offered %d commands, want 1", n)
	}
	p := bert.post(proctorPath+"/undo", url.Values{"event": {event}}).expect(t, http.StatusForbidden)
	if !strings.Contains(p.text("error-page"), "not your command") {
		t.Errorf("bert is told %q", p.text("error-page"))
	}
	s.ask(s.token("bert", access.In(access.Proctor, hallID)), "POST", "/halls/h/undo", `{"event": "`+event+`"}`).problem(t, 403, "forbidden")
	anna.post(proctorPath+"/undo", url.Values{"event": {event}}).expect(t, http.StatusSeeOther)
	if got := s.candidate("c1").State; got != hall.Called {
		t.Errorf("c1 is %s", got)
	}
	own := s.token("own", access.In(access.Proctor, hallID))
	if p := s.ask(own, "POST", "/halls/h/sittings/"+sitting+"/seat", ""); p.status != http.StatusOK {
		t.Fatalf("seat: %d %s", p.status, p.body)
	}
	if p := s.ask(own, "POST", "/halls/h/undo", `{"event": "`+s.lastEvent()+`"}`); p.status != http.StatusOK {
		t.Errorf("the own command over the API: %d %s", p.status, p.body)
	}
}

func TestAKioskLearnsLittle(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	kiosk := s.token("kiosk", access.In(access.Kiosk, hallID))
	for i, want := range []struct {
		status int
		phone  bool
	}{{http.StatusCreated, true}, {http.StatusOK, false}} {
		p := s.ask(kiosk, "PUT", "/halls/h/queue/c1", "")
		var entry struct {
			Name    string
			Phone   string
			Sitting struct{ Name string }
		}
		if err := json.Unmarshal([]byte(p.body), &entry); err != nil || p.status != want.status {
			t.Fatalf("check-in %d: %d %s", i+1, p.status, p.body)
		}
		if entry.Name != "N**" || entry.Sitting.Name != "N**" || strings.Contains(p.body, "Name of") {
			t.Errorf("check-in %d shows %s", i+1, p.body)
		}
		if (entry.Phone != "") != want.phone {
			t.Errorf("check-in %d has the phone page %q", i+1, entry.Phone)
		}
	}
}

func TestIDNumbersAreWholeForManagers(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	for role, whole := range map[access.Role]bool{access.Proctor: false, access.Manager: true} {
		p := s.ask(s.token(string(role), access.In(role, hallID)), "GET", "/halls/h/candidates/c1", "")
		if got := strings.Contains(p.body, "99999919900101c1"); got != whole {
			t.Errorf("a %s sees %s", role, p.body)
		}
	}
}

func TestHallsAreThoseOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	for who, want := range map[string]int{"manager": 1, "administrator": 2} {
		var list struct{ Total int }
		p := s.ask(s.token(who, visitors[who]), "GET", "/halls", "")
		if err := json.Unmarshal([]byte(p.body), &list); err != nil || list.Total != want {
			t.Errorf("a %s sees %s, want %d", who, p.body, want)
		}
	}
	home := s.as(s.enter("anna", access.In(access.Proctor, hallID))).get("/")
	for id, want := range map[string]int{hallID: 1, "other": 0} {
		if got := home.Find(`[data-hall="` + id + `"] a[href$="/proctor"]`).Length(); got != want {
			t.Errorf("hall %s has %d doors for proctors, want %d", id, got, want)
		}
	}
}

// Whoever may not do a thing does not see its button.
func TestButtonsAreThoseOfTheRole(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.checkIn("c1", "c2", "c3")
	if _, err := s.store.Pause(t.Context(), hallID, "", "lunch", staff); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]struct {
		tabs, manage int
		admin        int
	}{"proctor": {3, 0, 0}, "room-a": {1, 0, 0}, "manager": {3, 1, 1}, "administrator": {3, 1, 1}} {
		on := s.as(s.enter("u-"+who, visitors[who]))
		p := on.get(proctorPath).expect(t, http.StatusOK)
		if got := p.Find(".tabs a").Length(); got != want.tabs {
			t.Errorf("%s has %d tabs, want %d", who, got, want.tabs)
		}
		for _, button := range []string{`a[href*="/proctor/pause"]`, `a[href*="/proctor/day"]`, `form[action*="/proctor/resume"]`} {
			if got := p.Find(button).Length(); got != want.manage {
				t.Errorf("%s has %d of %s, want %d", who, got, button, want.manage)
			}
		}
		if got := p.part("admin-link").Length(); got != want.admin {
			t.Errorf("%s has %d links to accounts", who, got)
		}
		if p.text("pause") == "" {
			t.Errorf("%s is not told of the pause", who)
		}
		panel := on.get(proctorPath+"/queue/c3").expect(t, http.StatusOK)
		if got := panel.part("class-form").Length(); got != want.manage {
			t.Errorf("%s has %d forms for the class", who, got)
		}
		conn := on.watch("view=proctor")
		await(t, conn, who+": the state of the hall", func(d *goquery.Document) bool { return d.Find("#hall-state").Length() > 0 })
		_ = conn.Close()
		if who == "proctor" || who == "manager" {
			conn := on.watch("view=proctor")
			await(t, conn, who+": resume", func(d *goquery.Document) bool {
				return d.Find("#hall-state").Length() > 0 && d.Find(`#hall-state form[action*="/resume"]`).Length() == want.manage
			})
		}
	}
	roomy := s.as(s.enter("roomy", visitors["room-a"])).get(proctorPath)
	if roomy.Find(`[data-machine="m1"]`).Length() == 0 || roomy.Find(`[data-machine="m2"]`).Length() != 0 {
		t.Error("a proctor of room A sees other machines than those of room A")
	}
}

// lines is a log to look at.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) with(what string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, what) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestEveryRefusalIsALineOfTheLog(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := setupStaffed(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Log = slog.New(slog.NewTextHandler(log, nil)) })
	s.checkIn("c1", "c2", "c3")
	roomB := s.as(s.enter("bert", visitors["room-b"]))
	token := s.token("ci", visitors["room-b"])
	sitting := s.candidate("c1").Sitting
	roomB.post(proctorPath+"/sittings/"+sitting+"/end", nil).expect(t, http.StatusForbidden)
	roomB.post(proctorPath+"/pause", nil, htmx...).expect(t, http.StatusForbidden)
	roomB.post(proctorPath+"/next", url.Values{"machine": {"m1"}}).expect(t, http.StatusForbidden)
	s.ask(token, "POST", "/halls/h/sittings/"+sitting+"/end", "").problem(t, 403, "forbidden")
	s.ask(token, "PUT", "/halls/h/queue/c4", `{"class": "vip"}`).problem(t, 403, "forbidden")
	refusals := log.with("msg=refused")
	want := []string{
		`who=bert what="POST /halls/:hall/proctor/sittings/:sitting/end" needs=attend hall=h`,
		`who=bert what="POST /halls/:hall/proctor/pause" needs=manage hall=h`,
		`who=bert what="POST /halls/:hall/proctor/next" needs=attend hall=h`,
		`who=token:ci what=end needs=attend hall=h`,
		`who=token:ci what=check-in needs=manage hall=h`,
	}
	if len(refusals) != len(want) {
		t.Fatalf("%d lines for %d refusals: %q", len(refusals), len(want), refusals)
	}
	for i := range want {
		if !strings.Contains(refusals[i], want[i]) {
			t.Errorf("line %q has no %q", refusals[i], want[i])
		}
	}
	if other := log.with("request failed"); len(other) != 0 {
		t.Errorf("more lines: %q", other)
	}
}

// A refused command in the page is a message in it, and a refused program gets a problem.
func TestRefusalsAreInTheFormThatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.checkIn("c1")
	on := s.as(s.enter("bert", visitors["room-b"]))
	path := proctorPath + "/sittings/" + s.candidate("c1").Sitting + "/seat"
	if got := on.post(path, nil, htmx...).expect(t, http.StatusForbidden).text("notice"); !strings.Contains(got, "room that is not yours") {
		t.Errorf("the message is %q", got)
	}
	on.post(path, nil, "Accept", "application/json").problem(t, http.StatusForbidden, "forbidden")
	if got := s.candidate("c1").State; got != hall.Called {
		t.Errorf("c1 is %s", got)
	}
}
