package web

import (
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// kindEnded is how a phone page looks that is not there any more.
const kindEnded = "ended"

// phoneView is what a candidate's phone shows. Nothing in it but the estimate
// changes while the hall does not.
func phoneView(t *locale.Texts, h *hall.Hall, e *hall.Entry) templates.Phone {
	p := templates.Phone{Texts: t, Ticket: e.Ticket, Name: hall.MaskName(e.Person.Name), Kind: string(e.State), Pauses: phonePauses(t, h, e)}
	switch e.State {
	case hall.Waiting:
		p.Headline, p.Big = t.Text("phone.line"), t.Place(e.Position())
		p.Advice = t.Text("phone.lineAdvice")
		if wait := about(t, e.Estimate); wait != "" {
			p.Estimate = t.Text("wait.toGo", "Wait", wait)
		}
		if e.Ahead == 0 {
			p.Headline, p.Advice = t.Text("phone.next"), t.Text("phone.nextAdvice")
		}
	case hall.Called:
		p.Headline, p.Advice = t.Text("state.turn"), t.Text("state.turnAdvice")
		p.Loud = true
		phoneCall(&p, h, e.Current)
	case hall.Seated:
		p.Headline, p.Advice = t.Text("state.seated"), t.Text("phone.seatedAdvice")
		phonePlace(&p, h, e.Current)
	case hall.Resting:
		p.Headline, p.Big = t.Text("state.break"), t.Text("state.rest")
		p.Advice = t.Text("phone.breakAdvice")
	case hall.Held:
		p.Headline, p.Big = t.Text("state.away"), t.Text("state.placeKept")
		p.Advice = t.Text("phone.awayAdvice")
	case hall.Done:
		p.Headline, p.Big = t.Text("phone.done"), t.Text("phone.doneBig")
		p.Advice = t.Text("phone.doneAdvice")
	case hall.Absent:
		p.Headline, p.Big = t.Text("phone.absent"), t.Text("phone.staff")
		p.Advice = t.Text("phone.staffAdvice")
	case hall.Withdrawn, hall.Registered:
		p.Headline, p.Big = t.Text("phone.out"), t.Text("phone.staff")
		p.Advice = t.Text("phone.staffAdvice")
	}
	p.Title, p.Say = phoneWords(&p)
	return p
}

// phonePlace says where a candidate sits.
func phonePlace(p *templates.Phone, h *hall.Hall, s *hall.Sitting) {
	if s == nil {
		p.Big = p.Texts.Text("go.board")
		return
	}
	p.Big, p.Second = roomName(&h.Layout, s.Room), p.Texts.Text("go.machine", "Machine", specLabel(&h.Layout, s.Machine))
}

// phoneCall says where a called candidate goes, and since when.
func phoneCall(p *templates.Phone, h *hall.Hall, s *hall.Sitting) {
	phonePlace(p, h, s)
	if s == nil {
		return
	}
	p.Big = p.Texts.Text("go.room", "Room", p.Big)
	p.Call = s.ID + "-" + strconv.Itoa(s.Announcement())
	p.Since = p.Texts.Text("phone.called", "Time", clock(s.CalledAt, h.Location()))
	if s.Recalls > 0 {
		p.Since = p.Texts.Text("phone.calledAgain", "Time", clock(s.AnnouncedAt, h.Location()))
	}
}

// phonePauses are those that the candidate has to wait for.
func phonePauses(t *locale.Texts, h *hall.Hall, e *hall.Entry) []templates.BoardPause {
	switch e.State {
	case hall.Seated, hall.Done, hall.Absent, hall.Withdrawn, hall.Registered:
		return nil
	case hall.Waiting, hall.Called, hall.Resting, hall.Held:
	}
	pauses := hallPause([]*locale.Texts{t}, h)
	if e.Current == nil {
		return pauses
	}
	if message, paused := h.Day.PausedRooms[e.Current.Room]; paused {
		pauses = append(pauses, templates.BoardPause{Text: said([]*locale.Texts{t}, "pause.room", "Room", roomName(&h.Layout, e.Current.Room)), Message: message})
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
func endedPhone(t *locale.Texts) templates.Phone {
	p := templates.Phone{
		Texts: t, Kind: kindEnded, Headline: t.Text("phone.ended"), Advice: t.Text("phone.endedAdvice"),
	}
	p.Title, p.Say = p.Headline, p.Headline+"."
	return p
}

// zoneOffset is how many seconds a hall's clock is ahead of UTC.
func zoneOffset(h *hall.Hall, now time.Time) int {
	_, offset := now.In(h.Location()).Zone()
	return offset
}
