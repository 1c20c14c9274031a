package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// layoutJSON is a layout that can be used: room 101 with machines for subject 1, room 102 with one for both.
const layoutJSON = `{
  "name": "Exam Hall 7", "timeZone": "Asia/Shanghai", "languages": ["zh", "en"],
  "subjects": [{"code": "1", "name": {"en": "Road signs"}, "minutes": 25}, {"code": "2", "minutes": 10}],
  "rooms": [{"id": "101", "name": "Room 101"}, {"id": "102"}],
  "models": [{"id": "A", "subjects": ["1"]}, {"id": "B", "name": "B", "subjects": ["1", "2"]}],
  "machines": [{"id": "101-01", "label": "01", "room": "101", "model": "A"}, {"id": "102-01", "room": "102", "model": "B", "spare": true}],
  "sessions": [{"code": "AM", "name": "Morning", "startsAt": "08:30", "checkInFrom": "07:45"}]
}`

// edited is layoutJSON after changes, each a pair of old and new text.
func edited(t *testing.T, changes ...string) string {
	t.Helper()
	text := layoutJSON
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the layout has no %s", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	return text
}

func TestPutHall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules   string
		created bool
		status  int
		want    func(*hall.Rules)
	}{
		"created, no rules":    {"", true, http.StatusCreated, func(*hall.Rules) {}},
		"replaced, some rules": {`"rules": {"requeue": "keep", "confirmSeat": false, "recallLimit": 0},`, false, http.StatusOK, func(r *hall.Rules) { r.Requeue, r.ConfirmSeat, r.RecallLimit = "keep", false, 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got hall.Layout
			client := newClient(t, &fakeStore{putHall: func(id string, layout hall.Layout, by hall.Caller) (hall.Hall, bool, error) {
				got = layout
				if id != "no7" || by.By != "admin-token" {
					t.Errorf("put %q by %+v", id, by)
				}
				return hall.Hall{ID: id, Layout: layout, Day: hall.Day{
					ID: "2026-11-30-1", State: hall.DayOpen, OpenedAt: noon, CheckInOpen: true,
				}}, test.created, nil
			}})
			body := edited(t, "{", "{"+test.rules)
			sent := decode[map[string]any](client.do(http.MethodPut, "/halls/no7", body).is(test.status))
			var want hall.Layout
			if err := json.Unmarshal([]byte(body), &want); err != nil {
				t.Fatal(err)
			}
			want.Rules = hall.DefaultRules()
			test.want(&want.Rules)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("layout %+v, want %+v", got, want)
			}
			day := map[string]any{
				"id": "2026-11-30-1", "state": "open", "openedAt": "2026-11-30T04:00:00.000Z", "checkIn": "open", "paused": false,
			}
			if sent["id"] != "no7" || !reflect.DeepEqual(sent["day"], day) || sent["name"] != "Exam Hall 7" {
				t.Errorf("answered %v", sent)
			}
		})
	}
}

func TestPutDemoHall(t *testing.T) {
	t.Parallel()
	demo, err := os.ReadFile("../../internal/app/demo/hall.json")
	if err != nil {
		t.Fatal(err)
	}
	client := realHall(t, "")
	client.do(http.MethodPut, "/halls/demo", string(demo)).is(http.StatusCreated)
	client.do(http.MethodPut, "/halls/demo", string(demo)).is(http.StatusOK)
	var want, got hall.Layout
	if err := json.Unmarshal(demo, &want); err != nil {
		t.Fatal(err)
	}
	sent := decode[map[string]any](client.do(http.MethodGet, "/halls/demo", "").is(http.StatusOK))
	delete(sent, "id")
	delete(sent, "day")
	layout, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(layout, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answered %+v, want %+v", got, want)
	}
	client.do(http.MethodPut, "/halls/demo", string(layout)).is(http.StatusOK)
}

func TestPutHallListsEveryFault(t *testing.T) {
	t.Parallel()
	many := make([]string, 1001)
	for i := range many {
		many[i] = fmt.Sprintf(`{"id": "m%d", "room": "101", "model": "B"}`, i)
	}
	for name, test := range map[string]struct {
		id      string
		changes []string
		want    []string
	}{
		"unknown model":   {"h", []string{`"model": "A"}`, `"model": "Z"}`}, []string{"body.machines[0].model"}},
		"subject unused":  {"h", []string{`["1", "2"]`, `["1"]`}, []string{"body.subjects[1].code"}},
		"duplicate id":    {"h", []string{`"id": "102-01"`, `"id": "101-01"`}, []string{"body.machines[1].id"}},
		"unknown field":   {"h", []string{`"timeZone"`, `"colour": "red", "timeZone"`}, []string{"body.colour"}},
		"answered fields": {"h", []string{`"timeZone"`, `"id": "h", "day": {}, "timeZone"`}, []string{"body.day", "body.id"}},
		"unknown rule":    {"h", []string{`"name"`, `"rules": {"speed": 3}, "name"`}, []string{"body.rules.speed"}},
		"missing field":   {"h", []string{`"timeZone": "Asia/Shanghai", `, ``}, []string{"body.timeZone"}},
		"too many":        {"h", []string{`{"id": "101-01", "label": "01", "room": "101", "model": "A"}`, strings.Join(many, ",")}, []string{"body.machines"}},
		"other case":      {"h", []string{`"room": "101"`, `"ROOM": "101"`}, []string{"body.machines[0].ROOM", "body.machines[0].room"}},
		"rule's case":     {"h", []string{`"name"`, `"rules": {"RecallLimit": 1}, "name"`}, []string{"body.rules.RecallLimit"}},
		"given twice":     {"h", []string{`"minutes": 25`, `"minutes": 25, "minutes": 30`, `{"id": "102"}`, `{"id": "102", "\u0069d": "102"}`}, []string{"body.rooms[1].id", "body.subjects[0].minutes"}},
		"name twice":      {"h", []string{`"en": "Road signs"`, `"en": "Road signs", "en": "Signs"`}, []string{"body.subjects[0].name.en"}},
		"rules twice":     {"h", []string{`"name"`, `"rules": {}, "rules": {"mode": "auto"}, "name"`}, []string{"body.rules"}},
		"control":         {"h", []string{`"Room 101"`, `"Room\u0000"`, `"Morning"`, `"Morn\ning"`}, []string{"body.rooms[0].name", "body.sessions[0].name"}},
		"languages":       {"h", []string{`"zh", "en"`, `"zh", "English"`}, []string{"body.languages[1]"}},
		"local time":      {"h", []string{`Asia/Shanghai`, `Local`}, []string{"body.timeZone"}},
		"hall's id":       {"%20h", nil, []string{"path.hall"}},
		"long id":         {strings.Repeat("h", 500), nil, []string{"path.hall"}},
		"all at once": {"%01", []string{
			`"name": "Exam Hall 7"`, `"name": 7, "colour": "red"`, `"minutes": 25`, `"minutes": "long"`, `"code": "2"`, `"code": "1"`,
			`"room": "102"`, `"room": "103"`, `"languages"`, `"rules": {"mode": "fast", "recallLimit": 1.5, "speed": 3}, "languages"`,
		}, []string{
			"body.colour", "body.machines[1].room", "body.models[1].subjects[1]", "body.name", "body.rules.mode", "body.rules.recallLimit",
			"body.rules.speed", "body.subjects[0].minutes", "body.subjects[1].code", "path.hall",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, &fakeStore{})
			p := client.do(http.MethodPut, "/halls/"+test.id, edited(t, test.changes...)).problem(http.StatusUnprocessableEntity, "invalid")
			got := p.locations()
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("faults at %q, want %q", got, test.want)
			}
		})
	}
}

func TestPutHallWithVeryManyFaults(t *testing.T) {
	t.Parallel()
	client := newClient(t, &fakeStore{})
	var fields strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&fields, `"f%d": 1, `, i)
	}
	machine := `{"id": "101-01", "label": "01", "room": "101", "model": "A"}`
	for name, body := range map[string]string{
		"unknown fields": edited(t, `"name"`, fields.String()+`"name"`),
		"unknown rooms":  edited(t, machine, machine+strings.Repeat(`,{"id": "x", "room": "x", "model": "x"}`, 300)),
	} {
		p := client.do(http.MethodPut, "/halls/h", body).problem(http.StatusUnprocessableEntity, "invalid")
		if len(p.Errors) != 200 || !strings.Contains(p.Detail, "more") {
			t.Errorf("%s: %d faults, %s", name, len(p.Errors), p.Detail)
		}
	}
}

func TestPutHallInWholeNumbers(t *testing.T) {
	t.Parallel()
	var got hall.Layout
	client := newClient(t, &fakeStore{putHall: func(id string, layout hall.Layout, _ hall.Caller) (hall.Hall, bool, error) {
		got = layout
		return hall.Hall{ID: id, Layout: layout}, false, nil
	}})
	body := edited(t, `"name"`, `"rules": {"recallLimit": 3.0, "keepDays": 1e1, "order": "ageing"}, "name"`, `"minutes": 25`, `"minutes": 2.5e1`, `"minutes": 10`, `"minutes": 7.25`)
	client.do(http.MethodPut, "/halls/h", body).is(http.StatusOK)
	if got.Rules.RecallLimit != 3 || got.Rules.KeepDays != 10 || got.Rules.Order != hall.OrderAgeing ||
		got.Subjects[0].Minutes != 25 || got.Subjects[1].Minutes != 7.25 {
		t.Errorf("layout %+v", got)
	}
}

func TestListHalls(t *testing.T) {
	t.Parallel()
	client := newClient(t, &fakeStore{
		ids: func() ([]string, error) { return []string{"a", "b", "c", "d"}, nil },
		hall: func(id string) (hall.Hall, error) {
			if id == "b" {
				return hall.Hall{}, &hall.Error{Code: hall.CodeUnknownHall, Message: "No."}
			}
			return hall.Hall{ID: id}, nil
		},
	})
	for query, want := range map[string]string{
		"": "acd 4 1 50", "?size=2": "a 4 1 2", "?size=2&page=2": "cd 4 2 2", "?size=2&page=3": " 4 3 2", "?size=-1": "acd 4 1 0",
	} {
		l := decode[struct {
			Items             []struct{ ID string }
			Total, Page, Size int
		}](client.do(http.MethodGet, "/halls"+query, "").is(http.StatusOK))
		var ids strings.Builder
		for _, item := range l.Items {
			ids.WriteString(item.ID)
		}
		if got := fmt.Sprintf("%s %d %d %d", &ids, l.Total, l.Page, l.Size); got != want || l.Items == nil {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func TestPauseHall(t *testing.T) {
	t.Parallel()
	var got []string
	client := newClient(t, &fakeStore{pause: func(id, room, message string) (hall.Hall, error) {
		got = []string{id, room, message}
		return hall.Hall{ID: id, Day: hall.Day{
			Paused: true, PauseMessage: message, PausedRooms: map[string]string{"101": "Lamp"}, OpenedAt: time.Time{},
		}}, nil
	}})
	answer := client.do(http.MethodPost, "/halls/h/pause", `{"message": "Fire drill", "room": "101"}`).is(http.StatusOK)
	if want := []string{"h", "101", "Fire drill"}; !slices.Equal(got, want) {
		t.Errorf("paused %q, want %q", got, want)
	}
	want := map[string]any{
		"state": "", "checkIn": "closed", "paused": true, "pauseMessage": "Fire drill", "pausedRooms": map[string]any{"101": "Lamp"},
	}
	if day := decode[map[string]any](answer)["day"]; !reflect.DeepEqual(day, want) {
		t.Errorf("day %v, want %v", day, want)
	}
	client.do(http.MethodPost, "/halls/h/pause", "").is(http.StatusOK)
	if want := []string{"h", "", ""}; !slices.Equal(got, want) {
		t.Errorf("paused %q, want %q", got, want)
	}
}
