package metrics_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/metrics"
)

// figures are those of a day worked out in plain Go from its events, by the
// name of the metric and its one parameter.
type figures map[string]any

// figuresOf works out figures without anything of the package that is tested.
func figuresOf(events []hall.Event, zone *time.Location) figures {
	undone := map[string]bool{}
	for i := range events {
		if events[i].Event == hall.EventUndone {
			undone[events[i].Undoes] = true
		}
	}
	w := &workings{
		f: figures{}, machine: map[string]string{}, out: map[string]hall.OutageCode{}, waiting: map[string]*hall.Event{},
	}
	for i := range events {
		if !undone[events[i].ID] {
			w.take(&events[i], zone, i == 0)
			w.note(&events[i], zone)
		}
	}
	return w.finish()
}

type workings struct {
	f       figures
	machine map[string]string
	out     map[string]hall.OutageCode
	waiting map[string]*hall.Event // the last event of who waits
	before  int                    // how many waited before the event
	then    []waitingThen
}

type waitingThen struct {
	From    string `json:"from"`
	Waiting int    `json:"waiting"`
}

// note keeps how many wait after an event, of each ten minutes the last one.
func (w *workings) note(e *hall.Event, zone *time.Location) {
	at := e.At.In(zone)
	slot := at.Format("2006-01-02T15:") + strconv.Itoa(at.Minute()/10) + "0" + at.Format("Z07:00")
	if len(w.waiting) != w.before {
		w.before = len(w.waiting)
		if n := len(w.then); n == 0 || w.then[n-1].From != slot {
			w.then = append(w.then, waitingThen{From: slot})
		}
		w.then[len(w.then)-1].Waiting = w.before
	}
	switch e.Event {
	case hall.EventCandidateDone:
		w.count("donePerTenMinutes", slot)
	case hall.EventCandidateCalled:
		w.count("waitsOverDay", slot)
	default:
	}
}

func (w *workings) count(metric, field string) {
	if w.f[metric] == nil {
		w.f[metric] = map[string]int64{}
	}
	w.f[metric].(map[string]int64)[field]++ //nolint:errcheck,forcetypeassert // just made
}

func (w *workings) alert(name hall.AlertName, n int64) {
	active, _ := w.f["alertsActive"].(map[string]int64)
	if active == nil {
		active = map[string]int64{}
		w.f["alertsActive"] = active
	}
	active[string(name)] += n
}

func (w *workings) add(key string, n int64) {
	was, _ := w.f[key].(int64)
	w.f[key] = was + n
}

func (w *workings) take(e *hall.Event, zone *time.Location, first bool) {
	hour := e.At.In(zone).Format("15")
	if e.Cause == "" && !e.Event.IsOutside() {
		w.count("commands", e.By)
	}
	switch e.Event {
	case hall.EventLayoutChanged:
		for _, gone := range e.Gone {
			delete(w.machine, gone)
			delete(w.out, gone)
		}
		for id, state := range e.Machines {
			w.machine[id] = string(state)
			if first && state == hall.MachineOutOfService {
				w.out[id] = e.Codes[id]
			}
		}
	case hall.EventMachineOutOfService:
		w.machine[e.Machine], w.out[e.Machine] = "out_of_service", e.ReasonCode
		w.add("machineOutCount "+e.Machine, 1)
	case hall.EventMachineInService, hall.EventMachineSpare:
		w.machine[e.Machine] = map[hall.EventName]string{hall.EventMachineInService: "idle", hall.EventMachineSpare: "spare"}[e.Event]
		delete(w.out, e.Machine)
		if e.Outage != nil {
			w.f["machineLastOutage "+e.Machine] = e.Outage.Seconds()
		}
	case hall.EventCandidateCalled:
		w.machine[e.Machine] = "called"
		delete(w.waiting, e.Candidate)
		w.count("callsPerHour", hour)
		w.duration("wait", e.Subject, e.Wait)
	case hall.EventCandidateSeated:
		w.machine[e.Machine] = "in_use"
		w.duration("walk", e.Subject, e.Walk)
	case hall.EventSittingEnded:
		w.machine[e.Machine] = "idle"
		w.count("sittingsEnded", e.Subject)
		w.duration("sittingLength", e.Subject, e.Length)
	case hall.EventCandidateNoShow:
		w.machine[e.Machine] = "idle"
		w.count("noShows", e.Subject)
	case hall.EventSittingAborted:
		w.machine[e.Machine] = "idle"
		w.count("aborts", e.Subject)
	case hall.EventSittingTransferred:
		w.machine[e.Machine], w.machine[e.From] = w.machine[e.From], "idle"
	case hall.EventCandidateRecalled:
		w.count("recalls", e.Subject)
	case hall.EventCandidateCheckedIn, hall.EventCandidateRequeued, hall.EventCandidateReturned, hall.EventCandidateRestored:
		w.waiting[e.Candidate] = e
		if e.Event == hall.EventCandidateCheckedIn {
			w.count("checkInsPerHour", hour)
		}
	case hall.EventCandidateHeld, hall.EventCandidateWithdrawn, hall.EventCandidateDone, hall.EventCandidateAbsent:
		delete(w.waiting, e.Candidate)
		if e.Event == hall.EventCandidateDone {
			w.count("donePerHour", hour)
		}
		if e.Event == hall.EventCandidateAbsent {
			w.add("absences", 1)
		}
	case hall.EventCandidateChanged, hall.EventCandidateClassChanged:
		if w.waiting[e.Candidate] != nil {
			w.waiting[e.Candidate] = e
		}
	case hall.EventAlertRaised:
		w.count("alertsRaised", string(e.Alert))
		w.alert(e.Alert, 1)
	case hall.EventAlertCleared:
		w.alert(e.Alert, -1)
	case "x_seen":
		w.add("seenCount "+e.Fields["machine"], 1)
		w.f["seenLast "+e.Fields["machine"]] = "c" + e.Fields["candidate"]
	default:
	}
}

// duration adds to a count, a sum and, by another way than the package, a bucket.
func (w *workings) duration(metric, subject string, d *time.Duration) {
	if d == nil {
		return
	}
	w.add(metric+"Count "+subject, 1)
	w.add(metric+"Millis "+subject, d.Milliseconds())
}

func (w *workings) finish() figures {
	for _, e := range w.waiting {
		w.add("waitingByClass "+string(e.Class), 1)
		for _, subject := range e.Remaining {
			w.add("waitingBySubject "+subject, 1)
		}
	}
	if w.then != nil {
		w.f["waitingOverDay"] = w.then
	}
	w.f["machineStates"] = w.machine
	w.f["machineOutNow"] = int64(len(w.out))
	byCode := map[string]int{}
	for _, code := range hall.OutageCodes {
		byCode[string(code)] = 0
	}
	for _, code := range w.out {
		byCode[string(code)]++
	}
	w.f["machineOutByCode"] = byCode
	return w.f
}

// asked are the metrics that are compared, with the values of their parameter.
func asked(machines []string) map[string][]string {
	subjects := []string{"1", "2", "3"}
	classes := []string{}
	for _, class := range hall.Classes {
		classes = append(classes, string(class))
	}
	return map[string][]string{
		"machine": machines, "subject": subjects, "class": classes,
	}
}

var comparedMetrics = map[string]string{
	"machineOutCount": "machine", "machineLastOutage": "machine", "machineStates": "", "machineOutNow": "", "machineOutByCode": "",
	"waitCount": "subject", "waitMillis": "subject", "walkCount": "subject", "walkMillis": "subject",
	"sittingLengthCount": "subject", "sittingLengthMillis": "subject",
	"waitingBySubject": "subject", "waitingByClass": "class", "absences": "",
	"noShows": "", "recalls": "", "aborts": "", "sittingsEnded": "", "donePerHour": "", "callsPerHour": "", "checkInsPerHour": "", "commands": "",
	"waitingOverDay": "", "waitsOverDay": "", "donePerTenMinutes": "",
	"alertsRaised": "", "alertsActive": "",
	"seenCount": "machine", "seenLast": "machine",
}

// nothingYet is the value of a figure of which nothing happened.
func nothingYet(metric string) string {
	switch metric {
	case "machineLastOutage", "seenLast":
		return "null"
	case "machineStates", "noShows", "recalls", "aborts", "sittingsEnded", "donePerHour", "callsPerHour", "checkInsPerHour", "commands", "alertsRaised", "alertsActive",
		"waitsOverDay", "donePerTenMinutes":
		return "{}"
	case "waitingOverDay":
		return "[]"
	}
	return "0"
}

// sameFigures compares all figures of a day with those worked out.
func (s *scene) sameFigures(id, day string, want figures, machines []string, with map[string]bool) (differences []string) {
	s.Helper()
	var requests []hall.MetricRequest
	for metric, parameter := range comparedMetrics {
		if (metric == "seenCount" || metric == "seenLast") && !with[metric] {
			continue
		}
		if parameter == "" {
			requests = append(requests, hall.MetricRequest{MetricsName: metric, Day: day})
		}
		for _, value := range asked(machines)[parameter] {
			requests = append(requests, hall.MetricRequest{MetricsName: metric, Day: day, Params: map[string]string{parameter: value}})
		}
	}
	for part := range slices.Chunk(requests, 100) {
		answers, err := s.centre.QueryMetrics(s.Context(), id, part)
		if err != nil {
			return []string{err.Error()}
		}
		for i, r := range part {
			name := strings.Join(append([]string{r.MetricsName}, slices.Collect(maps.Values(r.Params))...), " ")
			got, expected := encode(answers[i].Value), nothingYet(r.MetricsName)
			if r.MetricsName == "waitsOverDay" {
				got = s.counts(answers[i].Value)
			}
			if value, ok := want[name]; ok {
				expected = encode(value)
			}
			if got != expected {
				differences = append(differences, fmt.Sprintf("%s is %s, worked out %s", name, got, expected))
			}
		}
	}
	return differences
}

// counts are those of waits over the day, by the ten minutes.
func (s *scene) counts(value any) string {
	s.Helper()
	list, ok := value.([]metrics.WaitsThen)
	if !ok {
		s.Fatalf("waits over the day are %T", value)
	}
	counts := map[string]int{}
	for _, then := range list {
		counts[then.From] = then.Count
	}
	return encode(counts)
}

func encode(value any) string {
	if f, ok := value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
