package e2e_test

import (
	"testing"
)

// TestUndo ends a sitting on the wrong tile and takes it back, with the board
// looking on.
func TestUndo(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	h.checkIn("001", "002", "003")
	desk, board := openProctor(t, h), openBoard(t, h)
	must(t, desk.button("m1", "seat").Click())
	desk.tileIs("m1", "in_use")
	must(t, desk.button("m1", "end").Click())
	desk.tileIs("m1", "called")
	must(t, expect.Locator(board.id("hero")).ToContainText("N002"))

	must(t, desk.Locator(`a:text("Undo")`).Click())
	row := desk.id("undo-row").First()
	must(t, expect.Locator(row).ToContainText("N001 is at Room 2, machine 1 again. The call of N002 to Room 2, machine 1 is withdrawn."))
	desk.accessible("the undo panel")
	must(t, row.Locator("button").Click())
	desk.tileIs("m1", "in_use")
	h.is("001", "seated")
	must(t, expect.Locator(board.id("last")).ToContainText("N002 Call withdrawn"))
	must(t, expect.Locator(board.id("hero")).ToHaveCount(0))
	must(t, expect.Locator(desk.id("queue-row").First()).ToContainText("N002"))
}
