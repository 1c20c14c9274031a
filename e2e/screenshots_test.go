package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// TestScreenshots makes the pictures of the README anew: SCREENSHOTS names
// their folder (make screenshots).
func TestScreenshots(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		t.Skip("SCREENSHOTS is not set")
	}
	s := makeServer(shortDir(t), "", os.Stderr)
	s.config.Demo = true
	s.start(t)
	t.Cleanup(func() { s.stop(t) })
	h := &testHall{server: s, t: t, id: "demo"}
	h.liveliness()

	screenshot := func(sc *screen, name string) {
		path := filepath.Join(dir, name+".png")
		_, err := sc.Screenshot(playwright.PageScreenshotOptions{Path: &path})
		must(t, err)
	}
	screenshot(openScreen(t, h.url, "/", laptop), "home")
	screenshot(openBoard(t, h), "board")
	desk := openProctor(t, h)
	screenshot(desk.screen, "proctor")
	must(t, desk.Locator(`a:text("Undo")`).Click())
	must(t, expect.Locator(desk.id("undo-row").First()).ToBeVisible())
	screenshot(desk.screen, "undo")
	o := office{openScreen(t, h.url, h.path("staff/roster"), laptop)}
	o.signIn()
	o.sends(textFile("late changes.csv", lateChanges))
	must(t, expect.Locator(o.id("preview")).ToBeVisible())
	screenshot(o.screen, "roster")
	door := kiosk{openScreen(t, h.url, h.path("kiosk"), size{1280, 800})}
	must(t, door.Locator("[data-lang=zh]").Click())
	must(t, expect.Locator(door.Locator("h1")).ToHaveText("签到"))
	screenshot(door.screen, "kiosk")
	must(t, door.Locator("[data-lang=en]").Click())
	must(t, expect.Locator(door.Locator("h1")).ToHaveText("Check in"))
	door.enter(h.people()[60])
	door.answers("wait")
	screenshot(door.screen, "kiosk-answer")
	mine := openPhone(t, door, size{390, 844})
	mine.online()
	screenshot(mine.screen, "phone")

	annex := s.newHallWithID(t, "annex", 1, 1, object{"openScreens": false})
	screenshot(openScreen(t, annex.url, annex.path("board"), laptop), "pairing")

	r := startRedis(t)
	playMorning(t, r, "demo", demoLayout(t), 310, 3*time.Hour, 20*time.Second)
	later := &testHall{server: newServer(t, r.url()), t: t, id: "demo"}
	openBoard(t, later)
	overview := openMonitor(t, later)
	must(t, expect.Locator(overview.Locator(`[data-alert=no_screen]`)).ToHaveCount(0))
	screenshot(overview.screen, "monitor")
}

// people are the candidates of the demo's roster, in its order.
func (h *testHall) people() []string {
	h.t.Helper()
	var list struct{ Items []struct{ ID string } }
	h.want(http.StatusOK, http.MethodGet, "/candidates?size=0", nil, &list)
	var ids []string
	for _, c := range list.Items {
		ids = append(ids, c.ID)
	}
	return ids
}

// liveliness brings the demo hall into the middle of its morning.
func (h *testHall) liveliness() {
	h.t.Helper()
	h.checkIn(h.people()[:60]...)
	var list struct{ Items []sitting }
	h.want(http.StatusOK, http.MethodGet, "/sittings?size=0&state=called", nil, &list)
	for i, s := range list.Items {
		if i%12 != 5 {
			h.command(s, "seat")
		}
		if i%6 == 0 {
			h.command(s, "end")
		}
	}
	h.want(http.StatusOK, http.MethodPost, "/machines/201-11/out-of-service", object{"reason": "No picture", "code": "hardware"}, nil)
}

// lateChanges is a roster of everything that a preview shows.
const lateChanges = "Late changes;;;\r\nНомер;ФИО;Паспорт;Предметы;Категория;Телефон\r\n" +
	"007001;Анна Ли;;1|2;Льготный;555\r\n007901;Иван Петров;AB 123;1;;556\r\n007902;Мария Соколова;AB 124;1|3;;557\r\n" +
	"007903;Олег Ким;9,99999E+17;1;;558\r\n007904;Ольга Белова;AB 126;1|9;;559\r\n"
