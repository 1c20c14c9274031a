package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// sittingRoutes are the commands on one sitting: POST
// /halls/{hall}/proctor/sittings/{sitting}/…
func (s *Server) sittingRoutes(r routes) {
	r.command(access.Attend, "/sittings/:sitting/seat", s.do(s.seat))
	r.command(access.Attend, "/sittings/:sitting/end", s.do(s.end))
	r.command(access.Attend, "/sittings/:sitting/recall", s.do(s.recall))
	r.command(access.Attend, "/sittings/:sitting/no-show", s.do(s.noShow))
	r.command(access.Attend, "/sittings/:sitting/abort", s.do(s.abort))
	r.command(access.Attend, "/sittings/:sitting/transfer", s.do(s.transfer))
}

// POST …/seat
func (s *Server) seat(c echo.Context, by hall.Caller) (string, error) {
	sitting, err := s.cfg.Store.Seat(c.Request().Context(), c.Param("hall"), c.Param("sitting"), by)
	return sitting.Ticket + " is seated.", err
}

// POST …/end
func (s *Server) end(c echo.Context, by hall.Caller) (string, error) {
	sitting, err := s.cfg.Store.End(c.Request().Context(), c.Param("hall"), c.Param("sitting"), by)
	return sitting.Ticket + " has finished.", err
}

// POST …/recall: the form says which announcement it is, so that a double
// click is one.
func (s *Server) recall(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	announcement, err := strconv.Atoi(values.Get("recall"))
	if err != nil || announcement < 2 {
		return "", &hall.Error{Code: hall.CodeInvalid, Message: "The form does not say which announcement it is."}
	}
	sitting, err := s.cfg.Store.Recall(c.Request().Context(), c.Param("hall"), c.Param("sitting"), announcement, by)
	return sitting.Ticket + " is called again.", err
}

// POST …/no-show
func (s *Server) noShow(c echo.Context, by hall.Caller) (string, error) {
	sitting, err := s.cfg.Store.NoShow(c.Request().Context(), c.Param("hall"), c.Param("sitting"), by)
	return sitting.Ticket + " did not come.", err
}

// POST …/abort
func (s *Server) abort(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	code := hall.OutageCode(values.Get("code"))
	form := templates.AbortForm{
		Fault: values.Get("fault"), Then: values.Get("then"), Reason: strings.TrimSpace(values.Get("reason")),
		KeepMachine: values.Get("keepMachine") == "true", Codes: outageCodes(code), CodeError: outageFault(code),
	}
	if checkAbort(&form) {
		return "", s.panelAgain(c, func(p *templates.Panel) {
			if p.Abort != nil {
				form.URL = p.Abort.URL
				p.Abort = &form
			}
		})
	}
	fault := hall.AbortFault(form.Fault)
	sitting, err := s.cfg.Store.Abort(c.Request().Context(), c.Param("hall"), c.Param("sitting"), hall.Abort{
		Fault: fault, Reason: form.Reason, Code: code, KeepMachine: form.KeepMachine && fault == hall.FaultMachine,
		Withdraw: form.Then == "withdraw" && fault == hall.FaultCandidate,
	}, by)
	return "The sitting of " + sitting.Ticket + " is broken off.", err
}

// checkAbort writes what is wrong into the form.
func checkAbort(form *templates.AbortForm) (wrong bool) {
	if form.Fault != string(hall.FaultMachine) && form.Fault != string(hall.FaultCandidate) {
		form.FaultError = "Choose whose fault it is."
	}
	form.ReasonError = reasonFault(form.Reason)
	return form.FaultError != "" || form.ReasonError != "" || form.CodeError != ""
}

// reasonFault is what is wrong with a reason, "" if nothing is.
func reasonFault(reason string) string {
	switch {
	case reason == "":
		return "Say why in a few words."
	case len([]rune(reason)) > 200:
		return "At most 200 characters."
	}
	return ""
}

// POST …/transfer
func (s *Server) transfer(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if err := s.mayChoose(c, values.Get("machine")); err != nil {
		return "", err
	}
	sitting, err := s.cfg.Store.Transfer(c.Request().Context(), c.Param("hall"), c.Param("sitting"), hall.Transfer{
		Machine: values.Get("machine"), OutOfService: values.Get("outOfService") == "true", Reason: strings.TrimSpace(values.Get("reason")),
		Code: hall.OutageCode(values.Get("code")),
	}, by)
	if err != nil {
		return "", err
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return "", err
	}
	return sitting.Ticket + " moves to " + placeName(&h.Layout, sitting.Machine) + ".", nil
}

// mayChoose refuses a machine in a room that is not one's own, and that none is
// named where it then could be one of those.
func (s *Server) mayChoose(c echo.Context, machine string) error {
	return access.CheckChoice(c.Request().Context(), s.cfg.Store, visitor(c).Grant, c.Param("hall"), machine)
}

// panelAgain shows the panel of a sitting's machine with what was typed and
// what is wrong with it.
func (s *Server) panelAgain(c echo.Context, change func(*templates.Panel)) error {
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	for i := range snapshot.Machines {
		m := &snapshot.Machines[i]
		if m.Current != nil && m.Current.ID == c.Param("sitting") {
			panel := machinePanel(&snapshot, m, c.QueryParam("room"), visitor(c).Grant)
			change(&panel)
			return s.showPanel(c, http.StatusUnprocessableEntity, panel)
		}
	}
	return &hall.Error{Code: hall.CodeWrongState, Message: "This sitting has ended."}
}
