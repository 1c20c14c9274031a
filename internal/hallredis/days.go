package hallredis

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// OpenDay implements hall.Halls.
func (s *Store) OpenDay(ctx context.Context, id string, by hall.Caller) (hall.Hall, error) {
	_, r, err := s.again(func() (outcome, reply, error) { return s.openDay(ctx, id, by) })
	if err != nil {
		return hall.Hall{}, err
	}
	return hallOf(id, r.pairs(0), r.pairs(1))
}

// openDay opens the day once; outcomeReadAgain if the layout is another one by then.
func (s *Store) openDay(ctx context.Context, id string, by hall.Caller) (outcome, reply, error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return 0, nil, err
	}
	// The date is that of the very time at which the day opens.
	now, err := s.Now(ctx)
	if err != nil {
		return 0, nil, err
	}
	windows, err := windowsOf(&h.Layout, now, h.Location())
	if err != nil {
		return 0, nil, err
	}
	return s.runCommand(ctx, dayOpen, id, by, &command{now: now.UnixMilli(), own: []any{
		hall.DayDate(now, h.Location()), hall.BaseBefore.Milliseconds(), windows, h.LayoutTag,
	}})
}

// CloseDay implements hall.Halls.
func (s *Store) CloseDay(ctx context.Context, id, day string, by hall.Caller) (hall.DaySummary, error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return hall.DaySummary{}, err
	}
	c := command{now: s.nowMillis(), args: []any{day}, own: []any{hall.BaseBefore.Milliseconds()}}
	if h.Day.ID != "" {
		c.keys = keysOf(s.prefix, id).archive(h.Day.ID, h.Layout.Subjects)
	}
	_, r, err := s.runCommand(ctx, dayClose, id, by, &c)
	if err != nil {
		return hall.DaySummary{}, err
	}
	return s.Day(ctx, id, r.text(0))
}

// Days implements hall.Days.
func (s *Store) Days(ctx context.Context, id string, page hall.Page) (hall.List[hall.DaySummary], error) {
	var list hall.List[hall.DaySummary]
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return list, err
	}
	closed, err := s.client.ZCard(ctx, k.days()).Result()
	if err != nil {
		return list, s.failed("days", err)
	}
	p := newPager[hall.DaySummary](page)
	first := int64(p.skipAll())
	for ; first <= closed && !p.full(); first += chunk {
		some, err := s.someDays(ctx, k, first, p.room(chunk))
		if err != nil {
			return list, err
		}
		for _, day := range some {
			p.add(day)
		}
	}
	p.list.Total = int(closed) + 1
	return p.list, nil
}

// someDays reads n days of the list from number first on: 0 is the present one.
func (s *Store) someDays(ctx context.Context, k keys, first int64, n int) ([]hall.DaySummary, error) {
	last := first + int64(n) - 1
	all := []keys{}
	if first == 0 {
		all = append(all, k)
	}
	var ids []string
	if last > 0 { // a range to before the beginning would be one to the end
		var err error
		if ids, err = s.client.ZRevRange(ctx, k.days(), max(first, 1)-1, last-1).Result(); err != nil {
			return nil, s.failed("days", err)
		}
	}
	for _, id := range ids {
		all = append(all, k.ofDay(id))
	}
	return s.summaries(ctx, all)
}

// summaries reads days by their keys, without figures.
func (s *Store) summaries(ctx context.Context, all []keys) ([]hall.DaySummary, error) {
	type reads struct {
		fields *redis.SliceCmd
		counts *redis.MapStringStringCmd
		number *redis.IntCmd
	}
	read := make([]reads, len(all))
	if _, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		for i, k := range all {
			read[i] = reads{p.HMGet(ctx, k.hall(), "day", "state", "openedAt", "closedAt", "erasedAt"), p.HGetAll(ctx, k.counts()), p.HLen(ctx, k.sittings())}
		}
		return nil
	}); err != nil {
		return nil, s.failed("days", err)
	}
	days := make([]hall.DaySummary, len(all))
	for i, r := range read {
		fields := reply(r.fields.Val())
		millis := func(n int) int64 {
			ms, _ := strconv.ParseInt(fields.text(n), 10, 64)
			return ms
		}
		days[i] = hall.DaySummary{
			ID: fields.text(0), State: hall.DayState(fields.text(1)), OpenedAt: atMillis(millis(2)), ClosedAt: atMillis(millis(3)),
			ErasedAt: atMillis(millis(4)),
			People:   countsOf(r.counts.Val()), Sittings: int(r.number.Val()),
		}
	}
	return days, nil
}

// countsOf are the numbers of people by state; states with nobody are left out.
func countsOf(counts map[string]string) map[hall.CandidateState]int {
	people := map[hall.CandidateState]int{}
	for state, number := range counts {
		if n, _ := strconv.Atoi(number); n != 0 {
			people[hall.CandidateState(state)] = n
		}
	}
	return people
}

// daysApart is how often Day begins anew when the present day is closed while it is read.
const daysApart = 5

// Day implements hall.Days. The numbers of a present day are those of its last
// moments: it may go on while they are read, but they are all of one day.
func (s *Store) Day(ctx context.Context, id, day string) (hall.DaySummary, error) {
	for range daysApart {
		k, number, err := s.keysOfDay(ctx, id, day)
		if err != nil {
			return hall.DaySummary{}, err
		}
		summary, err := s.summary(ctx, k)
		if err != nil {
			return hall.DaySummary{}, err
		}
		if same, err := s.dayNumber(ctx, k); err != nil || same == number {
			return summary, err
		}
	}
	return hall.DaySummary{}, fmt.Errorf("day %s of hall %s: closed again and again while it was read", day, id)
}

func (s *Store) summary(ctx context.Context, k keys) (hall.DaySummary, error) {
	days, err := s.summaries(ctx, []keys{k})
	if err != nil {
		return hall.DaySummary{}, err
	}
	sittings, err := s.allSittings(ctx, k)
	if err != nil {
		return hall.DaySummary{}, err
	}
	machines, err := s.client.HVals(ctx, k.machines()).Result()
	if err != nil {
		return hall.DaySummary{}, s.failed("machines", err)
	}
	figures := hall.DayFigures{Machines: map[hall.MachineState]int{}}
	figures.Count(sittings)
	for _, record := range machines {
		m, err := machineOf(record)
		if err != nil {
			return hall.DaySummary{}, err
		}
		figures.Machines[m.State]++
	}
	days[0].Sittings, days[0].Figures = len(sittings), &figures
	return days[0], nil
}

// keysOfDay finds the keys of a day by its id or as the present one, and which
// one of the hall's days it is.
func (s *Store) keysOfDay(ctx context.Context, id, day string) (keys, string, error) {
	k := keysOf(s.prefix, id)
	h, err := s.Hall(ctx, id)
	if err != nil {
		return keys{}, "", err
	}
	if day != hall.CurrentDay && (day == "" || day != h.Day.ID) {
		if k, err = s.keysOfClosedDay(ctx, id, day); err != nil {
			return keys{}, "", err
		}
	}
	number, err := s.dayNumber(ctx, k)
	return k, number, err
}

func (s *Store) dayNumber(ctx context.Context, k keys) (string, error) {
	number, err := s.client.HGet(ctx, k.hall(), "dayNumber").Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return "", s.failed("day", err)
	}
	return number, nil
}

// keysOfClosedDay finds the keys of a closed day.
func (s *Store) keysOfClosedDay(ctx context.Context, id, day string) (keys, error) {
	k := keysOf(s.prefix, id)
	if err := s.exists(ctx, k); err != nil {
		return keys{}, err
	}
	err := s.client.ZScore(ctx, k.days(), day).Err()
	if errors.Is(err, redis.Nil) {
		return keys{}, outcomeUnknownDay.refusal("day", nil)
	}
	if err != nil {
		return keys{}, s.failed("day", err)
	}
	return k.ofDay(day), nil
}

// DayState implements hall.Days.
func (s *Store) DayState(ctx context.Context, id, day string) (hall.State, error) {
	k, err := s.keysOfClosedDay(ctx, id, day)
	if err != nil {
		return hall.State{}, err
	}
	return s.stateOf(ctx, id, k)
}
