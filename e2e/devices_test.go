package e2e_test

import (
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// letIn types the code that a screen shows and lets it in.
func (s *screen) letIn(device *screen, name string) {
	s.t.Helper()
	code, err := device.id("pairing").GetAttribute("data-code")
	must(s.t, err)
	s.pair(strings.ToLower(code), name)
}

// pair lets the device in that shows a code.
func (s *screen) pair(code, name string) {
	s.t.Helper()
	must(s.t, s.Locator("#device-code").Fill(code))
	must(s.t, s.Locator("#device-name").Fill(name))
	s.follow("button", "Let it in")
	s.shows("notice", name+" is let in")
}

// Kiosk and board of a hall whose screens are closed, from their code until
// they are shut out. Nobody touches them.
func TestDevicesAreLetInAndShutOut(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, object{"openScreens": false})
	boss := openScreen(t, h.url, h.path("staff/devices"), laptop)
	boss.signIn()
	boss.accessible("devices, none yet")
	door := openScreen(t, h.url, h.path("kiosk"), touch)
	wall := openScreen(t, h.url, h.path("board"), display)
	door.accessible("a kiosk that is not let in")
	wall.accessible("a board that is not let in")

	boss.letIn(door, "Entrance")
	boss.letIn(wall, "Wall")
	kiosk{door}.atStart()
	kiosk{door}.enter("001")
	door.shows("ticket", "N001")
	wall.online()
	wall.shows("hero", "N001")
	must(t, expect.Locator(boss.id("device-state").Nth(0)).ToHaveText("Online")) // by itself
	must(t, expect.Locator(boss.id("device-state").Nth(1)).ToHaveText("Online"))
	boss.accessible("devices")

	for _, name := range []string{"Entrance", "Wall"} {
		boss.follow("link", name)
		boss.accessible("a device")
		boss.follow("button", "Shut out: "+name)
		boss.shows("notice", "shut out")
	}
	must(t, expect.Locator(wall.id("pairing")).ToBeVisible())
	must(t, expect.Locator(door.id("pairing")).ToBeVisible())
	must(t, expect.Locator(boss.id("no-devices")).ToBeVisible())
}

// A browser lets no sound through before somebody touches its page. The staff
// see which board cannot be heard, until somebody does.
func TestABoardThatCannotBeHeardIsSeen(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, object{"openScreens": false})
	boss := openScreen(t, h.url, h.path("staff/devices"), laptop)
	boss.signIn()
	wall := newScreen(t, h.url, playwright.BrowserNewContextOptions{})

	// Whatever the driver looks at in a page counts as a touch. So this board is
	// let in without a look at it.
	answer, err := wall.Context().Request().Get(h.path("board"))
	must(t, err)
	page, err := answer.Text()
	must(t, err)
	_, rest, _ := strings.Cut(page, `data-code="`)
	code, _, _ := strings.Cut(rest, `"`)
	boss.pair(code, "Wall")
	wall.visit(h.path("board"))
	must(t, expect.Locator(boss.id("device-trouble")).ToHaveText("Muted"))
	must(t, wall.Mouse().Click(200, 200))
	must(t, expect.Locator(boss.id("device-trouble")).ToHaveCount(0))
	must(t, expect.Locator(boss.id("device-state")).ToHaveText("Online"))
}

// A screen that waits to be let in says that the server is gone, and goes on
// with a code when it is back.
func TestAScreenThatWaitsSaysThatTheServerIsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 1, object{"openScreens": false})
	door := openScreen(t, h.url, h.path("kiosk"), touch)
	must(t, expect.Locator(door.id("pairing")).ToBeVisible())
	s.stop(t)
	must(t, expect.Locator(door.Locator("#pairing-offline")).ToBeVisible())
	s.start(t)
	must(t, expect.Locator(door.Locator("#pairing-offline")).ToBeHidden())
	must(t, expect.Locator(door.id("pairing")).ToBeVisible())
}
