package access

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// Halls says where the machines and sittings of halls are, and whose commands
// were whose.
type Halls interface {
	Hall(ctx context.Context, id string) (hall.Hall, error)
	Machines(ctx context.Context, id string, filter hall.MachineFilter, page hall.Page) (hall.List[hall.Machine], error)
	Sittings(ctx context.Context, id string, filter hall.SittingFilter, page hall.Page) (hall.List[hall.Sitting], error)
	Events(ctx context.Context, id, after string, page hall.Page) (hall.List[hall.Event], error)
}

// Target is what a command is about: a hall, and a machine or a sitting of it
// if its address names one.
type Target struct{ Hall, Machine, Sitting string }

// Check refuses what a grant does not allow. What is not there is not refused
// for its room: whoever is asked for it says that it is unknown.
func Check(ctx context.Context, halls Halls, g Grant, need Permission, t Target) error {
	if !Allows(g, need, t.Hall, "") {
		return Refuse(g, need, t.Hall)
	}
	if !g.Bound() || need != Attend {
		return nil
	}
	var room string
	var err error
	switch {
	case t.Machine != "":
		room, err = roomOfMachine(ctx, halls, t.Hall, t.Machine)
	case t.Sitting != "":
		room, err = roomOfSitting(ctx, halls, t.Hall, t.Sitting)
	}
	if err != nil {
		return err
	}
	if !Allows(g, need, t.Hall, room) {
		return &RefusalError{Need: need, Hall: t.Hall, Reason: OtherRoom}
	}
	return nil
}

// CheckChoice refuses a machine that was chosen for a command, and that none
// was where it then could be one of any room.
func CheckChoice(ctx context.Context, halls Halls, g Grant, hallID, machine string) error {
	if machine == "" && g.Bound() {
		return &RefusalError{Need: Attend, Hall: hallID, Reason: NoRoom}
	}
	return Check(ctx, halls, g, Attend, Target{Hall: hallID, Machine: machine})
}

// CheckUndo refuses to take back the command of another one to whom only their
// own are left.
func CheckUndo(ctx context.Context, halls Halls, g Grant, hallID, event, by string) error {
	if Allows(g, UndoOthers, hallID, "") {
		return nil
	}
	before, ok := eventBefore(event)
	if !ok {
		return nil
	}
	list, err := halls.Events(ctx, hallID, before, hall.Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	if len(list.Items) == 1 && list.Items[0].ID == event && list.Items[0].By != by {
		return &RefusalError{Need: UndoOthers, Hall: hallID, Reason: NotOwn}
	}
	return nil
}

func roomOfMachine(ctx context.Context, halls Halls, hallID, machine string) (string, error) {
	h, err := halls.Hall(ctx, hallID)
	if err != nil {
		return "", err
	}
	spec, _ := h.Layout.Machine(machine)
	return spec.Room, nil
}

// roomOfSitting looks among the open ones first: those are asked for, but for
// a command that is repeated.
func roomOfSitting(ctx context.Context, halls Halls, hallID, sitting string) (string, error) {
	machines, err := halls.Machines(ctx, hallID, hall.MachineFilter{}, hall.Page{})
	if err != nil {
		return "", err
	}
	for i := range machines.Items {
		if m := &machines.Items[i]; m.Current != nil && m.Current.ID == sitting {
			return m.Room, nil
		}
	}
	list, err := halls.Sittings(ctx, hallID, hall.SittingFilter{}, hall.Page{})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(list.Items, func(s hall.Sitting) bool { return s.ID == sitting })
	if i < 0 {
		return "", nil
	}
	return list.Items[i].Room, nil
}

// eventBefore is an id after which an event is the first one.
func eventBefore(event string) (string, bool) {
	millis, number, ok := strings.Cut(event, "-")
	at, err := strconv.ParseUint(millis, 10, 64)
	n, wrong := strconv.ParseUint(number, 10, 64)
	switch {
	case !ok || err != nil || wrong != nil:
		return "", false
	case n > 0:
		return millis + "-" + strconv.FormatUint(n-1, 10), true
	case at == 0:
		return "", false
	}
	return strconv.FormatUint(at-1, 10) + "-" + strconv.FormatInt(math.MaxInt64, 10), true
}
