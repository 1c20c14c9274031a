package web

import (
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// kindEnded is how a phone page looks that is not there any more.
const kindEnded = "ended"

// phoneView is what a candidate's phone shows. Nothing in it but the estimate
// changes while the hall does not.
func phoneView(h *hall.Hall, e *hall.Entry) templates.Phone {
	p := templates.Phone{Ticket: e.Ticket, Name: hall.MaskName(e.Person.Name), Kind: string(e.State), Pauses: phonePauses(h, e)}
	switch e.State {
	case hall.Waiting:
		p.Headline, p.Big = "In line", ordinal(e.Position())+" in line"
		p.Advice = "Please stay close by. This page changes by itself and tells you when it is your turn."
		if wait := about(e.Estimate); wait != "" {
			p.Estimate = wait + " to go"
		}
		if e.Ahead == 0 {
			p.Headline, p.Advice = "You are next", "Please stay here. It may be your turn at any moment."
		}
	case hall.Called:
		p.Headline, p.Advice = "It is your turn", "Please go now and show your identity card to the proctor."
		p.Loud = true
		phoneCall(&p, h, e.Current)
	case hall.Seated:
		p.Headline, p.Advice = "You have a place", "Your exam is running. Please put your phone away now."
		phonePlace(&p, h, e.Current)
	case hall.Resting:
		p.Headline, p.Big = "You have a break", "Please rest"
		p.Advice = "You get back in line by yourself when the break is over. This page shows it."
	case hall.Held:
		p.Headline, p.Big = "You stepped away", "Your place is kept"
		p.Advice = "Tell a proctor when you are back. You are not called before that."
	case hall.Done:
		p.Headline, p.Big = "All subjects are finished", "You are done for today"
		p.Advice = "You may leave the hall. Thank you."
	case hall.Absent:
		p.Headline, p.Big = "You were called and did not come", "Please speak to the staff"
		p.Advice = "They can put you back in line."
	case hall.Withdrawn, hall.Registered:
		p.Headline, p.Big = "You are not in line", "Please speak to the staff"
		p.Advice = "They can put you back in line."
	}
	p.Title, p.Say = phoneWords(&p)
	return p
}

// phonePlace says where a candidate sits.
func phonePlace(p *templates.Phone, h *hall.Hall, s *hall.Sitting) {
	if s == nil {
		p.Big = "See the board"
		return
	}
	p.Big, p.Second = roomName(&h.Layout, s.Room), "Machine "+specLabel(&h.Layout, s.Machine)
}

// phoneCall says where a called candidate goes, and since when.
func phoneCall(p *templates.Phone, h *hall.Hall, s *hall.Sitting) {
	phonePlace(p, h, s)
	if s == nil {
		return
	}
	p.Big = "Go to " + p.Big
	p.Call = s.ID + "-" + strconv.Itoa(s.Announcement())
	p.Since = "Called at " + clock(s.CalledAt, h.Location())
	if s.Recalls > 0 {
		p.Since = "Called again at " + clock(s.AnnouncedAt, h.Location())
	}
}

// phonePauses are those that the candidate has to wait for.
func phonePauses(h *hall.Hall, e *hall.Entry) []templates.BoardPause {
	switch e.State {
	case hall.Seated, hall.Done, hall.Absent, hall.Withdrawn, hall.Registered:
		return nil
	case hall.Waiting, hall.Called, hall.Resting, hall.Held:
	}
	pauses := hallPause(h)
	if e.Current == nil {
		return pauses
	}
	if message, paused := h.Day.PausedRooms[e.Current.Room]; paused {
		pauses = append(pauses, templates.BoardPause{Text: roomName(&h.Layout, e.Current.Room) + " is paused.", Message: message})
	}
	return pauses
}

// phoneWords are the title of the page and what a screen reader says of it.
func phoneWords(p *templates.Phone) (title, say string) {
	title, say = p.Ticket+": "+p.Big, p.Headline+". "+p.Big
	if p.Loud {
		title = p.Headline + ", " + p.Ticket
	}
	if p.Second != "" {
		say += ", " + p.Second
	}
	if p.Since != "" {
		say += ". " + p.Since
	}
	return title, say + "."
}

// endedPhone is the page of a day that is over, or of nobody.
func endedPhone() templates.Phone {
	p := templates.Phone{
		Kind: kindEnded, Headline: "This page is not in use",
		Advice: "A page for a number ends with its day. Watch the board, or speak to the staff.",
	}
	p.Title, p.Say = p.Headline, p.Headline+"."
	return p
}

// zoneOffset is how many seconds a hall's clock is ahead of UTC.
func zoneOffset(h *hall.Hall, now time.Time) int {
	_, offset := now.In(h.Location()).Zone()
	return offset
}
