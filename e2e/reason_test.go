package e2e_test

import (
	"testing"
)

// TestOutOfServiceByKeyboard says why a machine is out of service without a mouse.
func TestOutOfServiceByKeyboard(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 1, nil)
	desk := openProctor(t, h)
	must(t, desk.Locator(`[data-machine=m2] a.more`).Press("Enter"))
	kind := desk.GetByLabel("Kind of reason")
	must(t, expect.Locator(kind).ToHaveValue("other"))
	must(t, kind.Focus())
	must(t, desk.Keyboard().Press("n"))
	must(t, expect.Locator(kind).ToHaveValue("network"))
	must(t, desk.Keyboard().Press("Tab"))
	must(t, desk.Keyboard().Type("no cable"))
	desk.accessible("the form that takes a machine out of service")
	must(t, desk.Keyboard().Press("Enter"))
	tile := desk.Locator(`[data-testid=tile][data-machine=m2]`)
	must(t, expect.Locator(tile.Locator(".tile-reason")).ToHaveText("Network · no cable"))
	must(t, expect.Locator(tile).ToHaveAttribute("data-state", "out_of_service"))
}
