package hallredis

import (
	"regexp"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallfile"
)

// kindsOfHall are the keys that a hall has once, by their names without the base.
var kindsOfHall = map[string]hallfile.Kind{
	"days": hallfile.ZSet, "screens": hallfile.ZSet, "answers": hallfile.ZSet, "webhook": hallfile.Hash,
}

// kindsOfDay are the keys that each day has: the present one behind the base of
// the hall, a closed one behind that of the day.
var kindsOfDay = map[string]hallfile.Kind{
	"hall": hallfile.Hash, "people": hallfile.Hash, "candidates": hallfile.Hash, "roster": hallfile.ZSet,
	"machines": hallfile.Hash, "sittings": hallfile.Hash, "wait": hallfile.ZSet, "index": hallfile.ZSet,
	"aside": hallfile.ZSet, "subjects": hallfile.Hash, "pauses": hallfile.Hash, "calls": hallfile.List,
	"due": hallfile.ZSet, "events": hallfile.Stream, "counts": hallfile.Hash, "reasons": hallfile.Hash,
	"target": hallfile.ZSet, "commands": hallfile.Stream, "called": hallfile.Stream, "notes": hallfile.Hash,
	"incidents": hallfile.Hash, "phones": hallfile.Hash, "service": hallfile.Hash, "alerts": hallfile.Hash,
	"corrections": hallfile.Hash,
}

var (
	dayName  = regexp.MustCompile(`^day:[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{1,9}:`)
	onceName = regexp.MustCompile(`^once:[0-9a-f]{32}$`)
)

// kindOf is the kind of a key of a hall by its name without the base; 0 for a
// name that no key of a hall has, which a file must not bring in.
func kindOf(name string) hallfile.Kind {
	if day := dayName.FindString(name); day != "" {
		return kindOfDay(name[len(day):])
	}
	if onceName.MatchString(name) {
		return hallfile.String
	}
	if kind, ok := kindsOfHall[name]; ok {
		return kind
	}
	return kindOfDay(name)
}

func kindOfDay(name string) hallfile.Kind {
	if kind, ok := kindsOfDay[name]; ok {
		return kind
	}
	if class, ok := strings.CutPrefix(name, "since:"); ok && hall.Class(class).Valid() {
		return hallfile.ZSet
	}
	for _, of := range []string{"idle:", "used:"} {
		if code, ok := strings.CutPrefix(name, of); ok && code != "" {
			return hallfile.ZSet
		}
	}
	return 0
}

// present lists the keys of the hall and its present day, but for the answers
// to commands with an idempotency key, whose names nobody knows beforehand.
func (k keys) present(subjects []hall.Subject) []string {
	var names []string
	for _, name := range k.scripted("") {
		if name != "" {
			names = append(names, name)
		}
	}
	for _, subject := range subjects {
		names = append(names, k.idle(subject.Code), k.used(subject.Code))
	}
	return append(names, k.webhook())
}

// large lists the keys of the present day that grow with its people, but for the
// events. They change with commands only, not by themselves.
func (k keys) large() []string {
	names := []string{
		k.people(), k.candidates(), k.roster(), k.sittings(), k.wait(), k.index(), k.aside(), k.target(), k.phones(),
		k.reasons(), k.notes(), k.incidents(), k.corrections(),
	}
	for _, class := range hall.Classes {
		names = append(names, k.since(class))
	}
	return names
}

// subjectsOf reads a set of subjects, "|1|2|".
func subjectsOf(set string) []hall.Subject {
	var subjects []hall.Subject
	for _, code := range subjectsIn(set) {
		subjects = append(subjects, hall.Subject{Code: code})
	}
	return subjects
}
