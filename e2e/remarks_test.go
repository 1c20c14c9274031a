package e2e_test

import (
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// opens goes through the more menu of a tile to another panel.
func (p proctor) opens(machine, link string) {
	p.t.Helper()
	p.press(p.tile(machine).Locator("a.more"))
	p.press(p.Locator(".panel-links a", playwright.PageLocatorOptions{HasText: link}))
}

func TestANoteSurvivesAFailureAndIsWrittenOnce(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	h.checkIn("001")
	desk := openProctor(t, h)
	desk.opens("m1", "Note")
	field := desk.GetByLabel("New note")
	must(t, expect.Locator(field).ToBeFocused()) // who clicks writes at once
	must(t, field.Fill("Left <b>his</b> glasses\nat the door"))
	desk.accessible("the form for a note")
	must(t, desk.Mouse().Click(5, 300)) // beside the panel, by mistake
	// The note arrives, its answer does not: the page cannot know.
	must(t, desk.Route("**/notes*", func(route playwright.Route) {
		_, _ = route.Fetch()
		_ = route.Abort()
	}))
	send := desk.id("note-form").Locator("button")
	desk.press(send)
	must(t, expect.Locator(desk.id("note-form").Locator("[data-failure]")).ToContainText("does not answer"))
	must(t, expect.Locator(field).ToHaveValue("Left <b>his</b> glasses\nat the door"))
	must(t, desk.Unroute("**/notes*"))
	desk.press(send)
	desk.shows("notice", "written down")
	must(t, expect.Locator(desk.Locator("#panel")).ToBeHidden())
	desk.opens("m1", "Note")
	must(t, expect.Locator(desk.id("notes").Locator(".remark")).ToHaveCount(1))
	must(t, expect.Locator(desk.id("notes").Locator(".remark-text")).ToHaveText("Left <b>his</b> glasses\nat the door"))
	desk.accessible("the notes about somebody")
}

func TestIncidentsShowOnEveryDesk(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	h.checkIn("001")
	desk, other := openProctor(t, h), openProctor(t, h)
	desk.opens("m1", "Incident")
	form := desk.id("incident-form")
	must(t, expect.Locator(form.Locator("fieldset")).ToContainText("N001"))
	send := form.GetByRole("button")
	desk.press(send)
	must(t, expect.Locator(form.Locator("#incident-text-error")).ToBeVisible())
	desk.accessible("the form for an incident, with faults")
	_, err := desk.GetByLabel("Category").SelectOption(playwright.SelectOptionValues{Values: &[]string{"machine"}})
	must(t, err)
	must(t, desk.GetByLabel("What happened").Fill("The screen went dark"))
	desk.press(send)
	desk.shows("notice", "written down")
	desk.shows("incidents-link", "1 incident")
	other.shows("incidents-link", "1 incident") // by itself
	h.want(http.StatusCreated, http.MethodPost, "/incidents", object{"category": "premises", "text": "No light"}, nil)
	other.shows("incidents-link", "2 incidents")
	must(t, other.id("incidents-link").Click())
	must(t, expect.Locator(other.id("incident")).ToHaveCount(2))
	must(t, expect.Locator(other.id("incident").Last()).ToContainText("The screen went dark"))
	other.accessible("the incidents of the day")
}
