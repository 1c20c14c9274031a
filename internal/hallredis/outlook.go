package hallredis

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// outlookOf reads what estimates go by as the scripts answer it: order,
// requeue, subjectChoice, confirmSeat, restSeconds, what is paused, subjects
// hash, machines in service, who comes back from them.
func outlookOf(r reply, now, base time.Time) hall.Outlook {
	pauses := map[string]string{}
	for i := range r.list(5) {
		pauses[r.list(5).text(i)] = ""
	}
	_, paused := pauses["hall"]
	o := hall.Outlook{
		Now: now, Paused: paused, Loads: map[string]hall.SubjectLoad{},
		Rules: hall.Rules{
			Order: r.text(0), Requeue: r.text(1), SubjectChoice: r.text(2), ConfirmSeat: r.number(3) == 1,
			RestSeconds: int(r.number(4)),
		},
	}
	fields := r.pairs(6)
	for field := range fields {
		if code, ok := strings.CutSuffix(field, ":minutes"); ok {
			o.Loads[code] = loadOf(fields, code)
		}
	}
	service, back := r.list(7), r.list(8)
	for i := range service {
		o.Machines = append(o.Machines, serviceMachineOf(service.text(i), pauses))
		o.Machines[i].Back = returningOf(back.text(i), base)
	}
	return o
}

// serviceMachineOf reads what save_machine writes.
func serviceMachineOf(record string, pauses map[string]string) hall.ServiceMachine {
	f := strings.SplitN(record, "\t", 6)
	if len(f) < 6 {
		return hall.ServiceMachine{}
	}
	began, _ := strconv.ParseInt(f[1], 10, 64)
	_, paused := pauses["room "+f[4]]
	return hall.ServiceMachine{
		State: hall.MachineState(f[0]), Began: atMillis(began), Subject: f[2], Paused: paused, Subjects: subjectsIn(f[5]),
	}
}

// returningOf reads class, place and due subjects; nil for nobody.
func returningOf(record string, base time.Time) *hall.Returning {
	f := strings.Split(record, "\t")
	if len(f) < 3 {
		return nil
	}
	place, _ := strconv.ParseInt(f[1], 10, 64)
	return &hall.Returning{
		Class: hall.Class(f[0]), Place: hall.Place(place), At: hall.Place(place).Time(base), Due: subjectsIn(f[2]),
	}
}

// loadOf reads what is known of a subject from the subjects hash.
func loadOf(fields map[string]string, code string) hall.SubjectLoad {
	number := func(field string) float64 {
		n, _ := strconv.ParseFloat(fields[code+":"+field], 64)
		return n
	}
	return hall.SubjectLoad{
		Minutes: number("minutes"), ToCome: int(number("toCome")), Capacity: int(number("capacity")),
		Ended: int(number("ended")), TotalTime: millis(int64(number("time"))),
		Walked: int(number("walked")), WalkTime: millis(int64(number("walk"))),
	}
}

// groupsOf reads pairs of due subjects and a number.
func groupsOf(r reply) []hall.Group {
	groups := make([]hall.Group, 0, len(r)/2)
	for i := 0; i+1 < len(r); i += 2 {
		groups = append(groups, hall.Group{Due: subjectsIn(r.text(i)), Count: int(r.number(i + 1))})
	}
	return groups
}

// estimate gives entries of the line, listed with their replies, their
// estimates; backwards says that the last in line is listed first.
func estimate(entries []hall.Entry, replies []reply, outlook reply, backwards bool) {
	if len(entries) == 0 || len(outlook) == 0 {
		return
	}
	line := make([]hall.InLine, len(entries))
	for i := range entries {
		line[i] = hall.InLine{Candidate: &entries[i].Candidate, Before: groupsOf(replies[i].list(6))}
	}
	if backwards {
		slices.Reverse(line)
	}
	hall.CountBetween(line)
	o := outlookOf(outlook, entries[0].Now, atMillis(replies[0].number(5)))
	estimates := o.Estimate(line)
	if backwards {
		slices.Reverse(estimates)
	}
	for i := range entries {
		entries[i].Estimate = estimates[i]
	}
}
