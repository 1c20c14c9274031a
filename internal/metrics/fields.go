package metrics

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// timeFormat is that of the API: RFC 3339 with milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z"

// element is one element of a list: under "" itself, under other names what is said of it.
type element map[string]string

// fields are what placeholders can be filled with.
type fields struct {
	texts   map[string]string
	lists   map[string][]element
	current element // of the list that is gone through
	of      string  // that list
}

// get is the value of a placeholder.
func (f *fields) get(placeholder string) (string, bool) {
	if name := list(placeholder); name != "" {
		if name != f.of {
			return "", false
		}
		member := ""
		if len(placeholder) > len(name)+len("[]") {
			member = placeholder[len(name)+len("[]."):]
		}
		value, ok := f.current[member]
		return value, ok
	}
	value, ok := f.texts[placeholder]
	return value, ok
}

// fieldsOf are the fields of an event. zone is that of the hall's day; first
// says that no event of the day comes before.
func fieldsOf(e *hall.Event, zone *time.Location, first bool) *fields {
	f := &fields{texts: map[string]string{}, lists: map[string][]element{}}
	maps.Copy(f.texts, e.Fields) // of another system; none stands for what follows
	maps.Copy(f.texts, map[string]string{
		"id": e.ID, "event": string(e.Event), "at": e.At.UTC().Format(timeFormat), "by": e.By,
		"hour": e.At.In(zone).Format("15"), "tenMinutes": tenMinutes(e.At, zone), "first": "",
	})
	if first {
		f.texts["first"] = "1"
	}
	if e.Event.IsOutside() {
		return f
	}
	for name, value := range map[string]string{
		"day": e.Day, "candidate": e.Candidate, "ticket": e.Ticket, "class": string(e.Class), "subject": e.Subject,
		"machine": e.Machine, "from": e.From, "model": e.Model, "room": e.Room, "sitting": e.Sitting,
		"fault": string(e.Fault), "alert": string(e.Alert), "category": e.Category, "cause": e.Cause, "undoes": e.Undoes,
		"state": e.State, "classWas": string(e.ClassWas), "reasonCode": string(e.ReasonCode),
	} {
		if value != "" {
			f.texts[name] = value
		}
	}
	if e.Recalls > 0 {
		f.texts["recalls"] = strconv.Itoa(e.Recalls)
	}
	for name, d := range map[string]*time.Duration{"wait": e.Wait, "walk": e.Walk, "sitting": e.Length, "outage": e.Outage} {
		if d != nil {
			// Seconds() adds a fraction to whole seconds, and may miss the next number: 3.4939999999999998.
			f.texts[name+"Seconds"] = strconv.FormatFloat(float64(d.Milliseconds())/1000, 'f', -1, 64)
			f.texts[name+"Millis"] = strconv.FormatInt(d.Milliseconds(), 10)
			f.texts[name+"Bucket"] = bucketOf(*d)
		}
	}
	for name, values := range map[string][]string{
		"remaining": e.Remaining, "subjects": e.Subjects, "remainingWas": e.RemainingWas, "gone": e.Gone,
	} {
		for _, value := range values {
			f.lists[name] = append(f.lists[name], element{"": value})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.Machines)) {
		of := element{"": id, "state": string(e.Machines[id])}
		if code, out := e.Codes[id]; out {
			of["reasonCode"] = string(code)
		}
		f.lists["machines"] = append(f.lists["machines"], of)
	}
	return f
}

// notInJSON are fields that say the same as another one, or nothing of the event.
var notInJSON = []string{"first", "hour", "tenMinutes", "cause", "waitMillis", "walkMillis", "sittingMillis", "outageMillis", "waitBucket", "walkBucket", "sittingBucket", "outageBucket"}

// json is the whole event as a JSON object; of a list that is gone through it
// has the one element, with what is said of it.
func (f *fields) json(outside bool) string {
	object := map[string]any{}
	for name, value := range f.texts {
		if outside || !slices.Contains(notInJSON, name) {
			object[name] = value
		}
		if !outside && len(name) > len("Seconds") && name[len(name)-len("Seconds"):] == "Seconds" {
			object[name] = json.Number(value)
		}
	}
	if outside {
		delete(object, "first")
		delete(object, "hour")
		delete(object, "tenMinutes")
	}
	for name, elements := range f.lists {
		values := []string{}
		for _, e := range elements {
			values = append(values, e[""])
		}
		object[name] = values
	}
	if f.of != "" {
		object[f.of] = f.current[""]
		for member, value := range f.current {
			if member != "" {
				object[member] = value
			}
		}
	}
	text, err := json.Marshal(object)
	if err != nil { // texts and numbers only
		return "{}"
	}
	return string(text)
}

var (
	always  = []string{"metricsName", "id", "event", "at", "by", "cause", "hour", "tenMinutes", "first"}
	person  = []string{"candidate", "ticket", "class", "remaining[]"}
	machine = []string{"machine", "model", "room"}
	sitting = slices.Concat(person, machine, []string{"sitting", "subject"})
	ofAlert = []string{"alert", "machine", "room", "sitting", "subject"}
	changes = []string{"state", "classWas"}

	stateBefore = append([]string{"state"}, person...)
)

func duration(name string) []string {
	return []string{name + "Seconds", name + "Millis", name + "Bucket"}
}

// carried is what events of each kind carry, where it applies.
var carried = map[hall.EventName][]string{
	hall.EventDayOpened:             {"day"},
	hall.EventDayClosed:             {"day"},
	hall.EventCheckInOpened:         {},
	hall.EventCheckInClosed:         {},
	hall.EventHallPaused:            {"room"},
	hall.EventHallResumed:           {"room"},
	hall.EventLayoutChanged:         {"machines[]", "machines[].state", "machines[].reasonCode", "gone[]"},
	hall.EventCandidateRegistered:   append([]string{"subjects[]"}, person...),
	hall.EventCandidateChanged:      slices.Concat(person, changes, []string{"subjects[]", "remainingWas[]"}),
	hall.EventCandidateCheckedIn:    person,
	hall.EventCandidateCalled:       slices.Concat(sitting, duration("wait")),
	hall.EventCandidateRecalled:     slices.Concat(sitting, []string{"recalls"}),
	hall.EventCandidateSeated:       slices.Concat(sitting, duration("walk")),
	hall.EventSittingEnded:          slices.Concat(sitting, duration("sitting")),
	hall.EventCandidateRequeued:     person,
	hall.EventCandidateResting:      person,
	hall.EventCandidateNoShow:       sitting,
	hall.EventCandidateAbsent:       person,
	hall.EventSittingAborted:        slices.Concat(sitting, []string{"fault"}),
	hall.EventSittingTransferred:    slices.Concat(sitting, []string{"from", "state"}),
	hall.EventCandidateHeld:         stateBefore,
	hall.EventCandidateReturned:     person,
	hall.EventCandidateWithdrawn:    stateBefore,
	hall.EventCandidateRestored:     person,
	hall.EventCandidateClassChanged: slices.Concat(person, changes),
	hall.EventCandidateDone:         stateBefore,
	hall.EventCandidateNoted:        person,
	hall.EventMachineOutOfService:   slices.Concat(machine, []string{"reasonCode"}),
	hall.EventMachineInService:      slices.Concat(machine, duration("outage")),
	hall.EventMachineSpare:          machine,
	hall.EventIncidentOpened:        slices.Concat(person, machine, []string{"category", "sitting"}),
	hall.EventAlertRaised:           slices.Concat(person, duration("wait"), ofAlert),
	hall.EventAlertCleared:          slices.Concat(person, ofAlert),
	hall.EventUndone:                slices.Concat(sitting, []string{"undoes", "from", "recalls", "fault", "reasonCode"}),
}
