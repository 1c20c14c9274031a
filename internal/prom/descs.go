package prom

import "github.com/prometheus/client_golang/prometheus"

// ofHalls are all descriptions of figures of halls.
var ofHalls []*prometheus.Desc

// describe adds a description of a figure of halls; its first label is the hall.
func describe(name, help string, labels ...string) *prometheus.Desc {
	desc := prometheus.NewDesc("hallcall_"+name, help, append([]string{"hall"}, labels...), nil)
	ofHalls = append(ofHalls, desc)
	return desc
}

// What counts from the begin of a day is a gauge: an undo takes back, which no
// counter does.
var (
	success = describe("hall_scrape_success", "1 if the hall's figures are in this answer, 0 if they could not be read in time.")
	dayOpen = describe("hall_day_open", "1 while the hall's day is open. Only then it has the figures below.")

	waitingBySubject = describe("waiting_by_subject", "People who wait and have the subject left; one with several is in each.", "subject")
	waitingByClass   = describe("waiting_by_class", "People who wait.", "class")
	machinesByState  = describe("machines", "Machines by state.", "state")

	alertsActive = describe("alerts_active", "Alerts that are active, by name.", "alert")

	checkIns    = describe("day_check_ins", "Check-ins of the day.")
	calls       = describe("day_calls", "Calls of the day.")
	done        = describe("day_candidates_done", "People of the day who are done.")
	absences    = describe("day_candidates_absent", "How often people of the day became absent because they did not come.")
	commands    = describe("day_commands", "Commands of the day, by people, devices and time.")
	noShows     = describe("day_no_shows", "Calls of the day that nobody came to.", "subject")
	recalls     = describe("day_recalls", "Calls of the day announced again.", "subject")
	aborts      = describe("day_sittings_aborted", "Sittings of the day broken off.", "subject")
	ended       = describe("day_sittings_ended", "Sittings of the day that ended.", "subject")
	events      = describe("day_events", "Events of the day in the figures.")
	setAside    = describe("day_events_set_aside", "What could not be saved of the day's events.")
	lag         = describe("event_lag_seconds", "Age of the oldest event when the last ones were taken into the figures. Reading takes in first what nobody has yet, so after a standstill this shows that lag once.")
	waits       = describe("wait_seconds", "Waits of the day until the call.", "subject")
	walks       = describe("walk_seconds", "Time from the call to the seat, of the day.", "subject")
	lengths     = describe("sitting_seconds", "Time from the seat to the end, of the day.", "subject")
	machineOut  = describe("machine_out_of_service", "1 while the machine is out of service.", "room", "machine")
	machineOuts = describe("machine_day_outages", "How often the machine went out of service on the day.", "room", "machine")
	lastOutage  = describe("machine_last_outage_seconds", "Length of the machine's last outage of the day that is over.", "room", "machine")
)

var (
	storeUp  = describeNone("store_up", "1 if the list of halls could be read.")
	detailed = describeNone("scrape_details", "0 if there are too many halls to show durations and machines of those that are not asked for by ?hall=.")
)

func describeNone(name, help string) *prometheus.Desc {
	desc := prometheus.NewDesc("hallcall_"+name, help, nil, nil)
	ofHalls = append(ofHalls, desc)
	return desc
}
