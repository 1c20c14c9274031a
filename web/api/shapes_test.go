package api

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

// begin is given in the time of a hall; it is sent in UTC.
var begin = at("2026-11-30T08:30:00.0619+08:00")

func TestShapes(t *testing.T) {
	t.Parallel()
	wait, walk, none := 341240*time.Millisecond, 61*time.Second, time.Duration(0)
	sitting := hall.Sitting{
		ID: "s7", Candidate: "0012", Name: "<Ann>", IDNumber: "999999200001010014", Ticket: "V001", Class: hall.ClassVIP, Subject: "1",
		Machine: "101-01", Room: "101", State: hall.SittingCalled, CalledAt: begin, AnnouncedAt: begin, Recalls: 1, Wait: wait,
	}
	const called = `{"id":"s7","candidate":"0012","name":"<Ann>","ticket":"V001","class":"vip","subject":"1","machine":"101-01","room":"101",` +
		`"state":"called","calledAt":"2026-11-30T00:30:00.061Z","recalls":1,"waitSeconds":341.24}`
	ended := sitting
	ended.State, ended.Outcome, ended.SeatedAt, ended.EndedAt, ended.Recalls = hall.SittingEnded, hall.Finished, begin.Add(walk), begin.Add(wait), 0
	candidate := hall.Candidate{
		ID: "0012", Person: hall.Person{Name: "Ann", IDNumber: "999999200001010014", Note: "left-handed"}, Class: hall.ClassNormal, Session: "AM",
		Subjects: []string{"1", "3"}, Sat: []string{"1"}, State: hall.Held, Ticket: "N001", Waits: map[string]time.Duration{"1": wait},
		CheckedInAt: begin, QueuedAt: begin.Add(time.Second), WaitingSince: begin.Add(2 * time.Second), HeldSince: begin.Add(12 * time.Second),
		Hold: time.Minute, NoShows: 1,
	}
	waiting := candidate
	waiting.State = hall.Waiting
	inCall := candidate
	inCall.State = hall.Called
	now := begin.Add(22 * time.Second)
	for name, test := range map[string]struct {
		shape any
		want  string
	}{
		"sitting, called": {sittingShapeOf(&sitting), called},
		"sitting, ended": {sittingShapeOf(&ended), `{"id":"s7","candidate":"0012","name":"<Ann>","ticket":"V001","class":"vip","subject":"1",` +
			`"machine":"101-01","room":"101","state":"ended","calledAt":"2026-11-30T00:30:00.061Z","seatedAt":"2026-11-30T00:31:01.061Z",` +
			`"endedAt":"2026-11-30T00:35:41.301Z","recalls":0,"outcome":"finished","waitSeconds":341.24}`},
		"candidate, for managers": {candidateShapeOf(&candidate, now, true), `{"id":"0012","name":"Ann","idNumber":"999999200001010014",` +
			`"class":"normal","session":"AM","note":"left-handed","subjects":["1","3"],"remaining":["3"],"state":"held","ticket":"N001",` +
			`"waits":{"1":341.24},"noShows":1,"holdSeconds":70}`},
		"candidate, masked": {candidateShapeOf(&candidate, now, false).IDNumber, `"••••••••••••••0014"`},
		"candidate, registered": {
			candidateShapeOf(&hall.Candidate{ID: "7", Class: hall.ClassNormal, State: hall.Registered}, now, true),
			`{"id":"7","name":"","idNumber":"","class":"normal","subjects":[],"remaining":[],"state":"registered","waits":{},"noShows":0,"holdSeconds":0}`,
		},
		"entry, waiting first": {entryShapeOf(&hall.Entry{Candidate: waiting, Now: now}), `{"candidate":"0012","name":"Ann","ticket":"N001",` +
			`"class":"normal","state":"waiting","remaining":["3"],"checkedInAt":"2026-11-30T00:30:00.061Z","queuedAt":"2026-11-30T00:30:01.061Z",` +
			`"waitingSince":"2026-11-30T00:30:02.061Z","waitSeconds":20,"position":1,"ahead":0}`},
		"entry, waiting with an estimate": {
			*entryShapeOf(&hall.Entry{Candidate: waiting, Now: now, Ahead: 2, Estimate: &wait}).Estimate, "341.24",
		},
		"entry, held": {entryShapeOf(&hall.Entry{Candidate: candidate, Now: now}), `{"candidate":"0012","name":"Ann","ticket":"N001",` +
			`"class":"normal","state":"held","remaining":["3"],"checkedInAt":"2026-11-30T00:30:00.061Z","queuedAt":"2026-11-30T00:30:01.061Z",` +
			`"waitingSince":"2026-11-30T00:30:02.061Z","waitSeconds":10}`},
		"entry, called": {entryShapeOf(&hall.Entry{Candidate: inCall, Now: now, Current: &sitting}), `{"candidate":"0012","name":"Ann","ticket":"N001",` +
			`"class":"normal","state":"called","remaining":["3"],"checkedInAt":"2026-11-30T00:30:00.061Z","queuedAt":"2026-11-30T00:30:01.061Z",` +
			`"waitingSince":"2026-11-30T00:30:02.061Z","waitSeconds":341.24,"sitting":` + called + `}`},
		"machine, idle": {
			machineShapeOf(&hall.Machine{ID: "a", Label: "1", Room: "r", Model: "A", Subjects: []string{"1"}, State: hall.MachineIdle, Since: begin}),
			`{"id":"a","label":"1","room":"r","model":"A","subjects":["1"],"state":"idle","since":"2026-11-30T00:30:00.061Z"}`,
		},
		"machine, called": {
			machineShapeOf(&hall.Machine{ID: "a", State: hall.MachineCalled, Reason: "why", Current: &sitting}),
			`{"id":"a","label":"","room":"","model":"","subjects":[],"state":"called","reason":"why","sitting":` + called + `}`,
		},
		"machine, out of service": {
			machineShapeOf(&hall.Machine{ID: "a", State: hall.MachineOutOfService, Reason: "why", Code: hall.OutageCheck}),
			`{"id":"a","label":"","room":"","model":"","subjects":[],"state":"out_of_service","reason":"why","code":"check"}`,
		},
		"machines, none": {machineCountShapeOf(hall.MachineCount{}), `{"total":0,"bySubject":{},"byModel":{}}`},
		"candidate, with notes": {
			candidateShapeOf(&hall.Candidate{ID: "7", Notes: []hall.Note{{ID: "1-0", At: begin, By: "eve", Text: "a\n<b>"}}}, now, true).Notes,
			`[{"id":"1-0","at":"2026-11-30T00:30:00.061Z","by":"eve","text":"a\n<b>"}]`,
		},
		"candidate, none written": {candidateShapeOf(&hall.Candidate{Notes: []hall.Note{}}, now, true).Notes, `[]`},
		"incident": {
			incidentShapeOf(&hall.Incident{ID: "1-0", At: begin, By: "eve", IncidentReport: hall.IncidentReport{Category: "other", Text: "Fire drill"}}),
			`{"id":"1-0","at":"2026-11-30T00:30:00.061Z","by":"eve","category":"other","text":"Fire drill"}`,
		},
		"incident, whole": {incidentShapeOf(&hall.Incident{ID: "1-0", At: begin, By: "eve", Room: "r", Ticket: "N001", IncidentReport: hall.IncidentReport{
			Category: "machine", Machine: "m", Candidate: "c", Text: "dark", Done: "restarted",
		}}), `{"id":"1-0","at":"2026-11-30T00:30:00.061Z","by":"eve","category":"machine","machine":"m","room":"r","candidate":"c","ticket":"N001",` +
			`"text":"dark","done":"restarted"}`},
		"event, short": {eventShapeOf(&hall.Event{ID: "1-0", Event: hall.EventHallPaused, At: begin, By: "system"}), `{"id":"1-0","event":"hall_paused","at":"2026-11-30T00:30:00.061Z","by":"system"}`},
		"event, whole": {eventShapeOf(&hall.Event{
			ID: "1-0", Event: hall.EventSittingEnded, At: begin, By: "eve", Day: "2026-11-30-1", Candidate: "c", Ticket: "N001", Class: hall.ClassNormal, Subject: "1",
			Subjects: []string{"1"}, Remaining: []string{}, Machine: "m", From: "n", Model: "A", Room: "r", Sitting: "s7",
			Wait: &wait, Walk: &walk, Length: &none, Outage: &walk, Recalls: 2, Category: "rules", Machines: map[string]hall.MachineState{"m": hall.MachineIdle},
			ReasonCode: hall.OutagePower, Codes: map[string]hall.OutageCode{"n": hall.OutageOther},
		}), `{"id":"1-0","event":"sitting_ended","at":"2026-11-30T00:30:00.061Z","by":"eve","day":"2026-11-30-1","candidate":"c","ticket":"N001","class":"normal",` +
			`"subject":"1","subjects":["1"],"remaining":[],"machine":"m","from":"n","model":"A","room":"r","sitting":"s7","waitSeconds":341.24,` +
			`"walkSeconds":61,"sittingSeconds":0,"outageSeconds":61,"recalls":2,"category":"rules","reasonCode":"power","machines":{"m":"idle"},"codes":{"n":"other"}}`},
		"day, being prepared": {
			daySummaryShapeOf(&hall.DaySummary{State: hall.DayPreparing, People: map[hall.CandidateState]int{hall.Registered: 2}}),
			`{"state":"preparing","candidates":{"total":2,"byState":{"absent":0,"called":0,"done":0,"held":0,"registered":2,"resting":0,"seated":0,` +
				`"waiting":0,"withdrawn":0}},"sittings":{"total":0}}`,
		},
		"day, closed": {
			daySummaryShapeOf(&hall.DaySummary{
				ID: "2026-11-30-1", State: hall.DayClosed, OpenedAt: begin, ClosedAt: begin.Add(walk), Sittings: 3,
				People: map[hall.CandidateState]int{hall.Done: 1, hall.Seated: 1},
				Figures: &hall.DayFigures{
					Open: map[hall.SittingState]int{hall.SittingSeated: 1}, Outcomes: map[hall.Outcome]int{hall.Finished: 2},
					Machines: map[hall.MachineState]int{hall.MachineInUse: 1, hall.MachineSpare: 1}, MeanWait: wait, MaxWait: walk,
				},
			}),
			`{"id":"2026-11-30-1","state":"closed","openedAt":"2026-11-30T00:30:00.061Z","closedAt":"2026-11-30T00:31:01.061Z",` +
				`"candidates":{"total":2,"byState":{"absent":0,"called":0,"done":1,"held":0,"registered":0,"resting":0,"seated":1,"waiting":0,"withdrawn":0}},` +
				`"sittings":{"total":3,"open":{"called":0,"seated":1},"byOutcome":{"aborted":0,"finished":2,"no_show":0,"withdrawn":0}},` +
				`"waits":{"meanSeconds":341.24,"maxSeconds":61},` +
				`"machines":{"total":2,"byState":{"called":0,"idle":0,"in_use":1,"out_of_service":0,"spare":1}}}`,
		},
		"roster": {
			rosterShapeOf(&hall.RosterResult{Rows: 3, Created: 1, Rejected: []hall.RejectedRow{{Row: 9}, {Row: 2, Column: "class", Value: "x", Code: "unknown_class", Message: "No."}}}),
			`{"rows":3,"created":1,"updated":0,"unchanged":0,"rejected":[{"row":2,"column":"class","value":"x","code":"unknown_class","message":"No."},` +
				`{"row":9,"column":"","value":"","code":"","message":""}]}`,
		},
	} {
		if got := encode(t, test.shape); got != test.want {
			t.Errorf("%s is sent as\n%s, want\n%s", name, got, test.want)
		}
	}
}

// encode writes a shape as huma does, without escaping for HTML.
func encode(t *testing.T, shape any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(shape); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestMaskedForOthers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		grant access.Grant
		sees  bool
	}{
		"administrator": {access.All(), true}, "manager": {access.In(access.Manager, "h"), true}, "nobody": {access.Grant{}, false},
		"another hall's manager": {access.In(access.Manager, "other"), false}, "proctor": {access.In(access.Proctor, "h"), false},
	} {
		ctx := context.WithValue(t.Context(), grantKey{}, test.grant)
		if seesIDNumbers(ctx, "h") != test.sees {
			t.Errorf("%s sees ID numbers: %t", name, !test.sees)
		}
	}
}

func TestBriefValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("字", 201)
	for name, test := range map[string]struct{ value, want any }{
		"short": {"abc", "abc"}, "number": {1.5, 1.5}, "long": {long, strings.Repeat("字", 200) + "…"},
		"object": {map[string]any{"a": 1}, nil}, "list": {[]any{1}, nil},
	} {
		if got := brief(test.value); got != test.want {
			t.Errorf("%s value is %v, want %v", name, got, test.want)
		}
	}
}
