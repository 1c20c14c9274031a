package e2e_test

import (
	"regexp"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// inLanguages gives a hall the languages of its screens.
func (h *testHall) inLanguages(tags ...string) {
	h.t.Helper()
	var present object
	h.want(200, "GET", "", nil, &present)
	layout := object{"languages": tags}
	for _, part := range []string{"name", "timeZone", "subjects", "rooms", "models", "machines", "rules"} {
		layout[part] = present[part]
	}
	h.want(200, "PUT", "", layout, nil)
}

// Somebody chooses a language at the kiosk, with a number typed already; whoever
// comes next finds the kiosk's own.
func TestTheKioskInEveryLanguage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 6, nil)
	h.inLanguages("en", "zh", "ru")
	door := openKiosk(t, h)
	for i, test := range []struct{ lang, title, unknown, kept string }{
		{"zh", "签到", "该编号不在今天的名单中。", "您输入的内容会保留。"},
		{"ru", "Регистрация", "Этого номера нет в списке на сегодня.", "Введённое сохраняется."},
		{"en", "Check in", "This number is not on today’s list.", "What you type is kept."},
	} {
		must(t, door.id("candidate").Fill("99"))
		must(t, door.Locator("[data-lang="+test.lang+"]").Click())
		must(t, expect.Locator(door.Locator("#kiosk")).ToHaveAttribute("lang", test.lang))
		must(t, expect.Locator(door.Locator("h1")).ToHaveText(test.title))
		must(t, expect.Locator(door.id("candidate")).ToHaveValue("99")) // typed before
		must(t, expect.Locator(door.id("candidate")).ToBeFocused())
		door.accessible("the kiosk in " + test.lang)
		must(t, door.Keyboard().Press("Enter"))
		door.shows("error", test.unknown)
		door.accessible("a refusal in " + test.lang)
		door.enter([]string{"001", "002", "003"}[i])
		must(t, expect.Locator(door.Locator("#kiosk")).ToHaveAttribute("lang", test.lang))
		must(t, expect.Locator(door.id("answer")).ToBeVisible())
		door.accessible("an answer in " + test.lang)
		must(t, door.Keyboard().Type("8"))
		door.shows("kept", test.kept)
		must(t, door.Keyboard().Press("Backspace"))
		must(t, door.Locator("[data-act=start]").Click())
		must(t, expect.Locator(door.Locator("#kiosk")).ToHaveAttribute("lang", "en"))
		door.atStart()
	}
}

// A board has each language of the hall in turn.
func TestTheBoardTakesTurns(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	h.inLanguages("zh", "ru")
	h.checkIn("001", "002")
	board := openBoard(t, h)
	title := board.Locator("#board-calling")
	for _, words := range []string{"正在叫号", "Вызываются", "正在叫号"} {
		must(t, expect.Locator(title.GetByText(words)).ToBeVisible())
		must(t, expect.Locator(title.Locator(".turn:visible")).ToHaveCount(1))
		board.accessible("the board: " + words)
	}
	h.want(200, "POST", "/pause", object{"message": "10"}, nil)
	must(t, expect.Locator(board.id("paused").Locator(".turn:visible")).ToHaveCount(1))
}

// The phone page in each language, changed by a touch, also by what happens then.
func TestThePhoneInEveryLanguage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	door.enter("001")
	door.answers("go")
	door.visit(h.path("kiosk"))
	door.enter("002")
	p := openPhone(t, door, size{320, 640})
	for lang, test := range map[string][2]string{"zh": {"下一位就是您", "实时"}, "ru": {"Вы следующий", "На связи"}, "en": {"You are next", "Live"}} {
		must(t, p.Locator("[data-lang="+lang+"]").Click())
		p.shows("headline", test[0])
		must(t, expect.Locator(p.id("connection")).ToHaveText(test[1]))
		p.accessible("the phone in " + lang)
	}
	must(t, p.Locator("[data-lang=zh]").Click())
	must(t, expect.Locator(p.id("connection")).ToHaveText("实时"))
	h.command(h.sittingOf("001"), "seat")
	h.command(h.sittingOf("001"), "end")
	p.shows("headline", "轮到您了")
	p.accessible("the call in zh")
	must(t, expect.Locator(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Русский"})).ToBeVisible())
}

// Home and sign-in in each language, chosen with a touch.
func TestHomeInEveryLanguage(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 1, nil)
	home := openScreen(t, h.url, "/", size{360, 740})
	for _, test := range [][3]string{{"中文", "考场", "登录"}, {"Русский", "Экзаменационные залы", "Вход"}, {"English", "Exam halls", "Sign in"}} {
		home.follow("button", test[0])
		must(t, expect.Locator(home.Locator("h1")).ToHaveText(test[1]))
		home.accessible("home in " + test[0])
		if wide := home.evaluate(`() => document.documentElement.scrollWidth > innerWidth`); wide == true {
			t.Errorf("%s: home is wider than a phone", test[0])
		}
		home.visit("/login?next=/account")
		must(t, expect.Locator(home.Locator("h1")).ToHaveText(test[2]))
		home.accessible("sign-in in " + test[0])
		home.visit("/")
	}
}

// Somebody chooses high contrast at the kiosk; whoever comes next finds it as it was.
func TestTheKioskInHighContrast(t *testing.T) {
	t.Parallel()
	h := sharedServer(t).newHall(t, 1, 3, nil)
	door := openKiosk(t, h)
	must(t, door.id("contrast").Click())
	must(t, expect.Locator(door.id("contrast")).ToHaveAttribute("aria-pressed", "true"))
	door.contrast(true)
	door.accessible("the kiosk in high contrast")
	must(t, door.Locator("[data-lang=zh]").Click())
	must(t, expect.Locator(door.id("contrast")).ToHaveAttribute("aria-pressed", "true")) // still
	door.enter("001")
	door.answers("go")
	door.contrast(true)
	door.accessible("an answer in high contrast")
	must(t, door.Locator("[data-act=start]").Click())
	door.atStart()
	must(t, expect.Locator(door.id("contrast")).ToHaveAttribute("aria-pressed", "false"))
	door.contrast(false)
}

// contrast waits until the page is, or is not, in black and white.
func (k kiosk) contrast(high bool) {
	k.t.Helper()
	ground := expect.Locator(k.Locator("body"))
	if !high {
		ground = ground.Not()
	}
	must(k.t, ground.ToHaveCSS("background", regexp.MustCompile(`^rgb\(255, 255, 255\)`)))
}
