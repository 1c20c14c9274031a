package e2e_test

import (
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// follow clicks a button or a link by its name.
func (s *screen) follow(role playwright.AriaRole, name string) {
	s.t.Helper()
	must(s.t, s.GetByRole(role, playwright.PageGetByRoleOptions{Name: name}).First().Click())
}

// A proctor's account from its making until it is disabled while its page is open.
func TestAnAccountOverADay(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 4, 6, nil)
	boss := openScreen(t, h.url, "/admin", laptop)
	boss.signIn()
	boss.accessible("accounts")
	boss.follow("link", "New account")
	user := "anna-" + h.id
	must(t, boss.GetByLabel("User name").Fill(user))
	_, err := boss.Locator("#grant-hall").SelectOption(playwright.SelectOptionValues{Values: playwright.StringSlice(h.id)})
	must(t, err)
	must(t, boss.Locator("#grant-rooms").Fill("nowhere"))
	boss.follow("button", "Make the account")
	must(t, expect.Locator(boss.GetByText("This hall has no room nowhere.")).ToBeVisible())
	boss.accessible("form of an account, refused")
	must(t, boss.Locator("#grant-rooms").Fill(""))
	must(t, boss.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Make the account"}).Dblclick())
	boss.shows("made", user)
	boss.accessible("accounts, with a password that was made")
	password, err := boss.id("secret").TextContent()
	must(t, err)

	desk := proctor{openScreen(t, h.url, h.path("proctor"), laptop)}
	must(t, desk.GetByLabel("User name").Fill(user))
	must(t, desk.GetByLabel("Password").Fill(strings.TrimSpace(password)))
	desk.follow("button", "Sign in")
	desk.online()
	must(t, expect.Locator(desk.GetByText("Pause …")).ToHaveCount(0))
	must(t, expect.Locator(desk.GetByText("Close the day …")).ToHaveCount(0))

	own := openScreen(t, h.url, "/account", laptop)
	own.signIn()
	own.accessible("one's own account")

	boss.follow("link", user)
	boss.accessible("one account")
	must(t, boss.GetByLabel("Disabled").Check())
	boss.follow("button", "Save")
	boss.shows("notice", "is saved")
	must(t, expect.Locator(desk.GetByLabel("User name")).ToBeVisible()) // by itself
	boss.visit("/admin/new-token")
	boss.accessible("form of a token")
}
