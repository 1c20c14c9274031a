package prom_test

import (
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// TestActiveAlerts has alerts raised and cleared; every name of one is always
// shown, and a node without a webhook says nothing of it.
func TestActiveAlerts(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ctx := t.Context()
	layout := halltest.Layout("one", "both")
	layout.Machines[0].Spare, layout.Rules.WaitTargetSeconds = true, 60
	s.putLayout("no7", layout)
	_, err := s.store.PutRoster(ctx, "no7", rows(2, "1"), false, tester)
	s.must(err)
	for _, row := range rows(2, "1") {
		_, _, err := s.store.CheckIn(ctx, "no7", row.Candidate, hall.CheckIn{}, tester)
		s.must(err)
	}
	s.clock.Move(59 * time.Second)
	_, err = s.store.Elapse(ctx, "no7")
	s.must(err)
	text := s.text("")
	for _, name := range hall.AlertNames {
		has(t, text, `hallcall_alerts_active{alert="`+string(name)+`",hall="no7"} 0`)
	}
	s.clock.Move(2 * time.Second)
	_, err = s.store.Elapse(ctx, "no7")
	s.must(err)
	text = s.text("")
	lint(t, text)
	has(t, text, `hallcall_alerts_active{alert="wait_over_target",hall="no7"} 2`, `hallcall_alerts_active{alert="sitting_long",hall="no7"} 0`)
	hasNot(t, text, "hallcall_webhook", rows(2, "1")[0].Candidate)
	s.must(s.store.Leave(ctx, "no7", rows(2, "1")[0].Candidate, tester))
	has(t, s.text(""), `hallcall_alerts_active{alert="wait_over_target",hall="no7"} 1`)
}
