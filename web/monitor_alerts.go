package web

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// How many alerts of one name are listed, on the screen and on paper.
const alertsListed, alertsPrinted = 6, 3

// alertOrder puts what stops the hall in front.
var alertOrder = []hall.AlertName{
	hall.AlertRedis, hall.AlertNoScreen, hall.AlertMachineIdle, hall.AlertCallUnanswered, hall.AlertSittingLong, hall.AlertWait,
}

// alertWords are what an alert says, for one and for several.
var alertWords = map[hall.AlertName][2]string{
	hall.AlertRedis:          {"Redis did not answer", "Redis did not answer"},
	hall.AlertNoScreen:       {"No board is connected, and there are people to be called", "No board is connected, and there are people to be called"},
	hall.AlertMachineIdle:    {"A machine is idle while somebody waits for it", "%d machines are idle while somebody waits for them"},
	hall.AlertCallUnanswered: {"A call is not answered", "%d calls are not answered"},
	hall.AlertSittingLong:    {"A sitting takes far longer than it should", "%d sittings take far longer than they should"},
	hall.AlertWait:           {"Somebody waits longer than the target", "%d people wait longer than the target"},
}

// alerts are those that are active, by name.
func (m monitorMapper) alerts() []templates.AlertGroup {
	byName := map[hall.AlertName][]*hall.Alert{}
	for i := range m.s.Alerts {
		a := &m.s.Alerts[i]
		byName[a.Name] = append(byName[a.Name], a)
	}
	var groups []templates.AlertGroup
	for _, name := range alertNames(m.s.Alerts) {
		if alerts := byName[name]; len(alerts) > 0 {
			groups = append(groups, m.alertGroup(name, alerts))
		}
	}
	return groups
}

func (m monitorMapper) alertGroup(name hall.AlertName, alerts []*hall.Alert) templates.AlertGroup {
	group := templates.AlertGroup{Key: string(name), Text: alertWords[name][0], More: max(0, len(alerts)-alertsListed)}
	switch {
	case group.Text == "":
		group.Text = strings.ReplaceAll(string(name), "_", " ")
	case len(alerts) > 1 && strings.Contains(alertWords[name][1], "%d"):
		group.Text = fmt.Sprintf(alertWords[name][1], len(alerts))
	}
	group.MoreOnPaper = max(0, len(alerts)-alertsPrinted)
	for i, a := range alerts[:len(alerts)-group.More] {
		if item, ok := m.alertItem(a); ok {
			item.NotOnPaper = i >= alertsPrinted
			group.Items = append(group.Items, item)
		}
	}
	return group
}

// alertItem says what an alert is about, unless that is the hall itself.
func (m monitorMapper) alertItem(a *hall.Alert) (templates.AlertItem, bool) {
	item := templates.AlertItem{Key: url.PathEscape(a.About()), Text: dotted(a.Ticket, m.place(a.Machine)), Since: millis(a.Since)}
	switch {
	case a.Machine != "":
		item.URL = hallURL(m.s.Hall.ID, "proctor", "machines", a.Machine)
	case a.Candidate != "":
		item.URL = hallURL(m.s.Hall.ID, "proctor", "queue", a.Candidate)
	default:
		return item, false
	}
	if item.Text == "" {
		item.Text = a.About()
	}
	return item, true
}

// place is where a machine stands: in a hall with several rooms, machines of
// two of them may have the same label.
func (m monitorMapper) place(machine string) string {
	switch {
	case machine == "":
		return ""
	case len(m.layout.Rooms) > 1:
		return placeName(m.layout, machine)
	}
	return machineWord(specLabel(m.layout, machine))
}
