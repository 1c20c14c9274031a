package e2e_test

import "testing"

// The proctor page by keys alone: find somebody, open the list of keys, turn them off.
func TestTheProctorPageByKeys(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 5, nil)
	h.checkIn("001", "002", "003")
	desk := openProctor(t, h)
	panel := desk.Locator("#panel")
	press := func(key string) { must(t, desk.Keyboard().Press(key)) }
	press("/")
	must(t, expect.Locator(desk.Locator("#search-text")).ToBeFocused())
	must(t, desk.Keyboard().Type("n00"))
	press("Enter")
	must(t, expect.Locator(desk.id("found")).ToHaveCount(3))
	desk.accessible("people who were found")
	must(t, desk.Locator("#search-text").Fill("candidate 3"))
	press("Enter")
	must(t, expect.Locator(desk.id("found")).ToHaveCount(1))
	desk.follow("link", "Options: Candidate 3")
	must(t, expect.Locator(desk.Locator("#panel-title")).ToContainText("N003"))
	must(t, expect.Locator(panel).ToBeVisible())
	press("Escape")
	must(t, expect.Locator(panel).ToBeHidden())

	for key, title := range map[string]string{"u": "Undo", "i": "Check in", "m": "Nothing is marked", "?": "Keys"} {
		press(key)
		must(t, expect.Locator(desk.Locator("#panel-title")).ToContainText(title))
		must(t, expect.Locator(panel).ToBeVisible())
		press("Escape")
		must(t, expect.Locator(panel).ToBeHidden())
	}
	press("?")
	desk.accessible("the list of keys")
	must(t, desk.Locator("#keys-on").Uncheck())
	press("Escape")
	must(t, expect.Locator(panel).ToBeHidden())
	press("u")
	must(t, expect.Locator(panel).ToBeHidden())
	press("?") // the list itself is always to be had
	must(t, expect.Locator(desk.Locator("#keys-on")).Not().ToBeChecked())
	must(t, desk.Locator("#keys-on").Check())
	press("Escape")
	must(t, expect.Locator(panel).ToBeHidden())
	press("u")
	must(t, expect.Locator(panel).ToBeVisible())
}
