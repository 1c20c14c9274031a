package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// How often figures are read while a monitor page is open.
const (
	figuresPause = 2 * time.Second  // at least between two readings of one hall
	figuresShare = 9                // a reading is followed by a pause of so many times its length
	figuresSweep = 30 * time.Second // at most, so that curves go on when nothing happens
)

// figuresCache keeps the figures of halls whose monitor page is open: the page
// changes with every event, its curves need not.
type figuresCache struct {
	store   hall.Store
	metrics hall.Metrics // may be nil
	touch   func(hallID string)
	watched func(hallID string) bool
	log     *slog.Logger
	pause   time.Duration

	mu    sync.Mutex
	halls map[string]*cachedFigures
}

// cachedFigures are the figures of a day as they were read last.
type cachedFigures struct {
	figures dayFigures
	day     string // that is open, "" if none is
	fresh   bool   // not to be read again yet
	asked   bool   // somebody wanted newer ones since
}

func newFiguresCache(cfg Config, touch func(string), watched func(string) bool) *figuresCache {
	return &figuresCache{
		store: cfg.Store, metrics: cfg.Metrics, touch: touch, watched: watched, log: cfg.Log, pause: figuresPause,
		halls: map[string]*cachedFigures{},
	}
}

// of returns the figures of the hall's day, a few seconds old at most while
// the hall changes; while no day is open those of the last one.
func (c *figuresCache) of(ctx context.Context, s *hall.Snapshot) (dayFigures, error) {
	c.mu.Lock()
	if kept := c.halls[s.Hall.ID]; kept != nil && kept.fresh && kept.day == s.Hall.Day.ID {
		kept.asked = true
		defer c.mu.Unlock()
		return kept.figures, nil
	}
	c.mu.Unlock()

	began := time.Now() //nolint:forbidigo // measures
	figures, err := c.read(ctx, s)
	if errors.Is(err, hall.ErrUnavailable) || ctx.Err() != nil {
		return dayFigures{}, err
	}
	if err != nil {
		c.log.Warn("figures not shown", "hall", s.Hall.ID, "error", err)
	}
	c.keep(s.Hall.ID, &cachedFigures{figures: figures, day: s.Hall.Day.ID, fresh: true}, time.Since(began))
	return figures, nil
}

// keep has figures used for a while that is long beside the time it took to read them.
func (c *figuresCache) keep(id string, kept *cachedFigures, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halls[id] = kept
	time.AfterFunc(max(c.pause, figuresShare*took), func() { c.expire(id, kept) })
}

// expire has figures read again: at once if something happened meanwhile.
func (c *figuresCache) expire(id string, kept *cachedFigures) {
	c.mu.Lock()
	kept.fresh = false
	current, asked := c.halls[id] == kept, kept.asked
	if current && !asked && !c.watched(id) {
		delete(c.halls, id)
		current = false
	}
	c.mu.Unlock()
	switch {
	case !current:
	case asked:
		c.touch(id)
	default:
		time.AfterFunc(figuresSweep, func() { c.sweep(id, kept) })
	}
}

// sweep renews figures that nobody asked for in a long time, or forgets them.
func (c *figuresCache) sweep(id string, kept *cachedFigures) {
	c.mu.Lock()
	current := c.halls[id] == kept
	if current && !c.watched(id) {
		delete(c.halls, id)
	}
	c.mu.Unlock()
	if current {
		c.touch(id)
	}
}

// read asks for the figures of a day and, for the present one, reads the line.
func (c *figuresCache) read(ctx context.Context, s *hall.Snapshot) (figures dayFigures, err error) {
	day := ""
	if s.Hall.Day.State != hall.DayOpen {
		if figures.closed, err = c.lastClosed(ctx, s.Hall.ID); err != nil || figures.closed == nil {
			return figures, err
		}
		day = figures.closed.ID
	}
	if c.metrics != nil {
		err = figures.read(ctx, c.metrics, &s.Hall, day)
		if len(figures.missing) > 0 {
			c.log.Warn("figures left out", "hall", s.Hall.ID, "metrics", figures.missing)
		}
	}
	if err != nil || day != "" || s.States[hall.Waiting] == 0 {
		return figures, err
	}
	line, err := c.store.Line(ctx, s.Hall.ID, hall.LineFilter{}, hall.Page{})
	figures.readLine(line.Items, s.Now)
	return figures, err
}

// lastClosed is the day that was closed last, nil for none.
func (c *figuresCache) lastClosed(ctx context.Context, id string) (*hall.DaySummary, error) {
	days, err := c.store.Days(ctx, id, hall.Page{Number: 1, Size: 2})
	if err != nil {
		return nil, err
	}
	for i := range days.Items {
		if days.Items[i].State == hall.DayClosed {
			return &days.Items[i], nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}
