package hall

import (
	"bytes"
	_ "embed" // alerts.json
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
)

// RuleWaitTarget is the only rule of a hall that a definition may name.
const RuleWaitTarget = "waitTargetSeconds"

// AlertRule defines an alert: its condition holds once something has lasted
// for the threshold, and it is raised when the condition has held for
// HoldSeconds. The threshold is given in one of three ways.
type AlertRule struct {
	Name             AlertName `json:"name"`
	ThresholdSeconds int       `json:"thresholdSeconds,omitempty"`
	Rule             string    `json:"rule,omitempty"`   // name of the hall's rule that is the threshold; has no hold
	Factor           float64   `json:"factor,omitempty"` // of the expected minutes of the subject
	HoldSeconds      int       `json:"holdSeconds"`
	Description      string    `json:"description"`
}

//go:embed alerts.json
var alertsDocument []byte

// AlertRules are the definitions of all alerts, in the order of AlertNames.
func AlertRules() []AlertRule { return slices.Clone(builtInAlerts()) }

var builtInAlerts = sync.OnceValue(func() []AlertRule {
	rules, err := ParseAlertRules(alertsDocument)
	if err != nil {
		panic(err) // the file is embedded: a wrong one cannot pass the first test
	}
	return rules
})

// ParseAlertRules reads definitions and checks that each alert has one and
// only one, with one threshold.
func ParseAlertRules(document []byte) ([]AlertRule, error) {
	var list struct {
		Alerts []AlertRule `json:"alerts"`
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("alerts: %w", err)
	}
	if len(list.Alerts) != len(AlertNames) {
		return nil, fmt.Errorf("alerts: %d definitions, want one for each of %v", len(list.Alerts), AlertNames)
	}
	for i := range list.Alerts {
		if err := list.Alerts[i].check(AlertNames[i]); err != nil {
			return nil, err
		}
	}
	return list.Alerts, nil
}

func (r *AlertRule) check(want AlertName) error {
	given := 0
	for _, is := range []bool{r.ThresholdSeconds != 0, r.Rule != "", r.Factor != 0} {
		if is {
			given++
		}
	}
	switch {
	case r.Name != want:
		return fmt.Errorf("alerts: %q stands where %q should", r.Name, want)
	case given != 1:
		return fmt.Errorf("alert %s: has %d thresholds, want one", r.Name, given)
	case (r.Name == AlertWait) != (r.Rule == RuleWaitTarget) || (r.Rule != "" && r.Rule != RuleWaitTarget):
		return fmt.Errorf("alert %s: the rule %q does not fit", r.Name, r.Rule)
	case (r.Name == AlertSittingLong) != (r.Factor != 0):
		return fmt.Errorf("alert %s: a factor is for %s", r.Name, AlertSittingLong)
	case r.Rule != "" && r.HoldSeconds != 0:
		return fmt.Errorf("alert %s: a rule of the hall has no hold", r.Name)
	case r.ThresholdSeconds < 0 || r.HoldSeconds < 0 || r.Factor < 0:
		return fmt.Errorf("alert %s: has a negative time", r.Name)
	case r.Description == "":
		return fmt.Errorf("alert %s: has no description", r.Name)
	}
	return nil
}

// Hold is HoldSeconds as a duration.
func (r *AlertRule) Hold() time.Duration { return time.Duration(r.HoldSeconds) * time.Second }

// Threshold is the time after which the condition holds, in a hall with these
// rules and for a subject of this expected length.
func (r *AlertRule) Threshold(rules *Rules, minutes float64) time.Duration {
	switch {
	case r.Rule != "":
		return time.Duration(rules.WaitTargetSeconds) * time.Second
	case r.Factor != 0:
		return time.Duration(math.Floor(r.Factor*minutes*60000+0.5)) * time.Millisecond
	default:
		return time.Duration(r.ThresholdSeconds) * time.Second
	}
}

// AlertRuleOf is the definition of an alert among others.
func AlertRuleOf(rules []AlertRule, name AlertName) AlertRule {
	return rules[slices.Index(AlertNames, name)]
}
