package metrics

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// Follow brings the figures of a hall up to its last event. It is safe to run
// twice and on many nodes.
func (c *Centre) Follow(ctx context.Context, id string) error {
	f, err := c.take(ctx, id)
	if err != nil {
		return err
	}
	defer f.give()
	return c.follow(ctx, id, f)
}

// follow takes batch after batch until there is nothing more.
func (c *Centre) follow(ctx context.Context, id string, f *followed) error {
	for {
		d, err := c.definitions(ctx, false)
		if err != nil {
			return err
		}
		if f.at == nil {
			if f.at, err = c.readPosition(ctx, id, 0); err != nil {
				return err
			}
		}
		if d.version.older(f.at.by) {
			// Another node knows newer definitions, or is a newer program, whose
			// figures this one leaves alone.
			if d, err = c.definitions(ctx, true); err != nil || d.version.older(f.at.by) {
				f.at = nil
				return err
			}
		}
		if f.at.generation == "" || f.at.by.older(d.version) {
			if err := c.rebuild(ctx, id, f, d); err != nil {
				return err
			}
			continue
		}
		more, err := c.step(ctx, id, f, d)
		if err != nil || !more {
			return err
		}
	}
}

// step takes one batch; more says that there may be another one.
func (c *Centre) step(ctx context.Context, id string, f *followed, d *definitions) (more bool, err error) {
	day, err := c.source.DayEvents(ctx, id, f.at.day, f.at.after, c.batch)
	if hall.CodeOf(err) == hall.CodeUnknownDay {
		return false, c.skipTo(ctx, id, f)
	}
	if err != nil {
		return false, err
	}
	if len(day.Events) == 0 {
		if !day.Closed {
			return false, nil
		}
		return true, c.advance(ctx, id, f, f.at.day+1)
	}
	skip := map[string]bool{}
	if takesBack(day.Events, f.at.after, skip) {
		return true, c.rebuild(ctx, id, f, d)
	}
	saved, err := c.apply(ctx, id, f.at, d, day.Events, skip, true)
	if err != nil || !saved {
		f.at = nil // whether it was saved is not known, or somebody else did
		return err == nil, err
	}
	return day.Closed || len(day.Events) == c.batch, nil
}

// takesBack adds the events that others take back to undone, and reports
// whether one of them lies at or before a position: it is in the figures then.
func takesBack(events []hall.Event, after string, undone map[string]bool) bool {
	behind := false
	for i := range events {
		e := &events[i]
		if e.Event != hall.EventUndone || undone[e.Undoes] {
			continue
		}
		undone[e.Undoes] = true
		behind = behind || !later(e.Undoes, after)
	}
	return behind
}

// later reports whether the event with the id a comes after the one with b.
func later(a, b string) bool {
	ams, an := idOf(a)
	bms, bn := idOf(b)
	return ams > bms || (ams == bms && an > bn)
}

func idOf(id string) (ms, n uint64) {
	first, second, _ := strings.Cut(id, "-")
	ms, _ = strconv.ParseUint(first, 10, 64)
	n, _ = strconv.ParseUint(second, 10, 64)
	return ms, n
}

// advance goes on with another day.
func (c *Centre) advance(ctx context.Context, id string, f *followed, day int) error {
	k := keysOf(c.prefix, id)
	if err := dayAdvance.Run(ctx, c.client, []string{k.followed()}, f.at.day, day).Err(); err != nil {
		return failed("next day", err)
	}
	f.at = nil
	return nil
}

// skipTo goes on with the present day where the one that is followed is not
// kept any more.
func (c *Centre) skipTo(ctx context.Context, id string, f *followed) error {
	present, err := c.source.DayNumber(ctx, id, hall.CurrentDay)
	if err != nil || present == f.at.day {
		return err
	}
	if err := c.advance(ctx, id, f, present); err != nil {
		return err
	}
	return c.follow(ctx, id, f)
}

// rebuilds is how often a rebuild begins anew when something is taken back
// that it had taken in.
const rebuilds = 10

// Rebuilt says what Rebuild has made.
type Rebuilt struct {
	Day    int
	Events int
	Aside  int // what could not be saved
}

// Rebuild makes the figures of a hall's present day anew.
func (c *Centre) Rebuild(ctx context.Context, id string) (Rebuilt, error) {
	f, err := c.take(ctx, id)
	if err != nil {
		return Rebuilt{}, err
	}
	defer f.give()
	d, err := c.definitions(ctx, true)
	if err == nil {
		err = c.follow(ctx, id, f) // to the present day
	}
	if err == nil && f.at != nil {
		err = c.rebuild(ctx, id, f, d)
	}
	if err == nil {
		err = c.follow(ctx, id, f) // whatever another node did meanwhile
	}
	if err != nil {
		return Rebuilt{}, err
	}
	if f.at == nil {
		return Rebuilt{}, errors.New("metrics: the figures are kept by a newer program")
	}
	head := keysOf(c.prefix, id).generation(f.at.day, f.at.generation).head()
	counts, err := c.client.HMGet(ctx, head, "events", "aside").Result()
	if err != nil {
		return Rebuilt{}, failed("rebuilt", err)
	}
	number := func(i int) int { s, _ := counts[i].(string); n, _ := strconv.Atoi(s); return n }
	return Rebuilt{Day: f.at.day, Events: number(0), Aside: number(1)}, nil
}

// rebuild makes the figures of the followed day anew, from its events without
// those that were taken back, beside the ones in use, and puts them into use.
// If another node was sooner, its figures stay.
func (c *Centre) rebuild(ctx context.Context, id string, f *followed, d *definitions) error {
	old := f.at
	f.at = nil
	for range rebuilds {
		p, err := c.begin(ctx, id, old, d.version)
		if err != nil {
			return err
		}
		again, gone, err := c.fill(ctx, id, p, d)
		if err != nil || again {
			err = errors.Join(err, c.drop(context.WithoutCancel(ctx), keysOf(c.prefix, id), p.day, p.generation))
			if err != nil {
				return err
			}
			continue
		}
		if gone { // another node was sooner
			return nil
		}
		used, err := c.use(ctx, id, old, p)
		if used {
			f.at = p
		}
		return err
	}
	return fmt.Errorf("metrics: hall %s: events were taken back again and again while its figures were made", id)
}

// fill takes all events of the day into a generation. again says that one was
// taken back that had been taken in, gone that another node dropped it.
func (c *Centre) fill(ctx context.Context, id string, p *position, d *definitions) (again, gone bool, err error) {
	undone := map[string]bool{}
	for after := ""; ; {
		day, err := c.source.DayEvents(ctx, id, p.day, after, c.batch)
		if err != nil && hall.CodeOf(err) != hall.CodeUnknownDay {
			return false, false, err
		}
		if len(day.Events) == 0 {
			break
		}
		takesBack(day.Events, "", undone)
		after = day.Events[len(day.Events)-1].ID
	}
	for {
		day, err := c.source.DayEvents(ctx, id, p.day, p.after, c.batch)
		if err != nil && hall.CodeOf(err) != hall.CodeUnknownDay {
			return false, false, err
		}
		if len(day.Events) == 0 {
			return false, false, nil
		}
		if takesBack(day.Events, p.after, undone) {
			return true, false, nil
		}
		saved, err := c.apply(ctx, id, p, d, day.Events, undone, false)
		if err != nil || !saved {
			return false, !saved, err
		}
	}
}
