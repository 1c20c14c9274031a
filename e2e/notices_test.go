package e2e_test

import (
	"testing"

	"github.com/playwright-community/playwright-go"
)

func TestMessagesOfFailuresGoWhenThePageIsLiveAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 2, nil)
	h.checkIn("001")
	desk := openProctor(t, h)
	s.stop(t)
	desk.offline()
	desk.click("m1", "seat")
	desk.shows("notice", "does not answer")
	s.start(t)
	desk.online()
	must(t, expect.Locator(desk.id("notice")).ToHaveCount(0))
	desk.click("m1", "seat")
	desk.tileIs("m1", "in_use")
}

func TestMessagesStayAsLongAsTheyShould(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 4, nil)
	h.checkIn("001", "002")
	desk := openProctor(t, h)
	must(t, desk.Clock().Install())
	must(t, desk.RouteWebSocket("**/live*", func(ws playwright.WebSocketRoute) { _, _ = ws.ConnectToServer() }))
	desk.visit(h.path("proctor"))
	desk.online()
	desk.click("m1", "seat")
	desk.shows("notice", "N001 is seated")
	must(t, desk.Clock().RunFor(10_000))
	must(t, expect.Locator(desk.id("notice")).ToHaveCount(0))

	must(t, desk.Route("**/end", func(route playwright.Route) { _ = route.Abort() }))
	desk.click("m1", "end")
	desk.shows("notice", "does not answer")
	h.command(h.sittingOf("002"), "seat")
	desk.tileIs("m2", "in_use")
	desk.shows("notice", "does not answer") // too early: nobody has read it
	must(t, desk.Clock().RunFor(10_000))
	desk.shows("notice", "does not answer") // nothing newer is shown
	h.checkIn("003")
	must(t, expect.Locator(desk.id("notice")).ToHaveCount(0))
}
