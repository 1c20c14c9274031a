package hallredis

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/hallcall/hallcall/internal/hall"
)

// sitting runs a script that answers a sitting.
func (s *Store) sitting(ctx context.Context, sc *script, id string, by hall.Caller, args ...any) (hall.Sitting, error) {
	_, r, err := s.run(ctx, sc, id, by, args...)
	if err != nil {
		return hall.Sitting{}, err
	}
	return sittingOf(r.text(0), r.text(1))
}

// Seat implements hall.Sittings.
func (s *Store) Seat(ctx context.Context, id, sitting string, by hall.Caller) (hall.Sitting, error) {
	return s.sitting(ctx, sittingSeat, id, by, sitting)
}

// End implements hall.Sittings.
func (s *Store) End(ctx context.Context, id, sitting string, by hall.Caller) (hall.Sitting, error) {
	return s.sitting(ctx, sittingEnd, id, by, sitting)
}

// Recall implements hall.Sittings.
func (s *Store) Recall(ctx context.Context, id, sitting string, announcement int, by hall.Caller) (hall.Sitting, error) {
	return s.sitting(ctx, sittingRecall, id, by, sitting, announcement)
}

// NoShow implements hall.Sittings.
func (s *Store) NoShow(ctx context.Context, id, sitting string, by hall.Caller) (hall.Sitting, error) {
	return s.sitting(ctx, sittingNoShow, id, by, sitting)
}

// Abort implements hall.Sittings.
func (s *Store) Abort(ctx context.Context, id, sitting string, a hall.Abort, by hall.Caller) (hall.Sitting, error) {
	consequence := ""
	switch {
	case a.Fault == hall.FaultMachine && !a.KeepMachine:
		consequence = "out"
	case a.Fault == hall.FaultCandidate && a.Withdraw:
		consequence = "withdraw"
	}
	code, err := a.Code.Clean()
	if err != nil {
		return hall.Sitting{}, err
	}
	return s.sitting(ctx, sittingAbort, id, by, sitting, string(a.Fault), consequence, a.Reason, string(code))
}

// Transfer implements hall.Sittings.
func (s *Store) Transfer(ctx context.Context, id, sitting string, t hall.Transfer, by hall.Caller) (hall.Sitting, error) {
	consequence := ""
	if t.OutOfService {
		consequence = "out"
	}
	code, err := t.Code.Clean()
	if err != nil {
		return hall.Sitting{}, err
	}
	return s.sitting(ctx, sittingTransfer, id, by, sitting, t.Machine, consequence, t.Reason, string(code))
}

// Sittings implements hall.Sittings. Open ones are found by their machines;
// only a list with ended ones reads the sittings of the whole day.
func (s *Store) Sittings(ctx context.Context, id string, filter hall.SittingFilter, page hall.Page) (hall.List[hall.Sitting], error) {
	p := newPager[hall.Sitting](page)
	take := func(sittings []hall.Sitting) {
		for _, sitting := range sittings {
			if sittingAllowed(filter, &sitting) {
				p.add(sitting)
			}
		}
	}
	if filter.State == hall.SittingCalled || filter.State == hall.SittingSeated {
		open, err := s.openSittings(ctx, id)
		take(open)
		return p.list, err
	}
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return hall.List[hall.Sitting]{}, err
	}
	all, err := s.allSittings(ctx, k)
	if err != nil {
		return hall.List[hall.Sitting]{}, err
	}
	take(all)
	return p.list, nil
}

// allSittings reads the sittings of a day by its keys, in the order of their
// calls. Their numbers go on from one day of the hall to the next.
func (s *Store) allSittings(ctx context.Context, k keys) ([]hall.Sitting, error) {
	first, last, err := s.sittingNumbers(ctx, k)
	if err != nil {
		return nil, err
	}
	var all []hall.Sitting
	for from := first; from <= last; from += chunk {
		some, err := s.readSittings(ctx, k, from, min(from+chunk-1, last))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// sittingNumbers are those of the first and the last sitting of a day.
func (s *Store) sittingNumbers(ctx context.Context, k keys) (first, last int, err error) {
	numbers, err := s.client.HMGet(ctx, k.hall(), "firstSitting", "lastSitting").Result()
	if err != nil {
		return 0, 0, s.failed("sittings", err)
	}
	first, _ = strconv.Atoi(reply(numbers).text(0))
	last, _ = strconv.Atoi(reply(numbers).text(1))
	return max(first, 1), last, nil
}

// openSittings reads the open sittings in the order of their calls.
func (s *Store) openSittings(ctx context.Context, id string) ([]hall.Sitting, error) {
	snap, err := s.snapshot(ctx, id, 1, 1)
	if err != nil {
		return nil, err
	}
	var open []hall.Sitting
	for _, m := range snap.Machines {
		if m.Current != nil {
			open = append(open, *m.Current)
		}
	}
	// Ids are numbered, so of two the shorter one is the earlier.
	slices.SortFunc(open, func(a, b hall.Sitting) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return open, nil
}

func sittingAllowed(f hall.SittingFilter, s *hall.Sitting) bool {
	return (f.State == "" || s.State == f.State) && (f.Room == "" || s.Room == f.Room) &&
		(f.Subject == "" || s.Subject == f.Subject)
}

// readSittings reads the sittings with the numbers from first to last.
func (s *Store) readSittings(ctx context.Context, k keys, first, last int) ([]hall.Sitting, error) {
	ids := make([]string, 0, last-first+1)
	for n := first; n <= last; n++ {
		ids = append(ids, "s"+strconv.Itoa(n))
	}
	records, err := s.client.HMGet(ctx, k.sittings(), ids...).Result()
	if err != nil {
		return nil, s.failed("sittings", err)
	}
	sittings := make([]hall.Sitting, 0, len(records))
	candidates := make([]string, 0, len(records))
	for i := range records {
		record := reply(records).text(i)
		if record == "" {
			continue // gone since its number was read: the day was closed
		}
		sitting, err := sittingOf(record, "")
		if err != nil {
			return nil, err
		}
		sittings, candidates = append(sittings, sitting), append(candidates, sitting.Candidate)
	}
	return sittings, s.name(ctx, k, sittings, candidates)
}

// name gives sittings the names of their candidates.
func (s *Store) name(ctx context.Context, k keys, sittings []hall.Sitting, candidates []string) error {
	if len(candidates) == 0 {
		return nil
	}
	people, err := s.client.HMGet(ctx, k.people(), candidates...).Result()
	if err != nil {
		return s.failed("people", err)
	}
	for i := range sittings {
		p, err := personOf(reply(people).text(i))
		if err != nil {
			return err
		}
		sittings[i].Name, sittings[i].IDNumber = p.Name, p.IDNumber
	}
	return nil
}
