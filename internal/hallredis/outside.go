package hallredis

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// outsideField begins the names of the fields of other systems' events in the stream.
const outsideField = "x:"

// AppendEvent implements hall.Outside.
func (s *Store) AppendEvent(ctx context.Context, id string, e hall.OutsideEvent, by hall.Caller) (hall.Event, error) {
	if err := e.Check(); err != nil {
		return hall.Event{}, err
	}
	flat := []string{}
	for _, name := range slices.Sorted(maps.Keys(e.Fields)) {
		flat = append(flat, name, e.Fields[name])
	}
	fields, err := json.Marshal(flat)
	if err != nil {
		return hall.Event{}, fmt.Errorf("encode event: %w", err)
	}
	_, r, err := s.run(ctx, eventAppend, id, by, string(e.Event), string(fields))
	if err != nil {
		return hall.Event{}, err
	}
	return hall.Event{ID: r.text(0), Event: e.Event, At: atMillis(r.number(1)), By: by.By, Fields: e.Fields}, nil
}

// fieldsIn are the fields of another system's event, nil if it has none.
func fieldsIn(all map[string]string) map[string]string {
	var fields map[string]string
	for name, value := range all {
		if own, ok := strings.CutPrefix(name, outsideField); ok {
			if fields == nil {
				fields = map[string]string{}
			}
			fields[own] = value
		}
	}
	return fields
}

// DayEvents implements hall.EventSource. The number of the present day and its
// events are read at once: a day that is closed meanwhile is another stream.
func (s *Store) DayEvents(ctx context.Context, id string, number int, after string, limit int) (hall.DayEvents, error) {
	k := keysOf(s.prefix, id)
	from := "-"
	if after != "" {
		from = "(" + after
	}
	read := func(stream string) ([]redis.XMessage, string, string, error) {
		var messages *redis.XMessageSliceCmd
		var day *redis.SliceCmd
		_, err := s.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
			day = p.HMGet(ctx, k.hall(), "dayNumber", "day")
			messages = p.XRangeN(ctx, stream, from, "+", int64(limit))
			return nil
		})
		if err != nil {
			return nil, "", "", s.failed("events", err)
		}
		fields := reply(day.Val())
		return messages.Val(), fields.text(0), fields.text(1), nil
	}
	messages, present, day, err := read(k.events())
	if err != nil {
		return hall.DayEvents{}, err
	}
	if present == "" {
		return hall.DayEvents{}, outcomeUnknownHall.refusal("events", nil)
	}
	d := hall.DayEvents{Day: day}
	if present != strconv.Itoa(number) {
		if d.Day, err = s.closedDay(ctx, k, number); err != nil {
			return hall.DayEvents{}, err
		}
		d.Closed = true
		if messages, _, _, err = read(k.ofDay(d.Day).events()); err != nil {
			return hall.DayEvents{}, err
		}
	}
	for _, m := range messages {
		e, err := eventOf(m.ID, texts(m.Values))
		if err != nil {
			return hall.DayEvents{}, err
		}
		d.Events = append(d.Events, e)
	}
	return d, nil
}

// closedDay is the id of the closed day that is the number-th of its hall.
func (s *Store) closedDay(ctx context.Context, k keys, number int) (string, error) {
	n := strconv.Itoa(number)
	ids, err := s.client.ZRangeByScore(ctx, k.days(), &redis.ZRangeBy{Min: n, Max: n}).Result()
	if err != nil {
		return "", s.failed("days", err)
	}
	if len(ids) == 0 {
		return "", outcomeUnknownDay.refusal("events", nil)
	}
	return ids[0], nil
}

// DayNumber implements hall.EventSource.
func (s *Store) DayNumber(ctx context.Context, id, day string) (int, error) {
	_, number, err := s.keysOfDay(ctx, id, day)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(number)
}
