package e2e_test

import (
	"regexp"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// openDocs opens the description of the API; whatever the console says against
// it is a fault, as is a request to another host.
func openDocs(t *testing.T, path string) *screen {
	t.Helper()
	s := sharedServer(t)
	sc := newScreen(t, s.url, playwright.BrowserNewContextOptions{Viewport: &playwright.Size{Width: laptop.width, Height: laptop.height}})
	sc.OnConsole(func(m playwright.ConsoleMessage) {
		if m.Type() == "error" || m.Type() == "warning" {
			sc.note("the console says: " + m.Text())
		}
	})
	sc.visit(path)
	return sc
}

// operation finds what is shown of an operation.
func (s *screen) operation(tag, id string) playwright.Locator {
	return s.id("docs").Locator("#operations-" + tag + "-" + id)
}

func TestDocsShowOperationsAndSchemas(t *testing.T) {
	t.Parallel()
	sc := openDocs(t, "/")
	must(t, sc.id("docs").Click())
	checkIn := sc.operation("queue", "check-in")
	must(t, expect.Locator(checkIn).ToContainText("/api/v1/halls/{hall}/queue/{candidate}"))
	sc.accessible("description of the API")

	must(t, checkIn.Locator(".opblock-summary-control").Click())
	for _, status := range []string{"200", "201", "401", "404", "409", "422", "503"} {
		must(t, expect.Locator(checkIn.Locator(`.response[data-code="`+status+`"]`)).ToBeVisible())
	}
	entry := checkIn.Locator(`.response[data-code="201"] [data-json-schema-level="0"]`)
	for _, part := range []string{"Entry", "ticket", "place in line from 1", "date-time", "withdrawn"} {
		must(t, expect.Locator(entry).ToContainText(part))
	}
	must(t, expect.Locator(checkIn).Not().ToContainText("Try it out"))
	sc.accessible("description of an operation")

	schema := sc.id("docs").Locator("section.models").GetByText("Problem", playwright.LocatorGetByTextOptions{Exact: playwright.Bool(true)})
	must(t, schema.Click())
	must(t, expect.Locator(sc.id("docs").Locator("section.models")).ToContainText("detail"))
	sc.accessible("description of a schema")
}

func TestDocsHaveAddressesForOperations(t *testing.T) {
	t.Parallel()
	sc := openDocs(t, "/api/docs#/queue/check-in")
	must(t, expect.Locator(sc.operation("queue", "check-in").Locator(`.response[data-code="201"]`)).ToBeVisible())
	must(t, sc.operation("queue", "call-next").Locator(".opblock-summary-control").Press("Enter")) // by keyboard, too
	must(t, expect.Locator(sc.operation("queue", "call-next").Locator(`.response[data-code="204"]`)).ToBeVisible())
	must(t, expect.Page(sc.Page).ToHaveURL(regexp.MustCompile(`/api/docs#/queue/call-next$`)))
	for _, width := range []int{390, 768, 1920} {
		must(t, sc.SetViewportSize(width, 900))
		if wide, _ := sc.evaluate(`() => document.documentElement.scrollWidth > innerWidth`).(bool); wide {
			t.Errorf("at %d the page is wider than its window", width)
		}
	}
}

// The fault of a document that cannot be read is told, not shown as an empty page.
func TestDocsWithoutADocument(t *testing.T) {
	t.Parallel()
	sc := newScreen(t, sharedServer(t).url, playwright.BrowserNewContextOptions{})
	must(t, sc.Route("**/api/openapi.json", func(r playwright.Route) {
		must(t, r.Abort("failed"))
	}))
	sc.visit("/api/docs")
	must(t, expect.Locator(sc.id("docs").GetByRole("alert")).ToContainText("could not be read"))
}
