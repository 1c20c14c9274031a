package halltest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// exerciseOutside has events of other systems among those of the hall.
func exerciseOutside(t *testing.T, factory Factory) {
	d := open(t, factory, Layout("one", "two", "three"), Row("a", "1"))
	fields := map[string]string{"candidate": "a", "undoes": "1-1", "machine": "m1", "empty": ""}
	sent := hall.OutsideEvent{Event: "x_rest", Fields: fields}
	once := hall.Caller{By: "eve", Key: "k"}
	first, err := d.store.AppendEvent(d.Context(), d.id, sent, once)
	d.must(err)
	again, err := d.store.AppendEvent(d.Context(), d.id, sent, once)
	d.must(err)
	list, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	last := list.Items[len(list.Items)-1]
	if !reflect.DeepEqual(first, again) || !reflect.DeepEqual(last, first) || !reflect.DeepEqual(first.Fields, fields) || first.By != "eve" {
		d.Errorf("sent %+v and %+v, read %+v", first, again, last)
	}
	d.checkIn("a")
	_, err = d.store.Undo(d.Context(), d.id, first.ID, false, testCaller)
	d.refused(err, hall.CodeNotUndoable)
	exerciseOutsideAmong(d, sent)

	many := map[string]string{}
	for i := range hall.MaxOutsideFields + 1 {
		many[fmt.Sprint("f", i)] = ""
	}
	for name, e := range map[string]hall.OutsideEvent{
		"own name": {Event: "candidate_called"}, "no name": {}, "capitals": {Event: "x_A"}, "long name": {Event: hall.EventName("x_" + strings.Repeat("a", 61))},
		"many fields": {Event: "x_a", Fields: many}, "field name": {Event: "x_a", Fields: map[string]string{"a:b": ""}},
		"own field": {Event: "x_a", Fields: map[string]string{"by": "a"}}, "metricsName": {Event: "x_a", Fields: map[string]string{"metricsName": "a"}},
		"long value": {Event: "x_a", Fields: map[string]string{"a": strings.Repeat("字", hall.MaxOutsideValue+1)}},
		"control":    {Event: "x_a", Fields: map[string]string{"a": "\n"}}, "not text": {Event: "x_a", Fields: map[string]string{"a": "\xff"}},
	} {
		if _, err := d.store.AppendEvent(d.Context(), d.id, e, testCaller); hall.CodeOf(err) != hall.CodeInvalid || len(faultsOf(err)) != 1 {
			d.Errorf("%s: %v", name, err)
		}
	}
	_, err = d.store.AppendEvent(d.Context(), "nowhere", sent, testCaller)
	d.refused(err, hall.CodeUnknownHall)
	d.sound()
	exerciseDayEvents(d)
}

// exerciseOutsideAmong has one between a command and its undo.
func exerciseOutsideAmong(d *desk, sent hall.OutsideEvent) {
	d.seat("a")
	list, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	_, err = d.store.AppendEvent(d.Context(), d.id, sent, testCaller)
	d.must(err)
	_, err = d.store.Undo(d.Context(), d.id, list.Items[len(list.Items)-1].ID, false, testCaller)
	d.must(err)
	d.states(map[string]hall.CandidateState{"a": hall.Called})
}

// exerciseDayEvents reads the events of days by their numbers.
func exerciseDayEvents(d *desk) {
	all, err := d.store.Events(d.Context(), d.id, "", hall.Page{})
	d.must(err)
	closed, err := d.store.CloseDay(d.Context(), d.id, "", testCaller)
	d.must(err)
	read := func(number int, after string, limit int) hall.DayEvents {
		d.Helper()
		events, err := d.store.DayEvents(d.Context(), d.id, number, after, limit)
		d.must(err)
		return events
	}
	first := read(1, "", 1000)
	if !first.Closed || first.Day != closed.ID || len(first.Events) != all.Total+1 || !reflect.DeepEqual(first.Events[:all.Total], all.Items) {
		d.Errorf("the closed day has %d events as %q, want %d", len(first.Events), first.Day, all.Total+1)
	}
	if some := read(1, first.Events[1].ID, 2); !reflect.DeepEqual(some.Events, first.Events[2:4]) {
		d.Errorf("two events after the second are %+v", some.Events)
	}
	last := first.Events[len(first.Events)-1].ID
	if more := read(1, last, 10); !more.Closed || len(more.Events) > 0 {
		d.Errorf("after the last event comes %+v", more)
	}
	if second := read(2, last, 10); second.Closed || second.Day != "" || len(second.Events) != 1 {
		d.Errorf("the day being prepared has %+v", second)
	}
	_, err = d.store.DayEvents(d.Context(), d.id, 3, "", 10)
	d.refused(err, hall.CodeUnknownDay)
	_, err = d.store.DayEvents(d.Context(), "nowhere", 1, "", 10)
	d.refused(err, hall.CodeUnknownHall)
	for day, want := range map[string]int{closed.ID: 1, hall.CurrentDay: 2} {
		if number, err := d.store.DayNumber(d.Context(), d.id, day); err != nil || number != want {
			d.Errorf("day %s is number %d, want %d (%v)", day, number, want, err)
		}
	}
	_, err = d.store.DayNumber(d.Context(), d.id, "2020-01-01-1")
	d.refused(err, hall.CodeUnknownDay)
}
