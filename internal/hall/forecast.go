package hall

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// subjectSet is a set of subjects, a bit for each: see MaxSubjects.
type subjectSet uint16

// stretch is a part of the line: one person, or a crowd with the same due
// subjects, spread evenly from one place to another. The k-th whose wait is
// estimated, from 0, stands at k+1; those before are above k and below that.
type stretch struct {
	from, to float64
	people   float64
	due      subjectSet
	number   int // in the line whose waits are estimated, -1 for others
}

// Where between k and k+1 people stand: who comes back before who waits, since
// whoever has begun came earlier.
const backAt, crowdFrom = 0.1, 0.2

// server is a machine, or a pool of machines that serve the same subjects. A
// pool takes one after the other, each in the time that a machine needs
// divided by their number.
type server struct {
	serves   subjectSet
	machines float64
}

// happening is the time at which a server becomes free or somebody comes back.
// At the same time, whoever comes back is first.
type happening struct {
	at   float64 // milliseconds from now
	free server  // of no machines if none becomes free
	back stretch // of no people if nobody comes back
}

func (a happening) compare(b happening) int {
	if a.at != b.at {
		return cmp.Compare(a.at, b.at)
	}
	if a.free.serves != b.free.serves {
		return cmp.Compare(a.free.serves, b.free.serves)
	}
	return a.back.compare(b.back)
}

func (a stretch) compare(b stretch) int {
	if a.from != b.from {
		return cmp.Compare(a.from, b.from)
	}
	return cmp.Compare(a.due, b.due)
}

// A crowd is long if it is more than longCrowd people for each machine. Machines
// are pooled then, and people taken in shares, of which each pool takes about
// sharesPerServer in the time in which the crowd shrinks by two thirds.
const longCrowd, sharesPerServer = 4, 4

// forecast plays on from an Outlook.
type forecast struct {
	o         *Outlook
	codes     []string
	length    []float64 // expected time at a machine, walk and sitting, by subject, in milliseconds
	work      []float64
	sets      []subjectSet
	lines     []heap[stretch] // by set of due subjects
	crowd     float64         // people in line whose wait is not estimated
	idle      []server
	servers   int
	events    heap[happening]
	estimates []*time.Duration
	called    int // of those whose wait is estimated
}

func (f *forecast) load() {
	f.codes = slices.Sorted(maps.Keys(f.o.Loads))
	for _, code := range f.codes {
		load := f.o.Loads[code]
		f.length = append(f.length, load.ExpectedWalk()+load.ExpectedLength())
		f.work = append(f.work, load.Work())
	}
}

func (f *forecast) set(codes []string) subjectSet {
	var s subjectSet
	for _, code := range codes {
		if i := slices.Index(f.codes, code); i >= 0 {
			s |= 1 << i
		}
	}
	return s
}

// fill puts everybody into line.
func (f *forecast) fill(line []InLine) {
	for k, in := range line {
		for _, g := range in.Before {
			f.join(stretch{from: float64(k) + crowdFrom, to: float64(k + 1), people: float64(g.Count), due: f.set(g.Due), number: -1})
		}
		f.join(stretch{from: float64(k + 1), people: 1, due: f.set(in.Candidate.Remaining()), number: k})
	}
}

// start sets the machines going.
func (f *forecast) start(line []InLine) {
	var busy []happening
	for i := range f.o.Machines {
		m := &f.o.Machines[i]
		until := f.o.expectedLeft(m)
		f.back(until, f.returning(m, line))
		if !m.Paused {
			busy = append(busy, happening{at: until, free: server{f.set(m.Subjects), 1}})
		}
	}
	if f.crowd > float64(longCrowd*len(busy)) {
		busy = f.pooled(busy)
	}
	f.servers = len(busy)
	f.events.items = append(f.events.items, busy...)
	slices.SortFunc(f.events.items, happening.compare)
}

// returning is who comes back from a machine to a place before somebody of line.
func (f *forecast) returning(m *ServiceMachine, line []InLine) stretch {
	if m.Back == nil || f.o.Rules.Requeue != RequeueKeep {
		return stretch{}
	}
	k := f.o.placeOf(m.Back, line)
	if k == len(line) {
		return stretch{}
	}
	due := f.set(m.Back.Due) &^ f.set([]string{m.Subject})
	return stretch{from: float64(k) + backAt, people: 1, due: due, number: -1}
}

// pooled makes one server of all machines that serve the same subjects. The
// n-th whom a pool takes, from 0, is taken when its machines have become free n
// times: with m machines that are free after r on average and busy for b each
// time, that is on average r + n·b/m less (m-1)/m·b/2, since the n-th meets the
// first of them that is free, not the average one.
func (f *forecast) pooled(machines []happening) []happening {
	slices.SortFunc(machines, happening.compare) // the same sum whatever the order
	var pools []happening
	for _, m := range machines {
		i := slices.IndexFunc(pools, func(p happening) bool { return p.free.serves == m.free.serves })
		if i < 0 {
			i = len(pools)
			pools = append(pools, happening{free: server{m.free.serves, 0}})
		}
		pools[i].at += m.at
		pools[i].free.machines++
	}
	for i, p := range pools {
		pools[i].at = p.at/p.free.machines - f.meanLength(p.free.serves)/2*(1-1/p.free.machines)
	}
	return pools
}

func (f *forecast) meanLength(subjects subjectSet) float64 {
	sum, n := 0.0, 0.0
	for i, length := range f.length {
		if subjects&(1<<i) != 0 {
			sum, n = sum+length, n+1
		}
	}
	return sum / max(1, n)
}

// back lets people return at a time, after the rest, if subjects are left.
func (f *forecast) back(at float64, s stretch) {
	if s.due != 0 {
		f.events.put(happening{at: at + float64(f.o.Rules.Rest().Milliseconds()), back: s})
	}
}

func (f *forecast) join(s stretch) {
	if s.number < 0 {
		f.crowd += s.people
	}
	i := slices.Index(f.sets, s.due)
	if i < 0 {
		i = len(f.sets)
		f.sets, f.lines = append(f.sets, s.due), append(f.lines, heap[stretch]{})
	}
	f.lines[i].put(s)
}

// first takes the first in line who needs one of these subjects; ok is false
// if there is none. Of a long crowd it takes a share, which gets smaller as the
// crowd does (guided self-scheduling; Polychronopoulos and Kuck, 1987).
func (f *forecast) first(serves subjectSet) (s stretch, ok bool) {
	var line *heap[stretch]
	for i, due := range f.sets {
		if l := &f.lines[i]; due&serves != 0 && len(l.items) > 0 && (line == nil || l.items[0].compare(line.items[0]) < 0) {
			line = l
		}
	}
	if line == nil {
		return s, false
	}
	head := &line.items[0]
	if share := max(1, f.crowd/float64(sharesPerServer*f.servers)); head.people > share {
		s = *head
		s.people = share
		f.crowd -= share
		head.from += (head.to - head.from) * share / head.people
		head.people -= share
		line.sink(0)
		return s, true
	}
	s = line.take()
	if s.number < 0 {
		f.crowd -= s.people
	}
	return s, true
}

// choose is the subject that is taken of these.
func (f *forecast) choose(subjects subjectSet) int {
	chosen := -1
	for i := range f.codes {
		if subjects&(1<<i) == 0 {
			continue
		}
		if chosen < 0 || (f.o.Rules.SubjectChoice == ChoiceBottleneck && f.work[i] > f.work[chosen]) {
			chosen = i
		}
	}
	return chosen
}

// call lets a server take people for a subject: a crowd share one after the other.
func (f *forecast) call(at float64, s stretch, by server, subject int) {
	if s.number >= 0 {
		wait := millisToDuration(max(0, at))
		f.estimates[s.number] = &wait
		f.called++
	}
	length := f.length[subject]
	f.events.put(happening{at: at + length*s.people/by.machines, free: by})
	if f.o.Rules.Requeue == RequeueKeep {
		s.due &^= 1 << subject
		s.number = -1
		f.back(at+length*max(1, s.people/by.machines), s)
	}
}

// step plays what happens next.
func (f *forecast) step() {
	e := f.events.take()
	if e.back.people > 0 {
		f.join(e.back)
		f.seek(e.at)
	} else if s, ok := f.first(e.free.serves); ok {
		f.call(e.at, s, e.free, f.choose(s.due&e.free.serves))
	} else {
		f.idle = append(f.idle, e.free)
	}
}

// seek calls whoever came back, if a machine is idle.
func (f *forecast) seek(at float64) {
	var free subjectSet
	for _, s := range f.idle {
		free |= s.serves
	}
	s, ok := f.first(free)
	if !ok {
		return
	}
	subject := f.choose(s.due & free)
	i := slices.IndexFunc(f.idle, func(s server) bool { return s.serves&(1<<subject) != 0 })
	by := f.idle[i]
	f.idle = slices.Delete(f.idle, i, i+1)
	f.call(at, s, by, subject)
}
