package e2e_test

import (
	"testing"

	"github.com/playwright-community/playwright-go"
)

// box is the one that marks a machine's tile.
func (p proctor) box(machine string) playwright.Locator {
	return p.tile(machine).Locator("[name=mark]")
}

// Two tiles are marked, by keyboard and with a click; what happens meanwhile takes
// no mark away, and puts none on somebody else.
func TestSeveralTilesAreMarkedForOneCommand(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 4, 6, nil)
	for _, candidate := range []string{"001", "002", "003"} {
		h.checkIn(candidate)
	}
	desk := openProctor(t, h)
	desk.tileIs("m3", "called")
	must(t, desk.box("m1").Focus())
	must(t, desk.box("m1").Press("Space"))
	must(t, desk.box("m2").Check())
	must(t, desk.box("m3").Check())
	h.want(200, "POST", "/sittings/s3/seat", nil, nil) // elsewhere: m3 is in another state
	desk.tileIs("m3", "in_use")
	must(t, expect.Locator(desk.box("m1")).ToBeChecked())
	must(t, expect.Locator(desk.box("m2")).ToBeChecked())
	must(t, expect.Locator(desk.box("m3")).Not().ToBeChecked())

	must(t, desk.Locator("#marked").Click())
	must(t, expect.Locator(desk.id("marked-seat")).ToContainText("N001, N002"))
	desk.accessible("commands for marked tiles")
	must(t, desk.id("marked-seat").Locator("button").Dblclick())
	desk.shows("notice", "Seated: N001, N002.")
	desk.tileIs("m1", "in_use")
	desk.tileIs("m2", "in_use")
	must(t, expect.Locator(desk.box("m1")).Not().ToBeChecked())

	must(t, desk.GetByRole("button", playwright.PageGetByRoleOptions{Name: "All machines of Room 2"}).Click())
	must(t, expect.Locator(desk.id("marked-end")).ToContainText("N001, N002, N003"))
	must(t, desk.Locator("#marked-reason-break-off").Fill("no power"))
	must(t, desk.id("marked-break-off").Locator("button").Click())
	desk.shows("notice", "Broken off: N001, N002, N003.")
	desk.tileIs("m2", "out_of_service")
}
