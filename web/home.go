package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
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
	p := templates.HomePage{Page: s.staffPage(c, "Exam halls", "page.css", "")}
	number, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil {
		number = 1
	}
	from, to := pageOf(&p, number, len(ids))
	for _, id := range ids[from:to] {
		card := s.hallCard(c.Request().Context(), id)
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
		p.Shown = fmt.Sprintf("Halls %d to %d of %d", from+1, to, total)
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
func (s *Server) hallCard(ctx context.Context, id string) templates.HallCard {
	snapshot, err := s.cfg.Store.Snapshot(ctx, id)
	if err != nil {
		s.cfg.Log.Warn("hall not shown on the home page", "hall", id, "error", err)
		card := hallDoors(id)
		card.Name, card.Broken = id, "This hall cannot be read now."
		return card
	}
	return hallCardView(&snapshot)
}

// hallCardView maps a hall to its card on the home page.
func hallCardView(s *hall.Snapshot) templates.HallCard {
	card := hallDoors(s.Hall.ID)
	card.Name = s.Hall.Layout.Name
	card.Status, card.StatusKind = dayStatus(&s.Hall)
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
func dayStatus(h *hall.Hall) (text, kind string) {
	switch {
	case h.Day.State != hall.DayOpen:
		return "Not open", "" // which is no failure
	case h.Day.Paused:
		return "Paused", "call"
	case h.Layout.Rules.Mode == hall.ModeManual:
		return "Open, manual", "go"
	}
	return "Open", "go"
}
