package hall

import (
	"strings"
	"testing"
	"time"
)

func TestAlertRules(t *testing.T) {
	t.Parallel()
	rules := AlertRules()
	hallRules := DefaultRules()
	for name, want := range map[AlertName]time.Duration{
		AlertWait: 30 * time.Minute, AlertCallUnanswered: 3 * time.Minute, AlertSittingLong: 15 * time.Minute,
		AlertMachineIdle: 30 * time.Second, AlertNoScreen: time.Minute, AlertRedis: 5 * time.Second,
	} {
		rule := AlertRuleOf(rules, name)
		if got := rule.Threshold(&hallRules, 7.5) + rule.Hold(); rule.Name != name || got != want {
			t.Errorf("%s is raised after %s, want %s", rule.Name, got, want)
		}
	}
	rules[0].Name = "x"
	if AlertRules()[0].Name != AlertWait {
		t.Error("who gets the definitions can change them for others")
	}
}

func TestAlertRulesThatDoNotFit(t *testing.T) {
	t.Parallel()
	good := string(alertsDocument)
	for name, change := range map[string][2]string{
		"unknown field":    {`"holdSeconds": 0`, `"hold": 0`},
		"unknown alert":    {`"no_screen"`, `"no_sound"`},
		"two thresholds":   {`"factor": 2`, `"factor": 2, "thresholdSeconds": 3`},
		"no threshold":     {`"factor": 2,`, ``},
		"unknown rule":     {`waitTargetSeconds`, `restSeconds`},
		"hold of a rule":   {`"waitTargetSeconds", "holdSeconds": 0`, `"waitTargetSeconds", "holdSeconds": 1`},
		"negative":         {`"thresholdSeconds": 180`, `"thresholdSeconds": -180`},
		"negative hold":    {`"holdSeconds": 15`, `"holdSeconds": -15`},
		"factor elsewhere": {`"thresholdSeconds": 45`, `"factor": 45`},
		"no description":   {`"Redis did not answer."`, `""`},
		"not JSON":         {`]}`, ``},
	} {
		if !strings.Contains(good, change[0]) {
			t.Fatalf("%s: %s is not in the file", name, change[0])
		}
		if _, err := ParseAlertRules([]byte(strings.Replace(good, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
