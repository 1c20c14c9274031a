package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// machineRoutes are the commands on a machine without a sitting: POST
// /halls/{hall}/proctor/machines/{machine}/…
func (s *Server) machineRoutes(r routes) {
	r.command(access.Attend, "/machines/:machine/in-service", s.do(s.inService))
	r.command(access.Attend, "/machines/:machine/spare", s.do(s.spare))
	r.command(access.Attend, "/machines/:machine/out-of-service", s.do(s.outOfService))
}

// GET /halls/{hall}/proctor/machines/{machine}: what can be done with it.
func (s *Server) getMachinePanel(c echo.Context) error {
	snapshot, m, err := s.findMachine(c)
	if err != nil {
		return err
	}
	return s.showPanel(c, http.StatusOK, machinePanel(snapshot, m, c.QueryParam("room"), visitor(c).Grant))
}

// POST …/in-service
func (s *Server) inService(c echo.Context, by hall.Caller) (string, error) {
	m, err := s.setMachine(c, hall.MachineIdle, hall.OutageReason{}, by)
	return machineTitle(machineLabel(&m)) + " is in service.", err
}

// POST …/spare
func (s *Server) spare(c echo.Context, by hall.Caller) (string, error) {
	m, err := s.setMachine(c, hall.MachineSpare, hall.OutageReason{}, by)
	return machineTitle(machineLabel(&m)) + " is a spare.", err
}

// POST …/out-of-service
func (s *Server) outOfService(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	why := hall.OutageReason{Code: hall.OutageCode(values.Get("code")), Text: strings.TrimSpace(values.Get("reason"))}
	form := templates.ReasonForm{
		Reason: why.Text, Codes: outageCodes(why.Code), Error: reasonFault(why.Text), CodeError: outageFault(why.Code),
	}
	if form.Error != "" || form.CodeError != "" {
		return "", s.machinePanelAgain(c, form)
	}
	m, err := s.setMachine(c, hall.MachineOutOfService, why, by)
	return machineTitle(machineLabel(&m)) + " is out of service.", err
}

func (s *Server) setMachine(c echo.Context, state hall.MachineState, why hall.OutageReason, by hall.Caller) (hall.Machine, error) {
	return s.cfg.Store.SetMachineState(c.Request().Context(), c.Param("hall"), c.Param("machine"), state, why, by)
}

// machinePanelAgain shows the panel with what was typed and what is wrong.
func (s *Server) machinePanelAgain(c echo.Context, form templates.ReasonForm) error {
	snapshot, m, err := s.findMachine(c)
	if err != nil {
		return err
	}
	panel := machinePanel(snapshot, m, c.QueryParam("room"), visitor(c).Grant)
	if panel.OutOfWork == nil {
		return &hall.Error{Code: hall.CodeInUse, Message: "This machine cannot be taken out of service now."}
	}
	form.URL = panel.OutOfWork.URL
	panel.OutOfWork = &form
	return s.showPanel(c, http.StatusUnprocessableEntity, panel)
}

func (s *Server) findMachine(c echo.Context) (*hall.Snapshot, *hall.Machine, error) {
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return nil, nil, err
	}
	m, err := machineIn(&snapshot, c.Param("machine"))
	return &snapshot, m, err
}

func machineIn(s *hall.Snapshot, id string) (*hall.Machine, error) {
	for i := range s.Machines {
		if s.Machines[i].ID == id {
			return &s.Machines[i], nil
		}
	}
	return nil, errUnknownMachine
}

var errUnknownMachine = &hall.Error{Code: hall.CodeUnknownMachine, Message: "This hall has no such machine."}
