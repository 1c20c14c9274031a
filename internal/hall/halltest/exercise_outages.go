package halltest

import (
	"slices"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseOutageCodes takes machines out of service in every way there is: the
// machine and the event have the code, of the text the event has nothing.
func exerciseOutageCodes(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "one", "one", "three", "one", "two"), Row("a", "1"), Row("b", "1"))
	d.checkIn("a", "b")
	ctx := t.Context()
	for _, code := range append(slices.Clone(hall.OutageCodes), "") {
		m, err := d.store.SetMachineState(ctx, d.id, "m4", hall.MachineOutOfService, hall.OutageReason{Code: code, Text: "in words"}, testCaller)
		d.must(err)
		if code == "" {
			code = hall.OutageOther
		}
		d.isOut("m4", code, "in words")
		if m.Code != code {
			t.Errorf("answered %+v, want code %s", m, code)
		}
		m, err = d.store.SetMachineState(ctx, d.id, "m4", hall.MachineOutOfService, hall.OutageReason{Code: hall.OutagePower}, testCaller)
		d.must(err)
		if m.Code != code {
			t.Errorf("the second time it is %s, was %s", m.Code, code)
		}
		m, err = d.store.SetMachineState(ctx, d.id, "m4", hall.MachineSpare, hall.OutageReason{}, testCaller)
		d.must(err)
		if m.Code != "" || m.Reason != "" {
			t.Errorf("a spare is %+v", m)
		}
	}
	_, err := d.store.Abort(ctx, d.id, d.calledTo("a").ID, hall.Abort{Fault: hall.FaultMachine, Code: hall.OutageHardware, Reason: "smoke"}, testCaller)
	d.must(err)
	d.isOut("m1", hall.OutageHardware, "smoke")
	d.unknownCodes()

	command := d.transferOut("b", hall.OutageSoftware)
	d.isOut("m2", hall.OutageSoftware, "frozen")
	d.undo(command)
	if m := d.machine("m2"); m.Code != "" || m.State == hall.MachineOutOfService {
		t.Errorf("after the undo it is %+v", m)
	}
	d.transferOut("b", "")
	d.isOut("m2", hall.OutageOther, "frozen")

	// Another layout and the next day leave the codes as they are, and say them.
	d.putHall(Layout("one", "one", "one", "three", "one", "two", "two"))
	d.toldCodes()
	d.sound()
	closed := d.closeDay()
	d.soundDay(closed.ID)
	d.sound()
	d.toldCodes()
	d.openDay()
	d.sound()
	if m := d.machine("m1"); m.Code != hall.OutageHardware || m.Reason != "smoke" {
		t.Errorf("on the next day it is %+v", m)
	}
}

// isOut fails unless a machine, and the last event that took one out, have the code.
func (d *desk) isOut(machine string, code hall.OutageCode, text string) {
	d.Helper()
	if m := d.machine(machine); m.State != hall.MachineOutOfService || m.Code != code || m.Reason != text {
		d.Errorf("machine is %+v, want code %s", m, code)
	}
	d.reason(hall.EventMachineOutOfService, text)
	if e := d.lastOf(hall.EventMachineOutOfService); e.Machine != machine || e.ReasonCode != code {
		d.Errorf("event is %+v, want %s with code %s", e, machine, code)
	}
	d.sound()
}

// lastOf is the last event of that name, a zero one without any.
func (d *desk) lastOf(name hall.EventName) (last hall.Event) {
	d.Helper()
	list, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	for _, e := range list.Items {
		if e.Event == name {
			last = e
		}
	}
	return last
}

// unknownCodes are refused, and nothing changes.
func (d *desk) unknownCodes() {
	d.Helper()
	before, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	sitting := d.calledTo("b").ID
	for _, code := range []hall.OutageCode{"weather", "Network", "network ", "net\nwork"} {
		_, set := d.store.SetMachineState(d.Context(), d.id, "m4", hall.MachineOutOfService, hall.OutageReason{Code: code}, testCaller)
		_, aborted := d.store.Abort(d.Context(), d.id, sitting, hall.Abort{Fault: hall.FaultMachine, Code: code}, testCaller)
		_, moved := d.store.Transfer(d.Context(), d.id, sitting, hall.Transfer{OutOfService: true, Code: code}, testCaller)
		for _, err := range []error{set, aborted, moved} {
			d.refused(err, hall.CodeInvalid)
			if f := hall.FaultsOf(err); len(f) != 1 || f[0].Location != "body.code" || f[0].Value != string(code) {
				d.Errorf("faults of %q are %+v", code, f)
			}
		}
	}
	after, err := d.store.Hall(d.Context(), d.id)
	d.must(err)
	if after.Version != before.Version {
		d.Errorf("version %d, was %d", after.Version, before.Version)
	}
}

// transferOut moves somebody away from a machine that goes out of service.
func (d *desk) transferOut(candidate string, code hall.OutageCode) (command string) {
	d.Helper()
	t := hall.Transfer{OutOfService: true, Code: code, Reason: "frozen"}
	_, err := d.store.Transfer(d.Context(), d.id, d.calledTo(candidate).ID, t, testCaller)
	d.must(err)
	return d.lastCommand().ID
}

// toldCodes fails unless the last change of the layout tells those of all
// machines out of service.
func (d *desk) toldCodes() {
	d.Helper()
	e := d.lastOf(hall.EventLayoutChanged)
	if len(e.Codes) != 2 || e.Codes["m1"] != hall.OutageHardware || e.Codes["m2"] != hall.OutageOther {
		d.Errorf("codes are %v", e.Codes)
	}
}
