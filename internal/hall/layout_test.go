package hall_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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
		"categories": {func(l *hall.Layout) {
			l.IncidentCategories = []string{"power-cut", "", "Fire", "a b", "no_show", "机器", strings.Repeat("x", 33), "power-cut"}
		}, append(at("must be 1 to 32 small letters, digits, or any of _ -", "body.incidentCategories[1]", "body.incidentCategories[2]",
			"body.incidentCategories[3]", "body.incidentCategories[5]", "body.incidentCategories[6]"), "body.incidentCategories[7]: is used twice")},
		"many categories": {func(l *hall.Layout) {
			for c := range hall.MaxCategories + 1 {
				l.IncidentCategories = append(l.IncidentCategories, "c"+strconv.Itoa(c))
			}
		}, []string{"body.incidentCategories: must be at most 30 categories"}},
		"long id": {func(l *hall.Layout) { l.Machines[0].ID = strings.Repeat("x", 500) }, []string{"body.machines[0].id: has more than 64 characters"}},
		"other times": {func(l *hall.Layout) {
			l.Sessions = []hall.Session{{Code: "AM", StartsAt: "8:30", CheckInFrom: "07:60"}}
		}, []string{
			"body.sessions[0].checkInFrom: must be a time as HH:MM", "body.sessions[0].startsAt: must be a time as HH:MM",
		}},
		"zone of the machine": {func(l *hall.Layout) { l.TimeZone = "Local" }, []string{"body.timeZone: is not a known time zone"}},
		"leap seconds":        {func(l *hall.Layout) { l.TimeZone = "right/UTC" }, []string{"body.timeZone: is not a known time zone"}},
		"no zone":             {func(l *hall.Layout) { l.TimeZone = "" }, []string{"body.timeZone: is empty"}},
		"texts at their limit": {func(l *hall.Layout) {
			text := strings.Repeat("字", 200)
			l.Name, l.Rooms[0].Name, l.Machines[0].Label = text, text, "می\u200cخواهم"
			l.Subjects[0].Name = map[string]string{"zh-Hans-CN": text, "en": "", "pt-BR": "x"}
			l.Languages = slices.Repeat([]string{"zh"}, 20)
		}, nil},
		"long texts": {func(l *hall.Layout) {
			text := strings.Repeat("字", 201)
			l.Name, l.Rooms[0].Name, l.Models[0].Name, l.Machines[0].Label = text, text, text, text
			l.Subjects[0].Name = map[string]string{"zh": text, "en": text}
			l.Sessions = []hall.Session{{Code: "AM", Name: text}}
		}, at("has more than 200 characters", "body.machines[0].label", "body.models[0].name", "body.name", "body.rooms[0].name",
			"body.sessions[0].name", "body.subjects[0].name.en", "body.subjects[0].name.zh")},
		"control characters": {func(l *hall.Layout) {
			l.Name, l.Rooms[0].Name, l.Models[0].Name, l.Machines[0].Label = "a\nb", "a\x00", "\u2028b", "\x1b[1m"
			l.Subjects[0].Name = map[string]string{"zh": "\x7f", "en": "\u0085"}
			l.Sessions = []hall.Session{{Code: "AM", Name: "\t"}}
		}, at("has a control character", "body.machines[0].label", "body.models[0].name", "body.name", "body.rooms[0].name",
			"body.sessions[0].name", "body.subjects[0].name.en", "body.subjects[0].name.zh")},
		"not UTF-8": {func(l *hall.Layout) { l.Name, l.Rooms[1].ID = "\xff", "\xff" }, []string{
			"body.machines[1].room: is not a room of this hall", "body.name: is not valid UTF-8", "body.rooms[1].id: is not valid UTF-8",
		}},
		"languages": {func(l *hall.Layout) {
			l.Languages = []string{"zh", "ENGLISH", "e", "", "zh_CN", "en-", "<b>", "en-" + strings.Repeat("x", 9), "en" + strings.Repeat("-xx", 12)}
			l.Subjects[0].Name = map[string]string{"en": "Theory", "Chinese": "学科一"}
		}, at("must be the tag of a language, such as zh or pt-BR", "body.languages[1]", "body.languages[2]", "body.languages[3]",
			"body.languages[4]", "body.languages[5]", "body.languages[6]", "body.languages[7]", "body.languages[8]", "body.subjects[0].name")},
		"many languages": {func(l *hall.Layout) {
			l.Languages = slices.Repeat([]string{"zh"}, 21)
			l.Subjects[0].Name = map[string]string{}
			for c := range 21 {
				l.Subjects[0].Name["a"+string(rune('a'+c))] = "x"
			}
		}, at("must be at most 20 languages", "body.languages", "body.subjects[0].name")},
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

// at is one message at several places.
func at(message string, locations ...string) []string {
	all := make([]string, len(locations))
	for i, location := range locations {
		all[i] = location + ": " + message
	}
	return all
}

// A layout is looked through once, not once for each of its parts.
func TestFaultsOfAHugeLayout(t *testing.T) {
	t.Parallel()
	const many = 5000
	var l hall.Layout
	for i := range many {
		id := strconv.Itoa(i)
		l.Subjects = append(l.Subjects, hall.Subject{Code: id})
		l.Rooms = append(l.Rooms, hall.Room{ID: id})
		l.Models = append(l.Models, hall.Model{ID: id})
		l.Machines = append(l.Machines, hall.MachineSpec{ID: id, Room: "x", Model: "x"})
	}
	begin := time.Now()
	if got := len(l.Faults()); got < 5*many {
		t.Errorf("only %d faults", got)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %s", took)
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
