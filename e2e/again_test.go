package e2e_test

import (
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// back goes back in the browser's history.
func (s *screen) back() {
	s.t.Helper()
	_, err := s.GoBack()
	must(s.t, err)
}

// written counts what has been written down about a candidate.
func (h *testHall) written(candidate string) int {
	h.t.Helper()
	var c struct{ Notes []any }
	h.want(http.StatusOK, http.MethodGet, "/candidates/"+candidate, nil, &c)
	return len(c.Notes)
}

// TestBackAndSentAgain writes a note and an incident on pages of their own, goes
// back to the form and sends it as it stands: nothing is written down twice.
func TestBackAndSentAgain(t *testing.T) {
	t.Parallel()
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 2, nil)
			h.checkIn("001")
			desk := proctor{newScreen(t, h.url, playwright.BrowserNewContextOptions{JavaScriptEnabled: &scripts})}
			desk.visit(h.path("proctor"))
			desk.signIn()

			desk.visit(h.path("proctor/queue/001/notes"))
			must(t, desk.GetByLabel("New note").Fill("Left his glasses"))
			desk.press(desk.id("note-form").Locator("button"))
			desk.shows("notice", "written down")
			desk.back()
			must(t, expect.Locator(desk.GetByLabel("New note")).ToHaveValue(""))
			desk.press(desk.id("note-form").Locator("button"))
			must(t, expect.Locator(desk.Locator("#note-text-error")).ToBeVisible())
			if n := h.written("001"); n != 1 {
				t.Errorf("%d notes are written down", n)
			}

			desk.visit(h.path("proctor/incidents/new?candidate=001&machine=m1"))
			_, err := desk.GetByLabel("Category").SelectOption(playwright.SelectOptionValues{Values: &[]string{"machine"}})
			must(t, err)
			must(t, desk.GetByLabel("What happened").Fill("The screen went dark"))
			desk.press(desk.id("incident-form").Locator("button"))
			desk.shows("notice", "written down")
			desk.back()
			must(t, expect.Locator(desk.GetByLabel("What happened")).ToHaveValue(""))
			desk.press(desk.id("incident-form").Locator("button"))
			must(t, expect.Locator(desk.Locator("#incident-text-error")).ToBeVisible())
			if n := h.total("/incidents"); n != 1 {
				t.Errorf("%d incidents are written down", n)
			}
		})
	}
}
