package web

import (
	"cmp"
	"errors"
	"strings"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
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

// emptyKiosk is the screen for the next person.
func emptyKiosk(h *hall.Hall) templates.Kiosk {
	return templates.Kiosk{
		HallName: h.Layout.Name, URL: hallURL(h.ID, "kiosk"),
		Form: templates.KioskForm{AskID: h.Layout.Rules.KioskSecondFactor == "id4"},
	}
}

// incomplete says in the form what is still to be typed.
func incomplete(form *templates.KioskForm) bool {
	switch {
	case usualText(form.Candidate) == "":
		form.Error = "There is no number yet."
		form.Advice = "Scan your card, or type your candidate number and press “Check in”."
	case form.AskID && usualText(form.ID4) == "":
		form.Error = "One more step."
		form.Advice = "Type the last four characters of your ID number and press “Check in”."
		form.AtID = true
	}
	return form.Error != ""
}

// kioskAnswer tells somebody in the queue where they stand.
func kioskAnswer(h *hall.Hall, e *hall.Entry, first bool) templates.KioskAnswer {
	layout := &h.Layout
	a := templates.KioskAnswer{Kind: kindWait, Ticket: e.Ticket, Seconds: kioskSeconds, Headline: "You are checked in"}
	if !first {
		a.Headline = "You are checked in already"
		a.Note = "The code for your phone is shown only at the first check-in here."
	}
	switch e.State {
	case hall.Called, hall.Seated:
		goThere(&a, layout, e)
	case hall.Held:
		a.Headline = "You stepped away"
		a.Big = "Your place is kept"
		a.Advice = "Tell a proctor that you are back. You are not called before that."
	case hall.Resting:
		a.Headline = "You have a break"
		a.Big = "Please rest"
		a.Advice = "You get back in line by yourself when the break is over. Watch the board for your number."
	default:
		a.Big = ordinal(e.Position()) + " in line"
		a.Second = about(e.Estimate)
		a.Advice = "Keep your number in mind and watch the board. It shows your room and machine when it is your turn."
	}
	for _, pause := range phonePauses(h, e) {
		a.Pauses = append(a.Pauses, strings.TrimSpace(pause.Text+" "+pause.Message))
	}
	return a
}

// goThere sends somebody who is called, or sits, to the machine.
func goThere(a *templates.KioskAnswer, layout *hall.Layout, e *hall.Entry) {
	a.Kind = kindGo
	a.Headline = "It is your turn"
	a.Advice = "Please go now and show your identity card to the proctor."
	if e.State == hall.Seated {
		a.Headline = "You have a place"
		a.Advice = "Your exam is running. If you cannot find your place, ask a proctor."
	}
	if e.Current == nil {
		a.Big = "See the board"
		return
	}
	a.Big = roomName(layout, e.Current.Room)
	if e.State == hall.Called {
		a.Big = "Go to " + a.Big
	}
	a.Second = machineTitle(specLabel(layout, e.Current.Machine))
}

// specLabel is what stands on a machine of the layout.
func specLabel(layout *hall.Layout, id string) string {
	m, _ := layout.Machine(id)
	return cmp.Or(m.Label, id)
}

// outOfSession says when to come back to whoever is too early for their
// session, and where to go to whoever is too late.
func outOfSession(code hall.Code, session *hall.Session) *templates.KioskAnswer {
	name := cmp.Or(session.Name, session.Code)
	if code == hall.CodeTooLate {
		return &templates.KioskAnswer{
			Kind: kindStop, Headline: "Please go to the staff desk", Seconds: kioskSeconds,
			Advice: "Your session, " + name + ", began at " + session.StartsAt + ". Check-in for it is over.",
		}
	}
	a := &templates.KioskAnswer{
		Kind: kindWait, Headline: "You are early", Big: "Check-in from " + session.CheckInFrom, Seconds: kioskSeconds,
		Advice: "Your session is " + name + ". Please check in here again then.",
	}
	if session.StartsAt != "" {
		a.Second = "Your session begins at " + session.StartsAt
		a.Advice = "It is the session " + name + ". Please check in here again then."
	}
	return a
}

// kioskRefusal says what to do when a check-in is refused: on a screen of its
// own, or in the form. Neither means that it is no refusal but a failure. An
// unknown number and one that is not for today get the same words.
func kioskRefusal(err error, form *templates.KioskForm) *templates.KioskAnswer {
	stop := func(headline, advice string) *templates.KioskAnswer {
		return &templates.KioskAnswer{Kind: kindStop, Headline: headline, Advice: advice, Seconds: kioskSeconds}
	}
	var locked *access.LockedError
	if errors.As(err, &locked) {
		form.Error = "Please wait a moment."
		form.Advice = "What you typed is kept. This screen tries again by itself. Compare it with your card meanwhile."
		form.Retry = locked.Seconds()
		return nil
	}
	switch hall.CodeOf(err) {
	case hall.CodeNeedsRestore:
		return stop("Please go to the staff desk", "You are not in line any more. The staff can put you back.")
	case hall.CodeAlreadyDone:
		return &templates.KioskAnswer{
			Kind: kindGo, Headline: "You have finished", Advice: "All your subjects are done. You may leave the hall. Thank you.",
			Seconds: kioskSeconds,
		}
	case hall.CodeDayNotOpen:
		return &templates.KioskAnswer{
			Kind: kindWait, Headline: "The hall is not open", Advice: "Please wait until the staff opens it, then try again.",
			Seconds: kioskSeconds,
		}
	case hall.CodeCheckInClosed:
		return stop("Check-in is closed", "Please go to the staff desk.")
	case hall.CodeWrongState:
		return stop("Please go to the staff desk", "The staff will tell you how to go on.")
	case hall.CodeUnknownCandidate:
		form.Error = "This number is not on today’s list."
		form.Advice = "Check the number on your card and try again, or go to the staff desk."
		if form.AskID {
			form.Error = "This does not fit today’s list."
			form.Advice = "Check both numbers and try again, or go to the staff desk."
		}
	case hall.CodeUnavailable:
		form.Error = "Nothing could be looked up just now."
		form.Advice = "What you typed is kept. This screen tries again by itself."
		form.Retry = kioskRetry
	default:
	}
	return nil
}
