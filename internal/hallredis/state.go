package hallredis

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// stateReads are the replies that a State is made of, all of one instant.
type stateReads struct {
	hall, pauses, candidates, people, machines, service, sittings, subjects, counts, reasons, phones, alerts *redis.MapStringStringCmd
	wait, due                                                                                                *redis.ZSliceCmd
	since                                                                                                    []*redis.ZSliceCmd
	index, aside                                                                                             *redis.StringSliceCmd
	events                                                                                                   *redis.XMessageSliceCmd
	idle, used                                                                                               map[string]*redis.StringSliceCmd
}

// State implements hall.Watcher. It reads a whole day at once: for checks, not for pages.
func (s *Store) State(ctx context.Context, id string) (hall.State, error) {
	return s.stateOf(ctx, id, keysOf(s.prefix, id))
}

// stateOf reads the present day or a closed one by its keys.
func (s *Store) stateOf(ctx context.Context, id string, k keys) (hall.State, error) {
	h, err := s.hallBy(ctx, id, k)
	if err != nil {
		return hall.State{}, err
	}
	reads := stateReads{idle: map[string]*redis.StringSliceCmd{}, used: map[string]*redis.StringSliceCmd{}}
	if _, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		reads.hall, reads.pauses = p.HGetAll(ctx, k.hall()), p.HGetAll(ctx, k.pauses())
		reads.candidates, reads.people = p.HGetAll(ctx, k.candidates()), p.HGetAll(ctx, k.people())
		reads.machines, reads.sittings = p.HGetAll(ctx, k.machines()), p.HGetAll(ctx, k.sittings())
		reads.subjects, reads.counts = p.HGetAll(ctx, k.subjects()), p.HGetAll(ctx, k.counts())
		reads.wait, reads.due = p.ZRangeWithScores(ctx, k.wait(), 0, -1), p.ZRangeWithScores(ctx, k.due(), 0, -1)
		reads.reasons, reads.phones = p.HGetAll(ctx, k.reasons()), p.HGetAll(ctx, k.phones())
		reads.service, reads.alerts = p.HGetAll(ctx, k.service()), p.HGetAll(ctx, k.alerts())
		for _, class := range hall.Classes {
			reads.since = append(reads.since, p.ZRangeWithScores(ctx, k.since(class), 0, -1))
		}
		reads.index, reads.aside = p.ZRange(ctx, k.index(), 0, -1), p.ZRange(ctx, k.aside(), 0, -1)
		reads.events = p.XRange(ctx, k.events(), "-", "+")
		for _, subject := range h.Layout.Subjects {
			reads.idle[subject.Code] = p.ZRange(ctx, k.idle(subject.Code), 0, -1)
			reads.used[subject.Code] = p.ZRange(ctx, k.used(subject.Code), 0, -1)
		}
		return nil
	}); err != nil {
		return hall.State{}, s.failed("state", err)
	}
	return reads.state(id)
}

func (r *stateReads) state(id string) (hall.State, error) {
	h, err := hallOf(id, r.hall.Val(), r.pauses.Val())
	if err != nil {
		return hall.State{}, err
	}
	st := hall.State{
		Hall: h, Candidates: map[string]hall.Candidate{}, Machines: map[string]hall.Machine{},
		Sittings: map[string]hall.Sitting{}, Since: map[string]time.Time{}, Aside: r.aside.Val(), Idle: map[string][]string{}, Used: map[string][]string{},
		Loads: map[string]hall.SubjectLoad{}, Counts: map[hall.CandidateState]int{}, Reasons: r.reasons.Val(),
		Secrets: map[string]string{}, Phones: r.phones.Val(), Service: map[string]hall.ServiceMachine{},
	}
	for id, record := range r.candidates.Val() {
		if st.Candidates[id], err = candidateOf(record, r.people.Val()[id], h.Day.Base); err != nil {
			return hall.State{}, err
		}
		secret, err := secretOf(record)
		if err != nil {
			return hall.State{}, err
		}
		if secret != "" {
			st.Secrets[id] = secret
		}
	}
	for id, record := range r.machines.Val() {
		if st.Machines[id], err = machineOf(record); err != nil {
			return hall.State{}, err
		}
	}
	for id, record := range r.sittings.Val() {
		if st.Sittings[id], err = sittingOf(record, ""); err != nil {
			return hall.State{}, err
		}
	}
	if st.Alerts, err = alertsOf(slices.Collect(maps.Values(r.alerts.Val()))); err != nil {
		return hall.State{}, err
	}
	for _, m := range r.events.Val() {
		e, err := eventOf(m.ID, texts(m.Values))
		if err != nil {
			return hall.State{}, err
		}
		st.Events = append(st.Events, e)
	}
	r.lists(&st)
	return st, nil
}

// indexMember is "class |1|2| place candidate".
var indexMember = regexp.MustCompile(`^(\S+) (\S+) ([0-9]{13}) (.*)$`)

// lists reads everything that the store keeps to be fast.
func (r *stateReads) lists(st *hall.State) {
	for _, z := range r.wait.Val() {
		id, _ := z.Member.(string)
		st.Wait = append(st.Wait, hall.Queued{Candidate: id, Place: hall.Place(z.Score)})
	}
	for _, class := range r.since {
		for _, z := range class.Val() {
			id, _ := z.Member.(string)
			st.Since[id] = atMillis(int64(z.Score))
		}
	}
	for _, member := range r.index.Val() {
		q := hall.Queued{Candidate: member} // one that cannot be read is shown as it is
		if m := indexMember.FindStringSubmatch(member); m != nil {
			place, _ := strconv.ParseInt(m[3], 10, 64)
			q = hall.Queued{Class: hall.Class(m[1]), Due: subjectsIn(m[2]), Place: hall.Place(place), Candidate: m[4]}
		}
		st.Index = append(st.Index, q)
	}
	for _, z := range r.due.Val() {
		item, _ := z.Member.(string)
		kind, id, _ := strings.Cut(item, " ")
		st.Due = append(st.Due, hall.DueItem{Kind: hall.DueKind(kind), ID: id, At: atMillis(int64(z.Score))})
	}
	for _, subject := range st.Hall.Layout.Subjects {
		st.Idle[subject.Code] = r.idle[subject.Code].Val()
		st.Used[subject.Code] = r.used[subject.Code].Val()
		st.Loads[subject.Code] = loadOf(r.subjects.Val(), subject.Code)
	}
	for id, record := range r.service.Val() {
		st.Service[id] = serviceMachineOf(record, r.pauses.Val())
	}
	for state, n := range r.counts.Val() {
		st.Counts[hall.CandidateState(state)], _ = strconv.Atoi(n)
	}
}
