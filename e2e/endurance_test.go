package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// What a page holds, after what is not needed was collected.
type holds struct{ heap, nodes, listeners float64 }

// measure asks the browser what a page holds.
func measure(t *testing.T, session playwright.CDPSession) (h holds) {
	t.Helper()
	for range 3 { // what the first collection frees may hold more
		_, err := session.Send("HeapProfiler.collectGarbage", nil)
		must(t, err)
	}
	answer, err := session.Send("Performance.getMetrics", nil)
	must(t, err)
	metrics, _ := answer.(map[string]any)["metrics"].([]any)
	for _, m := range metrics {
		metric, _ := m.(map[string]any)
		value := number(metric["value"])
		switch metric["name"] {
		case "JSHeapUsedSize":
			h.heap = value
		case "Nodes":
			h.nodes = value
		case "JSEventListeners":
			h.listeners = value
		}
	}
	return h
}

// boardOfCall is a board at the n-th call of a long day: the last 16 calls are open.
func boardOfCall(t *testing.T, n int) string {
	t.Helper()
	call := func(n int) templates.BoardCall {
		return templates.BoardCall{
			Sitting: fmt.Sprintf("s%d", n), Ticket: fmt.Sprintf("N%04d", n), Room: "Room 101", Machine: strconv.Itoa(n % 40), At: time.Now().UnixMilli(),
		}
	}
	b := templates.Board{Texts: locale.All(), ShowSeconds: 8, WaitTotal: "9", Next: []string{fmt.Sprintf("N%04d", n+1)}}
	for i := range 16 {
		b.Calling = append(b.Calling, call(n-i))
		b.Last = append(b.Last, call(n-20-i))
	}
	var page bytes.Buffer
	must(t, templates.BoardFragment(b, true).Render(t.Context(), &page))
	return page.String()
}

// TestABoardLivesForDays has hundreds of calls go through one page, 5,000 in a
// soak, and looks whether it holds more after the last than when it was warm.
func TestABoardLivesForDays(t *testing.T) {
	t.Parallel()
	calls, warm := 600, 200
	if os.Getenv("SOAK") != "" {
		calls, warm = 5000, 1000
	}
	const batch = 50
	h := sharedServer(t).newHall(t, 1, 1, nil)
	h.inLanguages("en", "zh", "ru")
	wall := newScreen(t, h.url, playwright.BrowserNewContextOptions{Viewport: &playwright.Size{Width: display.width, Height: display.height}})
	sockets := make(chan playwright.WebSocketRoute, 10)
	must(t, wall.RouteWebSocket("**/live*", func(ws playwright.WebSocketRoute) { sockets <- ws }))
	counts := `document.addEventListener('htmx:ws:after:message:incoming', () => {
		document.documentElement.dataset.messages = Number(document.documentElement.dataset.messages ?? 0) + 1;
	});`
	must(t, wall.AddInitScript(playwright.Script{Content: &counts}))
	wall.visit(h.path("board"))
	socket := <-sockets
	session, err := wall.Context().NewCDPSession(wall.Page)
	must(t, err)
	_, err = session.Send("Performance.enable", nil)
	must(t, err)

	var before holds
	for n := 100; n < 100+calls; n += batch {
		for i := range batch - 1 { // the driver does not keep their order, so the last one waits
			socket.Send(boardOfCall(t, n+i))
		}
		must(t, expect.Locator(wall.Locator("html")).ToHaveAttribute("data-messages", strconv.Itoa(n-100+batch-1)))
		socket.Send(boardOfCall(t, n+batch-1))
		wall.shows("hero", fmt.Sprintf("N%04d", n+batch-1))
		if n == 100+warm {
			before = measure(t, session)
		}
	}
	after := measure(t, session)
	t.Logf("after %d calls %+v, after %d %+v", warm, before, calls, after)
	if after.heap > before.heap*1.1+500_000 || after.nodes > before.nodes*1.1+100 || after.listeners > before.listeners+10 {
		t.Errorf("the page holds more and more: %+v, then %+v", before, after)
	}
	select {
	case <-sockets:
		t.Error("the page gave its connection up")
	default:
	}
}
