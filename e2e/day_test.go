package e2e_test

import (
	"net/http"
	"testing"
	"time"
)

// noteFirst makes a page note when a text first stands in the element with a test id.
const noteFirst = `([id, text]) => {
	const look = () => {
		const found = [...document.querySelectorAll('[data-testid=' + id + ']')].some(e => e.textContent.includes(text));
		if (found) window.firstSeen ??= Date.now();
	};
	window.firstSeen = undefined;
	window.firstLook?.disconnect(); // what was looked for before
	window.firstLook = new MutationObserver(look);
	window.firstLook.observe(document, {subtree: true, childList: true, characterData: true});
	look();
}`

func TestNumberIsOnTheBoardWithinASecond(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)
	board.evaluate(noteFirst, []string{"hero", "N001"})
	desk.evaluate(noteFirst, []string{"tile", "N001"})

	door.enter("001")

	door.answers("go")
	door.shows("ticket", "N001")
	board.shows("hero", "N001")
	board.shows("hero", "Room 2")
	desk.tileIs("m1", "called")
	called := h.sittingOf("001").CalledAt
	for what, sc := range map[string]*screen{"the board": board, "the proctor page": desk.screen} {
		after := sc.firstSeen().Sub(called)
		t.Logf("on %s %v after the call", what, after)
		if after > time.Second {
			t.Errorf("the number was on %s %v after the call", what, after)
		}
	}
}

// firstSeen is when noteFirst saw what it was to look for.
func (s *screen) firstSeen() time.Time {
	s.t.Helper()
	switch seen := s.evaluate(`() => window.firstSeen`).(type) {
	case int:
		return time.UnixMilli(int64(seen))
	case float64:
		return time.UnixMilli(int64(seen))
	default:
		s.t.Fatalf("%s has not noted when it showed it: %v", s.URL(), seen)
		return time.Time{}
	}
}

// TestChangesAreOnTheProctorPageWithinASecond seats and ends elsewhere.
func TestChangesAreOnTheProctorPageWithinASecond(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	desk := openProctor(t, h)
	for _, step := range []struct {
		id, text string
		change   func()
	}{
		{"tile", "N001", func() { h.checkIn("001") }},
		{"queue-row", "N002", func() { h.checkIn("002") }},
		{"tile", "In use", func() { h.command(h.sittingOf("001"), "seat") }},
		{"tile", "N002", func() { h.command(h.sittingOf("001"), "end") }},
	} {
		desk.evaluate(noteFirst, []string{step.id, step.text})
		began := time.Now()
		step.change()
		desk.shows(step.id, step.text)
		if after := desk.firstSeen().Sub(began); after > time.Second || after < -time.Second {
			t.Errorf("%s shows %s after %v", step.id, step.text, after)
		}
	}
}

func TestCandidateComesBackUntilAllIsDone(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 0, nil)
	h.roster("candidate_id,name,subjects\n007,Ann,1|2\n008,Bob,2\n")
	board, desk, door := openBoard(t, h), openProctor(t, h), openKiosk(t, h)

	door.enter("007")
	door.answers("go")
	h.checkIn("008")
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
	board.shows("nobody", "Nobody is being called")
	board.shows("last", "N001")
	board.shows("next", "N002")

	desk.click("m1", "end") // Ann comes back behind Bob, who is called
	board.shows("hero", "N002")
	board.shows("next", "N001")
	h.is("007", "ended")
	for range 2 {
		desk.tileIs("m1", "called")
		desk.click("m1", "seat")
		desk.tileIs("m1", "in_use")
		desk.click("m1", "end")
	}
	desk.tileIs("m1", "idle")
	if done := h.total("/candidates?state=done"); done != 2 {
		t.Errorf("%d candidates are done, want 2", done)
	}
	door.visit(h.path("kiosk"))
	door.enter("007")
	must(t, expect.Locator(door.id("advice")).ToBeVisible())
}

func TestBurstOfCallsIsAllOnTheBoard(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 6, 6, nil)
	board := openBoard(t, h)
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"message": "Back at ten"}, nil)
	board.shows("paused", "Back at ten")
	h.checkIn("001", "002", "003", "004", "005", "006")
	board.shows("next", "N006")
	h.want(http.StatusOK, http.MethodPost, "/resume", nil, nil)
	for _, ticket := range []string{"N001", "N002", "N003", "N004", "N005", "N006"} {
		must(t, expect.Locator(board.id("board").GetByText(ticket).First()).ToBeAttached())
	}
	board.lacks("paused", "Back at ten")
}
