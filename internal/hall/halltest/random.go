package halltest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// Factory makes an empty store that runs on a clock.
type Factory func(tb testing.TB) (hall.Store, *Clock)

// randomCandidates is how many people a random day has.
const randomCandidates = 14

// play is one random day: the same commands to a store and to the model.
type play struct {
	ctx   context.Context
	store hall.Store
	clock *Clock
	id    string
	model *Model
	by    hall.Caller

	events []string       // ids of the day's events
	steps  map[string]int // number of the command whose first event it is
}

// Random plays random days on a store and on the model and compares the two
// after every command, with all invariants.
func Random(t *testing.T, factory Factory) {
	store, clock := factory(t)
	days := 0
	rapid.Check(t, func(r *rapid.T) {
		days++
		p := newPlay(t.Context(), r, store, clock, days)
		steps := rapid.IntRange(1, mostSteps).Draw(r, "steps")
		for range steps {
			p.step(r)
			p.readEvents(r)
			p.compare(r)
		}
	})
}

func newPlay(ctx context.Context, r *rapid.T, store hall.Store, clock *Clock, day int) *play {
	layout := Layout(rapid.SampledFrom([][]string{
		{"one", "two", "three"},
		{"one", "both"},
		{"one", "two", "both", "three", "both", "one"},
	}).Draw(r, "machines")...)
	layout.Machines[len(layout.Machines)-1].Spare = rapid.Bool().Draw(r, "spare")
	layout.Rules = drawRules(r)
	layout.Sessions = []hall.Session{{Code: "AM", StartsAt: "08:05", CheckInFrom: "08:01"}}
	p := &play{
		ctx: ctx, store: store, clock: clock, by: hall.Caller{By: "test"},
		steps: map[string]int{},
		id:    fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"h", "a/b:{x}*", "зал 考场 "}).Draw(r, "id"), day),
	}
	if _, _, err := store.PutHall(ctx, p.id, layout, "", p.by); err != nil {
		r.Fatalf("put hall: %v", err)
	}
	p.model = NewModel(layout, clock.Now())
	p.model.By = p.by.By
	p.readEvents(r)
	rows := make([]hall.RosterRow, randomCandidates)
	for i := range rows {
		subjects := rapid.Permutation([]string{"1", "2", "3"}).Draw(r, "subjects")
		rows[i] = Row(fmt.Sprintf("%04d", i), subjects[:rapid.IntRange(1, 3).Draw(r, "count")]...)
		rows[i].Class = rapid.SampledFrom(hall.Classes).Draw(r, "class")
		rows[i].Session = rapid.SampledFrom([]string{"", "", "AM"}).Draw(r, "session")
		p.model.Register(rows[i])
	}
	if _, err := store.PutRoster(ctx, p.id, rows, false, p.by); err != nil {
		r.Fatalf("put roster: %v", err)
	}
	p.readEvents(r)
	return p
}

func drawRules(r *rapid.T) hall.Rules {
	rules := hall.DefaultRules()
	pick := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(r, name) }
	rules.Mode = pick("mode", "auto", "auto", "auto", "manual")
	rules.Order = pick("order", hall.OrderFIFO, hall.OrderStrict, hall.OrderAgeing)
	rules.Requeue = pick("requeue", "tail", "keep")
	rules.SubjectChoice = pick("choice", "listed", "bottleneck")
	rules.NoShow = pick("noShow", "tail", "after:2", "after:5", "absent")
	rules.ConfirmSeat = rapid.IntRange(0, 3).Draw(r, "confirm") > 0
	rules.RestSeconds = rapid.SampledFrom([]int{0, 0, 60}).Draw(r, "rest")
	rules.MaxHoldSeconds = rapid.SampledFrom([]int{0, 120}).Draw(r, "hold")
	rules.RecallLimit = rapid.IntRange(0, 2).Draw(r, "recalls")
	rules.CallTimeoutSeconds = 30
	rules.LateMinutes = rapid.SampledFrom([]int{0, 10}).Draw(r, "late")
	rules.WaitTargetSeconds = rapid.SampledFrom([]int{60, 1800}).Draw(r, "target")
	return rules
}

// step draws one command and gives it to both.
func (p *play) step(r *rapid.T) {
	if rapid.Bool().Draw(r, "moves") {
		most := rapid.SampledFrom([]int{5_000, 90_000, 12 * 3600_000}).Draw(r, "most")
		p.clock.Move(time.Duration(rapid.IntRange(0, most).Draw(r, "ms")) * time.Millisecond)
		p.model.Now = p.clock.Now()
	}
	candidate := fmt.Sprintf("%04d", rapid.IntRange(0, randomCandidates).Draw(r, "candidate"))
	machine := fmt.Sprintf("m%d", rapid.IntRange(1, len(p.model.Machines)+1).Draw(r, "machine"))
	sitting := p.drawSitting(r)
	if command := p.drawDayCommand(r); command != "" {
		p.model.Begin(false)
		if want, got := p.dayStep(r, command); hall.CodeOf(want) != hall.CodeOf(got) || (want == nil) != (got == nil) {
			r.Fatalf("%s: got %v, want %v", command, got, want)
		}
		p.compareDays(r)
		return
	}
	command := rapid.SampledFrom([]string{
		"check in", "check in", "check in", "seat", "seat", "end", "end", "end", "no-show", "recall", "abort", "transfer",
		"undo", "undo", "undo", "leave", "hold", "return", "restore", "class", "next", "next any", "machine", "pause", "resume", "elapse", "rules", "move", "call", "call", "door", "note", "incident", "correct", "erase", "outside", "screens", "elapse",
	}).Draw(r, "command")
	p.model.Begin(slices.Contains(undoable, command))
	var want, got error
	switch command {
	case "check in":
		var first, wantFirst bool
		in := p.drawCheckIn(r)
		wantFirst, want = p.model.CheckIn(candidate, in)
		var e hall.Entry
		e, first, got = p.store.CheckIn(p.ctx, p.id, candidate, in, p.by)
		if first != wantFirst {
			r.Fatalf("check in %s: first is %v", candidate, first)
		}
		if got == nil && e.Phone != p.model.GivePhone(candidate, e.Phone) {
			r.Fatalf("check in %s: another phone page than the first time", candidate)
		}
	case "seat":
		want = p.model.Seat(sitting)
		_, got = p.store.Seat(p.ctx, p.id, sitting, p.by)
	case "end":
		want = p.model.End(sitting)
		_, got = p.store.End(p.ctx, p.id, sitting, p.by)
	case "no-show":
		want = p.model.NoShow(sitting)
		_, got = p.store.NoShow(p.ctx, p.id, sitting, p.by)
	case "recall":
		announcement := rapid.IntRange(1, 4).Draw(r, "announcement")
		want = p.model.Recall(sitting, announcement)
		_, got = p.store.Recall(p.ctx, p.id, sitting, announcement, p.by)
	case "abort":
		a := hall.Abort{Fault: hall.FaultMachine, Reason: "broken", Code: drawCode(r), KeepMachine: rapid.Bool().Draw(r, "keep")}
		if rapid.Bool().Draw(r, "own fault") {
			a = hall.Abort{Fault: hall.FaultCandidate, Withdraw: rapid.Bool().Draw(r, "withdraw")}
		}
		want = p.model.Abort(sitting, a)
		_, got = p.store.Abort(p.ctx, p.id, sitting, a, p.by)
	case "transfer":
		t := hall.Transfer{OutOfService: rapid.Bool().Draw(r, "out"), Reason: "broken", Code: drawCode(r)}
		if rapid.Bool().Draw(r, "named") {
			t.Machine = machine
		}
		want = p.model.Transfer(sitting, t)
		_, got = p.store.Transfer(p.ctx, p.id, sitting, t, p.by)
	case "leave":
		want = p.model.Leave(candidate)
		got = p.store.Leave(p.ctx, p.id, candidate, p.by)
	case "hold":
		want = p.model.Hold(candidate)
		_, got = p.store.Hold(p.ctx, p.id, candidate, p.by)
	case "return":
		want = p.model.Return(candidate)
		_, got = p.store.Return(p.ctx, p.id, candidate, p.by)
	case "restore":
		kept := rapid.Bool().Draw(r, "kept")
		want = p.model.Restore(candidate, kept)
		_, got = p.store.Restore(p.ctx, p.id, candidate, kept, p.by)
	case "call":
		want = p.model.Call(candidate, machine)
		_, got = p.store.Call(p.ctx, p.id, candidate, machine, "in a hurry", p.by)
	case "door":
		open := rapid.Bool().Draw(r, "open")
		p.model.Door = open
		_, got = p.store.OpenCheckIn(p.ctx, p.id, open, p.by)
	case "note", "incident":
		want, got = p.remark(r, command, candidate, machine)
	case "erase":
		want, got = p.erase(r)
	case "correct":
		want, got = p.correct(r, candidate)
	case "outside": // changes nothing
		_, got = p.store.AppendEvent(p.ctx, p.id, hall.OutsideEvent{Event: "x_seen", Fields: map[string]string{"candidate": candidate, "machine": machine}}, p.by)
	case "screens":
		node, boards := rapid.SampledFrom([]string{"n1", "n2"}).Draw(r, "node"), rapid.IntRange(0, 2).Draw(r, "boards")
		p.model.ReportScreens(node, boards)
		got = p.store.ReportScreens(p.ctx, p.id, node, boards)
	case "class":
		class := rapid.SampledFrom(hall.Classes).Draw(r, "class")
		want = p.model.SetClass(candidate, class)
		_, got = p.store.SetClass(p.ctx, p.id, candidate, class, "", p.by)
	case "next", "next any":
		if command == "next any" {
			machine = ""
		}
		want, got = p.next(r, machine)
	case "machine":
		state := rapid.SampledFrom([]hall.MachineState{hall.MachineIdle, hall.MachineIdle, hall.MachineSpare, hall.MachineOutOfService}).Draw(r, "state")
		why := hall.OutageReason{Code: drawCode(r), Text: "broken"}
		want = p.model.SetMachineState(machine, state, why)
		_, got = p.store.SetMachineState(p.ctx, p.id, machine, state, why, p.by)
	case "undo":
		want, got = p.undo(r)
	case "pause":
		room := rapid.SampledFrom([]string{"", "A", "B"}).Draw(r, "room")
		p.model.Pause(room)
		_, got = p.store.Pause(p.ctx, p.id, room, "lunch", p.by)
	case "resume":
		room := rapid.SampledFrom([]string{"", "A", "B"}).Draw(r, "room")
		p.model.Resume(room)
		_, got = p.store.Resume(p.ctx, p.id, room, p.by)
	case "elapse":
		p.model.Elapse()
		_, got = p.store.Elapse(p.ctx, p.id)
	case "move":
		if p.model.Machines[machine] == nil {
			machine = "m1"
		}
		p.model.Move(machine, rapid.SampledFrom([]string{"A", "B"}).Draw(r, "room"))
		_, _, got = p.store.PutHall(p.ctx, p.id, p.model.Layout, "", p.by)
	case "rules":
		layout := p.model.Layout
		layout.Rules = drawRules(r)
		p.model.SetRules(layout.Rules)
		_, _, got = p.store.PutHall(p.ctx, p.id, layout, "", p.by)
	}
	if (want == nil) != (got == nil) || hall.CodeOf(want) != hall.CodeOf(got) {
		r.Fatalf("%s (candidate %s, machine %s, sitting %s): got %v, want %v", command, candidate, machine, sitting, got, want)
	}
}

// drawCode is one of a few codes, or none.
func drawCode(r *rapid.T) hall.OutageCode {
	return rapid.SampledFrom([]hall.OutageCode{"", hall.OutageNetwork, hall.OutageCleaning}).Draw(r, "code")
}

// drawCheckIn is now and for the own class as a rule.
func (p *play) drawCheckIn(r *rapid.T) hall.CheckIn {
	var in hall.CheckIn
	if rapid.IntRange(0, 3).Draw(r, "at") == 0 {
		minutes := rapid.SampledFrom([]int{-1, 0, 5, 600, 1440, 1441}).Draw(r, "minutes")
		in.At = p.clock.Now().Add(-time.Duration(minutes) * time.Minute)
	}
	if rapid.IntRange(0, 3).Draw(r, "classed") == 0 {
		in.Class = rapid.SampledFrom(hall.Classes).Draw(r, "class")
	}
	return in
}

// drawSitting prefers open sittings and sometimes takes an ended or unknown one.
func (p *play) drawSitting(r *rapid.T) string {
	ids := append(p.model.SittingIDs(), "s999")
	open := slices.DeleteFunc(slices.Clone(ids[:len(ids)-1]), func(id string) bool {
		return p.model.Sittings[id].State == hall.SittingEnded
	})
	if len(open) > 0 && rapid.IntRange(0, 4).Draw(r, "open sitting") > 0 {
		return rapid.SampledFrom(open).Draw(r, "sitting")
	}
	return rapid.SampledFrom(ids).Draw(r, "sitting")
}

func (p *play) next(r *rapid.T, machine string) (want, got error) {
	id, want := p.model.Next(machine)
	s, got := p.store.Next(p.ctx, p.id, machine, p.by)
	called := ""
	if s != nil {
		called = s.ID
	}
	if got == nil && called != id {
		r.Fatalf("next for %q: got sitting %q, want %q", machine, called, id)
	}
	return want, got
}
