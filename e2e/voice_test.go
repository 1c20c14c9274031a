package e2e_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// listens makes a page note what it says: call, language, and by what.
const listens = `document.addEventListener('hallcall:said', ({ detail }) => {
	(window.heard ??= []).push(detail.call + ' ' + detail.lang + ' ' + detail.by);
	document.documentElement.dataset.heard = window.heard.length;
});`

// withVoice gives a page one voice of its own for a language, which says at once
// what it is to say, or nothing, or breaks off.
const withVoice = `
	window.spoken = [];
	const voice = { lang: 'zh-CN', localService: true, name: 'test' };
	Object.defineProperty(window, 'speechSynthesis', { value: {
		getVoices: () => [voice],
		cancel() {},
		speak(speech) {
			window.spoken.push(speech.text);
			if (HOW === 'speaks') setTimeout(() => { speech.onstart?.(); speech.onend?.(); });
			if (HOW === 'breaks') setTimeout(() => speech.onerror?.());
		},
	} });
	window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
`

// board is a display that speaks.
type board struct{ *screen }

// openSpeaking opens a board; how says what its browser's voice does, "" for that
// there is none.
func openSpeaking(t *testing.T, h *testHall, how string) board {
	t.Helper()
	b := board{newScreen(t, h.url, playwright.BrowserNewContextOptions{
		Viewport: &playwright.Size{Width: display.width, Height: display.height},
	})}
	script := listens
	if how != "" {
		script += strings.ReplaceAll(withVoice, "HOW", "'"+how+"'")
	}
	must(t, b.AddInitScript(playwright.Script{Content: &script}))
	b.visit(h.path("board"))
	b.online()
	return b
}

// hears waits until so much was said, in this order.
func (b board) hears(want ...string) {
	b.t.Helper()
	must(b.t, expect.Locator(b.Locator("html")).ToHaveAttribute("data-heard", strconv.Itoa(len(want)),
		playwright.LocatorAssertionsToHaveAttributeOptions{Timeout: playwright.Float(60_000)}))
	got, _ := b.evaluate(`() => (window.heard ?? []).join('\n')`).(string)
	if got != strings.Join(want, "\n") {
		b.t.Errorf("said:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// Without a voice of the browser the clips speak, in each language of the hall,
// each call once: not again after a reload, but again when it is called again.
func TestTheBoardSpeaksByClips(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 2, 4, nil)
	h.inLanguages("en", "zh", "ru")
	wall := openSpeaking(t, h, "")
	h.checkIn("001")
	wall.hears("s1-0 en clips", "s1-0 zh clips", "s1-0 ru clips")
	must(t, expect.Locator(wall.Locator("#voice")).ToHaveAttribute("data-state", "on"))
	must(t, expect.Locator(wall.id("sound-note")).ToBeHidden())
	wall.reload()
	wall.online()
	h.want(200, "POST", "/sittings/s1/recall", object{"recall": 2}, nil)
	wall.hears("s1-1 en clips", "s1-1 zh clips", "s1-1 ru clips")
}

// A voice of the browser says its language; the others are said by clips.
func TestTheBoardSpeaksByAVoice(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 2, object{"callRepeats": 2})
	h.inLanguages("zh", "en")
	wall := openSpeaking(t, h, "speaks")
	h.checkIn("001")
	wall.hears("s1-0 zh voice", "s1-0 en clips", "s1-0 zh voice", "s1-0 en clips")
	if got := wall.evaluate(`() => window.spoken[0]`); got != "请 N 0 0 1 号到Room 2，1 号机。" {
		t.Errorf("said %q", got)
	}
}

// A voice that is stuck or breaks off is left for the clips, and the next call
// has its turn.
func TestAVoiceThatIsStuck(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"hangs", "breaks"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := sharedServer(t).newHall(t, 2, 2, nil)
			h.inLanguages("zh")
			wall := openSpeaking(t, h, how)
			h.checkIn("001", "002")
			wall.hears("s1-0 zh clips", "s2-0 zh clips")
			if got := wall.evaluate(`() => window.spoken.length`); got != 1 {
				t.Errorf("the voice was tried %v times", got)
			}
		})
	}
}

// Where nothing can be played, the board says so, and goes on when it can again.
func TestABoardThatCannotSpeakSaysSo(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 3, 3, nil)
	h.inLanguages("ru")
	wall := openSpeaking(t, h, "")
	must(t, wall.Route("**/voice-ru.*", func(r playwright.Route) { _ = r.Abort() }))
	wall.reload()
	wall.online()
	h.checkIn("001")
	wall.hears("s1-0 ru ")
	wall.shows("sound-note", "На этом экране вызовы не озвучиваются")
	screen := wall.screen
	screen.accessible("a board that cannot speak")
	must(t, wall.Unroute("**/voice-ru.*"))
	h.checkIn("002")
	wall.hears("s1-0 ru ", "s2-0 ru clips")
	must(t, expect.Locator(wall.id("sound-note")).ToBeHidden())
	must(t, wall.id("sound-test").Click())
	wall.hears("s1-0 ru ", "s2-0 ru clips", "test ru clips")

	// Somebody wants it silent: what is called then is never said, also after a reload.
	must(t, wall.id("mute").Click())
	wall.shows("sound-note", "Звук выключен")
	h.checkIn("003")
	wall.shows("hero", "N003")
	wall.reload()
	wall.online()
	wall.shows("sound-note", "Звук выключен")
	must(t, expect.Locator(wall.Locator("#voice")).ToHaveAttribute("data-state", "muted"))
	must(t, wall.id("mute").Click())
	must(t, expect.Locator(wall.Locator("#voice")).ToHaveAttribute("data-state", "on"))
	must(t, wall.id("sound-test").Click())
	wall.hears("test ru clips")
}

// What was called four minutes ago is no news for a board that comes back now.
func TestOldCallsAreNotSaid(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	layout := demoLayout(t)
	layout.Languages, layout.Rules.CallTimeoutSeconds = []string{"en"}, 3600
	m := playMorning(t, r, "demo", layout, 20, 10*time.Minute, 6*time.Minute)
	h := &testHall{server: newServer(t, r.url()), t: t, id: "demo"}
	wall := openSpeaking(t, h, "")
	must(t, expect.Locator(wall.id("hero")).ToBeVisible())
	h.checkIn(m.come[0])
	wall.hears(h.sittingOf(m.come[0]).ID + "-0 en clips")
}
