package hall_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

var estimateNow = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// outlook is a hall in which subject 1 takes 20 minutes and 2 takes 10.
func outlook(machines ...hall.ServiceMachine) hall.Outlook {
	return hall.Outlook{
		Now: estimateNow, Rules: hall.DefaultRules(), Machines: machines,
		Loads: map[string]hall.SubjectLoad{
			"1": {Minutes: 20, ToCome: 5, Capacity: hall.CapacityUnit}, "2": {Minutes: 10, ToCome: 5, Capacity: hall.CapacityUnit},
		},
	}
}

// inUse is a machine on which somebody has sat the subject for so many minutes.
func inUse(subject string, minutes int, serves ...string) hall.ServiceMachine {
	return hall.ServiceMachine{
		Subjects: append([]string{subject}, serves...), State: hall.MachineInUse, Subject: subject,
		Began: estimateNow.Add(-time.Duration(minutes) * time.Minute),
	}
}

func idle(serves ...string) hall.ServiceMachine {
	return hall.ServiceMachine{Subjects: serves, State: hall.MachineIdle}
}

// waits is somebody with these subjects due, "12", behind groups "1 1 12".
func waits(due, before string) hall.InLine {
	in := hall.InLine{Candidate: &hall.Candidate{
		Class: hall.ClassNormal, Subjects: strings.Split(due, ""), State: hall.Waiting, Place: 1000, QueuedAt: estimateNow,
	}}
	for _, g := range strings.Fields(before) {
		in.Before = append(in.Before, hall.Group{Due: strings.Split(g, ""), Count: 1})
	}
	return in
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	called := inUse("1", 1)
	called.State = hall.MachineCalled
	shut := inUse("1", 5)
	shut.Paused = true
	walked := func(o *hall.Outlook) {
		o.Loads["1"] = hall.SubjectLoad{Minutes: 20, Walked: 5, WalkTime: 15 * time.Minute}
	}
	back := func(class hall.Class, place hall.Place, due string) hall.ServiceMachine {
		m := inUse("1", 15)
		m.Back = &hall.Returning{Class: class, Place: place, At: estimateNow, Due: strings.Split(due, "")}
		return m
	}
	keep := func(o *hall.Outlook) { o.Rules.Requeue = hall.RequeueKeep }
	const none = -1
	for name, test := range map[string]struct {
		machines []hall.ServiceMachine
		change   func(*hall.Outlook)
		me       hall.InLine
		want     float64 // minutes
	}{
		"the rest of a sitting":                {[]hall.ServiceMachine{inUse("1", 15)}, nil, waits("1", ""), 5},
		"a sitting over time":                  {[]hall.ServiceMachine{inUse("1", 45)}, nil, waits("1", ""), 5},
		"a sitting nearly at the expected end": {[]hall.ServiceMachine{inUse("1", 19)}, nil, waits("1", ""), 5},
		"the first of two machines":            {[]hall.ServiceMachine{inUse("1", 2), inUse("1", 9)}, nil, waits("1", ""), 11},
		"an idle machine":                      {[]hall.ServiceMachine{idle("1")}, nil, waits("1", ""), 0},
		"two ahead, one machine":               {[]hall.ServiceMachine{inUse("1", 15)}, nil, waits("1", "1 1"), 45},
		"two ahead, two machines":              {[]hall.ServiceMachine{inUse("1", 15), inUse("1", 10)}, nil, waits("1", "1 1"), 25},
		"ahead for something else":             {[]hall.ServiceMachine{inUse("1", 15), inUse("2", 0)}, nil, waits("1", "2 2"), 5},
		"ahead for either":                     {[]hall.ServiceMachine{inUse("1", 15), inUse("2", 8)}, nil, waits("1", "12"), 5},
		"either is mine":                       {[]hall.ServiceMachine{inUse("1", 15), inUse("2", 9)}, nil, waits("12", ""), 2.5},
		"a machine of both":                    {[]hall.ServiceMachine{inUse("1", 15, "2")}, nil, waits("2", "2"), 15},
		"the subject with more work":           {[]hall.ServiceMachine{inUse("1", 15, "2")}, nil, waits("2", "12"), 25},
		"the first subject listed":             {[]hall.ServiceMachine{inUse("2", 5, "1")}, func(o *hall.Outlook) { o.Rules.SubjectChoice = hall.ChoiceListed }, waits("1", "12"), 25},
		"called":                               {[]hall.ServiceMachine{called}, nil, waits("1", ""), 20},
		"called, walks of today":               {[]hall.ServiceMachine{called}, walked, waits("1", ""), 22},
		"walks of those ahead":                 {[]hall.ServiceMachine{inUse("1", 15)}, walked, waits("1", "1"), 28},
		"called where nobody confirms":         {[]hall.ServiceMachine{called}, func(o *hall.Outlook) { o.Rules.ConfirmSeat = false }, waits("1", ""), 19},
		"four sittings of today":               {[]hall.ServiceMachine{inUse("1", 5)}, lengths(4), waits("1", ""), 15},
		"five sittings of today":               {[]hall.ServiceMachine{inUse("1", 5)}, lengths(5), waits("1", ""), 25},
		"paused":                               {[]hall.ServiceMachine{inUse("1", 5)}, func(o *hall.Outlook) { o.Paused = true }, waits("1", ""), none},
		"no machine":                           {nil, nil, waits("1", ""), none},
		"no machine for it":                    {[]hall.ServiceMachine{inUse("2", 5)}, nil, waits("1", "2 2"), none},
		"only in a paused room":                {[]hall.ServiceMachine{shut}, nil, waits("1", ""), none},
		"also in a paused room":                {[]hall.ServiceMachine{shut, inUse("1", 1)}, nil, waits("1", ""), 19},
		"comes back at the tail":               {[]hall.ServiceMachine{back(hall.ClassNormal, 1, "12"), inUse("2", 0)}, nil, waits("2", ""), 10},
		"comes back to a place before":         {[]hall.ServiceMachine{back(hall.ClassNormal, 1, "12"), inUse("2", 0)}, keep, waits("2", ""), 20},
		"comes back to a place behind":         {[]hall.ServiceMachine{back(hall.ClassNormal, 2000, "12"), inUse("2", 0)}, keep, waits("2", ""), 10},
		"comes back with nothing left for it":  {[]hall.ServiceMachine{back(hall.ClassNormal, 1, "1"), inUse("2", 0)}, keep, waits("2", ""), 10},
		"comes back in a higher class": {[]hall.ServiceMachine{back(hall.ClassVIP, 2000, "12"), inUse("2", 0)}, func(o *hall.Outlook) {
			keep(o)
			o.Rules.Order = hall.OrderStrict
		}, waits("2", ""), 20},
		"comes back after a rest": {[]hall.ServiceMachine{back(hall.ClassNormal, 1, "12"), inUse("2", 0)}, func(o *hall.Outlook) {
			keep(o)
			o.Rules.RestSeconds = 600
		}, waits("2", ""), 10},
		"one ahead who comes back":         {[]hall.ServiceMachine{inUse("1", 15), inUse("2", 0)}, keep, waits("2", "12"), 10},
		"two ahead of whom one comes back": {[]hall.ServiceMachine{inUse("1", 15), inUse("2", 0)}, keep, waits("2", "12 2 2"), 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := outlook(test.machines...)
			if test.change != nil {
				test.change(&o)
			}
			got, want := o.Estimate([]hall.InLine{test.me})[0], time.Duration(test.want*float64(time.Minute))
			if (got == nil) != (test.want == none) || (got != nil && *got != want) {
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
}

// lengths lets n sittings of half an hour have ended today.
func lengths(n int) func(*hall.Outlook) {
	return func(o *hall.Outlook) {
		o.Loads["1"] = hall.SubjectLoad{Minutes: 20, Ended: n, TotalTime: time.Duration(n) * 30 * time.Minute}
	}
}

// TestEstimateOfLongLines checks that a crowd taken in shares takes as long as
// its people one by one, on many machines and on few.
func TestEstimateOfLongLines(t *testing.T) {
	t.Parallel()
	for _, machines := range []int{1, 4, 100} {
		var hallOf []hall.ServiceMachine
		for i := range machines {
			hallOf = append(hallOf, inUse("1", 20*i/machines))
		}
		o := outlook(hallOf...)
		for _, waiting := range []int{5 * machines, 1_000, 100_000} {
			me := waits("1", "")
			me.Before = []hall.Group{{Due: []string{"1"}, Count: waiting}}
			got, want := o.Estimate([]hall.InLine{me})[0].Minutes(), 20*float64(waiting+1)/float64(machines)
			if got < 0.97*want-1 || got > 1.03*want+1 {
				t.Errorf("%d machines, %d ahead: %.0f minutes, want %.0f", machines, waiting, got, want)
			}
		}
	}
}

// TestEstimateOfAList checks that a list says the same as its people one by
// one where they stand the same, and that the order of facts is no fact.
func TestEstimateOfAList(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	o := outlook(inUse("1", 3), inUse("1", 7, "2"), inUse("2", 2), inUse("2", 9))
	list := []hall.InLine{waits("1", "1 1 2 12"), waits("1", ""), waits("2", "1 2"), waits("2", "")}
	want := o.Estimate(list)
	for range 20 {
		r.Shuffle(len(o.Machines), func(i, j int) { o.Machines[i], o.Machines[j] = o.Machines[j], o.Machines[i] })
		r.Shuffle(len(list[0].Before), func(i, j int) { list[0].Before[i], list[0].Before[j] = list[0].Before[j], list[0].Before[i] })
		for i, got := range o.Estimate(list) {
			if *got != *want[i] {
				t.Errorf("number %d: %s in another order of machines and groups, %s before", i, *got, *want[i])
			}
		}
	}
	first := o.Estimate(list[:1])
	if *first[0] != *want[0] {
		t.Errorf("the first alone: %s, in the list %s", *first[0], *want[0])
	}
}

func TestCountBetween(t *testing.T) {
	t.Parallel()
	list := []hall.InLine{waits("12", ""), waits("1", ""), waits("2", ""), waits("2", "")}
	list[0].Before = []hall.Group{{Due: []string{"1"}, Count: 2}, {Due: []string{"1", "2"}, Count: 1}}
	list[1].Before = []hall.Group{{Due: []string{"1"}, Count: 5}, {Due: []string{"1", "2"}, Count: 2}}
	list[2].Before = []hall.Group{{Due: []string{"1"}, Count: 6}, {Due: []string{"1", "2"}, Count: 4}, {Due: []string{"2"}, Count: 1}}
	hall.CountBetween(list)
	want := [][]hall.Group{
		{{Due: []string{"1"}, Count: 2}, {Due: []string{"1", "2"}, Count: 1}},
		{{Due: []string{"1"}, Count: 3}},
		{{Due: []string{"1", "2"}, Count: 2}, {Due: []string{"2"}, Count: 1}},
		nil,
	}
	for i := range list {
		same := slices.EqualFunc(list[i].Before, want[i], func(a, b hall.Group) bool {
			return slices.Equal(a.Due, b.Due) && a.Count == b.Count
		})
		if !same {
			t.Errorf("before number %d: got %v, want %v", i, list[i].Before, want[i])
		}
	}
}
