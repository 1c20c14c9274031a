package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

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
type topic struct{ hall, view, room string }

// name is the topic for the hub. Ids have no control characters.
func (t topic) name() string { return t.hall + "\x00" + t.view + "\x00" + t.room }

func topicOf(name string) topic {
	hallID, rest, _ := strings.Cut(name, "\x00")
	view, room, _ := strings.Cut(rest, "\x00")
	return topic{hall: hallID, view: view, room: room}
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
		err = s.mayUseScreen(c, &h)
	case viewProctor, viewMonitor:
		if s.sessions.user(c) == "" {
			err = errNeedsLogin
		}
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
	return serveLive(c, s.hub, t)
}

// serveLive makes a websocket of a request that may watch a topic.
func serveLive(c echo.Context, hub *live.Hub, t topic) error {
	err := hub.Serve(c.Response(), c.Request(), t.name())
	if errors.Is(err, live.ErrClosed) || errors.Is(err, live.ErrFull) {
		return echo.NewHTTPError(http.StatusServiceUnavailable).SetInternal(err)
	}
	return err
}

// mayUseScreen lets everybody see kiosks and boards of a hall whose screens
// are open, else only those who are logged in.
func (s *Server) mayUseScreen(c echo.Context, h *hall.Hall) error {
	if h.Layout.Rules.OpenScreens || s.sessions.user(c) != "" {
		return nil
	}
	return errNeedsLogin
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
