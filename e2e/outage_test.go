package e2e_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/playwright-community/playwright-go"
)

func TestPagesComeBackAfterARestartOfTheServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 3, nil)
	h.checkIn("001")
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)
	board.shows("hero", "N001")

	s.stop(t)
	board.offline()
	desk.offline()
	board.shows("hero", "N001") // keeps what it had
	door.enter("002")
	must(t, expect.Locator(door.Locator("#kiosk-offline")).ToBeVisible())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("002"))

	s.start(t)
	board.online()
	desk.online()
	door.answers("wait") // it has tried again by itself
	door.shows("ticket", "N002")
	must(t, expect.Locator(door.Locator("#kiosk-offline")).ToBeHidden())
	board.shows("next", "N002")
	desk.tileIs("m1", "called")
	desk.click("m1", "seat") // the session has outlived the server
	desk.tileIs("m1", "in_use")
	board.shows("last", "N001")
}

func TestPagesComeBackAfterRedisDied(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 3, nil)
	h.checkIn("001")
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)
	board.shows("hero", "N001")

	data, err := os.ReadFile(filepath.Join(s.dataDir, "redis", "redis.pid"))
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	must(t, err)
	must(t, syscall.Kill(pid, syscall.SIGKILL))

	door.enter("002") // the kiosk tries again by itself until the store is back
	door.answers("wait")
	door.shows("ticket", "N002")
	board.shows("next", "N002")
	desk.tileIs("m1", "called")
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	board.shows("last", "N001")
}

// TestPanelsSayThatRedisIsGone sends what a proctor has begun to write while
// Redis is gone, and again when it is back.
func TestPanelsSayThatRedisIsGone(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	s := newServer(t, r.url())
	h := s.newHall(t, 1, 3, nil)
	h.checkIn("001", "002")
	desk := openProctor(t, h)
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	undo := desk.Locator(`a:text("Undo")`)
	desk.press(undo)
	must(t, expect.Locator(desk.id("undo-row")).ToHaveCount(1))
	r.stop(t)

	desk.press(desk.id("undo-row").Locator("button"))
	desk.shows("notice", "does not answer")
	desk.panelGone()
	r.start(t)
	must(t, expect.Locator(desk.id("store-state")).ToHaveCount(0))
	h.is("001", "seated") // nothing was half done
	desk.opens("m1", "Incident")
	_, err := desk.GetByLabel("Category").SelectOption(playwright.SelectOptionValues{Values: &[]string{"other"}})
	must(t, err)
	must(t, desk.GetByLabel("What happened").Fill("No light"))
	r.stop(t)
	send := desk.id("incident-form").GetByRole("button")
	desk.press(send)
	must(t, expect.Locator(desk.id("incident-form").Locator("[data-failure]")).ToContainText("does not answer"))
	must(t, expect.Locator(desk.GetByLabel("What happened")).ToHaveValue("No light"))
	r.start(t)
	must(t, expect.Locator(desk.id("store-state")).ToHaveCount(0))
	desk.press(send)
	desk.panelGone()
	desk.shows("incidents-link", "1 incident")

	desk.press(desk.tile("m1").Locator("a.more"))
	incident := desk.Locator(".panel-links a", playwright.PageLocatorOptions{HasText: "Incident"})
	must(t, expect.Locator(incident).ToBeVisible())
	r.stop(t)
	desk.press(incident)
	desk.shows("notice", "does not answer")
	desk.panelGone()
	for _, link := range []string{`a:text("Undo")`, `[data-testid=tile] a.more`} {
		desk.press(desk.Locator(link))
		desk.shows("notice", "does not answer")
		desk.panelGone()
	}
	desk.visit(h.path("proctor/incidents"))
	desk.shows("error-page", "does not answer")
	r.start(t)
	must(t, expect.Locator(desk.id("incident")).ToContainText("No light")) // by itself
	if n := h.total("/incidents"); n != 1 {
		t.Errorf("%d incidents are written down", n)
	}
}

func TestPagesSayThatRedisIsGone(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	s := newServer(t, r.url())
	h := s.newHall(t, 1, 3, nil)
	h.checkIn("001")
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)
	board.shows("hero", "N001")

	r.stop(t)
	board.shows("store-state", "does not answer since")
	desk.shows("store-state", "Redis is unreachable since ")
	must(t, expect.Locator(desk.Locator("#store-state[role=alert]")).ToHaveCount(1))
	for _, sc := range []*screen{board, desk.screen} {
		must(t, expect.Locator(sc.id("connection")).ToHaveAttribute("data-state", "online")) // the server is there
	}
	board.shows("hero", "N001")
	door.enter("002")
	must(t, expect.Locator(door.Locator("#kiosk-offline")).ToBeVisible())
	must(t, expect.Locator(door.id("candidate")).ToHaveValue("002"))

	r.start(t)
	for _, sc := range []*screen{board, desk.screen} {
		must(t, expect.Locator(sc.id("store-state")).ToHaveCount(0))
	}
	door.answers("wait")
	door.shows("ticket", "N002")
	board.shows("next", "N002")
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
}
