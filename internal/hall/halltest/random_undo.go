package halltest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// undoable are the commands of random days that may be taken back.
var undoable = []string{
	"seat", "end", "no-show", "abort", "transfer", "leave", "hold", "return", "restore", "class", "next", "next any",
	"machine", "call",
}

// readEvents takes in the events of the last command.
func (p *play) readEvents(r *rapid.T) {
	after := ""
	if len(p.events) > 0 {
		after = p.events[len(p.events)-1]
	}
	list, err := p.store.Events(p.ctx, p.id, after, hall.Page{})
	if err != nil {
		r.Fatalf("events after %q: %v", after, err)
	}
	for i, e := range list.Items {
		if (e.Cause == "") != (i == 0) || (i > 0 && e.Cause != list.Items[0].ID) {
			r.Fatalf("event %d of a step has the cause %q", i, e.Cause)
		}
		p.events = append(p.events, e.ID)
		p.steps[e.ID] = -1
		if i == 0 {
			p.steps[e.ID] = p.model.Step()
		}
	}
}

// undo takes back one of the last commands, as a rule.
func (p *play) undo(r *rapid.T) (want, got error) {
	var commands []string
	for _, id := range p.events {
		if p.steps[id] >= 0 {
			commands = append(commands, id)
		}
	}
	last := commands[max(0, len(commands)-6):]
	event := rapid.SampledFrom(last).Draw(r, "event")
	if rapid.IntRange(0, 9).Draw(r, "any event") == 0 {
		event = rapid.SampledFrom(append(slices.Clone(p.events), "1-1", "x")).Draw(r, "event")
	}
	dryRun := rapid.IntRange(0, 3).Draw(r, "dry") == 0
	number, known := p.steps[event]
	var withdrawn []string
	again := false
	switch {
	case !known:
		want = refuse(hall.CodeUnknownEvent)
	case number < 0:
		want = refuse(hall.CodeNotUndoable)
	default:
		again = p.model.steps[number].undone
		withdrawn, want = p.model.Undo(number, dryRun)
	}
	done, got := p.store.Undo(p.ctx, p.id, event, dryRun, p.by)
	if got != nil || want != nil {
		return want, got
	}
	var calls []string
	for _, s := range done.Withdrawn {
		calls = append(calls, s.ID)
	}
	if !again && !slices.Equal(calls, withdrawn) {
		r.Fatalf("undo of %s: withdrawn are %v, want %v", event, calls, withdrawn)
	}
	if done.Undoes != event || (done.Event == "") != (dryRun && !again) {
		r.Fatalf("undo of %s: answered %+v", event, done)
	}
	return nil, nil
}
