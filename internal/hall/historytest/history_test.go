package historytest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hall/historytest"
)

var opened = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// at is a moment of the hall and of its callers alike.
func at(ms int) time.Time           { return opened.Add(time.Duration(ms) * time.Millisecond) }
func after(ms int) time.Duration    { return time.Duration(ms) * time.Millisecond }
func waited(ms int) *time.Duration  { d := after(ms); return &d }
func order(o string) (r hall.Rules) { r = layout(o).Rules; return r }

func layout(order string) hall.Layout {
	l := halltest.Layout("one", "two", "three")
	l.Rules.Mode, l.Rules.Order, l.Rules.ConfirmSeat = hall.ModeManual, order, false
	return l
}

// right is a short day of two people in a manual hall: a, normal, and b, a vip,
// check in one after the other while a third client looks; a is called and
// ends; the order becomes strict; b is held and returns; c and b are left, and b
// is called before c, who came sooner; somebody else gets nobody.
func right() *historytest.History {
	h := &historytest.History{Layout: layout(hall.OrderFIFO), Opened: opened, Began: opened, Rows: []hall.RosterRow{
		halltest.Row("a", "1"), halltest.Row("c", "1"), halltest.Row("b", "1"),
	}}
	h.Rows[2].Class = hall.ClassVIP
	add := func(o historytest.Operation, from, to int, events ...hall.Event) {
		o.Invoked, o.Returned, o.Client = after(from), after(to), len(h.Operations)
		h.Operations = append(h.Operations, &o)
		cause := ""
		for _, e := range events {
			e.ID, e.Cause = fmt.Sprintf("%d-0", len(h.Events)+1), cause
			if cause == "" {
				cause = e.ID
			}
			h.Events = append(h.Events, e)
		}
	}
	op := func(kind historytest.Kind, candidate string, outcome historytest.Outcome) historytest.Operation {
		return historytest.Operation{Kind: kind, Candidate: candidate, Outcome: outcome}
	}
	tickets := map[string]string{"a": "N001", "c": "N002", "b": "V001"}
	event := func(name hall.EventName, candidate string, ms int) hall.Event {
		class := hall.ClassNormal
		if candidate == "b" {
			class = hall.ClassVIP
		}
		e := hall.Event{Event: name, At: at(ms), By: "test", Candidate: candidate, Ticket: tickets[candidate], Class: class, Remaining: []string{"1"}}
		return e
	}
	call := func(candidate, sitting string, ms, wait int) hall.Event {
		e := event(hall.EventCandidateCalled, candidate, ms)
		e.Machine, e.Subject, e.Sitting, e.Wait = "m1", "1", sitting, waited(wait)
		return e
	}
	for i, id := range []string{"a", "c", "b"} {
		o := op(historytest.CheckIn, id, historytest.Changed)
		o.Ticket = tickets[id]
		add(o, 10+20*i, 20+20*i, event(hall.EventCandidateCheckedIn, id, 15+20*i))
	}
	look := op(historytest.Look, "b", historytest.Nothing)
	look.Ticket, look.State, look.Since, look.Queued, look.Wait, look.Ahead = "V001", "waiting", at(55), at(55), after(10), 2
	add(look, 62, 68)
	next := historytest.Operation{Kind: historytest.Next, Machine: "m1", Outcome: historytest.Changed, Called: "s1"}
	add(next, 70, 80, call("a", "s1", 75, 60))
	busy := historytest.Operation{Kind: historytest.Next, Machine: "m1", Outcome: historytest.Refused, Code: hall.CodeMachineNotIdle, State: "called"}
	add(busy, 71, 85)
	late := op(historytest.Leave, "a", historytest.Refused)
	late.Code, late.State = hall.CodeWrongState, "called"
	add(late, 71, 86)
	end := historytest.Operation{Kind: historytest.End, Sitting: "s1", Outcome: historytest.Done}
	ended, done := event(hall.EventSittingEnded, "a", 95), event(hall.EventCandidateDone, "a", 95)
	ended.Sitting, ended.Machine, ended.Subject, ended.Remaining = "s1", "m1", "1", nil
	done.By, done.Remaining = "system", nil
	add(end, 90, 100, ended, done)
	add(end, 91, 101) // the same again
	add(historytest.Operation{Kind: historytest.Rules, Rules: order(hall.OrderStrict), Outcome: historytest.Changed}, 110, 120,
		hall.Event{Event: hall.EventLayoutChanged, At: at(115), By: "test"})
	add(op(historytest.Hold, "b", historytest.Changed), 130, 140, event(hall.EventCandidateHeld, "b", 135))
	add(op(historytest.Return, "b", historytest.Changed), 150, 160, event(hall.EventCandidateReturned, "b", 155))
	next.Called = "s2"
	add(next, 170, 180, call("b", "s2", 175, 100))
	left := op(historytest.Leave, "c", historytest.Changed)
	add(left, 190, 200, event(hall.EventCandidateWithdrawn, "c", 195))
	add(historytest.Operation{Kind: historytest.Next, Outcome: historytest.Nothing}, 195, 205)
	return h
}

func TestRight(t *testing.T) {
	t.Parallel()
	if faults := right().Check(); len(faults) > 0 {
		t.Errorf("a right history:\n%s", strings.Join(faults, "\n"))
	}
}

// TestLost has commands without an answer: carried out or not, both is right.
func TestLost(t *testing.T) {
	t.Parallel()
	for kind, candidate := range map[historytest.Kind]string{historytest.CheckIn: "a", historytest.Hold: "b"} {
		h := right()
		o := find(h, kind, candidate)
		o.Outcome, o.Ticket = historytest.Lost, ""
		twice := *o
		h.Operations = append(h.Operations, &twice)
		if faults := h.Check(); len(faults) > 0 {
			t.Errorf("a lost %s:\n%s", kind, strings.Join(faults, "\n"))
		}
		o.Invoked, twice.Invoked = after(300), after(300)
		if faults := h.Check(); len(faults) == 0 {
			t.Errorf("a lost %s was carried out before it was given", kind)
		}
	}
}

// find is the first operation of a kind on a candidate or a sitting.
func find(h *historytest.History, kind historytest.Kind, name string) *historytest.Operation {
	for _, o := range h.Operations {
		if o.Kind == kind && (o.Candidate == name || o.Sitting == name || o.Called == name) {
			return o
		}
	}
	return nil
}

func index(h *historytest.History, name hall.EventName, about string) int {
	return slices.IndexFunc(h.Events, func(e hall.Event) bool {
		return e.Event == name && (e.Candidate == about || e.Sitting == about)
	})
}

func drop(h *historytest.History, name hall.EventName, about string) hall.Event {
	i := index(h, name, about)
	e := h.Events[i]
	h.Events = slices.Delete(h.Events, i, i+1)
	return e
}

func forget(h *historytest.History, o *historytest.Operation) {
	h.Operations = slices.DeleteFunc(h.Operations, func(p *historytest.Operation) bool { return p == o })
}

// TestWrong breaks a right history in every way that the check is for.
func TestWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(h *historytest.History)
		want  string
	}{
		"called out of order": {func(h *historytest.History) {
			e := &h.Events[index(h, hall.EventCandidateCalled, "s1")]
			e.Candidate, e.Ticket, e.Wait = "c", "N002", waited(40)
		}, "it was the turn of a"},
		"the same candidate to two callers": {func(h *historytest.History) {
			twice := *find(h, historytest.Next, "s1")
			twice.Client = 99
			h.Operations = append(h.Operations, &twice)
		}, "client 99: next m1 (70ms to 80ms) → changed s1 : was acknowledged, but no step is its"},
		"called twice": {func(h *historytest.History) {
			e := h.Events[index(h, hall.EventCandidateCalled, "s1")]
			e.Sitting = "s2"
			h.Events = slices.Insert(h.Events, index(h, hall.EventSittingEnded, "s1"), e)
			twice := *find(h, historytest.Next, "s1")
			twice.Called = "s2"
			h.Operations = append(h.Operations, &twice)
			forget(h, find(h, historytest.Next, "s2"))
			drop(h, hall.EventCandidateCalled, "b")
		}, "must have been refused: machine_not_idle"},
		"acknowledged but missing": {func(h *historytest.History) {
			drop(h, hall.EventCandidateCheckedIn, "c")
		}, "check in c (30ms to 40ms) → changed  : was acknowledged, but no step is its"},
		"acknowledged without an answer that tells which": {func(h *historytest.History) {
			drop(h, hall.EventCandidateHeld, "b")
		}, "hold b (130ms to 140ms) → changed  : was acknowledged, but no step is its"},
		"nobody asked for it": {func(h *historytest.History) {
			forget(h, find(h, historytest.Leave, "c"))
		}, "candidate_withdrawn c by test): no command asked for it"},
		"refused and done all the same": {func(h *historytest.History) {
			o := find(h, historytest.Leave, "c")
			o.Outcome, o.Code, o.State = historytest.Refused, hall.CodeWrongState, "called"
		}, "candidate_withdrawn c by test): no command asked for it"},
		"a follower that nothing caused": {func(h *historytest.History) {
			drop(h, hall.EventSittingEnded, "s1")
		}, "candidate_done a: nobody asked for it"},
		"a call left out of its step": {func(h *historytest.History) {
			h.Layout.Rules.Mode = hall.ModeAuto
		}, "0 calls by now, want 1"},
		"refused for a state that never was": {func(h *historytest.History) {
			h.Operations[5].State = "in_use"
		}, "refused machine_not_idle in_use: the answer was right at no moment"},
		"refused too late": {func(h *historytest.History) {
			h.Operations[6].Invoked, h.Operations[6].Returned = after(121), after(122)
		}, "leave a (121ms to 122ms) → refused wrong_state called: the answer was right at no moment"},
		"refused too early": {func(h *historytest.History) {
			h.Operations[6].Invoked, h.Operations[6].Returned = after(61), after(69)
		}, "the answer was right at no moment"},
		"nobody, while somebody waits": {func(h *historytest.History) {
			last := h.Operations[len(h.Operations)-1]
			last.Machine, last.Invoked, last.Returned = "m1", after(102), after(109)
		}, "the answer was right at no moment"},
		"a wrong place": {func(h *historytest.History) {
			find(h, historytest.Look, "b").Ahead = 1
		}, "look b (62ms to 68ms) → nothing  waiting: the answer was right at no moment"},
		"the time of a place that was another": {func(h *historytest.History) {
			find(h, historytest.Look, "b").Queued = at(54)
		}, "the answer was right at no moment"},
		"the order switched before anybody asked": {func(h *historytest.History) {
			e := drop(h, hall.EventLayoutChanged, "")
			e.At = at(71)
			h.Events = slices.Insert(h.Events, index(h, hall.EventCandidateCalled, "s1"), e)
		}, "no command asked for it at that time"},
		"the order switched too early": {func(h *historytest.History) {
			find(h, historytest.Rules, "").Invoked = after(65) // at the same time as the call
			e := drop(h, hall.EventLayoutChanged, "")
			e.At = at(71)
			h.Events = slices.Insert(h.Events, index(h, hall.EventCandidateCalled, "s1"), e)
		}, "it was the turn of b"},
		"the order switched too late": {func(h *historytest.History) {
			e := drop(h, hall.EventLayoutChanged, "")
			e.At = at(176)
			h.Events = slices.Insert(h.Events, index(h, hall.EventCandidateCalled, "s2")+1, e)
		}, "under the order fifo it was the turn of c"},
		"two orders at once": {func(h *historytest.History) {
			find(h, historytest.Rules, "").Rules = order(hall.OrderFIFO)
		}, "under the order fifo it was the turn of c"},
		"in another order than in real time": {func(h *historytest.History) {
			a := drop(h, hall.EventCandidateCheckedIn, "a")
			a.Ticket = "N002"
			h.Events = slices.Insert(h.Events, 1, a)
			h.Events[0].Ticket = "N001"
			find(h, historytest.CheckIn, "a").Ticket, find(h, historytest.CheckIn, "c").Ticket = "N002", "N001"
			for i := range h.Events { // the rest of the day is a's no more
				if h.Events[i].Candidate == "c" {
					h.Events[i].Ticket = "N001"
				}
			}
			h.Events, h.Operations = h.Events[:3], h.Operations[:3]
		}, "stands before step"},
		"a wait that was another": {func(h *historytest.History) {
			h.Events[index(h, hall.EventCandidateCalled, "s1")].Wait = waited(61)
		}, "the wait of a is told otherwise"},
		"another ticket than was told": {func(h *historytest.History) {
			h.Events[index(h, hall.EventCandidateCalled, "s1")].Ticket = "N009"
		}, "a is {State:called Ticket:N009"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := right()
			test.spoil(h)
			faults := strings.Join(h.Check(), "\n")
			if !strings.Contains(faults, test.want) {
				t.Errorf("want %q, got:\n%s", test.want, faults)
			}
		})
	}
}
