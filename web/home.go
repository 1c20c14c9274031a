package web

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// hallsShown is how many halls stand on one page.
const hallsShown = 20

// GET /?page=
func (s *Server) getHome(c echo.Context) error {
	ids, err := s.cfg.Store.HallIDs(c.Request().Context())
	if err != nil {
		return err
	}
	s.speak(c, nil)
	p := templates.HomePage{Page: s.publicPage(c, "home.title", withValues(pathHome, "page", c.QueryParam("page")))}
	p.Warning, p.Notice = s.warning(c), templates.Notice{Text: s.sessions.take(c, sessionNotice)}
	number, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil {
		number = 1
	}
	from, to := pageOf(&p, number, len(ids))
	for _, id := range ids[from:to] {
		card := s.hallCard(c, id)
		g := visitor(c).Grant
		if access.Allows(g, access.Manage, id, "") {
			card.Roster = rosterURL(id)
		}
		if access.Allows(g, access.Arrange, id, "") {
			card.Devices = devicesURL(id)
		}
		if g.Role != access.Nobody && !access.Allows(g, access.See, id, "") {
			card.Proctor, card.Monitor = "", "" // whoever is not signed in yet may be led there
		}
		p.Halls = append(p.Halls, card)
	}
	return render(c, http.StatusOK, templates.Home(p))
}

// pageOf finds which halls stand on a page, and what leads to its neighbours.
func pageOf(p *templates.HomePage, number, total int) (from, to int) {
	number = max(1, min(number, (total+hallsShown-1)/hallsShown))
	from, to = (number-1)*hallsShown, min(number*hallsShown, total)
	if total > hallsShown {
		p.Shown = p.Texts.Text("home.shown", "From", from+1, "To", to, "All", total)
	}
	if number > 1 {
		p.Before = pathHome + "?page=" + strconv.Itoa(number-1)
	}
	if to < total {
		p.After = pathHome + "?page=" + strconv.Itoa(number+1)
	}
	return from, to
}

// hallCard shows a hall; one that cannot be read does not hide the others.
func (s *Server) hallCard(c echo.Context, id string) templates.HallCard {
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), id)
	if err != nil {
		s.cfg.Log.Warn("hall not shown on the home page", "hall", id, "error", err)
		card := hallDoors(id)
		card.Name, card.Broken = id, textsOf(c).Text("home.broken")
		return card
	}
	return hallCardView(textsOf(c), &snapshot)
}

// hallCardView maps a hall to its card on the home page.
func hallCardView(t *locale.Texts, s *hall.Snapshot) templates.HallCard {
	card := hallDoors(s.Hall.ID)
	card.Name = s.Hall.Layout.Name
	card.Status, card.StatusKind = dayStatus(t, &s.Hall)
	card.Waiting, card.Called = s.States[hall.Waiting], s.States[hall.Called]
	card.Seated, card.Done = s.States[hall.Seated], s.States[hall.Done]
	for _, room := range s.Hall.Layout.Rooms {
		card.Rooms = append(card.Rooms, templates.Link{Text: room.Title(), URL: withRoom(card.Board, room.ID)})
	}
	return card
}

func hallDoors(id string) templates.HallCard {
	return templates.HallCard{
		ID: id, Kiosk: hallURL(id, "kiosk"), Board: hallURL(id, "board"), Proctor: hallURL(id, "proctor"), Monitor: hallURL(id, "monitor"),
	}
}

// dayStatus says in two words how the hall's day stands.
func dayStatus(t *locale.Texts, h *hall.Hall) (text, kind string) {
	switch {
	case h.Day.State != hall.DayOpen:
		return t.Text("dayState.notOpen"), "" // which is no failure
	case h.Day.Paused:
		return t.Text("dayState.paused"), "call"
	case h.Layout.Rules.Mode == hall.ModeManual:
		return t.Text("dayState.manual"), "go"
	}
	return t.Text("dayState.open"), "go"
}
