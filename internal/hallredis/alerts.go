package hallredis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// alertRecord is an active alert as the scripts keep it: see lua/lib/alerts.lua.
type alertRecord struct {
	Alert     hall.AlertName `json:"alert"`
	Machine   string         `json:"machine"`
	Candidate string         `json:"candidate"`
	Ticket    string         `json:"ticket"`
	Subject   string         `json:"subject"`
	Room      string         `json:"room"`
	Sitting   string         `json:"sitting"`
	Since     int64          `json:"since"`
	Raised    int64          `json:"raised"`
}

// alertsOf reads active alerts, the first raised in front.
func alertsOf(records []string) ([]hall.Alert, error) {
	alerts := make([]hall.Alert, 0, len(records))
	for _, record := range records {
		r, err := decode[alertRecord]("alert", record)
		if err != nil {
			return nil, err
		}
		alerts = append(alerts, hall.Alert{
			Name: r.Alert, Machine: r.Machine, Candidate: r.Candidate, Ticket: r.Ticket, Subject: r.Subject, Room: r.Room,
			Sitting: r.Sitting, Since: atMillis(r.Since), Raised: atMillis(r.Raised),
		})
	}
	hall.SortAlerts(alerts)
	return alerts, nil
}

// watchRules are what Elapse gets of the definitions: of each alert the
// threshold and the hold in milliseconds, or the milliseconds for each minute
// that a subject takes. That of waits is a rule of the hall.
func watchRules(rules []hall.AlertRule) string {
	type one struct {
		Threshold int64   `json:"threshold,omitempty"`
		Factor    float64 `json:"factor,omitempty"`
		Hold      int64   `json:"hold"`
	}
	all := map[hall.AlertName]one{}
	for i := range rules {
		r := &rules[i]
		all[r.Name] = one{int64(r.ThresholdSeconds) * 1000, r.Factor, r.Hold().Milliseconds()}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(fmt.Sprintf("alert rules: %v", err)) // numbers only; checked when they were read
	}
	return string(text)
}

// Alerts implements hall.Alerts.
func (s *Store) Alerts(ctx context.Context, id string, page hall.Page) (hall.List[hall.Alert], error) {
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return hall.List[hall.Alert]{}, err
	}
	records, err := s.client.HVals(ctx, k.alerts()).Result()
	if err != nil {
		return hall.List[hall.Alert]{}, s.failed("alerts", err)
	}
	alerts, err := alertsOf(records)
	if err != nil {
		return hall.List[hall.Alert]{}, err
	}
	p := newPager[hall.Alert](page)
	for _, a := range alerts {
		p.add(a)
	}
	return p.list, nil
}

// ReportScreens implements hall.Alerts.
func (s *Store) ReportScreens(ctx context.Context, id, node string, boards int) error {
	if node == "" || boards < 0 {
		return invalidReport("A report of boards has a node and no negative number.", "boards", strconv.Itoa(boards))
	}
	_, _, err := s.run(ctx, screensReport, id, hall.System, node, min(boards, 1), hall.ScreensForgotten.Milliseconds())
	return err
}

// RecordOutage implements hall.Alerts.
func (s *Store) RecordOutage(ctx context.Context, id string, since, until time.Time) error {
	if since.UnixMilli() <= 0 || until.Before(since) || until.UnixMilli() > math.MaxInt32*1000 {
		return invalidReport("An outage ends after it begins.", "until", until.String())
	}
	rule := hall.AlertRuleOf(s.alerts, hall.AlertRedis)
	least := rule.Threshold(nil, 0) + rule.Hold()
	_, _, err := s.run(ctx, outageRecord, id, hall.System, since.UnixMilli(), until.UnixMilli(), least.Milliseconds())
	return err
}

func invalidReport(message, location, value string) error {
	return &hall.Error{
		Code: hall.CodeInvalid, Message: message, Faults: []hall.Fault{{Location: location, Message: message, Value: value}},
	}
}
