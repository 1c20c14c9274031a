package e2e_test

import (
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

func TestDoubleClickAtTheKiosk(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	door := openKiosk(t, h)
	must(t, door.id("candidate").Fill("001"))
	must(t, door.Locator(".key.enter").Dblclick())
	door.answers("go")
	door.shows("ticket", "N001")
	if n := h.countEvents("candidate_checked_in"); n != 1 {
		t.Errorf("checked in %d times", n)
	}

	door.visit(h.path("kiosk"))
	door.enter("001") // scanned again
	door.shows("ticket", "N001")
	if n := h.countEvents("candidate_checked_in"); n != 1 {
		t.Errorf("checked in %d times", n)
	}
}

// noteHit makes a page note what takes clicks at a point, at the very moment
// when a tile gets a state.
const noteHit = `([machine, state, x, y]) => {
	const tile = () => document.querySelector('[data-testid=tile][data-machine="' + machine + '"]');
	window.hit = undefined;
	new MutationObserver((_, observer) => {
		if (tile().dataset.state !== state) return;
		observer.disconnect();
		window.hit = document.elementFromPoint(x, y)?.closest('button, a')?.outerHTML ?? 'nothing';
	}).observe(document.body, {subtree: true, childList: true, attributes: true});
}`

// slowDoubleClick clicks a button and looks what a second click on the same
// place would hit once the page has answered: it must not be a command.
func (p proctor) slowDoubleClick(machine, command, state string) {
	p.t.Helper()
	button := p.button(machine, command)
	must(p.t, button.ScrollIntoViewIfNeeded())
	box, err := button.BoundingBox()
	must(p.t, err)
	p.evaluate(noteHit, []any{machine, state, box.X + box.Width/2, box.Y + box.Height/2})
	must(p.t, button.Click())
	p.tileIs(machine, state)
	if hit := p.evaluate(`() => window.hit`); hit != "nothing" {
		p.t.Errorf("a second click on %s hits %v", command, hit)
	}
}

func TestDoubleClickOnATile(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]bool{"fast": false, "slow": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 3, nil)
			h.checkIn("001", "002", "003")
			desk := openProctor(t, h)
			desk.tileIs("m1", "called")
			twice := func(command, state string) {
				if slow {
					desk.slowDoubleClick("m1", command, state)
				} else {
					must(t, desk.button("m1", command).Dblclick())
				}
			}
			twice("seat", "in_use")
			desk.tileIs("m1", "in_use")
			desk.settled()
			h.is("001", "seated")

			must(t, expect.Locator(desk.button("m1", "end")).ToBeEnabled())
			twice("end", "called")
			desk.tileIs("m1", "called")
			desk.settled()
			h.is("001", "ended")
			h.is("002", "called")
			if n := h.countEvents("sitting_ended"); n != 1 {
				t.Errorf("%d sittings ended", n)
			}
		})
	}
}

func TestReloadAndBack(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)

	door := openKiosk(t, h)
	door.enter("001")
	door.answers("go")
	door.reload()
	door.atStart()
	door.lacks("kiosk", "N001")
	door.enter("001")
	door.answers("go")
	door.visit("/")
	_, err := door.GoBack()
	must(t, err)
	door.atStart()
	door.lacks("kiosk", "N001")

	desk := openProctor(t, h)
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	desk.reload()
	desk.tileIs("m1", "in_use")
	desk.visit("/")
	_, err = desk.GoBack()
	must(t, err)
	desk.online()
	desk.tileIs("m1", "in_use")

	overview := openMonitor(t, h)
	overview.figure("seated", "1")
	overview.reload()
	overview.figure("seated", "1")
	overview.visit("/")
	_, err = overview.GoBack()
	must(t, err)
	overview.online()
	overview.figure("seated", "1")

	board := openBoard(t, h)
	board.reload()
	board.online()
	board.visit("/")
	_, err = board.GoBack()
	must(t, err)
	board.online()
	board.shows("last", "N001")

	if in, seated := h.countEvents("candidate_checked_in"), h.countEvents("candidate_seated"); in != 1 || seated != 1 {
		t.Errorf("checked in %d times, seated %d times", in, seated)
	}
	h.is("001", "seated")
}

func TestReloadAndBackOnHomeAndLogin(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 0, nil)
	desk := proctor{openScreen(t, h.url, "/", laptop)}
	desk.reload()
	must(t, expect.Locator(desk.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "Exam halls"})).ToBeVisible())
	desk.visit(h.path("proctor")) // leads to the login
	desk.reload()
	must(t, expect.Locator(desk.GetByLabel("Password")).ToHaveValue(""))
	_, err := desk.GoBack()
	must(t, err)
	must(t, expect.Locator(desk.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "Exam halls"})).ToBeVisible())
	desk.visit(h.path("proctor"))
	desk.signIn()
	desk.tileIs("m1", "idle")
	_, err = desk.GoBack() // to the form that was sent
	must(t, err)
	desk.visit(h.path("proctor"))
	must(t, expect.Locator(desk.id("user")).ToHaveText("admin"))
	desk.tileIs("m1", "idle")
}

func TestReloadAndBackWithoutScripts(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	plain := playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)}

	door := kiosk{newScreen(t, h.url, plain)}
	door.visit(h.path("kiosk"))
	door.enter("001")
	door.answers("go")
	door.shows("ticket", "N001")
	door.reload()
	door.atStart()

	desk := proctor{newScreen(t, h.url, plain)}
	desk.visit(h.path("proctor"))
	desk.signIn()
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	desk.reload()
	desk.tileIs("m1", "in_use")
	_, err := desk.GoBack()
	must(t, err)
	desk.reload()
	desk.tileIs("m1", "in_use")
	h.is("001", "seated")
	if n := h.countEvents("candidate_seated"); n != 1 {
		t.Errorf("seated %d times", n)
	}
}

func TestStaleTabNeverEndsTheWrongSitting(t *testing.T) {
	t.Parallel()
	for name, stale := range map[string]func(t *testing.T, h *testHall) proctor{
		"without scripts": func(t *testing.T, h *testHall) proctor {
			t.Helper()
			return proctor{newScreen(t, h.url, playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)})}
		},
		"with a deaf socket": func(t *testing.T, h *testHall) proctor {
			t.Helper()
			p := proctor{newScreen(t, h.url, playwright.BrowserNewContextOptions{})}
			must(t, p.RouteWebSocket("**/live*", func(playwright.WebSocketRoute) {}))
			return p
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 3, nil)
			h.checkIn("001", "002", "003")
			h.command(h.sittingOf("001"), "seat")
			old := stale(t, h)
			old.visit(h.path("proctor"))
			old.signIn()
			old.tileIs("m1", "in_use")

			h.command(h.sittingOf("001"), "end")
			h.command(h.sittingOf("002"), "seat")
			h.command(h.sittingOf("002"), "end")
			h.command(h.sittingOf("003"), "seat")
			old.click("m1", "end") // of the sitting before last
			old.settled()
			h.is("003", "seated")
			if n := h.countEvents("sitting_ended"); n != 2 {
				t.Errorf("%d sittings ended, want 2", n)
			}
			old.shows("notice", "N001 has finished.")
			old.reload()
			old.tileIs("m1", "in_use")
		})
	}
}

func TestTwoProctorsOnOneTile(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	h.checkIn("001", "002", "003")
	h.command(h.sittingOf("001"), "seat")
	one, two := openProctor(t, h), openProctor(t, h)
	one.tileIs("m1", "in_use")
	two.tileIs("m1", "in_use")

	var both sync.WaitGroup
	for _, desk := range []proctor{one, two} {
		both.Go(func() {
			// Whoever is later may find that the button has gone: that is as good.
			_ = desk.button("m1", "end").Click(playwright.LocatorClickOptions{Timeout: playwright.Float(2000)})
		})
	}
	both.Wait()
	for _, desk := range []proctor{one, two} {
		desk.tileIs("m1", "called")
		must(t, expect.Locator(desk.tile("m1").GetByTestId("ticket")).ToHaveText("N002"))
		desk.settled()
	}
	h.is("001", "ended")
	h.is("002", "called")
	if n := h.countEvents("sitting_ended"); n != 1 {
		t.Errorf("%d sittings ended", n)
	}
}
