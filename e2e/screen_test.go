package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// leftoversDir takes screenshots and traces of tests that failed.
var leftoversDir = filepath.Join(rootDir, ".cache", "e2e")

// patience is how long a page may take for anything, on a busy machine.
const patience = 15_000

// expect retries until what it expects is so.
var expect = playwright.NewPlaywrightAssertions(patience)

// screen is one device: a browser context with one page. It remembers what a
// page must never do.
type screen struct {
	playwright.Page

	t     *testing.T
	base  string
	plain bool // runs no scripts

	mu      sync.Mutex
	faults  []string
	sending int           // forms under way
	sent    chan struct{} // closed when one of them is answered
}

// tracing is set where every step of the pages is to be looked at afterwards; it
// takes half of the time of the tests.
var tracing = os.Getenv("TRACE") != ""

// size of a device.
type size struct{ width, height int }

var (
	display = size{1920, 1080}
	touch   = size{1080, 1920}
	laptop  = size{1440, 900}
)

// openScreen opens a page of a server on a device of its own. When the test
// ends, the page must not have asked another host, nor run into an error of a
// script or into the policy for content.
func openScreen(t *testing.T, base, path string, s size) *screen {
	t.Helper()
	sc := newScreen(t, base, playwright.BrowserNewContextOptions{
		Viewport: &playwright.Size{Width: s.width, Height: s.height},
	})
	sc.visit(path)
	return sc
}

// newScreen makes a device with an empty page.
func newScreen(t *testing.T, base string, options playwright.BrowserNewContextOptions) *screen {
	t.Helper()
	needBrowser(t)
	options.BaseURL, options.Locale = &base, playwright.String("en-GB")
	device, err := browser.NewContext(options)
	must(t, err)
	device.SetDefaultTimeout(patience)
	if tracing {
		must(t, device.Tracing().Start(playwright.TracingStartOptions{Snapshots: playwright.Bool(true)}))
	}
	page, err := device.NewPage()
	must(t, err)
	sc := &screen{Page: page, t: t, base: base, sent: make(chan struct{})}
	sc.plain = options.JavaScriptEnabled != nil && !*options.JavaScriptEnabled
	sc.watch(device)
	t.Cleanup(func() { sc.close(device) })
	return sc
}

// watch notes what a page must never do.
func (s *screen) watch(device playwright.BrowserContext) {
	device.OnRequest(func(r playwright.Request) {
		u, err := url.Parse(r.URL())
		if err != nil || (u.Scheme != "data" && u.Scheme != "blob" && "http://"+u.Host != s.base) {
			s.note("asked another host: " + r.URL())
		}
	})
	s.OnRequest(func(r playwright.Request) { s.count(r, 1) })
	s.OnRequestFinished(func(r playwright.Request) { s.count(r, -1) })
	s.OnRequestFailed(func(r playwright.Request) { s.count(r, -1) })
	s.OnPageError(func(err error) { s.note("script failed: " + err.Error()) })
	s.OnDialog(func(d playwright.Dialog) {
		s.note("opened a dialogue: " + d.Message())
		_ = d.Dismiss()
	})
	s.OnConsole(func(m playwright.ConsoleMessage) {
		if strings.Contains(m.Text(), "Content Security Policy") {
			s.note("against the policy: " + m.Text())
		}
	})
}

// count keeps the number of forms under way.
func (s *screen) count(r playwright.Request, n int) {
	if r.Method() != http.MethodPost {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sending += n
	close(s.sent)
	s.sent = make(chan struct{})
}

// settled waits until every form that was sent is answered.
func (s *screen) settled() {
	s.t.Helper()
	if !s.plain {
		s.evaluate(`() => 1`) // what the last click set off has begun by now
	}
	tooLate := time.After(patience * time.Millisecond)
	for {
		s.mu.Lock()
		sending, sent := s.sending, s.sent
		s.mu.Unlock()
		if sending <= 0 {
			return
		}
		select {
		case <-sent:
		case <-tooLate:
			s.t.Fatalf("%d forms are not answered", sending)
		}
	}
}

func (s *screen) note(fault string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault)
}

func (s *screen) close(device playwright.BrowserContext) {
	s.mu.Lock()
	for _, fault := range s.faults {
		s.t.Errorf("%s: %s", s.URL(), fault)
	}
	s.mu.Unlock()
	if s.t.Failed() {
		s.keep(device)
	} else if tracing {
		if err := device.Tracing().Stop(); err != nil {
			s.t.Errorf("stop trace: %v", err)
		}
	}
	if err := device.Close(); err != nil {
		s.t.Errorf("close device: %v", err)
	}
}

// keep writes what the page looked like and how it came to it.
func (s *screen) keep(device playwright.BrowserContext) {
	name := strings.NewReplacer("/", "-", " ", "_").Replace(fmt.Sprintf("%s-%p", s.t.Name(), s))
	picture := filepath.Join(leftoversDir, name+".png")
	if _, err := s.Screenshot(playwright.PageScreenshotOptions{Path: &picture}); err != nil {
		s.t.Logf("no screenshot: %v", err)
	}
	s.t.Logf("%s: kept %s", s.URL(), picture)
	if !tracing {
		return
	}
	trace := filepath.Join(leftoversDir, name+".zip")
	if err := device.Tracing().Stop(trace); err != nil {
		s.t.Logf("no trace: %v", err)
	}
	s.t.Logf("kept %s", trace)
}

// visit goes to a path of the server.
func (s *screen) visit(path string) {
	s.t.Helper()
	_, err := s.Goto(path)
	must(s.t, err)
}

// reload is F5.
func (s *screen) reload() {
	s.t.Helper()
	_, err := s.Reload()
	must(s.t, err)
}

// id finds the elements with a test id.
func (s *screen) id(id string) playwright.Locator { return s.GetByTestId(id) }

// shows waits for text in the element with a test id.
func (s *screen) shows(id, text string) {
	s.t.Helper()
	if err := expect.Locator(s.id(id).First()).ToContainText(text); err != nil {
		s.t.Fatalf("%s does not show %q: %v", id, text, err)
	}
}

// lacks waits until the element with a test id is without text, or gone.
func (s *screen) lacks(id, text string) {
	s.t.Helper()
	with := s.id(id).Filter(playwright.LocatorFilterOptions{HasText: text})
	if err := expect.Locator(with).ToHaveCount(0); err != nil {
		s.t.Fatalf("%s still shows %q: %v", id, text, err)
	}
}

// press clicks a button; without scripts it uses the keyboard, since the driver
// then cannot wait until a button takes clicks.
func (s *screen) press(button playwright.Locator) {
	s.t.Helper()
	if s.plain {
		must(s.t, button.Press("Enter"))
		return
	}
	must(s.t, button.Click())
}

// scan types as a scanner does: key by key, wherever the focus is, then Enter.
func (s *screen) scan(text string) {
	s.t.Helper()
	for _, r := range text {
		must(s.t, s.Keyboard().Press(string(r)))
	}
	must(s.t, s.Keyboard().Press("Enter"))
}

// online waits until the page is kept up to date.
func (s *screen) online() {
	s.t.Helper()
	must(s.t, expect.Locator(s.id("connection")).ToHaveAttribute("data-state", "online"))
}

// offline waits until the page says that it is not kept up to date any more.
func (s *screen) offline() {
	s.t.Helper()
	must(s.t, expect.Locator(s.id("connection")).ToHaveAttribute("data-state", "offline"))
	s.shows("connection", "No connection since")
}

// evaluate runs a script in the page and returns what it returns.
func (s *screen) evaluate(script string, args ...any) any {
	s.t.Helper()
	value, err := s.Evaluate(script, args...)
	must(s.t, err)
	return value
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
