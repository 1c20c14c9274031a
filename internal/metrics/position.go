package metrics

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// position is how far a hall's events were followed, and by what.
type position struct {
	day        int
	generation string // "" when the day has no figures yet
	after      string // id of the last event in the figures
	by         version
	zone       *time.Location // of the hall when the day's figures began
}

// readPosition reads the position of a day, 0 for the day that is followed.
func (c *Centre) readPosition(ctx context.Context, id string, day int) (*position, error) {
	k := keysOf(c.prefix, id)
	if day == 0 {
		text, err := c.client.HGet(ctx, k.followed(), "day").Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return nil, failed("position", err)
		}
		if day, _ = strconv.Atoi(text); day == 0 {
			day = 1
		}
	}
	p := &position{day: day}
	var err error
	if p.generation, err = c.client.HGet(ctx, k.followed(), liveField(day)).Result(); errors.Is(err, redis.Nil) {
		return p, nil
	} else if err != nil {
		return nil, failed("position", err)
	}
	head, err := c.client.HMGet(ctx, k.generation(day, p.generation).head(), "after", "by", "zone").Result()
	if err != nil {
		return nil, failed("position", err)
	}
	if head[0] == nil { // it was replaced since
		return c.readPosition(ctx, id, day)
	}
	text := func(i int) string { s, _ := head[i].(string); return s }
	p.after, p.by, p.zone = text(0), versionOf(text(1)), zoneOf(text(2))
	return p, nil
}

func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// begin makes an empty generation of a day's figures.
func (c *Centre) begin(ctx context.Context, id string, old *position, by version) (*position, error) {
	h, err := c.source.Hall(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &position{day: old.day, generation: strings.ToLower(rand.Text()[:12]), by: by, zone: old.zone}
	if p.zone == nil {
		p.zone = h.Location()
	}
	k := keysOf(c.prefix, id)
	_, err = c.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		tx.HSet(ctx, k.generation(p.day, p.generation).head(), "after", "", "by", by.String(), "zone", p.zone.String())
		tx.SAdd(ctx, k.generations(p.day), p.generation)
		return nil
	})
	if err != nil {
		return nil, failed("begin figures", err)
	}
	return p, nil
}

// use puts a generation into use instead of the old one, and reports whether
// it is; all others of the day are dropped then, else it is dropped itself.
func (c *Centre) use(ctx context.Context, id string, old, p *position) (bool, error) {
	k := keysOf(c.prefix, id)
	used, err := generationSwitch.Run(ctx, c.client, []string{k.followed(), k.generation(p.day, p.generation).head()},
		liveField(p.day), old.generation, p.generation).Int()
	if err != nil {
		return false, failed("use figures", err)
	}
	if used == 0 {
		return false, c.drop(ctx, k, p.day, p.generation)
	}
	all, err := c.client.SMembers(ctx, k.generations(p.day)).Result()
	if err != nil {
		return true, failed("old figures", err)
	}
	for _, other := range all {
		if other != p.generation {
			if err := c.drop(ctx, k, p.day, other); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// drop deletes a generation: the head first, so that nobody saves into it any more.
func (c *Centre) drop(ctx context.Context, k keys, day int, id string) error {
	g := k.generation(day, id)
	if err := c.client.Unlink(ctx, g.head(), g.aside()).Err(); err != nil {
		return failed("drop figures", err)
	}
	for cursor := uint64(0); ; {
		names, next, err := c.client.SScan(ctx, g.names(), cursor, "", 500).Result()
		if err != nil {
			return failed("drop figures", err)
		}
		if len(names) > 0 {
			if err := c.client.Unlink(ctx, names...).Err(); err != nil {
				return failed("drop figures", err)
			}
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	if _, err := c.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Unlink(ctx, g.names())
		p.SRem(ctx, k.generations(day), id)
		return nil
	}); err != nil {
		return failed("drop figures", err)
	}
	return nil
}

// apply saves what events mean and moves the position behind them; false when
// the figures were not where the position says. What skip has is passed over.
func (c *Centre) apply(ctx context.Context, id string, p *position, d *definitions, events []hall.Event, skip map[string]bool, measure bool) (bool, error) {
	var prepared preparation
	for i := range events {
		if !skip[events[i].ID] {
			prepared.add(d.all, &events[i], p.zone, p.after == "" && i == 0)
		}
	}
	g := keysOf(c.prefix, id).generation(p.day, p.generation)
	names, at := []string{g.head(), g.names(), g.aside()}, map[string]int{}
	last := events[len(events)-1].ID
	firstAt := int64(0)
	if measure {
		firstAt = events[0].At.UnixMilli()
	}
	args := make([]any, 0, 6+8*len(prepared.changes))
	args = append(args, p.after, last, len(events), asideKept, firstAt, len(prepared.faults))
	for _, f := range prepared.faults {
		args = append(args, f.metric, f.event, f.reason)
	}
	for i := range prepared.changes {
		change := &prepared.changes[i]
		key := g.figure(change.of, change.key)
		index, ok := at[key]
		if !ok {
			names = append(names, key)
			index = len(names)
			at[key] = index
		}
		args = append(args, change.metric, change.event, change.command, index, len(change.args))
		for _, arg := range change.args {
			args = append(args, arg)
		}
	}
	saved, err := batchApply.Run(ctx, c.client, names, args...).Int()
	if err != nil {
		return false, failed("save figures", err)
	}
	if saved == 1 {
		p.after = last
	}
	return saved == 1, nil
}
