package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

const kioskPath = "/halls/h/kiosk"

func typed(candidate string) url.Values { return url.Values{"candidate": {candidate}} }

func TestKioskSendsSomebodyToTheMachineAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	answer := b.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusOK)
	if got := answer.text("big") + ", " + answer.text("second"); got != "Go to A, Machine m1" {
		t.Errorf("the kiosk says %q", got)
	}
	if got := answer.text("ticket"); got != "N001" {
		t.Errorf("number %q, want N001", got)
	}
}

func TestKioskTellsThePlaceInLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2", "c3")
	for range 2 { // a double tap shows the same
		answer := b.post(kioskPath, typed("c4"), htmx...).expect(t, http.StatusOK)
		if got := answer.text("ticket") + " " + answer.text("big"); got != "N004 2nd in line" {
			t.Errorf("the kiosk says %q", got)
		}
		if got := answer.text("second"); got != "about 10 min" {
			t.Errorf("the kiosk says that it takes %q", got)
		}
	}
}

func TestKioskShowsAnAnswerOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := b.post(kioskPath, typed(" ｃ１\u3000")).expect(t, http.StatusSeeOther) // full-width, with blanks
	if got := sent.header.Get("Location"); got != kioskPath {
		t.Fatalf("leads to %q", got)
	}
	if got := b.get(kioskPath).text("ticket"); got != "N001" {
		t.Errorf("number %q, want N001", got)
	}
	again := b.get(kioskPath)
	if again.part("ticket").Length() != 0 || again.Find(".kiosk [data-testid=candidate]").Length() != 1 {
		t.Error("the next person sees the answer of the last one")
	}
}

func TestKioskTreatsEveryUnknownNumberAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	words := map[string]bool{}
	for _, number := range []string{"nobody", "{}*:/%", strings.Repeat("9", 500), "\x00", "<b>x</b>"} {
		answer := b.post(kioskPath, typed(number), htmx...).expect(t, http.StatusUnprocessableEntity)
		words[answer.text("error")+answer.text("advice")] = true
		if got := answer.part("candidate").AttrOr("value", ""); got != strings.ReplaceAll(number, "\x00", "\uFFFD") && got != number {
			t.Errorf("typed %q, kept %q", number, got)
		}
	}
	if len(words) != 1 {
		t.Errorf("unknown numbers are told apart: %v", words)
	}
	if got := b.post(kioskPath, typed("  ")).expect(t, http.StatusUnprocessableEntity).text("error"); got == "" {
		t.Error("an empty field is not an error")
	}
}

func TestKioskSaysWhatToDoNext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry := b.checkIn("c1", "c2", "c3", "c4")
	for _, step := range []func() error{
		func() error { _, err := b.store.Seat(t.Context(), hallID, "s1", staff); return err },
		func() error { _, err := b.store.End(t.Context(), hallID, "s1", staff); return err },
		func() error { return b.store.Leave(t.Context(), hallID, entry.ID, staff) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.store.PutRoster(t.Context(), hallID, []hall.RosterRow{{Row: 2, Candidate: "c6", Subjects: []string{"1"}}}, false, staff); err != nil {
		t.Fatal(err)
	}
	b.checkIn("c6")
	if _, err := b.store.Hold(t.Context(), hallID, "c6", staff); err != nil {
		t.Fatal(err)
	}
	for candidate, want := range map[string]struct {
		status int
		kind   string
	}{
		"c1": {http.StatusConflict, "go"},   // done
		"c2": {http.StatusOK, "go"},         // called
		"c4": {http.StatusConflict, "stop"}, // withdrawn
		"c6": {http.StatusOK, "wait"},       // held
	} {
		answer := b.post(kioskPath, typed(candidate), htmx...).expect(t, want.status)
		if got := answer.part("answer").AttrOr("data-kind", ""); got != want.kind || answer.text("advice") == "" {
			t.Errorf("%s: %q with the advice %q", candidate, got, answer.text("advice"))
		}
	}
}

func TestKioskKeepsWhatWasTypedWhileTheStoreIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.store.gone.Store(true)
	answer := b.post(kioskPath, typed("c1")).expect(t, http.StatusServiceUnavailable)
	if got := answer.part("candidate").AttrOr("value", ""); got != "c1" {
		t.Errorf("kept %q", got)
	}
	if answer.Find("form[data-retry]").Length() != 1 {
		t.Error("the page does not try again by itself")
	}
	b.store.gone.Store(false)
	b.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusOK)
}

func TestKioskAsksForTheIDNumber(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.KioskSecondFactor = "id4" }))
	row := halltest.Row("c7", "1")
	row.Row, row.Person.IDNumber = 2, "99999919900101123X"
	if _, err := b.store.PutRoster(t.Context(), hallID, []hall.RosterRow{row}, false, staff); err != nil {
		t.Fatal(err)
	}
	both := func(id4 string) url.Values { return url.Values{"candidate": {"c7"}, "id4": {id4}} }
	step := b.post(kioskPath, both(""), htmx...).expect(t, http.StatusUnprocessableEntity)
	if step.Find("#id4[autofocus]").Length() != 1 || step.part("candidate").AttrOr("value", "") != "c7" {
		t.Error("the kiosk does not go on to the second field")
	}
	wrong := b.post(kioskPath, both("9999"), htmx...).expect(t, http.StatusUnprocessableEntity)
	unknown := b.post(kioskPath, url.Values{"candidate": {"nobody"}, "id4": {"9999"}}, htmx...).expect(t, http.StatusUnprocessableEntity)
	if wrong.text("error") != unknown.text("error") || wrong.text("advice") != unknown.text("advice") {
		t.Error("a known number is told from an unknown one")
	}
	if got := b.candidate("c7").State; got != hall.Registered {
		t.Errorf("c7 is %s", got)
	}
	b.post(kioskPath, both("１２３x"), htmx...).expect(t, http.StatusOK)
}

func TestClosedScreensShowACode(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.OpenScreens = false }))
	for _, address := range []string{kioskPath, "/halls/h/board"} {
		p := b.get(address)
		p.shown(t)
		if got := p.Find("a[href^='/login']").AttrOr("href", ""); got != "/login?next="+url.QueryEscape(address) {
			t.Errorf("%s leads the staff to %q", address, got)
		}
	}
	b.post(kioskPath, typed("c1"), htmx...).expect(t, http.StatusUnauthorized)
	b.get("/halls/h/live?view=board").expect(t, http.StatusUnauthorized)
	b.logIn()
	b.get(kioskPath).expect(t, http.StatusOK)
	b.get("/halls/h/board").expect(t, http.StatusOK)
}

// TestTheKioskSaysThatNobodyIsCalled tells whoever checks in why nothing moves.
func TestTheKioskSaysThatNobodyIsCalled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2")
	if got := b.post(kioskPath, typed("c3"), htmx...).expect(t, http.StatusOK); got.part("paused").Length() != 0 {
		t.Errorf("without a pause it says %q", got.text("paused"))
	}
	if _, err := b.store.Pause(t.Context(), hallID, "", "We go on at 13:00", staff); err != nil {
		t.Fatal(err)
	}
	if got := b.post(kioskPath, typed("c4"), htmx...).expect(t, http.StatusOK).text("paused"); got != "Calling is paused. We go on at 13:00" {
		t.Errorf("the pause is %q", got)
	}
}
