package web

import (
	"cmp"
	"errors"
	"strings"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// kioskSeconds is how long an answer stays on the screen.
const kioskSeconds = 20

// kioskRetry is after how many seconds a kiosk tries again when the store does not answer.
const kioskRetry = 3

// How an answer looks: somebody goes, waits, or has to ask the staff.
const (
	kindGo   = "go"
	kindWait = "wait"
	kindStop = "stop"
)

// usualText is what was typed or scanned without blanks around and with the
// usual characters instead of full-width ones. What cannot be an id stays as it
// is and is not found.
func usualText(typed string) string {
	usual := strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case r == '\u3000':
			return ' '
		}
		return r
	}, typed)
	return strings.TrimSpace(usual)
}

// emptyKiosk is the screen for the next person, in the language of this one and
// in the kiosk's own for whoever comes after.
func emptyKiosk(t, own *locale.Texts, h *hall.Hall) templates.Kiosk {
	address := hallURL(h.ID, "kiosk")
	return templates.Kiosk{
		Texts: t, Own: own, Languages: languageLinks(address, kioskTexts(h), t), HallName: h.Layout.Name, URL: address,
		Form: templates.KioskForm{AskID: h.Layout.Rules.KioskSecondFactor == "id4"},
	}
}

// kioskTexts are the languages that a kiosk offers: those of the hall, all for a
// hall that names none.
func kioskTexts(h *hall.Hall) []*locale.Texts {
	if len(h.Layout.Languages) == 0 {
		return locale.All()
	}
	return hallTexts(h)
}

// askTheStaff is an answer where nothing else can be said.
func askTheStaff(t *locale.Texts) *templates.KioskAnswer {
	return &templates.KioskAnswer{Kind: kindStop, Headline: t.Text("kiosk.desk"), Advice: t.Text("kiosk.deskAdvice"), Seconds: kioskSeconds}
}

// incomplete says in the form what is still to be typed.
func incomplete(t *locale.Texts, form *templates.KioskForm) bool {
	switch {
	case usualText(form.Candidate) == "":
		form.Error = t.Text("kiosk.empty")
		form.Advice = t.Text("kiosk.emptyAdvice")
	case form.AskID && usualText(form.ID4) == "":
		form.Error = t.Text("kiosk.step")
		form.Advice = t.Text("kiosk.stepAdvice")
		form.AtID = true
	}
	return form.Error != ""
}

// kioskAnswer tells somebody in the queue where they stand.
func kioskAnswer(t *locale.Texts, h *hall.Hall, e *hall.Entry, first bool) templates.KioskAnswer {
	a := templates.KioskAnswer{Kind: kindWait, Ticket: e.Ticket, Seconds: kioskSeconds, Headline: t.Text("kiosk.checkedIn")}
	if !first {
		a.Headline = t.Text("kiosk.checkedInBefore")
		a.Note = t.Text("kiosk.codeOnce")
	}
	switch e.State {
	case hall.Called, hall.Seated:
		goThere(t, &a, &h.Layout, e)
	case hall.Held:
		a.Headline = t.Text("state.away")
		a.Big = t.Text("state.placeKept")
		a.Advice = t.Text("kiosk.awayAdvice")
	case hall.Resting:
		a.Headline = t.Text("state.break")
		a.Big = t.Text("state.rest")
		a.Advice = t.Text("kiosk.breakAdvice")
	default:
		a.Big = t.Place(e.Position())
		a.Second = about(t, e.Estimate)
		a.Advice = t.Text("kiosk.lineAdvice")
	}
	for _, pause := range phonePauses(t, h, e) {
		a.Pauses = append(a.Pauses, strings.TrimSpace(pause.Text.First()+" "+pause.Message))
	}
	return a
}

// goThere sends somebody who is called, or sits, to the machine.
func goThere(t *locale.Texts, a *templates.KioskAnswer, layout *hall.Layout, e *hall.Entry) {
	a.Kind = kindGo
	a.Headline = t.Text("state.turn")
	a.Advice = t.Text("state.turnAdvice")
	if e.State == hall.Seated {
		a.Headline = t.Text("state.seated")
		a.Advice = t.Text("kiosk.seatedAdvice")
	}
	if e.Current == nil {
		a.Big = t.Text("go.board")
		return
	}
	a.Big = roomName(layout, e.Current.Room)
	if e.State == hall.Called {
		a.Big = t.Text("go.room", "Room", a.Big)
	}
	a.Second = t.Text("go.machine", "Machine", specLabel(layout, e.Current.Machine))
}

// specLabel is what stands on a machine of the layout.
func specLabel(layout *hall.Layout, id string) string {
	m, _ := layout.Machine(id)
	return cmp.Or(m.Label, id)
}

// outOfSession says when to come back to whoever is too early for their
// session, and where to go to whoever is too late.
func outOfSession(t *locale.Texts, code hall.Code, session *hall.Session) *templates.KioskAnswer {
	name := cmp.Or(session.Name, session.Code)
	if code == hall.CodeTooLate {
		return &templates.KioskAnswer{
			Kind: kindStop, Headline: t.Text("kiosk.desk"), Seconds: kioskSeconds,
			Advice: t.Text("kiosk.late", "Session", name, "Time", session.StartsAt),
		}
	}
	a := &templates.KioskAnswer{
		Kind: kindWait, Headline: t.Text("kiosk.early"), Big: t.Text("kiosk.earlyFrom", "Time", session.CheckInFrom), Seconds: kioskSeconds,
		Advice: t.Text("kiosk.earlyAdvice", "Session", name),
	}
	if session.StartsAt != "" {
		a.Second = t.Text("kiosk.earlyBegins", "Time", session.StartsAt)
	}
	return a
}

// kioskRefusal says what to do when a check-in is refused: on a screen of its
// own, or in the form. Neither means that it is no refusal but a failure. An
// unknown number and one that is not for today get the same words.
func kioskRefusal(t *locale.Texts, err error, form *templates.KioskForm) *templates.KioskAnswer {
	stop := func(headline, advice string) *templates.KioskAnswer {
		return &templates.KioskAnswer{Kind: kindStop, Headline: headline, Advice: advice, Seconds: kioskSeconds}
	}
	var locked *access.LockedError
	if errors.As(err, &locked) {
		form.Error = t.Text("kiosk.slow")
		form.Advice = t.Text("kiosk.slowAdvice")
		form.Retry = locked.Seconds()
		return nil
	}
	switch hall.CodeOf(err) {
	case hall.CodeNeedsRestore:
		return stop(t.Text("kiosk.desk"), t.Text("kiosk.outAdvice"))
	case hall.CodeAlreadyDone:
		return &templates.KioskAnswer{
			Kind: kindGo, Headline: t.Text("kiosk.doneTitle"), Advice: t.Text("kiosk.doneAdvice"),
			Seconds: kioskSeconds,
		}
	case hall.CodeDayNotOpen:
		return &templates.KioskAnswer{
			Kind: kindWait, Headline: t.Text("kiosk.notOpen"), Advice: t.Text("kiosk.notOpenAdvice"),
			Seconds: kioskSeconds,
		}
	case hall.CodeCheckInClosed:
		return stop(t.Text("kiosk.closed"), t.Text("kiosk.closedAdvice"))
	case hall.CodeWrongState:
		return askTheStaff(t)
	case hall.CodeUnknownCandidate:
		form.Error = t.Text("kiosk.unknown")
		form.Advice = t.Text("kiosk.unknownAdvice")
		if form.AskID {
			form.Error = t.Text("kiosk.unknownID")
			form.Advice = t.Text("kiosk.unknownIDAdvice")
		}
	case hall.CodeUnavailable:
		form.Error = t.Text("kiosk.lost")
		form.Advice = t.Text("kiosk.lostAdvice")
		form.Retry = kioskRetry
	default:
	}
	return nil
}
