package web

import (
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// GET /halls/{hall}/board?room=&lang=
func (s *Server) getBoard(c echo.Context) error {
	t := topic{hall: c.Param("hall"), view: viewBoard, room: c.QueryParam("room"), lang: askedLanguage(c)}
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), t.hall)
	if err != nil {
		return err
	}
	if err := s.mayUseScreen(c, &snapshot.Hall, access.Watch); err != nil {
		return err
	}
	if device := visitingAs(c); !mayShow(device, t.room) {
		return c.Redirect(http.StatusSeeOther, deviceURL(device))
	}
	if err := knownRoom(&snapshot.Hall, t.room); err != nil {
		return err
	}
	all := boardTexts(&snapshot.Hall, t.lang)
	c.Set(spoken, all[0])
	p := s.page(c, snapshot.Hall.Layout.Name, "board.css", "board.js")
	voice, err := s.boardVoice(all, &snapshot.Hall)
	if err != nil {
		return err
	}
	p.Theme, p.Live = "dark", liveURL(t)
	inZone(&p, &snapshot)
	p.ReloadAfter, p.ReloadTo = 10, withValues(hallURL(t.hall, "board"), "room", t.room, "lang", t.lang)
	return render(c, http.StatusOK, templates.BoardScreen(templates.BoardPage{
		Page: p, HallName: snapshot.Hall.Layout.Name, RoomName: roomTitle(&snapshot.Hall.Layout, t.room),
		Clock: clock(snapshot.Now, snapshot.Hall.Location()), Board: boardView(all, &snapshot, t.room), Voice: voice,
	}))
}

// boardVoice is how a board speaks in its languages. What it says as a test is
// the last number there can be, at a machine that there is.
func (s *Server) boardVoice(all []*locale.Texts, h *hall.Hall) (templates.BoardVoice, error) {
	languages := make([]templates.BoardLanguage, len(all))
	for i, t := range all {
		tag := t.Tag()
		languages[i] = templates.BoardLanguage{
			Tag: tag, Spoken: t.Plain("voice.spoken"), Sentence: t.Plain("voice.clips"), SentenceWithoutRoom: t.Plain("voice.clipsWithoutRoom"),
			Clips: s.assets.URL("voice-" + tag + ".mp3"), Index: s.assets.URL("voice-" + tag + ".json"),
		}
	}
	data, err := json.Marshal(languages)
	voice := templates.BoardVoice{Languages: string(data), Repeats: h.Layout.Rules.CallRepeats, Test: templates.BoardCall{Ticket: "N999"}}
	if len(h.Layout.Machines) > 0 {
		m := h.Layout.Machines[0]
		voice.Test.Room, voice.Test.Machine = roomName(&h.Layout, m.Room), specLabel(&h.Layout, m.ID)
	}
	return voice, err
}
