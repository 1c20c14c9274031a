package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// twice is a double click. A slow one comes down for the second time when what
// the first one hit has gone; gone waits for that.
func (p proctor) twice(button playwright.Locator, slow bool, gone func()) {
	p.t.Helper()
	if !slow {
		must(p.t, button.Dblclick())
		gone()
		return
	}
	must(p.t, button.Click())
	gone()
	mouse, second := p.Mouse(), playwright.Int(2) // where the first click was
	must(p.t, mouse.Down(playwright.MouseDownOptions{ClickCount: second}))
	must(p.t, mouse.Up(playwright.MouseUpOptions{ClickCount: second}))
}

// panelGone waits until the panel is closed.
func (p proctor) panelGone() {
	p.t.Helper()
	must(p.t, expect.Locator(p.Locator("#panel")).ToBeHidden())
}

// happened fails unless there are so many events of each name today.
func (h *testHall) happened(want map[string]int) {
	h.t.Helper()
	for name, n := range want {
		if got := h.countEvents(name); got != n {
			h.t.Errorf("%d events %s, want %d", got, name, n)
		}
	}
}

// TestDoubleClickInAPanel has more machines than fit on the screen, so that
// there are commands below the panel that the first click closes.
func TestDoubleClickInAPanel(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]bool{"fast": false, "slow": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const machines = 40
			h := sharedServer(t).newHall(t, machines, machines+5, nil)
			for i := range machines {
				h.checkIn(fmt.Sprintf("%03d", i+1))
			}
			for _, candidate := range []string{"001", "002", "003"} {
				h.command(h.sittingOf(candidate), "seat")
			}
			desk := openProctor(t, h)
			must(t, desk.Locator(`a:text("Undo")`).Click())
			must(t, expect.Locator(desk.id("undo-row")).ToHaveCount(3))
			desk.twice(desk.id("undo-row").First().Locator("button"), slow, desk.panelGone)
			desk.settled()
			desk.tileIs("m3", "called")
			h.happened(map[string]int{
				"undone": 1, "candidate_seated": 3, "candidate_called": machines,
				"candidate_no_show": 0, "candidate_recalled": 0, "sitting_ended": 0,
			})

			desk.asksToClose()
			button := desk.Locator("#panel").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Close the day"})
			desk.twice(button, slow, desk.panelGone)
			desk.settled()
			desk.shows("day", "The day is not open")
			if day := h.present().Day; day.State == "open" || h.total("/days") != 2 {
				t.Errorf("the day is %s, of %d", day.State, h.total("/days"))
			}
		})
	}
}

// TestDoubleClickOpensTheDayOnce opens a day with a double click.
func TestDoubleClickOpensTheDayOnce(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]bool{"fast": false, "slow": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 1, nil)
			h.want(http.StatusOK, http.MethodPost, "/close", nil, nil)
			h.roster("candidate_id,subjects\nnew,1\n")
			desk := openProctor(t, h)
			open := desk.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Open the day"})
			desk.twice(open, slow, func() { desk.shows("day", "Open since") })
			desk.settled()
			desk.shows("notice", "The day is open: ")
			must(t, expect.Locator(desk.Locator("#panel")).ToBeHidden())
			h.happened(map[string]int{"day_opened": 1, "day_closed": 0})
			if day := h.present().Day; day.State != "open" || h.total("/days") != 2 {
				t.Errorf("the day is %s", day.State)
			}
		})
	}
}

// TestDoubleClickCallsAgainOnce clicks a button that asks for the next
// announcement as soon as it has made one.
func TestDoubleClickCallsAgainOnce(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]bool{"fast": false, "slow": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 1, 1, nil)
			h.checkIn("001")
			desk := openProctor(t, h)
			next := desk.tile("m1").Locator("input[name=recall]")
			must(t, expect.Locator(next).ToHaveValue("2"))
			desk.twice(desk.button("m1", "recall"), slow, func() { must(t, expect.Locator(next).ToHaveValue("3")) })
			desk.settled()
			h.happened(map[string]int{"candidate_recalled": 1})
			desk.click("m1", "recall") // meant
			must(t, expect.Locator(desk.button("m1", "recall")).ToHaveCount(0))
			h.happened(map[string]int{"candidate_recalled": 2})
		})
	}
}
