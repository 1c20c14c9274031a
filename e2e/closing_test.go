package e2e_test

import (
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// present is what the tests read of a hall's day.
type present struct{ Day struct{ ID, State string } }

func (h *testHall) present() (p present) {
	h.t.Helper()
	h.want(http.StatusOK, http.MethodGet, "", nil, &p)
	return p
}

// TestDayIsClosedAndTheNextOneBegins has every screen open over the end of a day.
func TestDayIsClosedAndTheNextOneBegins(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 5, nil)
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)
	h.checkIn("001", "002")
	door.enter("003")
	door.answers("wait")
	mine := openPhone(t, door, small)
	mine.online()
	mine.is("waiting", "1st in line")
	door.visit(h.path("kiosk"))
	desk.tileIs("m2", "called")
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	board.shows("last", "N001")
	first := h.present().Day.ID

	desk.asksToClose()
	desk.shows("panel-warning", "Still open: 1 at a machine, 1 called, 1 waiting.")
	desk.accessible("panel that closes the day")
	must(t, desk.Keyboard().Press("Escape")) // thinks again
	must(t, expect.Locator(desk.Locator("#panel")).ToBeHidden())
	if day := h.present().Day; day.ID != first || day.State != "open" {
		t.Fatalf("the day is %+v", day)
	}
	desk.asksToClose()
	must(t, desk.Locator("#panel").GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "Close the day"}).Click())

	must(t, expect.Locator(desk.Locator("#panel")).ToBeHidden())
	desk.shows("notice", "Day "+first+" is closed. 0 of 5 candidates finished.")
	desk.shows("day", "The day is not open. Its roster is still to be loaded.")
	desk.tileIs("m1", "idle")
	desk.tileIs("m2", "idle")
	desk.accessible("proctor, before the day is open")
	board.shows("nobody", "The hall is not open.")
	board.lacks("last", "N001")
	board.lacks("next", "N003")
	board.accessible("board, before the day is open")
	mine.ended() // by itself
	mine.accessible("phone, after the day")
	mine.reload()
	mine.ended()
	h.prepared(desk, door)

	// The numbers begin anew, and nothing of the day before is on the board.
	door.enter("new")
	door.answers("go")
	door.shows("ticket", "N001")
	board.shows("hero", "N001")
	board.lacks("next", "N003")
	must(t, expect.Locator(board.id("last").GetByRole("listitem")).ToHaveCount(0))
	desk.tileIs("m1", "called")
	mine.reload()
	mine.ended() // not the N001 of another day
	h.keeps(first)
}

// asksToClose opens the panel that closes the day.
func (p proctor) asksToClose() {
	p.t.Helper()
	must(p.t, p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Close the day …"}).Click())
	must(p.t, expect.Locator(p.Locator("#panel")).ToBeVisible())
}

// prepared goes from the closed day to the next one: the kiosk refuses, a
// roster is loaded, the day is opened.
func (h *testHall) prepared(desk proctor, door kiosk) {
	h.t.Helper()
	for _, candidate := range []string{"001", "new"} { // of yesterday, and not loaded yet
		door.enter(candidate)
		door.answers("wait")
		must(h.t, expect.Locator(door.GetByText("The hall is not open")).ToBeVisible())
		door.visit(h.path("kiosk"))
	}
	h.roster("candidate_id,name,subjects\nnew,Ann,1\nother,Bob,2\n")
	desk.shows("day", "Its roster has 2 candidates.")
	home := openScreen(h.t, h.url, "/", laptop)
	card := home.Locator(`[data-hall="` + h.id + `"]`)
	for { // halls of other tests may fill the pages before
		n, err := card.Count()
		must(h.t, err)
		if n > 0 {
			break
		}
		must(h.t, home.id("pages").GetByText("After").Click())
	}
	must(h.t, expect.Locator(card.GetByTestId("status")).ToHaveText("Not open"))
	desk.press(desk.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Open the day"}))
	desk.shows("day", "Open since")
	desk.shows("notice", "The day is open")
}

// keeps checks that a closed day can still be read as it was.
func (h *testHall) keeps(day string) {
	h.t.Helper()
	var closed struct {
		ID, State  string
		Candidates struct{ ByState map[string]int }
	}
	h.want(http.StatusOK, http.MethodGet, "/days/"+day, nil, &closed)
	states := closed.Candidates.ByState
	if closed.State != "closed" || states["seated"] != 1 || states["called"] != 1 || states["waiting"] != 1 || states["registered"] != 2 {
		h.t.Errorf("the closed day is %+v", closed)
	}
	if n := h.total("/days"); n != 2 {
		h.t.Errorf("the hall has %d days", n)
	}
}
