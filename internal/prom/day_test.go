package prom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/prom"
)

// TestSmallDay brings a hall through a morning and compares all of its
// figures; of the people there is nothing in the text.
func TestSmallDay(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ctx := t.Context()
	s.putHall("no7", "one", "both") // m1 serves subject 1, m2 2 and 3
	_, err := s.store.PutRoster(ctx, "no7", rows(6, "1"), false, tester)
	s.must(err)
	_, err = s.store.SetMachineState(ctx, "no7", "m2", hall.MachineOutOfService, hall.OutageReason{Text: "dark"}, tester)
	s.must(err)
	s.clock.Move(90 * time.Second)
	for i := range 5 {
		_, _, err := s.store.CheckIn(ctx, "no7", rows(6)[i].Candidate, hall.CheckIn{}, tester)
		s.must(err)
		s.clock.Move(10 * time.Second)
	}
	_, err = s.store.SetMachineState(ctx, "no7", "m2", hall.MachineIdle, hall.OutageReason{}, tester)
	s.must(err)
	open := func() hall.Sitting {
		list, err := s.store.Sittings(ctx, "no7", hall.SittingFilter{State: hall.SittingCalled}, hall.Page{})
		s.must(err)
		return list.Items[0]
	}
	first := open()
	_, err = s.store.Recall(ctx, "no7", first.ID, 2, tester)
	s.must(err)
	_, err = s.store.NoShow(ctx, "no7", first.ID, tester) // calls the second, who came 50 s - 10 s ago
	s.must(err)
	second := open()
	s.clock.Move(25 * time.Second)
	_, err = s.store.Seat(ctx, "no7", second.ID, tester)
	s.must(err)
	s.clock.Move(10 * time.Minute)
	_, err = s.store.End(ctx, "no7", second.ID, tester) // done; calls the third
	s.must(err)
	_, err = s.store.Abort(ctx, "no7", open().ID, hall.Abort{Fault: hall.FaultMachine, Reason: "smoke", KeepMachine: true}, tester)
	s.must(err)
	_, err = s.store.AppendEvent(ctx, "no7", hall.OutsideEvent{Event: "x_a", Fields: map[string]string{"candidate": "secret-outside"}}, tester)
	s.must(err)
	s.cfg.Sockets = func() prom.Sockets {
		return prom.Sockets{Open: map[prom.Watching]int{{Hall: "no7", View: "board"}: 2}, Dropped: map[string]uint64{"slow": 3}}
	}
	s.cfg.Webhook = func() prom.Webhook { return prom.Webhook{Delivered: 5, Rejected: 1, GivenUp: 2, Failed: 7} }
	s.cfg.Pool = func() prom.Pool { return prom.Pool{Idle: 4, Used: 1, Hits: 10, Misses: 5} }

	text := s.text("")
	lint(t, text)
	families := parse(t, text)
	has(
		t, text,
		`hallcall_store_up 1`, `hallcall_scrape_details 1`, `hallcall_hall_scrape_success{hall="no7"} 1`, `hallcall_hall_day_open{hall="no7"} 1`,
		`hallcall_waiting_by_subject{hall="no7",subject="1"} 3`, `hallcall_waiting_by_subject{hall="no7",subject="2"} 0`,
		`hallcall_waiting_by_class{class="normal",hall="no7"} 3`, `hallcall_waiting_by_class{class="vip",hall="no7"} 0`,
		`hallcall_machines{hall="no7",state="called"} 1`, `hallcall_machines{hall="no7",state="idle"} 1`, `hallcall_machines{hall="no7",state="out_of_service"} 0`,
		`hallcall_day_check_ins{hall="no7"} 5`, `hallcall_day_calls{hall="no7"} 4`, `hallcall_day_candidates_done{hall="no7"} 1`,
		`hallcall_day_candidates_absent{hall="no7"} 0`,
		`hallcall_day_no_shows{hall="no7",subject="1"} 1`, `hallcall_day_recalls{hall="no7",subject="1"} 1`, `hallcall_day_no_shows{hall="no7",subject="2"} 0`,
		`hallcall_day_sittings_aborted{hall="no7",subject="1"} 1`, `hallcall_day_sittings_ended{hall="no7",subject="1"} 1`,
		`hallcall_day_events_set_aside{hall="no7"} 0`,
		// Waits: 0 s, 40 s, 655 s, and 0 s after the sitting that was broken off at once.
		`hallcall_wait_seconds_count{hall="no7",subject="1"} 4`, `hallcall_wait_seconds_bucket{hall="no7",subject="1",le="0"} 2`,
		`hallcall_wait_seconds_bucket{hall="no7",subject="1",le="30"} 2`, `hallcall_wait_seconds_bucket{hall="no7",subject="1",le="45"} 3`,
		`hallcall_wait_seconds_bucket{hall="no7",subject="1",le="600"} 3`, `hallcall_wait_seconds_bucket{hall="no7",subject="1",le="720"} 4`,
		`hallcall_wait_seconds_bucket{hall="no7",subject="1",le="+Inf"} 4`,
		`hallcall_wait_seconds_sum{hall="no7",subject="1"} 695`, `hallcall_wait_seconds_count{hall="no7",subject="2"} 0`,
		`hallcall_walk_seconds_sum{hall="no7",subject="1"} 25`, `hallcall_walk_seconds_bucket{hall="no7",subject="1",le="30"} 1`,
		`hallcall_sitting_seconds_sum{hall="no7",subject="1"} 600`, `hallcall_sitting_seconds_count{hall="no7",subject="1"} 1`,
		`hallcall_machine_day_outages{hall="no7",machine="m2",room="B"} 1`, `hallcall_machine_day_outages{hall="no7",machine="m1",room="A"} 0`,
		`hallcall_machine_last_outage_seconds{hall="no7",machine="m2",room="B"} 140`, `hallcall_machine_out_of_service{hall="no7",machine="m2",room="B"} 0`,
		`hallcall_websockets{hall="no7",view="board"} 2`, `hallcall_websocket_drops_total{reason="slow"} 3`,
		`hallcall_alerts_active{alert="wait_over_target",hall="no7"} 0`, `hallcall_alerts_active{alert="redis_unreachable",hall="no7"} 0`,
		`hallcall_webhook_alerts_total{result="delivered"} 5`, `hallcall_webhook_alerts_total{result="rejected"} 1`,
		`hallcall_webhook_alerts_total{result="given_up"} 2`, `hallcall_webhook_failed_attempts_total 7`,
		`hallcall_redis_pool_connections{state="idle"} 4`, `hallcall_redis_pool_hits_total 10`, `hallcall_redis_pool_misses_total 5`,
	)
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes", "hallcall_build_info", "hallcall_event_lag_seconds", "hallcall_http_requests_in_flight"} {
		if families[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	hasNot(t, strings.ToLower(text), "secret", "somebody", "dark", "smoke")

	// What an undo takes back is taken back here too.
	events, err := s.store.Events(ctx, "no7", "", hall.Page{})
	s.must(err)
	for _, e := range events.Items {
		if e.Event == hall.EventSittingAborted {
			_, err = s.store.Undo(ctx, "no7", e.ID, false, tester)
			s.must(err)
		}
	}
	has(t, s.text(""), `hallcall_day_sittings_aborted{hall="no7",subject="1"} 0`, `hallcall_day_calls{hall="no7"} 3`)

	// A hall that prepares its next day has no figures of one.
	_, err = s.store.CloseDay(ctx, "no7", "", tester)
	s.must(err)
	text = s.text("")
	has(t, text, `hallcall_hall_scrape_success{hall="no7"} 1`, `hallcall_hall_day_open{hall="no7"} 0`)
	hasNot(t, text, "hallcall_day_", "hallcall_waiting", "hallcall_wait_seconds")
	_, err = s.store.OpenDay(ctx, "no7", tester)
	s.must(err)
	has(t, s.text(""), `hallcall_day_calls{hall="no7"} 0`, `hallcall_wait_seconds_count{hall="no7",subject="1"} 0`)
}

// TestManyMachines has a hall with as many machines as are shown one by one,
// and one with one more.
func TestManyMachines(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	kinds := make([]string, 201)
	for i := range kinds {
		kinds[i] = []string{"one", "both"}[i%2]
	}
	s.putHall("few", kinds[:200]...)
	s.putHall("many", kinds...)
	text := s.text("")
	lint(t, text)
	has(t, text, `hallcall_machine_out_of_service{hall="few",machine="m200",room="B"} 0`, `hallcall_machines{hall="many",state="idle"} 201`)
	for line := range strings.Lines(text) {
		if strings.Contains(line, `hall="many"`) && strings.Contains(line, `machine="`) {
			t.Fatalf("shown without being asked for: %s", line)
		}
	}
	has(t, s.text("?machines=all"), `hallcall_machine_out_of_service{hall="many",machine="m201",room="A"} 0`)
	text = s.text("?hall=many&machines=all")
	has(t, text, `hallcall_machine_day_outages{hall="many",machine="m201",room="A"} 0`)
	hasNot(t, text, `hall="few"`)
}

// TestLargestLayout has as many subjects as a hall may have: all is still one call.
func TestLargestLayout(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	layout := halltest.Layout("one", "both")
	for _, code := range strings.Split("abcdefghi", "") {
		layout.Subjects = append(layout.Subjects, hall.Subject{Code: code, Minutes: 5})
		layout.Models[0].Subjects = append(layout.Models[0].Subjects, code)
	}
	if len(layout.Subjects) != 12 {
		t.Fatalf("%d subjects", len(layout.Subjects))
	}
	s.putLayout("no7", layout)
	has(t, s.text(""), `hallcall_hall_scrape_success{hall="no7"} 1`, `hallcall_wait_seconds_count{hall="no7",subject="i"} 0`)
}
