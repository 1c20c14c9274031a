package halltest

import (
	"errors"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// Exercise is what every store must pass.
func Exercise(t *testing.T, factory Factory) {
	for name, test := range map[string]func(*testing.T, Factory){
		"halls":       exerciseHalls,
		"replace":     exerciseReplace,
		"pause":       exercisePause,
		"roster":      exerciseRoster,
		"states":      exerciseStates,
		"tickets":     exerciseTickets,
		"dispatch":    exerciseDispatch,
		"line":        exerciseLine,
		"next":        exerciseNext,
		"recall":      exerciseRecall,
		"no-show":     exerciseNoShow,
		"abort":       exerciseAbort,
		"machines":    exerciseMachines,
		"codes":       exerciseOutageCodes,
		"rest":        exerciseRest,
		"once":        exerciseOnce,
		"events":      exerciseEvents,
		"snapshot":    exerciseSnapshot,
		"watch":       exerciseWatch,
		"together":    exerciseTogether,
		"elapse":      exerciseElapseTogether,
		"strange ids": exerciseStrangeIDs,
		"phones":      exercisePhones,
		"orders":      exerciseOrders,
		"instant":     exerciseInstant,
		"linear":      exerciseLinearizable,
		"managers":    exerciseManagers,
		"notes":       exerciseNotes,
		"incidents":   exerciseIncidents,
		"opened":      exerciseOpenedIncidents,
		"target":      exerciseTarget,
		"estimates":   exerciseEstimates,
		"undo":        exerciseUndo,
		"undo apart":  exerciseUndoApart,
		"hold limit":  exerciseHoldLimit,
		"outside":     exerciseOutside,
		"days":        exerciseDays,
		"days again":  exerciseDaysAgain,
		"records":     exerciseRecords,
		"corrections": exerciseCorrections,
		"sessions":    exerciseSessions,
		"erase":       exerciseErase,
		"keep days":   exerciseKeepDays,
		"midnight":    exerciseMidnight,
		"alerts":      exerciseAlerts,
		"clearing":    exerciseClearing,
		"back late":   exerciseBackLate,
		"screens":     exerciseScreens,
		"outages":     exerciseOutages,
		"alert days":  exerciseAlertDays,
		"random days": Random,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, factory)
		})
	}
}

// desk is a hall with what a test does to it: every method fails the test when
// the store refuses what should go.
type desk struct {
	*testing.T

	store hall.Store
	clock *Clock
	id    string
}

// testCaller gives the commands of tests.
var testCaller = hall.Caller{By: "test"}

// open creates a hall on an empty store.
func open(t *testing.T, factory Factory, layout hall.Layout, rows ...hall.RosterRow) *desk {
	t.Helper()
	store, clock := factory(t)
	d := &desk{T: t, store: store, clock: clock, id: "no7"}
	d.putHall(layout)
	d.putRoster(rows...)
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// refused fails unless err has the code.
func (d *desk) refused(err error, code hall.Code) {
	d.Helper()
	if hall.CodeOf(err) != code {
		d.Fatalf("got %v, want a refusal with code %s", err, code)
	}
}

func (d *desk) putHall(layout hall.Layout) hall.Hall {
	d.Helper()
	h, _, err := d.store.PutHall(d.Context(), d.id, layout, "", testCaller)
	d.must(err)
	return h
}

func (d *desk) putRoster(rows ...hall.RosterRow) hall.RosterResult {
	d.Helper()
	result, err := d.store.PutRoster(d.Context(), d.id, rows, false, testCaller)
	d.must(err)
	return result
}

func (d *desk) checkIn(candidates ...string) hall.Entry {
	d.Helper()
	var e hall.Entry
	for _, c := range candidates {
		var err error
		e, _, err = d.store.CheckIn(d.Context(), d.id, c, hall.CheckIn{}, testCaller)
		d.must(err)
	}
	return e
}

func (d *desk) entry(candidate string) hall.Entry {
	d.Helper()
	e, err := d.store.Entry(d.Context(), d.id, candidate)
	d.must(err)
	return e
}

// calledTo is the open sitting of a candidate, who must have one.
func (d *desk) calledTo(candidate string) hall.Sitting {
	d.Helper()
	e := d.entry(candidate)
	if e.Current == nil {
		d.Fatalf("candidate %s is %s and has no open sitting", candidate, e.State)
	}
	return *e.Current
}

func (d *desk) seat(candidate string) hall.Sitting {
	d.Helper()
	s, err := d.store.Seat(d.Context(), d.id, d.calledTo(candidate).ID, testCaller)
	d.must(err)
	return s
}

func (d *desk) end(candidate string) hall.Sitting {
	d.Helper()
	s, err := d.store.End(d.Context(), d.id, d.calledTo(candidate).ID, testCaller)
	d.must(err)
	return s
}

func (d *desk) noShow(candidate string) hall.Sitting {
	d.Helper()
	s, err := d.store.NoShow(d.Context(), d.id, d.calledTo(candidate).ID, testCaller)
	d.must(err)
	return s
}

func (d *desk) elapse() {
	d.Helper()
	_, err := d.store.Elapse(d.Context(), d.id)
	d.must(err)
}

// states fails unless the candidates are in these states: "0001 waiting".
func (d *desk) states(want map[string]hall.CandidateState) {
	d.Helper()
	for id, state := range want {
		c, err := d.store.Candidate(d.Context(), d.id, id)
		d.must(err)
		if c.State != state {
			d.Errorf("candidate %s is %s, want %s", id, c.State, state)
		}
	}
}

// line is who waits, in order.
func (d *desk) line(filter hall.LineFilter) []string {
	d.Helper()
	list, err := d.store.Line(d.Context(), d.id, filter, hall.Page{})
	d.must(err)
	ids := []string{}
	for _, e := range list.Items {
		ids = append(ids, e.ID)
	}
	return ids
}

// sound fails unless all invariants hold.
func (d *desk) sound() {
	d.Helper()
	st, err := d.store.State(d.Context(), d.id)
	d.must(err)
	for _, broken := range hall.Check(&st) {
		d.Error(broken)
	}
}

func with(l hall.Layout, change func(*hall.Rules)) hall.Layout {
	change(&l.Rules)
	return l
}

func asError(err error, target **hall.Error) bool { return errors.As(err, target) }
