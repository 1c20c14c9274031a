package metrics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/metrics"
)

// wholeDay brings everybody through a day, with nodes that are killed and
// replaced. What it does it writes down itself.
type wholeDay struct {
	*scene

	random  *rand.Rand
	layout  hall.Layout
	rows    []hall.RosterRow
	arrived int
	given   map[string]int // commands that were carried out, by account
	nodes   []*metrics.Centre
	killed  int
}

func newWholeDay(s *scene, people int) *wholeDay {
	s.Helper()
	d := &wholeDay{
		scene: s, random: rand.New(rand.NewPCG(5, 6)), given: map[string]int{},
		layout: halltest.Layout("one", "two", "three", "both", "one", "two", "both", "three"),
	}
	d.layout.Rules.RecallLimit, d.layout.Rules.MaxNoShows = 2, 2
	_, _, err := s.store.PutHall(s.Context(), s.id, d.layout, "", tester)
	s.must(err)
	for i := range people {
		subjects := []string{"1", "2", "3"}
		d.random.Shuffle(3, func(i, j int) { subjects[i], subjects[j] = subjects[j], subjects[i] })
		row := halltest.Row(fmt.Sprintf("%03d", i), subjects[:1+d.random.IntN(2)]...)
		row.Class = hall.Classes[d.random.IntN(len(hall.Classes))]
		d.rows = append(d.rows, row)
	}
	_, err = s.store.PutRoster(s.Context(), s.id, d.rows, false, tester)
	s.must(err)
	d.nodes = []*metrics.Centre{s.killed(1, 3), s.killed(2, 200)}
	return d
}

// follow has the nodes follow at the same time; a killed one is replaced by one that knows nothing.
func (d *wholeDay) follow() {
	d.Helper()
	done := make(chan error, len(d.nodes))
	for _, node := range d.nodes {
		go func() { done <- node.Follow(d.Context(), d.id) }()
	}
	struck := false
	for range d.nodes {
		struck = (<-done != nil) || struck
	}
	if struck {
		d.killed++
		d.nodes[d.killed%2] = d.scene.killed(uint64(d.killed), []int{1, 7, 200}[d.killed%3])
	}
}

// did notes a command that must fit.
func (d *wholeDay) did(by hall.Caller, err error) {
	d.Helper()
	d.must(err)
	d.given[by.By]++
}

// step gives one command; over says that nobody is left.
func (d *wholeDay) step() (over bool) {
	ctx, id := d.Context(), d.id
	d.clock.Move(time.Duration(d.random.IntN(30_000)) * time.Millisecond)
	by := hall.Caller{By: []string{"ann", "bob"}[d.random.IntN(2)]}
	if d.arrived < len(d.rows) && d.random.IntN(3) == 0 {
		_, _, err := d.store.CheckIn(ctx, id, d.rows[d.arrived].Candidate, hall.CheckIn{}, hall.Caller{By: "kiosk"})
		d.did(hall.Caller{By: "kiosk"}, err)
		d.arrived++
		return false
	}
	machines, err := d.store.Machines(ctx, id, hall.MachineFilter{}, hall.Page{})
	d.must(err)
	var open []*hall.Sitting
	var free, out []string
	for _, m := range machines.Items {
		switch {
		case m.Current != nil:
			open = append(open, m.Current)
		case m.State == hall.MachineOutOfService:
			out = append(out, m.ID)
		default:
			free = append(free, m.ID)
		}
	}
	switch n := d.random.IntN(20); {
	case len(out) > 0 && (n < 4 || len(open) == 0):
		_, err = d.store.SetMachineState(ctx, id, out[0], hall.MachineIdle, hall.OutageReason{}, by)
		d.did(by, err)
	case n == 4 && len(free) > 0 && len(out) == 0:
		_, err = d.store.SetMachineState(ctx, id, free[0], hall.MachineOutOfService, hall.OutageReason{Code: hall.OutageCodes[d.random.IntN(len(hall.OutageCodes))], Text: "dark"}, by)
		d.did(by, err)
	case n == 5 || n == 6:
		d.aside(by, n == 5)
	case len(open) > 0:
		d.goOn(by, open[d.random.IntN(len(open))], n)
	default:
		return d.arrived == len(d.rows) && d.nobodyHeld(by)
	}
	return false
}

// goOn brings one sitting further.
func (d *wholeDay) goOn(by hall.Caller, s *hall.Sitting, n int) {
	d.Helper()
	ctx, id := d.Context(), d.id
	var err error
	switch {
	case s.State == hall.SittingSeated && n == 7:
		_, err = d.store.Abort(ctx, id, s.ID, hall.Abort{Fault: hall.FaultCandidate, Reason: "ill"}, by)
	case s.State == hall.SittingSeated, n == 8: // of one who was called: seated and ended at once
		_, err = d.store.End(ctx, id, s.ID, by)
	case n == 9 && s.Recalls < d.layout.Rules.RecallLimit:
		_, err = d.store.Recall(ctx, id, s.ID, s.Announcement()+1, by)
	case n == 10 || n == 11:
		_, err = d.store.NoShow(ctx, id, s.ID, by)
	case n == 12:
		_, err = d.store.Abort(ctx, id, s.ID, hall.Abort{Fault: hall.FaultMachine, Reason: "smoke"}, by)
	default:
		_, err = d.store.Seat(ctx, id, s.ID, by)
	}
	d.did(by, err)
}

// aside sets the first in line aside, or has somebody change class or leave.
func (d *wholeDay) aside(by hall.Caller, hold bool) {
	d.Helper()
	ctx, id := d.Context(), d.id
	line, err := d.store.Line(ctx, id, hall.LineFilter{}, hall.Page{Number: 1, Size: 5})
	d.must(err)
	switch {
	case len(line.Items) < 3:
		d.nobodyHeld(by)
	case hold:
		_, err = d.store.Hold(ctx, id, line.Items[2].ID, by)
		d.did(by, err)
	case d.random.IntN(3) == 0:
		d.did(by, d.store.Leave(ctx, id, line.Items[1].ID, by))
	default:
		e := line.Items[0]
		class := hall.Classes[(slices.Index(hall.Classes, e.Class)+1)%len(hall.Classes)]
		_, err = d.store.SetClass(ctx, id, e.ID, class, "", by)
		d.did(by, err)
	}
}

// nobodyHeld has somebody come back who is held; true when there is nobody.
func (d *wholeDay) nobodyHeld(by hall.Caller) bool {
	d.Helper()
	snap, err := d.store.Snapshot(d.Context(), d.id)
	d.must(err)
	for _, e := range snap.Aside {
		if e.State == hall.Held {
			_, err := d.store.Return(d.Context(), d.id, e.ID, by)
			d.did(by, err)
			return false
		}
	}
	return true
}

// apart are the figures of the day worked out of who and what there is, not of
// any event, by question.
func (d *wholeDay) apart() map[string]any {
	d.Helper()
	state, err := d.store.State(d.Context(), d.id)
	d.must(err)
	w := apartness{values: map[string]any{}, zone: state.Hall.Location()}
	for _, metric := range []string{"noShows", "recalls", "aborts", "sittingsEnded", "donePerHour", "callsPerHour", "checkInsPerHour"} {
		w.values[metric] = map[string]int{}
	}
	for _, s := range d.layout.Subjects {
		w.values["waitingBySubject subject "+s.Code] = 0
		for _, metric := range []string{"waitBuckets", "walkBuckets", "sittingLengthBuckets"} {
			w.values[metric+" subject "+s.Code] = map[string]int{}
		}
	}
	for _, class := range hall.Classes {
		w.values["waitingByClass class "+string(class)] = 0
	}
	w.values["absences"] = 0
	finished := map[string]time.Time{}
	for _, s := range state.Sittings {
		w.sitting(&s)
		if s.EndedAt.After(finished[s.Candidate]) {
			finished[s.Candidate] = s.EndedAt
		}
	}
	for id, c := range state.Candidates {
		w.candidate(&c, finished[id])
	}
	w.machines(state.Machines, d.layout)
	return w.values
}

type apartness struct {
	values map[string]any
	zone   *time.Location
}

func (w *apartness) one(metric string) { w.values[metric] = w.values[metric].(int) + 1 } //nolint:errcheck,forcetypeassert // made above

func (w *apartness) in(metric, field string, n int) {
	if n > 0 {
		w.values[metric].(map[string]int)[field] += n //nolint:errcheck,forcetypeassert // made above
	}
}

func (w *apartness) hour(t time.Time) string { return t.In(w.zone).Format("15") }

func (w *apartness) duration(metric, subject string, d time.Duration) {
	field := "inf"
	for _, bound := range slices.Backward(hall.DurationBounds) {
		if d.Seconds() <= float64(bound) {
			field = strconv.Itoa(bound)
		}
	}
	metric += " subject " + subject
	w.in(metric, field, 1)
	w.in(metric, "count", 1)
	w.in(metric, "millis", int(d.Milliseconds()))
}

func (w *apartness) sitting(s *hall.Sitting) {
	w.in("callsPerHour", w.hour(s.CalledAt), 1)
	w.in("recalls", s.Subject, s.Recalls)
	w.duration("waitBuckets", s.Subject, s.Wait)
	seated := !s.SeatedAt.IsZero() && !(s.Outcome == hall.Finished && s.SeatedAt.Equal(s.EndedAt))
	if seated {
		w.duration("walkBuckets", s.Subject, s.SeatedAt.Sub(s.CalledAt))
	}
	switch s.Outcome {
	case hall.Finished:
		w.in("sittingsEnded", s.Subject, 1)
		if seated {
			w.duration("sittingLengthBuckets", s.Subject, s.EndedAt.Sub(s.SeatedAt))
		}
	case hall.NoShow:
		w.in("noShows", s.Subject, 1)
	case hall.Aborted:
		w.in("aborts", s.Subject, 1)
	case hall.WithdrawnOutcome:
	}
}

func (w *apartness) candidate(c *hall.Candidate, finished time.Time) {
	if !c.CheckedInAt.IsZero() {
		w.in("checkInsPerHour", w.hour(c.CheckedInAt), 1)
	}
	switch c.State {
	case hall.Waiting:
		w.one("waitingByClass class " + string(c.Class))
		for _, subject := range c.Remaining() {
			w.one("waitingBySubject subject " + subject)
		}
	case hall.Done:
		w.in("donePerHour", w.hour(finished), 1)
	case hall.Absent:
		w.one("absences")
	default:
	}
}

func (w *apartness) machines(all map[string]hall.Machine, layout hall.Layout) {
	out, states, byCode := 0, map[string]string{}, map[string]int{}
	for _, code := range hall.OutageCodes {
		byCode[string(code)] = 0
	}
	count := func(key, state string) {
		if w.values[key] == nil {
			counts := map[string]int{}
			for _, s := range hall.MachineStates {
				counts[string(s)] = 0
			}
			w.values[key] = counts
		}
		w.in(key, state, 1)
	}
	for _, spec := range layout.Machines {
		m := all[spec.ID]
		state := string(m.State)
		states[spec.ID] = state
		if m.State == hall.MachineOutOfService {
			out++
			byCode[string(m.Code)]++
		}
		count("machinesByState", state)
		count("machinesByState room "+spec.Room, state)
		count("machinesByState model "+spec.Model, state)
		for _, subject := range m.Subjects {
			count("machinesByState subject "+subject, state)
		}
	}
	w.values["machineStates"], w.values["machineOutNow"], w.values["machineOutByCode"] = states, out, byCode
}

// compare asks two nodes for every figure.
func (d *wholeDay) compare() {
	d.Helper()
	want := d.apart()
	names := slices.Sorted(maps.Keys(want))
	requests := make([]hall.MetricRequest, len(names))
	for i, name := range names {
		var metric, parameter, value string
		_, _ = fmt.Sscan(name, &metric, &parameter, &value)
		requests[i] = hall.MetricRequest{MetricsName: metric}
		if parameter != "" {
			requests[i].Params = map[string]string{parameter: value}
		}
	}
	for _, node := range []*metrics.Centre{d.another(0), d.centre} {
		answers, err := node.QueryMetrics(d.Context(), d.id, requests)
		d.must(err)
		for i, name := range names {
			if got, expected := encode(answers[i].Value), encode(want[name]); got != expected {
				d.Errorf("%s is %s, apart from events %s", name, got, expected)
			}
		}
	}
	var given map[string]int
	d.must(json.Unmarshal([]byte(d.ask("commands")), &given))
	for by, n := range d.given {
		if given[by] != n {
			d.Errorf("%d commands of %s, gave %d", given[by], by, n)
		}
	}
	var out map[string]struct{ Machine, Room, By string }
	d.must(json.Unmarshal([]byte(d.ask("machineOutList")), &out))
	if len(out) != want["machineOutNow"] {
		d.Errorf("out of service are %v, and %v machines", out, want["machineOutNow"])
	}
	if d.Failed() {
		d.FailNow()
	}
}

// TestWholeDay brings 240 people through a day, from the first check-in until
// nobody is left, while nodes follow that are killed at random points, and
// compares the figures with what the store and the test know without the events.
func TestWholeDay(t *testing.T) {
	t.Parallel()
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			people := 240
			if name == "memory" && !*deep {
				people = 40
			}
			d := newWholeDay(newScene(t, server), people)
			steps := 0
			for over := false; !over; steps++ {
				over = d.step()
				if d.random.IntN(3) > 0 {
					d.follow()
				}
				if steps%200 == 100 {
					d.compare()
				}
				if steps > 20*people {
					t.Fatalf("not over after %d steps", steps)
				}
			}
			d.compare()
			d.followed()
			if d.killed < people/4 {
				t.Errorf("nodes were killed %d times in %d steps", d.killed, steps)
			}
			t.Logf("%d steps, nodes killed %d times, commands %v", steps, d.killed, d.given)
		})
	}
}

// followed compares the figures, as the killed nodes left them, with those made anew.
func (d *wholeDay) followed() {
	d.Helper()
	live := d.dump(d.id)
	_, err := d.centre.Rebuild(context.Background(), d.id)
	d.must(err)
	if anew := d.dump(d.id); !maps.Equal(live, anew) {
		d.Errorf("live figures\n%v\nand made anew\n%v", live, anew)
	}
}
