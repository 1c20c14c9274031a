package hall

import (
	"fmt"
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
	if utf8.RuneCountInString(text) > 200 {
		f.add(location, nil, "has more than 200 characters")
	}
}

// Faults lists everything that is wrong with the layout; none means that it can be used.
func (l *Layout) Faults() []Fault {
	var f faults
	if strings.TrimSpace(l.Name) == "" {
		f.add("body.name", l.Name, "is empty")
	}
	f.text("body.name", l.Name)
	if l.TimeZone == "" {
		f.add("body.timeZone", l.TimeZone, "is empty")
	} else if _, err := time.LoadLocation(l.TimeZone); err != nil {
		f.add("body.timeZone", l.TimeZone, "is not a known time zone")
	}
	l.subjectFaults(&f)
	l.roomFaults(&f)
	l.modelFaults(&f)
	l.machineFaults(&f)
	l.sessionFaults(&f)
	l.Rules.faults(&f)
	return f
}

func (l *Layout) subjectFaults(f *faults) {
	if len(l.Subjects) == 0 || len(l.Subjects) > MaxSubjects {
		f.add("body.subjects", len(l.Subjects), "must be 1 to %d subjects", MaxSubjects)
	}
	seen := map[string]bool{}
	for i, s := range l.Subjects {
		at := fmt.Sprintf("body.subjects[%d]", i)
		if !subjectCode.MatchString(s.Code) {
			f.add(at+".code", s.Code, "must be 1 to 16 letters, digits, or any of . _ -")
		}
		f.unique(at+".code", s.Code, seen)
		if !(s.Minutes > 0 && s.Minutes <= 1440) {
			f.add(at+".minutes", s.Minutes, "must be more than 0 and at most 1440")
		}
		if !slices.ContainsFunc(l.Machines, func(m MachineSpec) bool {
			model, ok := l.Model(m.Model)
			return ok && slices.Contains(model.Subjects, s.Code)
		}) {
			f.add(at+".code", s.Code, "no machine serves this subject")
		}
	}
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
	seen := map[string]bool{}
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
			if _, ok := l.Subject(code); !ok {
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
	seen := map[string]bool{}
	for i, m := range l.Machines {
		at := fmt.Sprintf("body.machines[%d]", i)
		f.id(at+".id", m.ID)
		f.unique(at+".id", m.ID, seen)
		f.text(at+".label", m.Label)
		if _, ok := l.Room(m.Room); !ok {
			f.add(at+".room", m.Room, "is not a room of this hall")
		}
		if _, ok := l.Model(m.Model); !ok {
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
		for field, value := range map[string]string{"startsAt": s.StartsAt, "checkInFrom": s.CheckInFrom} {
			if value != "" && !clockTime.MatchString(value) {
				f.add(at+"."+field, value, "must be a time as HH:MM")
			}
		}
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
