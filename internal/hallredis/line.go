package hallredis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// skipChunk is how many people one script leaves out at most.
const skipChunk = 2000

// lineReader reads the line in stretches, all of them in the order of one time.
type lineReader struct {
	store  *Store
	id     string
	filter hall.LineFilter
	now    int64      // time of the first stretch, in milliseconds
	class  string     // of the one behind whom to go on
	place  hall.Place // of that one
}

// Line implements hall.Queue.
func (s *Store) Line(ctx context.Context, id string, filter hall.LineFilter, page hall.Page) (hall.List[hall.Entry], error) {
	if filter.WaitedOver > 0 {
		return s.waitedOver(ctx, id, filter, page)
	}
	p := newPager[hall.Entry](page)
	first := p.skipAll()
	reader := lineReader{store: s, id: id, filter: filter, now: s.nowMillis()}
	for skip := first; ; skip = max(0, skip-skipChunk) {
		limit := 0
		if skip <= skipChunk {
			limit = p.room(chunk)
		}
		entries, total, err := reader.read(ctx, min(skip, skipChunk), limit)
		if err != nil {
			return hall.List[hall.Entry]{}, err
		}
		for _, e := range entries {
			p.add(e)
		}
		if first >= total || len(entries) < limit || p.full() {
			p.list.Total = total
			return p.list, nil
		}
	}
}

// read leaves people out and reads some more.
func (l *lineReader) read(ctx context.Context, skip, limit int) ([]hall.Entry, int, error) {
	direction := ""
	if l.filter.Descending {
		direction = "desc"
	}
	_, r, err := l.store.runAt(ctx, l.now, queueRead, l.id, hall.Caller{}, l.filter.Subject, string(l.filter.Class),
		l.class, int64(l.place), skip, limit, direction)
	if err != nil {
		return nil, 0, err
	}
	entries, err := lineOf(r.list(1), r.list(5), l.filter.Descending)
	l.class, l.place, l.now = r.text(2), hall.Place(r.number(3)), r.number(4)
	return entries, int(r.number(0)), err
}

// waitedOver lists those whose wait has taken longer than a time. Only they
// are read, whatever the order.
func (s *Store) waitedOver(ctx context.Context, id string, filter hall.LineFilter, page hall.Page) (hall.List[hall.Entry], error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return hall.List[hall.Entry]{}, err
	}
	now, err := s.Now(ctx)
	if err != nil {
		return hall.List[hall.Entry]{}, err
	}
	found, err := s.waitingBefore(ctx, &h, now.Add(-filter.WaitedOver), filter)
	if err != nil {
		return hall.List[hall.Entry]{}, err
	}
	slices.SortFunc(found, func(a, b hall.Candidate) int {
		if hall.Before(h.Layout.Rules.Order, &a, &b, now) != filter.Descending {
			return -1
		}
		return 1
	})
	p := newPager[string](page)
	for _, c := range found {
		p.add(c.ID)
	}
	list := hall.List[hall.Entry]{Items: []hall.Entry{}, Total: p.list.Total}
	for ids := range slices.Chunk(p.list.Items, chunk) {
		text, err := json.Marshal(ids)
		if err != nil {
			return list, fmt.Errorf("encode candidates: %w", err)
		}
		_, r, err := s.runAt(ctx, now.UnixMilli(), queueEntries, id, hall.Caller{}, string(text))
		if err != nil {
			return list, err
		}
		entries, err := lineOf(r.list(0), r.list(1), filter.Descending)
		if err != nil {
			return list, err
		}
		list.Items = append(list.Items, entries...)
	}
	return list, nil
}

// waitingBefore reads those whose wait began before a time, holds left out.
func (s *Store) waitingBefore(ctx context.Context, h *hall.Hall, t time.Time, filter hall.LineFilter) ([]hall.Candidate, error) {
	k := keysOf(s.prefix, h.ID)
	classes := hall.Classes
	if filter.Class != "" {
		classes = []hall.Class{filter.Class}
	}
	var found []hall.Candidate
	for _, class := range classes {
		for first := int64(0); ; first += chunk {
			ids, err := s.client.ZRangeByScore(ctx, k.since(class), &redis.ZRangeBy{
				Min: "-inf", Max: "(" + strconv.FormatInt(t.UnixMilli(), 10), Offset: first, Count: chunk,
			}).Result()
			if err != nil {
				return nil, s.failed("line", err)
			}
			some, err := s.candidatesOf(ctx, k, h, ids)
			if err != nil {
				return nil, err
			}
			for _, c := range some {
				if c.State == hall.Waiting && (filter.Subject == "" || contains(c.Remaining(), filter.Subject)) {
					found = append(found, c)
				}
			}
			if len(ids) < chunk {
				break
			}
		}
	}
	return found, nil
}

// WaitStatistics implements hall.Queue.
func (s *Store) WaitStatistics(ctx context.Context, id string, classes []hall.Class) (hall.WaitStatistics, error) {
	if len(classes) == 0 {
		classes = hall.Classes
	}
	var names []string
	for _, class := range classes {
		if !class.Valid() {
			return hall.WaitStatistics{}, unknownClass("body.filters", class)
		}
		if !contains(names, string(class)) {
			names = append(names, string(class))
		}
	}
	_, r, err := s.run(ctx, queueStatistics, id, hall.Caller{}, strings.Join(names, " "))
	if err != nil {
		return hall.WaitStatistics{}, err
	}
	wait := func(i int) time.Duration {
		ms, _ := strconv.ParseInt(r.text(i), 10, 64)
		return millis(ms)
	}
	stats := hall.WaitStatistics{Count: int(r.number(0)), Max: wait(2), Median: (wait(3) + wait(4)) / 2, P95: wait(5)}
	if stats.Count > 0 {
		stats.Average = wait(1) / time.Duration(stats.Count)
	}
	return stats, nil
}

// Now is the time that everything in the store goes by: that of Redis, whatever
// the clock of this node says.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	if s.now != nil {
		return s.now(), nil
	}
	now, err := s.client.Time(ctx).Result()
	if err != nil {
		return time.Time{}, s.failed("time", err)
	}
	return now, nil
}

// lineOf reads entries of the line with their estimates.
func lineOf(r, outlook reply, descending bool) ([]hall.Entry, error) {
	entries, err := entriesOf(r)
	if err != nil {
		return nil, err
	}
	replies := make([]reply, len(r))
	for i := range r {
		replies[i] = r.list(i)[1:]
	}
	estimate(entries, replies, outlook, descending)
	return entries, nil
}

// entriesOf reads a list of entries, each with its outcome in front.
func entriesOf(r reply) ([]hall.Entry, error) {
	entries := make([]hall.Entry, 0, len(r))
	for i := range r {
		e, err := entryOf(r.list(i)[1:])
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
