package hall

import (
	"cmp"
	"slices"
	"time"
)

// AlertName says what an alert is about.
type AlertName string

// The alerts. alerts.json has their definitions.
const (
	// AlertWait says that somebody waits longer than the hall's target.
	AlertWait AlertName = "wait_over_target"
	// AlertCallUnanswered says that somebody was called and does not come.
	AlertCallUnanswered AlertName = "call_unanswered"
	// AlertSittingLong says that a sitting takes much longer than it should.
	AlertSittingLong AlertName = "sitting_long"
	// AlertMachineIdle says that a machine is idle while somebody waits for it.
	AlertMachineIdle AlertName = "machine_idle"
	// AlertNoScreen says that people wait or are called and no board shows it.
	AlertNoScreen AlertName = "no_screen"
	// AlertRedis says that Redis did not answer.
	AlertRedis AlertName = "redis_unreachable"
)

// AlertNames lists every alert, in the order of alerts.json.
var AlertNames = []AlertName{AlertWait, AlertCallUnanswered, AlertSittingLong, AlertMachineIdle, AlertNoScreen, AlertRedis}

// Alert is something that is wrong in a hall now. Fields that do not apply are
// empty; one about the hall itself has neither machine nor candidate.
type Alert struct {
	Name      AlertName
	Machine   string
	Candidate string
	Ticket    string
	Subject   string
	Room      string
	Sitting   string
	Since     time.Time // begin of what lasts too long: the wait, the call, the sitting
	Raised    time.Time // when it had lasted too long
}

// About is the id of the machine or else of the candidate that the alert is
// about, empty for the hall. A name and an id are one alert at most.
func (a *Alert) About() string {
	if a.Name == AlertWait {
		return a.Candidate
	}
	return a.Machine
}

// Key tells the alerts of a hall apart.
func (a *Alert) Key() string { return string(a.Name) + " " + a.About() }

// SortAlerts puts the one that was raised first in front.
func SortAlerts(alerts []Alert) {
	slices.SortFunc(alerts, func(a, b Alert) int {
		return cmp.Or(a.Raised.Compare(b.Raised), cmp.Compare(a.Key(), b.Key()))
	})
}
