package hallredis

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// RecordedDay implements hall.Records.
func (s *Store) RecordedDay(ctx context.Context, id, day string) (hall.RecordedDay, error) {
	number, err := s.DayNumber(ctx, id, day)
	if err != nil {
		return hall.RecordedDay{}, err
	}
	d := hall.RecordedDay{Number: number}
	if d.Now, err = s.Now(ctx); err != nil {
		return hall.RecordedDay{}, err
	}
	err = s.onDay(ctx, id, number, func(k keys) error {
		d.Hall, err = s.hallBy(ctx, id, k)
		return err
	})
	return d, err
}

// onDay reads the number-th day of a hall by its keys. A present day that is
// closed meanwhile has other keys: then all is read again.
func (s *Store) onDay(ctx context.Context, id string, number int, read func(k keys) error) error {
	n := strconv.Itoa(number)
	for range daysApart {
		k := keysOf(s.prefix, id)
		present, err := s.client.HGet(ctx, k.hall(), "dayNumber").Result()
		if errors.Is(err, redis.Nil) {
			return outcomeUnknownHall.refusal("day", nil)
		}
		if err != nil {
			return s.failed("day", err)
		}
		if present != n {
			closed, err := s.closedDay(ctx, k, number)
			if err != nil {
				return err
			}
			return read(k.ofDay(closed))
		}
		if err := read(k); err != nil {
			return err
		}
		if now, err := s.dayNumber(ctx, k); err != nil || now == n {
			return err
		}
	}
	return fmt.Errorf("day %d of hall %s: closed again and again while it was read", number, id)
}

// Attendance implements hall.Records.
func (s *Store) Attendance(ctx context.Context, id string, number int, page hall.Page) (hall.List[hall.Candidate], error) {
	var list hall.List[hall.Candidate]
	err := s.onDay(ctx, id, number, func(k keys) error {
		p := newPager[hall.Candidate](page)
		h, err := s.hallBy(ctx, id, k)
		if err != nil {
			return err
		}
		total, err := s.client.ZCard(ctx, k.roster()).Result()
		if err != nil {
			return s.failed("roster", err)
		}
		for first := int64(p.skipAll()); first < total && !p.full(); first += chunk {
			some, err := s.attendanceFrom(ctx, k, &h, first, p.room(chunk))
			if err != nil {
				return err
			}
			for _, c := range some {
				p.add(c)
			}
		}
		list = p.list
		list.Total = int(total)
		return nil
	})
	return list, err
}

// attendanceFrom reads n people of the roster with what was written down about them.
func (s *Store) attendanceFrom(ctx context.Context, k keys, h *hall.Hall, first int64, n int) ([]hall.Candidate, error) {
	ids, err := s.client.ZRange(ctx, k.roster(), first, first+int64(n)-1).Result()
	if err != nil {
		return nil, s.failed("roster", err)
	}
	people, err := s.candidatesOf(ctx, k, h, ids)
	if err != nil || len(people) == 0 {
		return nil, err
	}
	ids = ids[:0]
	for i := range people {
		ids = append(ids, people[i].ID)
	}
	notes, err := s.client.HMGet(ctx, k.notes(), ids...).Result()
	if err != nil {
		return nil, s.failed("notes", err)
	}
	for i := range people {
		if people[i].Notes, err = notesOf(reply(notes).text(i)); err != nil {
			return nil, err
		}
	}
	return people, nil
}

// DaySittings implements hall.Records.
func (s *Store) DaySittings(ctx context.Context, id string, number int, page hall.Page) (hall.List[hall.Sitting], error) {
	var list hall.List[hall.Sitting]
	err := s.onDay(ctx, id, number, func(k keys) error {
		p := newPager[hall.Sitting](page)
		first, last, err := s.sittingNumbers(ctx, k)
		if err != nil {
			return err
		}
		for from := first + p.skipAll(); from <= last && !p.full(); from += chunk {
			some, err := s.readSittings(ctx, k, from, min(from+p.room(chunk)-1, last))
			if err != nil {
				return err
			}
			if err := s.giveReasons(ctx, k, some); err != nil {
				return err
			}
			for i := range some {
				p.add(some[i])
			}
		}
		list = p.list
		list.Total = max(0, last-first+1)
		return nil
	})
	return list, err
}

// giveReasons says of aborted sittings why.
func (s *Store) giveReasons(ctx context.Context, k keys, sittings []hall.Sitting) error {
	var events []string
	for i := range sittings {
		if sittings[i].AbortedBy != "" {
			events = append(events, sittings[i].AbortedBy)
		}
	}
	reasons, err := s.reasonsOf(ctx, k, events)
	for i := range sittings {
		sittings[i].Reason = reasons[sittings[i].AbortedBy]
	}
	return err
}

// Reasons implements hall.Records.
func (s *Store) Reasons(ctx context.Context, id string, number int, events []string) (map[string]string, error) {
	var reasons map[string]string
	err := s.onDay(ctx, id, number, func(k keys) (err error) {
		reasons, err = s.reasonsOf(ctx, k, events)
		return err
	})
	return reasons, err
}

func (s *Store) reasonsOf(ctx context.Context, k keys, events []string) (map[string]string, error) {
	reasons := map[string]string{}
	if len(events) == 0 {
		return reasons, nil
	}
	texts, err := s.client.HMGet(ctx, k.reasons(), events...).Result()
	if err != nil {
		return nil, s.failed("reasons", err)
	}
	for i, event := range events {
		if text := reply(texts).text(i); text != "" {
			reasons[event] = text
		}
	}
	return reasons, nil
}

// DayIncidents implements hall.Records.
func (s *Store) DayIncidents(ctx context.Context, id string, number int, page hall.Page) (hall.List[hall.Incident], error) {
	var list hall.List[hall.Incident]
	err := s.onDay(ctx, id, number, func(k keys) (err error) {
		if list, err = s.incidentsOf(ctx, k, page); err != nil {
			return err
		}
		for from := 0; from < len(list.Items); from += chunk {
			if err := s.nameIncidents(ctx, k, list.Items[from:min(from+chunk, len(list.Items))]); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

func (s *Store) nameIncidents(ctx context.Context, k keys, incidents []hall.Incident) error {
	candidates := make([]string, len(incidents))
	for i := range incidents {
		candidates[i] = incidents[i].Candidate
	}
	people, err := s.client.HMGet(ctx, k.people(), candidates...).Result()
	if err != nil {
		return s.failed("people", err)
	}
	for i := range incidents {
		p, err := personOf(reply(people).text(i))
		if err != nil {
			return err
		}
		incidents[i].Name = p.Name
	}
	return nil
}
