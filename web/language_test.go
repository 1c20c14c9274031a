package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// languages are those of the hall.
func languages(tags ...string) option {
	return func(_ *web.Config, l *hall.Layout) { l.Languages = tags }
}

// The address comes first, then what was chosen, the browser, and the hall.
func TestTheLanguageOfAScreen(t *testing.T) {
	t.Parallel()
	b := setup(t, languages("ru", "zh"))
	for name, test := range map[string]struct {
		address string
		headers []string
		want    string
	}{
		"address":                 {kioskPath + "?lang=zh", []string{"Accept-Language", "en"}, "zh"},
		"cookie":                  {kioskPath, []string{"Cookie", "hallcall-lang=zh", "Accept-Language", "en"}, "zh"},
		"browser":                 {kioskPath, []string{"Accept-Language", "de, en-GB;q=0.5"}, "en"},
		"hall":                    {kioskPath, []string{"Accept-Language", "de"}, "ru"},
		"nothing":                 {kioskPath, nil, "ru"},
		"address of none":         {kioskPath + "?lang=<b>", []string{"Accept-Language", "zh-TW"}, "zh"},
		"error, browser":          {"/nothing", []string{"Accept-Language", "ru"}, "ru"},
		"board of the hall":       {"/halls/h/board", []string{"Accept-Language", "en"}, "ru"},
		"board in one":            {"/halls/h/board?lang=en", nil, "en"},
		"board in one that isn't": {"/halls/h/board?lang=de", nil, "ru"},
		"phone that is not there": {"/t/h.none", []string{"Accept-Language", "zh"}, "zh"},
	} {
		p := b.get(test.address, test.headers...)
		if got := p.Find("html").AttrOr("lang", ""); got != test.want {
			t.Errorf("%s: the page is in %q, want %q", name, got, test.want)
		}
	}
}

func TestTheKioskAnswersInTheLanguageOfTheForm(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][4]string{
		"en": {"Check in", "This number is not on today’s list.", "It is your turn Go to A Machine m1", "2nd in line"},
		"zh": {"签到", "该编号不在今天的名单中。", "轮到您了 请到A m1 号机", "排在第 2 位"},
		"ru": {"Регистрация", "Этого номера нет в списке на сегодня.", "Ваша очередь Пройдите: A Место m1", "2-е место в очереди"},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			b := setup(t, languages("en", "zh", "ru"))
			form := b.get(kioskPath + "?lang=" + lang)
			if got := form.Find(".kiosk h1").Text(); got != want[0] {
				t.Errorf("the form says %q", got)
			}
			if got := form.Find(".kiosk [name=lang]").AttrOr("value", ""); got != lang {
				t.Errorf("the form is sent in %q", got)
			}
			in := func(candidate string) url.Values { return url.Values{"candidate": {candidate}, "lang": {lang}} }
			if got := b.post(kioskPath, in("nobody"), htmx...).text("error"); got != want[1] {
				t.Errorf("of an unknown number it says %q", got)
			}
			called := b.post(kioskPath, in("c1"), htmx...)
			if got := called.Find(".kiosk-headline").Text() + " " + called.text("big") + " " + called.text("second"); got != want[2] {
				t.Errorf("to somebody called it says %q", got)
			}
			b.checkIn("c2", "c3")
			b.post(kioskPath, in("c4")).expect(t, http.StatusSeeOther) // without scripts
			waits := b.get(kioskPath)
			if got := waits.text("big"); got != want[3] {
				t.Errorf("in line it says %q", got)
			}
			if got := waits.Find("template").Length(); got != 1 || waits.Find("#kiosk").First().AttrOr("lang", "") != lang {
				t.Errorf("the answer is in %q", waits.Find("#kiosk").First().AttrOr("lang", ""))
			}
			if page := b.get(kioskPath); page.Find("#kiosk").First().AttrOr("lang", "") != "en" {
				t.Error("the next person has the language of the last one")
			}
		})
	}
}

func TestTheBoardHasTheLanguagesOfTheHall(t *testing.T) {
	t.Parallel()
	b := setup(t, languages("zh", "de", "en", "zh-CN"))
	b.checkIn("c1")
	p := b.get("/halls/h/board")
	if got := p.Find("#board-calling").Text(); squeezed(got) != "正在叫号Now calling" {
		t.Errorf("the board says %q", got)
	}
	if got := p.Find("#board").AttrOr("data-turns", ""); got != "2" {
		t.Errorf("%s languages have their turns", got)
	}
	if got := b.get("/halls/h/board?lang=ru").Find("#board-calling").Text(); squeezed(got) != "Вызываются" {
		t.Errorf("in Russian it says %q", got)
	}
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestThePhoneIsInTheLanguageOfTheKiosk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry := b.checkIn("c1")
	address := "/t/" + hall.PhoneToken(hallID, entry.Phone)
	for lang, want := range map[string]string{"en": "Go to A, Machine m1", "zh": "请到A, m1 号机", "ru": "Пройдите: A, Место m1"} {
		p := b.get(address + "?lang=" + lang)
		if got := p.text("big") + ", " + p.text("second"); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
		if live := p.Find("main").AttrOr("data-live", ""); !strings.HasSuffix(live, "/live?lang="+lang) {
			t.Errorf("%s: changes come from %q", lang, live)
		}
	}
}

// Home and sign-in are in the language that somebody chose there, the pages of
// the staff in English.
func TestALanguageIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for lang, want := range map[string][3]string{
		"zh": {"考场", "登录", "用户名或密码不正确。"}, "ru": {"Экзаменационные залы", "Вход", "Имя пользователя и пароль не подходят друг к другу."},
		"en": {"Exam halls", "Sign in", "User name and password do not belong together."},
	} {
		b.post("/language", url.Values{"lang": {lang}, "next": {"/login?next=/account"}}).expect(t, http.StatusSeeOther).leadsTo(t, "/login?next=/account")
		if got := b.get("/").Find("h1").Text(); got != want[0] {
			t.Errorf("%s: home says %q", lang, got)
		}
		login := b.get("/login?next=/account")
		if got := login.Find("h1").Text(); got != want[1] || login.Find("[name=next]").Last().AttrOr("value", "") != "/account" {
			t.Errorf("%s: the sign-in says %q", lang, got)
		}
		if got := b.post("/login", url.Values{"user": {"nobody"}, "password": {"wrong"}}).text("error"); got != want[2] {
			t.Errorf("%s: of a wrong password it says %q", lang, got)
		}
	}
	for name, form := range map[string]url.Values{
		"none": {"next": {"/"}}, "a language that is none": {"lang": {"xx"}}, "markup": {"lang": {"<b>"}},
	} {
		if p := b.post("/language", form); p.status != http.StatusUnprocessableEntity || p.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: status %d", name, p.status)
		}
	}
	b.post("/language", url.Values{"lang": {"en"}, "next": {"https://elsewhere.example/"}}).leadsTo(t, "/")
	b.post("/language", url.Values{"lang": {"zh"}})
	b.logIn()
	if got := b.get("/halls/h/proctor").Find("html").AttrOr("lang", ""); got != "en" {
		t.Errorf("the proctor page is in %q", got)
	}
}

func (p *page) leadsTo(t *testing.T, address string) {
	t.Helper()
	if got := p.header.Get("Location"); got != address {
		t.Errorf("leads to %q, want %q", got, address)
	}
}
