package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/live"
)

// The views that change by themselves.
const (
	viewBoard   = "board"
	viewProctor = "proctor"
	viewMonitor = "monitor"
	viewPhone   = "phone"
)

// topic is one view of one hall, of all rooms or of one. That of a phone page
// has its secret instead of a room.
type topic struct {
	hall, view, room string
	lang             string // tags of its languages, the first one first, with commas between
	manages          bool   // a proctor page with what only managers may do
}

// name is the topic for the hub. Ids have no control characters.
func (t topic) name() string {
	name := t.hall + "\x00" + t.view + "\x00" + t.room + "\x00" + t.lang
	if t.manages {
		name += "\x00manages"
	}
	return name
}

func topicOf(name string) topic {
	hallID, rest, _ := strings.Cut(name, "\x00")
	view, rest, _ := strings.Cut(rest, "\x00")
	room, rest, _ := strings.Cut(rest, "\x00")
	lang, _, manages := strings.Cut(rest, "\x00")
	return topic{hall: hallID, view: view, room: room, lang: lang, manages: manages}
}

// heartbeat is what a page hears every few seconds: the server's time, and
// which version of the pages it has.
type heartbeat struct {
	Now     int64  `json:"now"`
	Version string `json:"version"`
}

// liveConfig sets a hub up; touch is told the hall of a topic that has no state yet.
func (s *Server) liveConfig(touch func(hallID string)) live.Config {
	cfg := s.cfg.Live
	cfg.Log = s.cfg.Log
	cfg.Beat = func() []byte {
		data, err := json.Marshal(heartbeat{Now: s.cfg.Now().UnixMilli(), Version: s.assets.Version()})
		if err != nil {
			return []byte("{}")
		}
		return data
	}
	cfg.Group = func(name string) string { return topicOf(name).hall }
	cfg.Watched = func(name string) { touch(topicOf(name).hall) }
	return cfg
}

// GET /halls/{hall}/live?view=&room=, a websocket. Rights are those of the page.
func (s *Server) getLive(c echo.Context) error {
	t := topic{hall: c.Param("hall"), view: c.QueryParam("view"), room: c.QueryParam("room")}
	h, err := s.cfg.Store.Hall(c.Request().Context(), t.hall)
	if err != nil {
		return err
	}
	switch t.view {
	case viewBoard:
		t.lang = tagsOf(boardTexts(&h, askedLanguage(c)))
		err = s.mayUseScreen(c, &h, access.Watch)
		if err == nil && !mayShow(visitingAs(c), t.room) {
			err = &access.RefusalError{Need: access.Watch, Hall: h.ID, Reason: access.OtherRoom}
		}
	case viewProctor:
		t.manages = may(c, access.Manage)
		if err = s.mayRead(c, h.ID); err == nil {
			t.room, err = shownRoom(c)
		}
	case viewMonitor:
		t.manages = may(c, access.Manage)
		err = s.mayRead(c, h.ID)
	default:
		err = echo.ErrNotFound
	}
	if err == nil {
		err = knownRoom(&h, t.room)
	}
	if t.view == viewMonitor {
		t.room = "" // it shows all of them
	}
	if err != nil {
		return err
	}
	holder := s.holderName(c, t)
	if t.view == viewMonitor {
		t.manages = false // all see the same
	}
	return serveLive(c, s.hub, t, holder)
}

// serveLive makes a websocket of a request that may watch a topic.
func serveLive(c echo.Context, hub *live.Hub, t topic, holder string) error {
	err := hub.Serve(c.Response(), c.Request(), t.name(), holder)
	if errors.Is(err, live.ErrClosed) || errors.Is(err, live.ErrFull) {
		return echo.NewHTTPError(http.StatusServiceUnavailable).SetInternal(err)
	}
	return err
}

// mayRead lets the staff of a hall see its pages.
func (s *Server) mayRead(c echo.Context, hallID string) error {
	switch g := visitor(c).Grant; {
	case g.Role == access.Nobody:
		return errNeedsLogin
	case !access.Allows(g, access.See, hallID, ""):
		return access.Refuse(g, access.See, hallID)
	}
	return nil
}

// knownRoom refuses a room that the hall does not have; "" is all of them.
func knownRoom(h *hall.Hall, room string) error {
	if room == "" {
		return nil
	}
	if _, ok := h.Layout.Room(room); !ok {
		return &hall.Error{Code: hall.CodeUnknownRoom, Message: "This hall has no such room."}
	}
	return nil
}
