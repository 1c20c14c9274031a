package metrics_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// busyDay is a day of many people on which everything happens that can happen.
type busyDay struct {
	*disturbed

	people int
	done   map[string]int // commands that were carried out
	layout hall.Layout
}

const dayLayout = 8 // machines

func newBusyDay(s *scene, people int) *busyDay {
	s.Helper()
	kinds := []string{"one", "two", "three", "both"}
	names := make([]string, dayLayout)
	for i := range names {
		names[i] = kinds[i%len(kinds)]
	}
	b := &busyDay{
		disturbed: &disturbed{Store: s.store, s: s, random: rand.New(rand.NewPCG(3, 4)), has: map[string]bool{}},
		people:    people, done: map[string]int{}, layout: halltest.Layout(names...),
	}
	for i, batch := range []int{5, 200} {
		b.nodes = append(b.nodes, s.killed(uint64(i), batch))
	}
	b.nodes = append(b.nodes, s.another(9))
	b.layout.Rules.RecallLimit, b.layout.Rules.MaxNoShows = 1, 3
	b.putLayout()
	b.roster()
	return b
}

func (b *busyDay) putLayout() {
	_, _, err := b.PutHall(b.s.Context(), b.s.id, b.layout, "", tester)
	b.s.must(err)
}

func (b *busyDay) roster() {
	rows := make([]hall.RosterRow, b.people)
	for i := range rows {
		subjects := []string{"1", "2", "3"}
		b.random.Shuffle(3, func(i, j int) { subjects[i], subjects[j] = subjects[j], subjects[i] })
		rows[i] = halltest.Row(fmt.Sprintf("%03d", i), subjects[:1+b.random.IntN(2)]...)
		rows[i].Class = hall.Classes[b.random.IntN(len(hall.Classes))]
	}
	_, err := b.PutRoster(b.s.Context(), b.s.id, rows, false, tester)
	b.s.must(err)
}

// step gives a command that mostly fits; what does not is refused.
func (b *busyDay) step() {
	s, ctx, id := b.s, b.s.Context(), b.s.id
	s.clock.Move(time.Duration(b.random.IntN(40_000)) * time.Millisecond)
	person, machine := fmt.Sprintf("%03d", b.random.IntN(b.people)), fmt.Sprintf("m%d", 1+b.random.IntN(dayLayout))
	by := hall.Caller{By: []string{"ann", "bob", "kiosk-1"}[b.random.IntN(3)]}
	sitting := ""
	if open, err := b.Sittings(ctx, id, hall.SittingFilter{}, hall.Page{}); err == nil {
		var ids []string
		for i := range open.Items {
			if open.Items[i].State != hall.SittingEnded {
				ids = append(ids, open.Items[i].ID)
			}
		}
		if len(ids) > 0 {
			sitting = ids[b.random.IntN(len(ids))]
		}
	}
	if line, err := b.Line(ctx, id, hall.LineFilter{}, hall.Page{Number: 1, Size: 1}); err == nil && line.Total > 0 && b.random.IntN(2) > 0 {
		person = line.Items[0].ID
	}
	var err error
	name := []string{
		"check in", "check in", "check in", "check in", "check in", "seat", "seat", "seat", "end", "end", "end", "no-show", "recall", "abort", "transfer", "hold", "return", "leave",
		"restore", "leave", "restore", "class", "subjects", "undo", "undo", "out", "in", "spare", "elapse", "layout", "outside", "day",
	}[b.random.IntN(32)]
	switch name {
	case "check in":
		_, _, err = b.CheckIn(ctx, id, person, hall.CheckIn{}, by)
	case "seat":
		_, err = b.Seat(ctx, id, sitting, by)
	case "end":
		_, err = b.End(ctx, id, sitting, by)
	case "no-show":
		_, err = b.NoShow(ctx, id, sitting, by)
	case "recall":
		_, err = b.Recall(ctx, id, sitting, 2, by)
	case "abort":
		_, err = b.Abort(ctx, id, sitting, hall.Abort{Fault: hall.FaultMachine, Reason: "smoke", Code: b.code(), KeepMachine: b.random.IntN(2) > 0}, by)
	case "transfer":
		_, err = b.Transfer(ctx, id, sitting, hall.Transfer{OutOfService: b.random.IntN(2) > 0, Code: b.code()}, by)
	case "hold":
		_, err = b.Hold(ctx, id, person, by)
	case "return":
		_, err = b.Return(ctx, id, b.aside(hall.Held), by)
	case "leave":
		err = b.Leave(ctx, id, person, by)
	case "restore":
		_, err = b.Restore(ctx, id, b.aside(hall.Withdrawn, hall.Absent), b.random.IntN(2) > 0, by)
	case "class":
		_, err = b.SetClass(ctx, id, person, hall.Classes[b.random.IntN(len(hall.Classes))], "", by)
	case "subjects":
		row := halltest.Row(person, []string{"1", "2", "3"}[b.random.IntN(3):]...)
		row.Class = hall.Classes[b.random.IntN(len(hall.Classes))]
		_, _, err = b.PutCandidate(ctx, id, row, by)
	case "undo":
		err = b.undo(by)
	case "out", "in", "spare":
		state := map[string]hall.MachineState{"out": hall.MachineOutOfService, "in": hall.MachineIdle, "spare": hall.MachineSpare}[name]
		_, err = b.SetMachineState(ctx, id, machine, state, hall.OutageReason{Code: b.code(), Text: "dark"}, by)
	case "elapse":
		_, err = b.Elapse(ctx, id)
	case "layout": // a machine goes, or comes back
		all := b.layout.Machines
		if len(all) == dayLayout {
			b.layout.Machines = all[:dayLayout-1]
		} else {
			b.layout.Machines = all[:dayLayout]
		}
		if _, _, err = b.PutHall(ctx, id, b.layout, "", by); err != nil {
			b.layout.Machines = all
		}
	case "outside":
		_, err = b.AppendEvent(ctx, id, hall.OutsideEvent{Event: "x_seen", Fields: map[string]string{"machine": machine, "candidate": person}}, by)
	case "day":
		if b.random.IntN(10) > 0 {
			return
		}
		if _, err = b.CloseDay(ctx, id, "", by); err == nil {
			b.roster()
			_, err = b.OpenDay(ctx, id, by)
		}
	}
	if err == nil {
		b.done[name]++
	}
}

// code is one for a machine that goes out of service, or none.
func (b *busyDay) code() hall.OutageCode {
	return append(hall.OutageCodes, "")[b.random.IntN(len(hall.OutageCodes)+1)]
}

// aside is somebody in one of these states.
func (b *busyDay) aside(states ...hall.CandidateState) string {
	snap, err := b.Snapshot(b.s.Context(), b.s.id)
	b.s.must(err)
	for i := range snap.Aside {
		if slices.Contains(states, snap.Aside[i].State) {
			return snap.Aside[i].ID
		}
	}
	return "nobody"
}

// undo takes back one of the last commands.
func (b *busyDay) undo(by hall.Caller) error {
	snap, err := b.Snapshot(b.s.Context(), b.s.id)
	if err != nil || len(snap.Commands) == 0 {
		return hall.ErrUnavailable
	}
	_, err = b.Undo(b.s.Context(), b.s.id, snap.Commands[b.random.IntN(min(3, len(snap.Commands)))].ID, false, by)
	return err
}

// TestBusyDay plays days of many people, whose events three nodes follow, two
// of which are killed now and then, and compares all figures again and again.
func TestBusyDay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		steps, full := 600, true
		if s.inProcess() && !*deep {
			steps, full = 120, false
		}
		b := newBusyDay(s, 240)
		b.put = seen
		for range steps {
			b.step()
			if _, err := b.Events(s.Context(), s.id, "", hall.Page{Number: 1, Size: 1}); err != nil {
				s.Fatal(err)
			}
		}
		b.check(s.Context(), s.id)
		for _, name := range []string{"undo", "class", "subjects", "layout", "day", "no-show", "abort", "out", "in", "restore"} {
			if full && b.done[name] == 0 {
				s.Errorf("no %s in these days: %v", name, b.done)
			}
		}
		if full && (b.checks < 10 || len(b.put) > 0) {
			s.Errorf("%d checks, %d definitions never put", b.checks, len(b.put))
		}
	})
}
