package hall_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

func TestLayoutFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*hall.Layout)
		want   []string // "location: message"
	}{
		"none":          {func(*hall.Layout) {}, nil},
		"unknown model": {func(l *hall.Layout) { l.Machines[1].Model = "x" }, []string{"body.machines[1].model: is not a model of this hall", "body.subjects[1].code: no machine serves this subject"}},
		"unknown room":  {func(l *hall.Layout) { l.Machines[0].Room = "x" }, []string{"body.machines[0].room: is not a room of this hall"}},
		"subject without machine": {func(l *hall.Layout) { l.Machines = l.Machines[:2] }, []string{
			"body.subjects[2].code: no machine serves this subject",
		}},
		"duplicate ids": {func(l *hall.Layout) { l.Machines[1].ID = "m1"; l.Rooms[1].ID = "A" }, []string{
			"body.machines[1].id: is used twice", "body.machines[1].room: is not a room of this hall", "body.rooms[1].id: is used twice",
		}},
		"duplicate subject": {func(l *hall.Layout) { l.Subjects = append(l.Subjects, l.Subjects[0]) }, []string{"body.subjects[3].code: is used twice"}},
		"subject of a model": {func(l *hall.Layout) { l.Models[0].Subjects = []string{"1", "1", "9"} }, []string{
			"body.models[0].subjects[1]: is used twice", "body.models[0].subjects[2]: is not a subject of this hall",
		}},
		"bad subject": {func(l *hall.Layout) { l.Subjects[0].Code = "1|2"; l.Models[0].Subjects = []string{"1|2"} }, []string{
			"body.subjects[0].code: must be 1 to 16 letters, digits, or any of . _ -",
		}},
		"minutes":  {func(l *hall.Layout) { l.Subjects[0].Minutes = 0 }, []string{"body.subjects[0].minutes: must be more than 0 and at most 1440"}},
		"names":    {func(l *hall.Layout) { l.Name, l.TimeZone = " ", "Moon/Base" }, []string{"body.name: is empty", "body.timeZone: is not a known time zone"}},
		"sessions": {func(l *hall.Layout) { l.Sessions = []hall.Session{{Code: "AM", StartsAt: "24:00"}} }, []string{"body.sessions[0].startsAt: must be a time as HH:MM"}},
		"long id":  {func(l *hall.Layout) { l.Machines[0].ID = strings.Repeat("x", 500) }, []string{"body.machines[0].id: has more than 64 characters"}},
		"bad rules": {func(l *hall.Layout) { l.Rules.Order, l.Rules.NoShow, l.Rules.MaxNoShows = "magic", "after:0", 0 }, []string{
			"body.rules.maxNoShows: must be 1 to 20", "body.rules.noShow: must be tail, absent, or after:N with N from 1 to 9999",
			"body.rules.order: must be one of fifo, strict, ageing",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := halltest.Layout("one", "two", "three")
			test.change(&l)
			var got []string
			for _, f := range l.Faults() {
				got = append(got, f.Location+": "+f.Message)
			}
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestRulesDefaults(t *testing.T) {
	t.Parallel()
	var l hall.Layout
	if err := json.Unmarshal([]byte(`{"rules": {"recallLimit": 0, "confirmSeat": false}}`), &l); err != nil {
		t.Fatal(err)
	}
	want := hall.DefaultRules()
	want.RecallLimit, want.ConfirmSeat = 0, false
	if l.Rules != want {
		t.Errorf("got %+v, want %+v", l.Rules, want)
	}
}

func TestNoShowAfter(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]int{"tail": 0, "absent": 0, "after:3": 3, "after:9999": 9999} {
		n, ok := hall.Rules{NoShow: rule}.NoShowAfter()
		if n != want || ok != (want > 0) {
			t.Errorf("%s: got %d, %v", rule, n, ok)
		}
	}
}

func TestMasks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "", "林刚": "林**", "Ada Lovelace": "A**", "𠮷野": "𠮷**", " x": "x**"} {
		if got := hall.MaskName(name); got != want {
			t.Errorf("name %q: got %q, want %q", name, got, want)
		}
	}
	for id, want := range map[string]string{"": "", "1234567": "•••••••", "99999920071222893X": "••••••••••••••893X"} {
		if got := hall.MaskIDNumber(id); got != want {
			t.Errorf("id number %q: got %q, want %q", id, got, want)
		}
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	s := hall.Subject{Code: "1", Name: map[string]string{"en": "Theory", "zh": "学科一"}}
	got := []string{s.Title("zh"), s.Title("ru"), s.Title(), (hall.Subject{Code: "1"}).Title("zh"), hall.Room{ID: "9"}.Title()}
	if want := []string{"学科一", "Theory", "Theory", "1", "9"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
