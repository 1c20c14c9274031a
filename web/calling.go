package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// callingRoutes are the commands on the calling of a hall: POST
// /halls/{hall}/proctor/…
func (s *Server) callingRoutes(r routes) {
	r.command(access.Attend, "/next", s.do(s.next))
	r.command(access.Manage, "/resume", s.do(s.resume))
	r.command(access.Manage, "/check-in/open", s.do(s.openCheckIn))
	r.command(access.Manage, "/check-in/close", s.do(s.closeCheckIn))
}

// POST …/check-in/open: kiosks take people in, whether or not any are called.
func (s *Server) openCheckIn(c echo.Context, by hall.Caller) (string, error) {
	_, err := s.cfg.Store.OpenCheckIn(c.Request().Context(), c.Param("hall"), true, by)
	return "Check-in is open.", err
}

// POST …/check-in/close
func (s *Server) closeCheckIn(c echo.Context, by hall.Caller) (string, error) {
	_, err := s.cfg.Store.OpenCheckIn(c.Request().Context(), c.Param("hall"), false, by)
	return "Check-in is closed. Whoever waits is called as before.", err
}

// GET /halls/{hall}/proctor/pause: the form that stops the calling.
func (s *Server) getPausePanel(c echo.Context) error {
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	return s.showPanel(c, http.StatusOK, pausePanel(&h, c.QueryParam("room")))
}

// POST …/next: call the next candidate for a machine.
func (s *Server) next(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if values.Get("machine") == "" {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "The form does not name a machine."}
	}
	if err := s.mayChoose(c, values.Get("machine")); err != nil {
		return "", err
	}
	sitting, err := s.cfg.Store.Next(c.Request().Context(), c.Param("hall"), values.Get("machine"), by)
	if err != nil {
		return "", err
	}
	if sitting == nil {
		return "Nobody is waiting for this machine.", nil
	}
	return sitting.Ticket + " is called.", nil
}

// POST …/pause: stop calling, in the hall or in the room of the form.
func (s *Server) pause(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	message := strings.TrimSpace(values.Get("message"))
	if len([]rune(message)) > 200 {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "The message has more than 200 characters."}
	}
	_, err = s.cfg.Store.Pause(c.Request().Context(), c.Param("hall"), values.Get("room"), message, by)
	return "Calling is paused.", err
}

// POST …/resume: go on calling.
func (s *Server) resume(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	_, err = s.cfg.Store.Resume(c.Request().Context(), c.Param("hall"), values.Get("room"), by)
	return "Calling goes on.", err
}
