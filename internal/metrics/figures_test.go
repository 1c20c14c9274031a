package metrics_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// TestBuiltInFigures brings a hall through a morning and asks after each step.
func TestBuiltInFigures(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) { // machine m1 serves subject 1, m2 2, m3 2 and 3
		ctx := s.Context()
		_, err := s.store.PutRoster(ctx, s.id, []hall.RosterRow{halltest.Row("a", "1"), halltest.Row("b", "1", "2"), halltest.Row("c", "1"), halltest.Row("d", "2")}, false, tester)
		s.must(err)
		checkIn := func(ids ...string) {
			for _, id := range ids {
				s.clock.Move(time.Second)
				_, _, err := s.store.CheckIn(ctx, s.id, id, hall.CheckIn{}, tester)
				s.must(err)
			}
		}
		out := func(machine string, state hall.MachineState) {
			_, err := s.store.SetMachineState(ctx, s.id, machine, state, hall.OutageReason{Text: "dark"}, tester)
			s.must(err)
		}
		out("m3", hall.MachineOutOfService)
		s.clock.Move(90 * time.Second)
		out("m3", hall.MachineIdle)
		out("m3", hall.MachineOutOfService)
		s.want("90", "machineLastOutage", "machine", "m3")
		s.want("2", "machineOutCount", "machine", "m3")
		s.want("1", "machineOutNow")
		s.want(`{"check":0,"cleaning":0,"hardware":0,"network":0,"other":1,"power":0,"software":0}`, "machineOutByCode")
		if list := s.ask("machineOutList"); !strings.Contains(list, `{"m3":{"at":"`) || !strings.Contains(list, `"by":"test"`) || !strings.Contains(list, `"reasonCode":"other"`) || strings.Contains(list, "dark") {
			s.Errorf("out of service are %s", list)
		}
		checkIn("a", "b", "c", "d")
		s.want(`"called"`, "machineState", "machine", "m1")
	})
}

// TestFiguresOfChanges has what leaves one figure for another: a transfer, a
// change of class and of subjects, a restore, an undo, the next day.
func TestFiguresOfChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		ctx := s.Context()
		rows := []hall.RosterRow{}
		for i := range 6 {
			rows = append(rows, halltest.Row(fmt.Sprint("p", i), "1", "2"))
		}
		_, err := s.store.PutRoster(ctx, s.id, rows, false, tester)
		s.must(err)
		for i := range 5 {
			s.clock.Move(time.Second)
			_, _, err := s.store.CheckIn(ctx, s.id, fmt.Sprint("p", i), hall.CheckIn{}, tester)
			s.must(err)
		}
		s.want(`{"called":3,"idle":0,"in_use":0,"out_of_service":0,"spare":0}`, "machinesByState")
		s.want(`{"called":2,"idle":0,"in_use":0,"out_of_service":0,"spare":0}`, "machinesByState", "subject", "2")
		s.want("2", "waitingByClass", "class", "normal")
		s.want("2", "waitingBySubject", "subject", "2")

		_, err = s.store.SetClass(ctx, s.id, "p3", hall.ClassVIP, "", tester)
		s.must(err)
		_, err = s.store.SetClass(ctx, s.id, "p5", hall.ClassVIP, "", tester) // does not wait
		s.must(err)
		s.want("1", "waitingByClass", "class", "normal")
		s.want("1", "waitingByClass", "class", "vip")
		_, _, err = s.store.PutCandidate(ctx, s.id, halltest.Row("p4", "1"), tester)
		s.must(err)
		s.want("2", "waitingBySubject", "subject", "1")
		s.want("1", "waitingBySubject", "subject", "2")
		s.must(s.store.Leave(ctx, s.id, "p4", tester))
		s.want("1", "waitingBySubject", "subject", "1")
		_, err = s.store.Restore(ctx, s.id, "p4", false, tester)
		s.must(err)
		s.want("2", "waitingBySubject", "subject", "1")
		s.must(s.store.Leave(ctx, s.id, "p4", tester))
		s.must(s.store.Leave(ctx, s.id, "p3", tester))

		list, err := s.store.Sittings(ctx, s.id, hall.SittingFilter{Subject: "2"}, hall.Page{})
		s.must(err)
		first := list.Items[0]
		s.clock.Move(20 * time.Second)
		_, err = s.store.Seat(ctx, s.id, first.ID, tester)
		s.must(err)
		_, err = s.store.Pause(ctx, s.id, "", "", tester) // nobody is called to what is free
		s.must(err)
		_, err = s.store.NoShow(ctx, s.id, list.Items[1].ID, tester)
		s.must(err)
		_, err = s.store.Transfer(ctx, s.id, first.ID, hall.Transfer{}, tester)
		s.must(err)
		s.want(`"idle"`, "machineState", "machine", first.Machine)
		s.want(`"in_use"`, "machineState", "machine", list.Items[1].Machine)
		s.want(`{"2":1}`, "noShows")

		s.clock.Move(10 * time.Minute)
		_, err = s.store.End(ctx, s.id, first.ID, tester)
		s.must(err)
		s.want("600000", "sittingLengthMillis", "subject", "2")
		s.want(`{"count":1,"meanSeconds":600,"medianSeconds":600,"p95Seconds":600,"maxSeconds":600}`, "sittingLengths", "subject", "2")
		events, err := s.store.Events(ctx, s.id, "", hall.Page{})
		s.must(err)
		for _, e := range events.Items {
			if e.Event == hall.EventSittingEnded {
				_, err = s.store.Undo(ctx, s.id, e.ID, false, tester)
				s.must(err)
			}
		}
		s.want("0", "sittingLengthMillis", "subject", "2")
		s.want(`{}`, "sittingsEnded")
		s.want(`"in_use"`, "machineState", "machine", list.Items[1].Machine)

		_, err = s.store.SetMachineState(ctx, s.id, first.Machine, hall.MachineOutOfService, hall.OutageReason{Code: hall.OutageNetwork, Text: "dark"}, tester)
		s.must(err)
		s.put(`{"metricsName": "outages", "metricsQueryMeta": {"keyTemplate": "outages", "queryCommand": "HGETALL"},
			"metricsSaveAndDelMeta": {"keyTemplate": "outages", "fieldTemplate": "#reasonCode#", "saveCommand": "HINCRBY"},
			"on": [{"event": "machine_out_of_service", "do": "save", "value": "1"}]}`)
		s.want(`{"network":1}`, "outages")
		before := s.ask("metricsState")
		closed, err := s.store.CloseDay(ctx, s.id, "", tester)
		s.must(err)
		s.want(`{}`, "noShows")
		s.want("1", "machineOutNow") // it still is, and why
		s.want(`{"check":0,"cleaning":0,"hardware":0,"network":1,"other":0,"power":0,"software":0}`, "machineOutByCode")
		if list := s.ask("machineOutList"); !strings.Contains(list, `"reasonCode":"network"`) || strings.Contains(list, "dark") {
			s.Errorf("out of service on the next day are %s", list)
		}
		s.want("0", "machineOutCount", "machine", first.Machine)
		if got := s.askDay(closed.ID, "noShows"); got != `{"2":1}` {
			s.Errorf("the closed day has the no-shows %s", got)
		}
		if after := s.askDay(closed.ID, "metricsState"); after == before || !strings.Contains(after, `"setAside":0`) {
			s.Errorf("the closed day has %s, before it was closed %s", after, before)
		}
	})
}

// TestPoison has events that a definition cannot save: they are set aside and
// counted, the rest goes on.
func TestPoison(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		s.put(`{"metricsName": "sum", "metricsQueryMeta": {"keyTemplate": "sum", "fieldTemplate": "#of#", "queryCommand": "HGET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "sum", "fieldTemplate": "#of#", "saveCommand": "HINCRBY"}, "on": [{"event": "x_add", "do": "save", "value": "#n#"}]}`)
		s.put(`{"metricsName": "seen", "metricsQueryMeta": {"keyTemplate": "seen", "queryCommand": "GET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "seen", "saveCommand": "INCRBY"}, "on": [{"event": "x_add", "do": "save", "value": "1"}]}`)
		s.put(`{"metricsName": "text", "metricsQueryMeta": {"keyTemplate": "sum", "fieldTemplate": "#of#", "queryCommand": "HGET"},
			"metricsSaveAndDelMeta": {"keyTemplate": "sum", "fieldTemplate": "#of#", "saveCommand": "HSET"}, "on": [{"event": "x_text", "do": "save", "value": "#n#"}]}`)
		s.send("x_add", "of", "a", "n", "2")
		s.send("x_add", "of", "a", "n", "2.5")
		s.send("x_add", "of", "a")
		s.send("x_text", "of", "b", "n", "nonsense")
		s.send("x_add", "of", "b", "n", "1")
		s.send("x_add", "of", "a", "n", "3")
		s.want("5", "sum", "of", "a")
		s.want(`"nonsense"`, "text", "of", "b")
		s.want("5", "seen")
		state := s.ask("metricsState")
		if !strings.Contains(state, `"setAside":3`) {
			s.Errorf("state is %s", state)
		}
		live, told := s.dump(s.id), s.ask("metricsSetAside")
		for _, reason := range []string{"value is not a whole number", "has no field n", "value is not an integer"} {
			if !strings.Contains(live["aside"], reason) || !strings.Contains(told, reason) {
				s.Errorf("set aside is not %q: %s, told as %s", reason, live["aside"], told)
			}
		}
		made, err := s.centre.Rebuild(s.Context(), s.id)
		s.must(err)
		if made.Aside != 3 || fmt.Sprint(s.dump(s.id)) != fmt.Sprint(live) {
			s.Errorf("made anew it is %v, was %v", s.dump(s.id), live)
		}
	})
}

// TestFiguresOverTheDay has people come, wait and go at known times, in a hall
// whose clocks on the wall are not on the hour of UTC, beyond midnight.
func TestFiguresOverTheDay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		ctx := s.Context()
		layout := halltest.Layout("one", "both")
		layout.TimeZone = "Asia/Kathmandu" // 5 h 45 min ahead: it is 13:45
		if _, _, err := s.store.PutHall(ctx, "nepal", layout, "", tester); err != nil {
			s.Fatalf("%+v", err)
		}
		var err error
		s.id = "nepal"
		rows := []hall.RosterRow{}
		for i := range 5 {
			rows = append(rows, halltest.Row(fmt.Sprint("p", i), "1"))
		}
		_, err = s.store.PutRoster(ctx, s.id, rows, false, tester)
		s.must(err)
		for i := range 5 {
			s.clock.Move(time.Minute)
			_, _, err := s.store.CheckIn(ctx, s.id, fmt.Sprint("p", i), hall.CheckIn{}, tester)
			s.must(err)
		}
		s.want(`[{"from":"2026-11-30T13:40+05:45","waiting":3},{"from":"2026-11-30T13:50+05:45","waiting":4}]`, "waitingOverDay")
		_, err = s.store.Hold(ctx, s.id, "p1", tester)
		s.must(err)
		s.must(s.store.Leave(ctx, s.id, "p1", tester)) // waited no more
		s.must(s.store.Leave(ctx, s.id, "p2", tester))
		s.clock.Move(10*time.Hour + 9*time.Minute) // 23:59
		end := func(sitting string) {
			_, err := s.store.End(ctx, s.id, sitting, tester)
			s.must(err)
		}
		end("s1")
		s.clock.Move(time.Minute)
		end("s2")
		s.want(`[{"from":"2026-11-30T13:40+05:45","waiting":3},{"from":"2026-11-30T13:50+05:45","waiting":2},`+
			`{"from":"2026-11-30T23:50+05:45","waiting":1},{"from":"2026-12-01T00:00+05:45","waiting":0}]`, "waitingOverDay")
		s.want(`{"2026-11-30T23:50+05:45":1,"2026-12-01T00:00+05:45":1}`, "donePerTenMinutes")
		s.want(`[{"from":"2026-11-30T13:40+05:45","count":1,"medianSeconds":0,"p95Seconds":0},`+
			`{"from":"2026-11-30T23:50+05:45","count":1,"medianSeconds":43200,"p95Seconds":43200},`+
			`{"from":"2026-12-01T00:00+05:45","count":1,"medianSeconds":43200,"p95Seconds":43200}]`, "waitsOverDay")
		s.want(`{"count":3,"medianSeconds":39600,"p95Seconds":43200,"withinTarget":0.333,"targetSeconds":1800}`, "allWaits")

		// A roster that takes the last subject of somebody who waits.
		_, err = s.store.PutRoster(ctx, s.id, []hall.RosterRow{halltest.Row("q", "1", "2")}, false, tester)
		s.must(err)
		_, _, err = s.store.CheckIn(ctx, s.id, "q", hall.CheckIn{}, tester)
		s.must(err)
		_, err = s.store.Pause(ctx, s.id, "", "", tester)
		s.must(err)
		list, err := s.store.Sittings(ctx, s.id, hall.SittingFilter{State: hall.SittingCalled}, hall.Page{})
		s.must(err)
		q := list.Items[len(list.Items)-1]
		end(q.ID)
		ends := func(waiting string) {
			s.Helper()
			if got := s.ask("waitingOverDay"); !strings.HasSuffix(got, `"2026-12-01T00:00+05:45","waiting":`+waiting+`}]`) {
				s.Errorf("waiting are not %s at the end of %s", waiting, got)
			}
		}
		ends("1")
		_, _, err = s.store.PutCandidate(ctx, s.id, halltest.Row("q", q.Subject), tester)
		s.must(err)
		ends("0")
	})
}
