package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web/api"
)

// marksAtMost is more than a hall has machines.
const marksAtMost = 2000

// mark is a tile as it was when it was marked: its machine, and the sitting
// there. A command on several tiles means those and no others: what has come to
// a machine since is not hit.
type mark struct {
	machine string
	sitting string
	recall  int // which announcement "call again" is, 0 for none
}

// text is a mark in a form; ids have no control characters.
func (m mark) text() string { return m.machine + "\x1f" + m.sitting + "\x1f" + strconv.Itoa(m.recall) }

func markOf(text string) (mark, bool) {
	machine, rest, _ := strings.Cut(text, "\x1f")
	sitting, recall, whole := strings.Cut(rest, "\x1f")
	n, err := strconv.Atoi(recall)
	return mark{machine, sitting, n}, whole && err == nil && machine != "" && n >= 0
}

// marksOf reads the marks of a form, each once.
func marksOf(values url.Values) ([]mark, error) {
	var marks []mark
	for _, text := range values["mark"] {
		m, ok := markOf(text)
		if !ok || len(marks) == marksAtMost {
			return nil, errBrokenForm
		}
		if !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks, nil
}

// markedCommand is a command that can be given for several tiles at once.
type markedCommand struct {
	name   string // in its address
	label  string
	done   string // what is said of those for which it worked
	reason bool   // it asks for a reason
	kind   string // of its button
	fits   func(m *hall.Machine, l *hall.Layout) bool
	run    func(s *Server, ctx context.Context, hallID string, m mark, why hall.OutageReason, by hall.Caller) (who string, err error)
}

func isCalled(m *hall.Machine, _ *hall.Layout) bool { return m.State == hall.MachineCalled }

func isSeated(m *hall.Machine, _ *hall.Layout) bool { return m.State == hall.MachineInUse }

func canBeCalledAgain(m *hall.Machine, l *hall.Layout) bool {
	return m.State == hall.MachineCalled && m.Current != nil && m.Current.Recalls < l.Rules.RecallLimit
}

// markedCommands stand in the order in which they are offered.
var markedCommands = []markedCommand{
	{
		name: "seat", label: "Seated", done: "Seated", kind: "primary", fits: isCalled,
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			sitting, err := s.cfg.Store.Seat(ctx, id, m.sitting, by)
			return sitting.Ticket, err
		},
	},
	{
		name: "end", label: "End", done: "Finished", kind: "primary", fits: isSeated,
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			sitting, err := s.cfg.Store.End(ctx, id, m.sitting, by)
			return sitting.Ticket, err
		},
	},
	{
		name: "recall", label: "Call again", done: "Called again", fits: canBeCalledAgain,
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			sitting, err := s.cfg.Store.Recall(ctx, id, m.sitting, m.recall, by)
			return sitting.Ticket, err
		},
	},
	{
		name: "no-show", label: "No-show", done: "Did not come", kind: "danger", fits: isCalled,
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			sitting, err := s.cfg.Store.NoShow(ctx, id, m.sitting, by)
			return sitting.Ticket, err
		},
	},
	{
		name: "in-service", label: "Put in service", done: "In service",
		fits: func(m *hall.Machine, _ *hall.Layout) bool {
			return m.State == hall.MachineSpare || m.State == hall.MachineOutOfService
		},
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			return s.setMarked(ctx, id, m, hall.MachineIdle, hall.OutageReason{}, by)
		},
	},
	{
		name: "spare", label: "Keep as a spare", done: "Spare",
		fits: func(m *hall.Machine, _ *hall.Layout) bool {
			return m.State == hall.MachineIdle || m.State == hall.MachineOutOfService
		},
		run: func(s *Server, ctx context.Context, id string, m mark, _ hall.OutageReason, by hall.Caller) (string, error) {
			return s.setMarked(ctx, id, m, hall.MachineSpare, hall.OutageReason{}, by)
		},
	},
	{
		name: "out-of-service", label: "Take out of service", done: "Out of service", reason: true, kind: "danger",
		fits: func(m *hall.Machine, _ *hall.Layout) bool {
			return m.State == hall.MachineIdle || m.State == hall.MachineSpare
		},
		run: func(s *Server, ctx context.Context, id string, m mark, why hall.OutageReason, by hall.Caller) (string, error) {
			return s.setMarked(ctx, id, m, hall.MachineOutOfService, why, by)
		},
	},
	{
		name: "break-off", label: "Break off, the machines’ fault", done: "Broken off", reason: true, kind: "danger",
		fits: func(m *hall.Machine, _ *hall.Layout) bool { return m.Current != nil },
		run: func(s *Server, ctx context.Context, id string, m mark, why hall.OutageReason, by hall.Caller) (string, error) {
			sitting, err := s.cfg.Store.Abort(ctx, id, m.sitting, hall.Abort{Fault: hall.FaultMachine, Reason: why.Text, Code: why.Code}, by)
			return sitting.Ticket, err
		},
	},
}

func (s *Server) setMarked(ctx context.Context, id string, m mark, state hall.MachineState, why hall.OutageReason, by hall.Caller) (string, error) {
	machine, err := s.cfg.Store.SetMachineState(ctx, id, m.machine, state, why, by)
	return machineLabel(&machine), err
}

// markedRoutes are the commands on the tiles that are marked.
func (s *Server) markedRoutes(r routes) {
	r.get(access.Attend, "/marked", s.getMarked)
	for i := range markedCommands {
		command := &markedCommands[i]
		r.command(access.Attend, "/marked/"+command.name, func(c echo.Context) error { return s.postMarked(c, command) })
	}
}

// GET /halls/{hall}/proctor/marked?mark=…&all={room}: what can be done with the
// tiles that are marked, or with all of a room, and with whom it would be done.
func (s *Server) getMarked(c echo.Context) error {
	marks, err := marksOf(c.QueryParams())
	if err != nil {
		return err
	}
	snapshot, err := s.cfg.Store.Snapshot(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	if room := c.QueryParam("all"); room != "" {
		marks = marksOfRoom(&snapshot, room)
	}
	return s.showPanel(c, http.StatusOK, markedPanel(&snapshot, marks, c.QueryParam("room"), visitor(c).Grant))
}

// POST /halls/{hall}/proctor/marked/{command}: one step for each tile. What does
// not fit any more is left out and said; the others are done.
func (s *Server) postMarked(c echo.Context, command *markedCommand) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	marks, err := marksOf(values)
	if err != nil || len(marks) == 0 {
		return cmp.Or(err, error(errBrokenForm))
	}
	by, err := withKey(hall.Caller{By: visitor(c).User}, values)
	if err != nil {
		return err
	}
	if err := s.mayReach(c, marks); err != nil {
		return err
	}
	why := hall.OutageReason{Code: hall.OutageCode(values.Get("code")), Text: strings.TrimSpace(values.Get("reason"))}
	if command.reason && reasonFault(why.Text)+outageFault(why.Code) != "" {
		return s.markedAgain(c, command, marks, why)
	}
	return s.do(func(c echo.Context, _ hall.Caller) (string, error) { return s.runMarked(c, command, marks, why, by) })(c)
}

// mayReach refuses all of a command if any of it is in a room that is not one's own.
func (s *Server) mayReach(c echo.Context, marks []mark) error {
	id := c.Param("hall")
	for _, m := range marks {
		abouts := []access.Target{{Hall: id, Machine: m.machine}}
		if m.sitting != "" { // whoever made the mark up may have put it beside another machine
			abouts = append(abouts, access.Target{Hall: id, Sitting: m.sitting})
		}
		for _, about := range abouts {
			if err := access.Check(c.Request().Context(), s.cfg.Store, visitor(c).Grant, access.Attend, about); err != nil {
				return err
			}
		}
	}
	return nil
}

// runMarked gives a command for each tile. Each has a key of its own, so that
// the form can be sent again when no answer came.
func (s *Server) runMarked(c echo.Context, command *markedCommand, marks []mark, why hall.OutageReason, by hall.Caller) (string, error) {
	ctx, id := c.Request().Context(), c.Param("hall")
	h, err := s.cfg.Store.Hall(ctx, id)
	if err != nil {
		return "", err
	}
	var done, not []string
	var refusal *hall.Error
	for _, m := range marks {
		caller := hall.Caller{By: by.By, Key: by.Key + " " + m.text()}
		who, err := command.run(s, ctx, id, m, why, caller)
		if err == nil {
			done = append(done, who)
			continue
		}
		if api.StatusOf(err) >= http.StatusInternalServerError {
			return "", err
		}
		words := explain(english, api.StatusOf(err), err).message
		not = append(not, machineTitle(specLabel(&h.Layout, m.machine))+": "+words)
		refusal = &hall.Error{Code: hall.CodeWrongState}
	}
	var said []string
	if len(done) > 0 {
		said = append(said, command.done+": "+strings.Join(done, ", ")+".")
	}
	said = append(said, not...)
	text := strings.Join(said, " ")
	if refusal == nil {
		return text, nil
	}
	refusal.Message = text
	return "", refusal
}
