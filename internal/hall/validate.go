package hall

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	subjectCode = regexp.MustCompile(`^[\p{L}\p{N}._-]{1,16}$`)
	clockTime   = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	noShowRule  = regexp.MustCompile(`^(tail|absent|after:[1-9][0-9]{0,3})$`)
	category    = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`)
	languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
	// Names that are no place on earth: what this machine is set to, and the
	// machine's files beside the zones.
	zoneOfMachine = regexp.MustCompile(`^(Local|localtime|posixrules|Factory|(posix|right)/.*)$`)
)

// How long a text, how many languages a layout may have.
const (
	maxText     = 200
	maxLanguage = 35 // characters of a tag
	maxTags     = 20
)

// IDFault says what is wrong with an id, or "" if nothing is: 1 to 64
// characters of any script, without control characters, no blank at either end.
func IDFault(id string) string {
	switch {
	case id == "":
		return "is empty"
	case !utf8.ValidString(id):
		return "is not valid UTF-8"
	case utf8.RuneCountInString(id) > MaxIDLength:
		return fmt.Sprintf("has more than %d characters", MaxIDLength)
	case strings.ContainsFunc(id, unicode.IsControl):
		return "has a control character"
	case strings.TrimSpace(id) != id:
		return "begins or ends with a blank"
	case id == "." || id == "..":
		return "cannot stand in an address"
	}
	return ""
}

// isControl reports whether a character has no place in a line of text.
func isControl(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) }

// faults collects what is wrong with a document, with the place of each.
type faults []Fault

func (f *faults) add(location string, value any, message string, args ...any) {
	*f = append(*f, Fault{Location: location, Message: fmt.Sprintf(message, args...), Value: value})
}

func (f *faults) id(location, id string) {
	if fault := IDFault(id); fault != "" {
		f.add(location, id, "%s", fault)
	}
}

func (f *faults) unique(location, id string, seen map[string]bool) {
	if seen[id] {
		f.add(location, id, "is used twice")
	}
	seen[id] = true
}

func (f *faults) text(location, text string) {
	switch {
	case utf8.RuneCountInString(text) > maxText:
		f.add(location, text, "has more than %d characters", maxText)
	case !utf8.ValidString(text):
		f.add(location, text, "is not valid UTF-8")
	case strings.ContainsFunc(text, isControl):
		f.add(location, text, "has a control character")
	}
}

func (f *faults) language(location, tag string) (ok bool) {
	ok = len(tag) <= maxLanguage && languageTag.MatchString(tag)
	if !ok {
		f.add(location, tag, "must be the tag of a language, such as zh or pt-BR")
	}
	return ok
}

func (f *faults) clock(location, value string) {
	if value != "" && !clockTime.MatchString(value) {
		f.add(location, value, "must be a time as HH:MM")
	}
}

func (f *faults) timeZone(location, name string) {
	if name == "" {
		f.add(location, name, "is empty")
	} else if _, err := time.LoadLocation(name); err != nil || zoneOfMachine.MatchString(name) {
		f.add(location, name, "is not a known time zone")
	}
}

// Faults lists everything that is wrong with the layout; none means that it can be used.
func (l *Layout) Faults() []Fault {
	var f faults
	if strings.TrimSpace(l.Name) == "" {
		f.add("body.name", l.Name, "is empty")
	}
	f.text("body.name", l.Name)
	f.timeZone("body.timeZone", l.TimeZone)
	l.languageFaults(&f)
	l.subjectFaults(&f)
	l.roomFaults(&f)
	l.modelFaults(&f)
	l.machineFaults(&f)
	l.sessionFaults(&f)
	l.categoryFaults(&f)
	l.Rules.faults(&f)
	return f
}

func (l *Layout) languageFaults(f *faults) {
	if len(l.Languages) > maxTags {
		f.add("body.languages", len(l.Languages), "must be at most %d languages", maxTags)
		return
	}
	for i, tag := range l.Languages {
		f.language(fmt.Sprintf("body.languages[%d]", i), tag)
	}
}

func (l *Layout) subjectFaults(f *faults) {
	if len(l.Subjects) == 0 || len(l.Subjects) > MaxSubjects {
		f.add("body.subjects", len(l.Subjects), "must be 1 to %d subjects", MaxSubjects)
	}
	seen, served := map[string]bool{}, l.served()
	for i, s := range l.Subjects {
		at := fmt.Sprintf("body.subjects[%d]", i)
		if !subjectCode.MatchString(s.Code) {
			f.add(at+".code", s.Code, "must be 1 to 16 letters, digits, or any of . _ -")
		}
		f.unique(at+".code", s.Code, seen)
		if !(s.Minutes > 0 && s.Minutes <= 1440) {
			f.add(at+".minutes", s.Minutes, "must be more than 0 and at most 1440")
		}
		if !served[s.Code] {
			f.add(at+".code", s.Code, "no machine serves this subject")
		}
		s.nameFaults(f, at+".name")
	}
}

// nameFaults looks at the names of a subject, by language.
func (s Subject) nameFaults(f *faults, at string) {
	if len(s.Name) > maxTags {
		f.add(at, len(s.Name), "must be at most %d languages", maxTags)
		return
	}
	for _, tag := range slices.Sorted(maps.Keys(s.Name)) {
		if f.language(at, tag) {
			f.text(at+"."+tag, s.Name[tag])
		}
	}
}

// served has the codes of the subjects for which there is a machine.
func (l *Layout) served() map[string]bool {
	used := map[string]bool{}
	for _, m := range l.Machines {
		used[m.Model] = true
	}
	served := map[string]bool{}
	for _, m := range l.Models {
		if used[m.ID] {
			used[m.ID] = false // of two models with one id the first counts
			for _, code := range m.Subjects {
				served[code] = true
			}
		}
	}
	return served
}

func (l *Layout) roomFaults(f *faults) {
	seen := map[string]bool{}
	for i, r := range l.Rooms {
		at := fmt.Sprintf("body.rooms[%d]", i)
		f.id(at+".id", r.ID)
		f.unique(at+".id", r.ID, seen)
		f.text(at+".name", r.Name)
	}
}

func (l *Layout) modelFaults(f *faults) {
	seen, subjects := map[string]bool{}, map[string]bool{}
	for _, s := range l.Subjects {
		subjects[s.Code] = true
	}
	for i, m := range l.Models {
		at := fmt.Sprintf("body.models[%d]", i)
		f.id(at+".id", m.ID)
		f.unique(at+".id", m.ID, seen)
		f.text(at+".name", m.Name)
		if len(m.Subjects) == 0 {
			f.add(at+".subjects", nil, "serves no subject")
		}
		codes := map[string]bool{}
		for j, code := range m.Subjects {
			if !subjects[code] {
				f.add(fmt.Sprintf("%s.subjects[%d]", at, j), code, "is not a subject of this hall")
			}
			f.unique(fmt.Sprintf("%s.subjects[%d]", at, j), code, codes)
		}
	}
}

func (l *Layout) machineFaults(f *faults) {
	if len(l.Machines) > MaxMachines {
		f.add("body.machines", len(l.Machines), "must be at most %d machines", MaxMachines)
	}
	rooms, models := map[string]bool{}, map[string]bool{}
	for _, r := range l.Rooms {
		rooms[r.ID] = true
	}
	for _, m := range l.Models {
		models[m.ID] = true
	}
	seen := map[string]bool{}
	for i, m := range l.Machines {
		at := fmt.Sprintf("body.machines[%d]", i)
		f.id(at+".id", m.ID)
		f.unique(at+".id", m.ID, seen)
		f.text(at+".label", m.Label)
		if !rooms[m.Room] {
			f.add(at+".room", m.Room, "is not a room of this hall")
		}
		if !models[m.Model] {
			f.add(at+".model", m.Model, "is not a model of this hall")
		}
	}
}

func (l *Layout) sessionFaults(f *faults) {
	seen := map[string]bool{}
	for i, s := range l.Sessions {
		at := fmt.Sprintf("body.sessions[%d]", i)
		f.id(at+".code", s.Code)
		f.unique(at+".code", s.Code, seen)
		f.text(at+".name", s.Name)
		f.clock(at+".startsAt", s.StartsAt)
		f.clock(at+".checkInFrom", s.CheckInFrom)
	}
}

func (l *Layout) categoryFaults(f *faults) {
	if len(l.IncidentCategories) > MaxCategories {
		f.add("body.incidentCategories", len(l.IncidentCategories), "must be at most %d categories", MaxCategories)
		return
	}
	seen := map[string]bool{}
	for i, code := range l.IncidentCategories {
		at := fmt.Sprintf("body.incidentCategories[%d]", i)
		if !category.MatchString(code) {
			f.add(at, code, "must be 1 to 32 small letters, digits, or any of _ -")
		}
		f.unique(at, code, seen)
	}
}

func (r Rules) faults(f *faults) {
	word := func(rule, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			f.add("body.rules."+rule, value, "must be one of %s", strings.Join(allowed, ", "))
		}
	}
	number := func(rule string, value, low, high int) {
		if value < low || value > high {
			f.add("body.rules."+rule, value, "must be %d to %d", low, high)
		}
	}
	word("mode", r.Mode, ModeAuto, ModeManual)
	word("order", r.Order, OrderFIFO, OrderStrict, OrderAgeing)
	word("requeue", r.Requeue, RequeueTail, RequeueKeep)
	word("subjectChoice", r.SubjectChoice, ChoiceListed, ChoiceBottleneck)
	word("boardNames", r.BoardNames, NamesNone, NamesMasked)
	word("kioskSecondFactor", r.KioskSecondFactor, "none", "id4")
	if !noShowRule.MatchString(r.NoShow) {
		f.add("body.rules.noShow", r.NoShow, "must be tail, absent, or after:N with N from 1 to 9999")
	}
	number("callTimeoutSeconds", r.CallTimeoutSeconds, 5, 3600)
	number("recallLimit", r.RecallLimit, 0, 10)
	number("maxNoShows", r.MaxNoShows, 1, 20)
	number("restSeconds", r.RestSeconds, 0, 86400)
	number("maxHoldSeconds", r.MaxHoldSeconds, 0, 86400)
	number("lateMinutes", r.LateMinutes, 0, 1440)
	number("waitTargetSeconds", r.WaitTargetSeconds, 1, 86400)
	number("callShowSeconds", r.CallShowSeconds, 1, 120)
	number("callRepeats", r.CallRepeats, 1, 10)
	number("keepDays", r.KeepDays, 1, 36500)
}
