package halltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/hallcall/hallcall/internal/hall"
)

// Small enough that every order of the commands can be tried.
const (
	linearClients  = 6
	linearCommands = 10
	linearPeople   = 5
	linearRounds   = 10
)

// input is a command to a hall with one subject, and output what was answered:
// a candidate, a code, or nothing.
type (
	input  struct{ kind, name string }
	output string
)

// lineState is the whole state of such a hall, as far as the commands can tell.
type lineState struct {
	waiting []string
	states  map[string]hall.CandidateState
	busy    map[string]bool // machines
}

// copied is a state that can be changed without changing s.
func (s lineState) copied() lineState {
	states, busy := map[string]hall.CandidateState{}, map[string]bool{}
	for id, state := range s.states {
		states[id] = state
	}
	for id := range s.busy {
		busy[id] = true
	}
	return lineState{slices.Clone(s.waiting), states, busy}
}

func (s lineState) String() string { return fmt.Sprint(s.waiting, s.states, s.busy) }

// step is what the hall answers to a command, and how it is then.
func (s lineState) step(in input) (output, lineState) {
	next, state := s.copied(), s.states[in.name]
	switch in.kind {
	case "check in":
		switch state {
		case "":
			next.waiting, next.states[in.name] = append(next.waiting, in.name), hall.Waiting
			return "first", next
		case hall.Withdrawn:
			return output(hall.CodeNeedsRestore), s
		default:
			return "again", s
		}
	case "restore":
		if state != hall.Withdrawn {
			return output(hall.CodeWrongState), s
		}
		next.waiting, next.states[in.name] = append(next.waiting, in.name), hall.Waiting
		return "", next
	case "leave":
		switch state {
		case hall.Waiting:
			next.waiting = slices.DeleteFunc(next.waiting, func(id string) bool { return id == in.name })
			next.states[in.name] = hall.Withdrawn
			return "", next
		case hall.Called:
			return output(hall.CodeWrongState), s
		default:
			return output(hall.CodeNotInQueue), s
		}
	}
	if s.busy[in.name] {
		return output(hall.CodeMachineNotIdle), s
	}
	if len(s.waiting) == 0 {
		return "nobody", s
	}
	called := next.waiting[0]
	next.waiting, next.states[called], next.busy[in.name] = next.waiting[1:], hall.Called, true
	return output(called), next
}

// linearModel says to porcupine what lineState does.
var linearModel = porcupine.Model{
	Init: func() any {
		return lineState{states: map[string]hall.CandidateState{}, busy: map[string]bool{}}
	},
	Step: func(state, in, out any) (bool, any) {
		want, next := state.(lineState).step(in.(input)) //nolint:errcheck // only these are given
		return want == out, next
	},
	Equal:             func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) },
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%v → %v", in, out) },
}

// exerciseLinearizable has some clients check in, leave, come back and call the
// next at once. There must be one order of all commands that explains every
// answer, and in which a command that was answered comes before those that were
// given later.
func exerciseLinearizable(t *testing.T, factory Factory) {
	store, clock := factory(t)
	for round := range linearRounds {
		layout := with(Layout("one", "one", "one"), func(r *hall.Rules) { r.Mode = hall.ModeManual })
		layout.Subjects, layout.Models = layout.Subjects[:1], layout.Models[:1]
		d := &desk{T: t, store: store, clock: clock, id: fmt.Sprintf("linear %d", round)}
		d.putHall(layout)
		var rows []hall.RosterRow
		for i := range linearPeople {
			rows = append(rows, Row(fmt.Sprintf("p%d", linearPeople-i), "1"))
		}
		d.putRoster(rows...)
		history := d.together(uint64(round))
		switch result, _ := porcupine.CheckOperationsVerbose(linearModel, history, time.Minute); result {
		case porcupine.Ok:
		case porcupine.Unknown:
			t.Errorf("round %d: the history is too long to be decided", round)
		case porcupine.Illegal:
			var told strings.Builder
			for _, o := range history {
				fmt.Fprintf(&told, "%d: %v → %v (%d to %d)\n", o.ClientId, o.Input, o.Output, o.Call, o.Return)
			}
			t.Errorf("no order of these commands explains the answers:\n%s", &told)
		}
		d.sound()
	}
}

// together gives the commands of all clients, each of which draws its own.
func (d *desk) together(seed uint64) (history []porcupine.Operation) {
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for client := range linearClients {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		all.Go(func() {
			for range linearCommands {
				in := input{[]string{"check in", "check in", "leave", "restore", "next"}[random.IntN(5)], fmt.Sprintf("p%d", 1+random.IntN(linearPeople))}
				if in.kind == "next" {
					in.name = fmt.Sprintf("m%d", 1+random.IntN(3))
				}
				o := porcupine.Operation{ClientId: client, Input: in, Call: time.Since(began).Nanoseconds()}
				o.Output = d.answer(in)
				o.Return = time.Since(began).Nanoseconds()
				mu.Lock()
				history = append(history, o)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return history
}

// answer gives one command.
func (d *desk) answer(in input) output {
	var out output
	var err error
	switch in.kind {
	case "check in":
		var first bool
		_, first, err = d.store.CheckIn(d.Context(), d.id, in.name, hall.CheckIn{}, testCaller)
		if out = "again"; first {
			out = "first"
		}
	case "leave":
		err = d.store.Leave(d.Context(), d.id, in.name, testCaller)
	case "restore":
		_, err = d.store.Restore(d.Context(), d.id, in.name, false, testCaller)
	default:
		var s *hall.Sitting
		if s, err = d.store.Next(d.Context(), d.id, in.name, testCaller); s != nil {
			out = output(s.Candidate)
		} else {
			out = "nobody"
		}
	}
	if err != nil {
		out = output(hall.CodeOf(err))
	}
	return out
}
