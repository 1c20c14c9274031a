package halltest

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// estimated fails unless the candidate's entry has this estimate, "none" for none.
func (d *desk) estimated(candidate, want string) {
	d.Helper()
	if got := inWords(d.entry(candidate).Estimate); got != want {
		d.Errorf("at %s the estimate of %s is %s, want %s", d.clock.Now().Format("15:04"), candidate, got, want)
	}
}

func exerciseEstimates(t *testing.T, factory Factory) {
	for name, test := range map[string]func(*testing.T, Factory){
		"followed": exerciseEstimate, "moved": exerciseEstimateOfMoved, "kept": exerciseEstimateOfKept, "once": exerciseEstimateOnce,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, factory)
		})
	}
}

// exerciseEstimate follows estimates through what changes them. Subject 1 takes
// ten minutes and has one machine, m1, later m3 too; m2 serves subject 2.
func exerciseEstimate(t *testing.T, factory Factory) {
	spare := Layout("one", "two", "one", "three")
	spare.Machines[2].Spare = true
	d := open(t, factory, spare, Row("0001", "1"), Row("0002", "1"), Row("0003", "1", "2"), Row("0004", "1"))
	d.checkIn("0001")
	first := d.checkIn("0002")
	if got := inWords(first.Estimate); got != "10m0s" {
		t.Errorf("the check-in says %s, want 10m0s", got)
	}
	if e := d.checkIn("0003"); e.Estimate != nil {
		t.Errorf("somebody %s has the estimate %s", e.State, inWords(e.Estimate))
	}
	d.checkIn("0004")
	d.estimated("0004", "20m0s")

	d.clock.Move(time.Minute)
	d.seat("0001")
	d.clock.Move(6 * time.Minute)
	d.estimated("0002", "4m0s")
	d.clock.Move(30 * time.Minute)
	d.estimated("0002", "2m30s") // at least a quarter is still to come

	d.must(d.setMachine("m3", hall.MachineIdle)) // takes 0002
	d.estimated("0004", "2m30s")
	d.must(d.store.Leave(d.Context(), d.id, "0004", testCaller))
	restored, err := d.store.Restore(d.Context(), d.id, "0004", false, testCaller)
	d.must(err)
	if got := inWords(restored.Estimate); got != "2m30s" {
		t.Errorf("restored, the estimate is %s, want 2m30s", got)
	}
	held, err := d.store.Hold(d.Context(), d.id, "0004", testCaller)
	d.must(err)
	if held.Estimate != nil {
		t.Errorf("on hold the estimate is %s", inWords(held.Estimate))
	}
	back, err := d.store.Return(d.Context(), d.id, "0004", testCaller)
	d.must(err)
	if got := inWords(back.Estimate); got != "2m30s" {
		t.Errorf("back from a hold the estimate is %s, want 2m30s", got)
	}

	for _, room := range []string{"", "A"} { // m1 and m3 stand in A
		_, err = d.store.Pause(d.Context(), d.id, room, "", testCaller)
		d.must(err)
		d.estimated("0004", "none")
		_, err = d.store.Resume(d.Context(), d.id, room, testCaller)
		d.must(err)
	}
	d.estimated("0004", "2m30s")
	d.sound()
}

// exerciseEstimateOfMoved checks that a sitting keeps its elapsed time on
// another machine, also for estimates.
func exerciseEstimateOfMoved(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "one", "two", "three"), Row("0001", "1"), Row("0002", "1"), Row("0003", "1"))
	d.must(d.setMachine("m2", hall.MachineSpare))
	d.checkIn("0001")
	d.seat("0001")
	d.clock.Move(6 * time.Minute)
	d.must(d.setMachine("m2", hall.MachineIdle))
	_, err := d.store.Transfer(d.Context(), d.id, d.calledTo("0001").ID, hall.Transfer{OutOfService: true, Reason: "broken"}, testCaller)
	d.must(err)
	d.checkIn("0002")
	d.estimated("0002", "4m0s")
	d.must(d.setMachine("m1", hall.MachineIdle))
	d.checkIn("0003")
	d.estimated("0003", "4m0s")
	d.sound()
}

// exerciseEstimateOfKept checks that somebody who will come back to the place
// of the first check-in counts, though the present place was behind.
func exerciseEstimateOfKept(t *testing.T, factory Factory) {
	keep := with(Layout("one", "two", "three"), func(r *hall.Rules) {
		r.Requeue, r.SubjectChoice = hall.RequeueKeep, hall.ChoiceListed
	})
	d := open(t, factory, keep, Row("0001", "1", "2"), Row("0002", "2"), Row("0003", "2"))
	d.checkIn("0001", "0002", "0003")
	d.estimated("0003", "40m0s") // 0002 until 20, 0001 until 40
	d.noShow("0001")             // to the tail, and called again at once
	d.states(map[string]hall.CandidateState{"0001": hall.Called, "0003": hall.Waiting})
	d.estimated("0003", "40m0s")
	_, err := d.store.SetClass(d.Context(), d.id, "0001", hall.ClassVIP, "", testCaller)
	d.must(err)
	d.estimated("0003", "40m0s")
	d.sound()
}

// exerciseEstimateOnce checks that the repeated command gives the first estimate.
func exerciseEstimateOnce(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("0001", "1"), Row("0002", "1"))
	d.checkIn("0001")
	keyed := hall.Caller{By: "test", Key: "check-in"}
	for range 2 {
		e, _, err := d.store.CheckIn(d.Context(), d.id, "0002", hall.CheckIn{}, keyed)
		d.must(err)
		if got := inWords(e.Estimate); got != "10m0s" {
			t.Errorf("the estimate is %s, want 10m0s", got)
		}
		d.seat("0001")
		d.clock.Move(4 * time.Minute)
	}
	d.estimated("0002", "2m30s")
}

func (d *desk) setMachine(machine string, state hall.MachineState) error {
	_, err := d.store.SetMachineState(d.Context(), d.id, machine, state, hall.OutageReason{}, testCaller)
	return err
}
