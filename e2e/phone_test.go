package e2e_test

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/playwright-community/playwright-go"
)

// small is the narrowest phone.
var small = size{320, 640}

// phone is the page of one candidate.
type phone struct{ *screen }

// openPhone opens the page whose address stands in the code that the kiosk shows.
func openPhone(t *testing.T, k kiosk, s size) phone {
	t.Helper()
	return phone{openScreen(t, k.base, k.scanned(), s)}
}

// scanned reads the code on the screen as a phone's camera does: by its pixels.
func (k kiosk) scanned() (path string) {
	k.t.Helper()
	code := k.id("qr").Locator("svg")
	must(k.t, expect.Locator(code).ToBeVisible())
	box, err := code.BoundingBox()
	must(k.t, err)
	if box.Width < 240 || box.Width != box.Height {
		k.t.Errorf("the code measures %v by %v", box.Width, box.Height)
	}
	picture, err := code.Screenshot()
	must(k.t, err)
	image, err := png.Decode(bytes.NewReader(picture))
	must(k.t, err)
	bitmap, err := gozxing.NewBinaryBitmapFromImage(image)
	must(k.t, err)
	// No photograph: the reader need not guess, which it does wrongly now and then.
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true})
	must(k.t, err)
	path, ours := strings.CutPrefix(read.GetText(), k.base)
	if !ours || !strings.HasPrefix(path, "/t/") {
		k.t.Fatalf("the code says %q", read.GetText())
	}
	return path
}

// is waits until the page shows a state, and looks whether it can be read.
func (p phone) is(kind, big string) {
	p.t.Helper()
	must(p.t, expect.Locator(p.id("phone")).ToHaveAttribute("data-kind", kind))
	p.shows("big", big)
	p.accessible("phone, " + kind)
	if wide, _ := p.evaluate(`() => document.documentElement.scrollWidth > innerWidth`).(bool); wide {
		p.t.Errorf("%s: the page is wider than the phone", kind)
	}
}

// ended waits until the page says that its day is over.
func (p phone) ended() {
	p.t.Helper()
	must(p.t, expect.Locator(p.id("phone")).ToHaveAttribute("data-kind", "ended"))
	p.shows("headline", "This page is not in use")
	must(p.t, expect.Locator(p.id("ticket")).ToHaveCount(0))
}

func TestAPhoneFollowsItsNumber(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 4, nil)
	h.checkIn("001", "002")
	door := openKiosk(t, h)
	door.enter("003")
	door.answers("wait")
	mine := openPhone(t, door, small)
	mine.online()
	mine.shows("ticket", "N003")
	mine.shows("name", "C**")
	mine.is("waiting", "2nd in line")

	h.command(h.sittingOf("001"), "end")
	mine.is("waiting", "1st in line")
	mine.shows("said", "You are next. 1st in line.")
	must(t, mine.id("sound").Click())
	h.command(h.sittingOf("002"), "end")
	mine.is("called", "Go to Room 2")
	mine.shows("second", "Machine 1")
	mine.shows("since", "Called at ")
	mine.shows("alerted", "It is your turn. Go to Room 2, Machine 1.")
	must(t, expect.Page(mine).ToHaveTitle("It is your turn, N003 · hallcall"))
	h.want(http.StatusOK, http.MethodPost, "/pause", object{"message": "Back at ten"}, nil)
	mine.shows("paused", "Back at ten")
	mine.is("called", "Go to Room 2")
	h.want(http.StatusOK, http.MethodPost, "/resume", nil, nil)
	h.command(h.sittingOf("003"), "seat")
	mine.is("seated", "Room 2")
	h.command(h.sittingOf("003"), "end")
	mine.is("done", "You are done for today")
	must(t, expect.Locator(mine.id("sound")).ToBeHidden())
}

func TestAPhoneTellsOfEverythingElse(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, object{"maxNoShows": 1})
	h.checkIn("001")
	door := openKiosk(t, h)
	door.enter("002")
	door.answers("wait")
	mine := openPhone(t, door, size{390, 844})
	h.want(http.StatusOK, http.MethodPost, "/queue/002/hold", nil, nil)
	mine.is("held", "Your place is kept")
	h.want(http.StatusOK, http.MethodPost, "/queue/002/return", nil, nil)
	mine.is("waiting", "1st in line")
	h.want(http.StatusNoContent, http.MethodDelete, "/queue/002", nil, nil)
	mine.is("withdrawn", "Please speak to the staff")
	h.want(http.StatusOK, http.MethodPost, "/queue/002/restore", nil, nil)
	h.command(h.sittingOf("001"), "end")
	mine.is("called", "Go to Room 2")
	h.command(h.sittingOf("002"), "no-show")
	mine.is("absent", "Please speak to the staff")
}

// noise notes what a page would make heard and felt.
const noise = `() => {
	window.noise = [];
	navigator.vibrate = (pattern) => { window.noise.push('vibrates ' + pattern); return true; };
	const start = OscillatorNode.prototype.start;
	OscillatorNode.prototype.start = function (at) { window.noise.push('tone'); return start.call(this, at); };
}`

func TestAPhoneIsHeardOnlyIfItsOwnerWants(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, nil)
	h.checkIn("001")
	door := openKiosk(t, h)
	door.enter("002")
	door.answers("wait")
	address := door.scanned()
	quiet, loud := phone{openScreen(t, h.url, address, small)}, phone{openScreen(t, h.url, address, small)}
	for _, p := range []phone{quiet, loud} {
		p.evaluate(noise)
		p.online()
	}
	must(t, loud.id("sound").Click())
	must(t, expect.Locator(loud.id("sound")).ToHaveAttribute("aria-pressed", "true"))
	loud.evaluate(`() => { window.noise.length = 0; }`) // the sample
	h.command(h.sittingOf("001"), "end")
	tones := func(p phone) (n int) {
		p.is("called", "Go to Room 2")
		heard, _ := p.evaluate(`() => window.noise.filter((n) => n === 'tone').length`).(int)
		return heard
	}
	if got := tones(loud); got != 6 {
		t.Errorf("the call makes %d tones", got)
	}
	if got := loud.evaluate(`() => window.noise[0]`); got != "vibrates 500,200,500,200,900" {
		t.Errorf("first of all it %v", got)
	}
	if got := tones(quiet); got != 0 {
		t.Errorf("a phone that nobody allowed it makes %d tones", got)
	}
	h.want(http.StatusOK, http.MethodPost, "/sittings/"+h.sittingOf("002").ID+"/recall", object{"recall": 2}, nil)
	loud.shows("since", "Called again at ")
	loud.shows("alerted", "Called again at ")
	if got := tones(loud); got != 12 {
		t.Errorf("the second announcement makes %d tones in all", got)
	}
}

func TestTheKioskGivesAPhonePageOnce(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	door.enter("001")
	door.answers("go") // called at once
	first := door.scanned()
	door.visit(h.path("kiosk"))
	door.enter("001")
	door.answers("go")
	door.shows("ticket", "N001")
	door.shows("note", "only at the first check-in")
	must(t, expect.Locator(door.id("qr")).ToHaveCount(0))
	must(t, door.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Done"}).Click())

	door.enter("002")
	door.answers("wait")
	second := door.scanned()
	if first == second {
		t.Error("two people have the same page")
	}
	must(t, door.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Done"}).Click())
	door.atStart()
	for _, path := range []string{first, second} {
		if text, err := door.Content(); err != nil || strings.Contains(text, path) || strings.Contains(text, "<path") {
			t.Errorf("something of the last person is left in the page (%v)", err)
		}
	}
	door.visit("/")
	_, err := door.GoBack()
	must(t, err)
	door.atStart()
	must(t, expect.Locator(door.id("qr")).ToHaveCount(0))
}

func TestACheckInWithoutAnAnswerKeepsItsPhonePage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	lost := 0
	must(t, door.Route("**/kiosk", func(r playwright.Route) {
		if r.Request().Method() != http.MethodPost || lost > 0 {
			_ = r.Continue()
			return
		}
		lost++
		_, _ = r.Fetch() // the server hears it
		_ = r.Abort()    // the kiosk does not hear the server
	}))
	door.enter("001")
	door.answers("go")
	mine := openPhone(t, door, small)
	mine.is("called", "Go to Room 2")
	if n := h.countEvents("candidate_checked_in"); lost != 1 || n != 1 {
		t.Errorf("checked in %d times, %d answers lost", n, lost)
	}
}

func TestAPhoneComesBackAfterARestart(t *testing.T) {
	t.Parallel()
	s := newServer(t, "")
	h := s.newHall(t, 1, 3, nil)
	h.checkIn("001")
	door := openKiosk(t, h)
	door.enter("002")
	door.answers("wait")
	mine := openPhone(t, door, small)
	mine.online()
	s.stop(t)
	mine.offline()
	mine.is("waiting", "1st in line") // as it was
	s.start(t)
	mine.online()
	h.command(h.sittingOf("001"), "end")
	mine.is("called", "Go to Room 2")
}

func TestAPhoneWithoutScripts(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	h.checkIn("001")
	door := kiosk{newScreen(t, h.url, playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)})}
	door.visit(h.path("kiosk"))
	door.enter("002")
	door.answers("wait")
	mine := phone{newScreen(t, h.url, playwright.BrowserNewContextOptions{JavaScriptEnabled: playwright.Bool(false)})}
	mine.visit(door.scanned())
	mine.shows("big", "1st in line")
	must(t, expect.Locator(mine.id("sound")).ToBeHidden())
	h.command(h.sittingOf("001"), "end")
	mine.press(mine.id("again"))
	mine.shows("big", "Go to Room 2")
	door.reload()
	door.atStart()
	must(t, expect.Locator(door.id("qr")).ToHaveCount(0))
}

func TestAddressesOfPhonesCannotBeFound(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	elsewhere := sharedServer(t).newHallWithID(t, h.id+"-2", 1, 3, nil) // where 001 has a page, too
	elsewhere.checkIn("001")
	door := openKiosk(t, h)
	door.enter("001")
	mine := openPhone(t, door, small)
	mine.is("called", "Go to Room 2")
	path := door.scanned()
	hallOf := func(h *testHall) string { return base64.RawURLEncoding.EncodeToString([]byte(h.id)) }
	if path[25:] != hallOf(h) {
		t.Fatalf("%s does not end with the hall", path)
	}
	other := map[bool]byte{true: 'B', false: 'A'}[path[4] == 'A']
	for name, wrong := range map[string]string{
		"a changed character": path[:4] + string(other) + path[5:],
		"another hall":        path[:25] + hallOf(elsewhere),
		"a hall that is none": path[:25] + base64.RawURLEncoding.EncodeToString([]byte("nowhere")),
		"no hall":             path[:25],
		"less":                path[:20],
	} {
		lost := phone{newScreen(t, h.url, playwright.BrowserNewContextOptions{Viewport: &playwright.Size{Width: small.width, Height: small.height}})}
		if answer, err := lost.Goto(wrong); err != nil || answer.Status() != http.StatusNotFound {
			t.Errorf("%s: %v", name, err)
		}
		lost.ended()
		lost.accessible("phone, no page")
	}
}
