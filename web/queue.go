package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// queueRoutes are the commands on somebody in the queue: POST
// /halls/{hall}/proctor/queue/{candidate}/…
func (s *Server) queueRoutes(r routes) {
	r.command(access.Attend, "/queue/:candidate/hold", s.do(s.hold))
	r.command(access.Attend, "/queue/:candidate/return", s.do(s.comeBack))
	r.command(access.Attend, "/queue/:candidate/leave", s.do(s.leave))
	r.command(access.Attend, "/queue/:candidate/restore", s.do(s.restore))
	r.command(access.Manage, "/queue/:candidate/class", s.do(s.class))
}

// GET /halls/{hall}/proctor/queue/{candidate}: what can be done for somebody.
func (s *Server) getCandidatePanel(c echo.Context) error {
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	entry, err := s.cfg.Store.Entry(ctx, h.ID, c.Param("candidate"))
	if err != nil {
		return err
	}
	return s.showPanel(c, http.StatusOK, candidatePanel(&h, &entry, c.QueryParam("room"), visitor(c).Grant))
}

// POST …/hold
func (s *Server) hold(c echo.Context, by hall.Caller) (string, error) {
	e, err := s.cfg.Store.Hold(c.Request().Context(), c.Param("hall"), c.Param("candidate"), by)
	return e.Ticket + " stepped away and keeps the place.", err
}

// POST …/return
func (s *Server) comeBack(c echo.Context, by hall.Caller) (string, error) {
	e, err := s.cfg.Store.Return(c.Request().Context(), c.Param("hall"), c.Param("candidate"), by)
	return e.Ticket + " is back at the same place.", err
}

// POST …/leave
func (s *Server) leave(c echo.Context, by hall.Caller) (string, error) {
	err := s.cfg.Store.Leave(c.Request().Context(), c.Param("hall"), c.Param("candidate"), by)
	return "Withdrawn. Restore puts the candidate back at the end of the line.", err
}

// POST …/restore
func (s *Server) restore(c echo.Context, by hall.Caller) (string, error) {
	e, err := s.cfg.Store.Restore(c.Request().Context(), c.Param("hall"), c.Param("candidate"), false, by)
	return e.Ticket + " is back at the end of the line.", err
}

// POST …/class
func (s *Server) class(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	class := hall.Class(values.Get("class"))
	if !class.Valid() {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "There is no such class."}
	}
	reason := strings.TrimSpace(values.Get("reason"))
	if len([]rune(reason)) > 200 {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "The reason has more than 200 characters."}
	}
	e, err := s.cfg.Store.SetClass(c.Request().Context(), c.Param("hall"), c.Param("candidate"), class, reason, by)
	return "The class of " + e.Ticket + " is changed.", err
}
