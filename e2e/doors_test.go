package e2e_test

import (
	"testing"

	"github.com/playwright-community/playwright-go"
)

// kiosk is a check-in screen.
type kiosk struct{ *screen }

func openKiosk(t *testing.T, h *testHall) kiosk {
	t.Helper()
	return kiosk{openScreen(t, h.url, h.path("kiosk"), touch)}
}

// enter types a number and presses Enter, as a scanner does.
func (k kiosk) enter(candidate string) {
	k.t.Helper()
	must(k.t, k.id("candidate").Fill(candidate))
	must(k.t, k.id("candidate").Press("Enter"))
}

// answers waits for an answer of this kind: go, wait or stop.
func (k kiosk) answers(kind string) {
	k.t.Helper()
	must(k.t, expect.Locator(k.id("answer")).ToHaveAttribute("data-kind", kind))
}

// atStart waits until the screen is ready for the next person and shows
// nothing of the last one.
func (k kiosk) atStart() {
	k.t.Helper()
	must(k.t, expect.Locator(k.id("candidate")).ToHaveValue(""))
	must(k.t, expect.Locator(k.id("answer")).ToHaveCount(0))
}

// openBoard opens a hall display that is kept up to date.
func openBoard(t *testing.T, h *testHall) *screen {
	t.Helper()
	board := openScreen(t, h.url, h.path("board"), display)
	board.online()
	return board
}

// proctor is the page of somebody who has signed in.
type proctor struct{ *screen }

func openProctor(t *testing.T, h *testHall) proctor {
	t.Helper()
	p := proctor{openScreen(t, h.url, h.path("proctor"), laptop)}
	p.signIn()
	p.online()
	return p
}

// signIn fills in the login page that a proctor's page leads to at first.
func (s *screen) signIn() {
	s.t.Helper()
	must(s.t, s.GetByLabel("User name").Fill("admin"))
	must(s.t, s.GetByLabel("Password").Fill(adminPassword))
	must(s.t, s.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Sign in"}).Click())
	must(s.t, expect.Locator(s.id("user")).ToHaveText("admin"))
}

// tile finds a machine.
func (p proctor) tile(machine string) playwright.Locator {
	return p.Locator(`[data-testid=tile][data-machine="` + machine + `"]`)
}

// tileIs waits for the state of a machine.
func (p proctor) tileIs(machine, state string) {
	p.t.Helper()
	if err := expect.Locator(p.tile(machine)).ToHaveAttribute("data-state", state); err != nil {
		p.t.Fatalf("tile %s is not %s: %v", machine, state, err)
	}
}

// button finds the button of a tile that gives a command about its sitting.
func (p proctor) button(machine, command string) playwright.Locator {
	return p.tile(machine).Locator(`form[action$="/` + command + `"] button`)
}

// click clicks the button of a tile.
func (p proctor) click(machine, command string) {
	p.t.Helper()
	p.press(p.button(machine, command))
}
