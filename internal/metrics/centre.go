package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// DefaultBatch is how many events are taken at once.
const DefaultBatch = 200

// asideKept is how many things that could not be saved are kept of a day; all are counted.
const asideKept = 100

// Source is what the centre needs of hall.Store.
type Source interface {
	Hall(ctx context.Context, id string) (hall.Hall, error)
	HallIDs(ctx context.Context) ([]string, error)
	DayEvents(ctx context.Context, id string, number int, after string, limit int) (hall.DayEvents, error)
	DayNumber(ctx context.Context, id, day string) (int, error)
	Watch(ctx context.Context, changed func(hall.Hint)) error
}

// Options are how a Centre works; the zero Options are good.
type Options struct {
	Prefix string           // begins every key; DefaultPrefix if empty
	Batch  int              // events taken at once; DefaultBatch if 0
	Now    func() time.Time // the time of the store, for queries of the present hour; nil is time.Now
	Log    *slog.Logger     // nil drops it
}

// Centre keeps the figures of all halls. Any number of them may work on the
// same halls.
type Centre struct {
	client redis.UniversalClient
	source Source
	prefix string
	batch  int
	now    func() time.Time
	log    *slog.Logger

	builtIn []*definition
	fresh   time.Duration // how long definitions are taken to be those in use

	mu    sync.Mutex
	known *definitions
	halls map[string]*followed
	put   func() // told when a definition was put; see Follower
}

// followed is what a node knows of one hall. Whoever holds turn may use it.
type followed struct {
	turn chan struct{}
	at   *position // nil when it has to be read
}

var _ hall.Metrics = (*Centre)(nil)

// New returns a centre on a client, fed by a source of events.
func New(client redis.UniversalClient, source Source, o Options) (*Centre, error) {
	builtIn, err := readBuiltIn()
	if err != nil {
		return nil, err
	}
	c := &Centre{
		client: client, source: source, prefix: cmp.Or(o.Prefix, DefaultPrefix), batch: cmp.Or(o.Batch, DefaultBatch), now: o.Now, log: o.Log,
		builtIn: builtIn, fresh: time.Second, halls: map[string]*followed{}, put: func() {},
	}
	if c.now == nil {
		c.now = time.Now //nolint:forbidigo // the clock of who gives none
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// take waits for a hall's turn on this node.
func (c *Centre) take(ctx context.Context, id string) (*followed, error) {
	c.mu.Lock()
	f := c.halls[id]
	if f == nil {
		f = &followed{turn: make(chan struct{}, 1)}
		c.halls[id] = f
	}
	c.mu.Unlock()
	select {
	case f.turn <- struct{}{}:
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *followed) give() { <-f.turn }

// passing lists the beginnings of error replies that say "not now".
var passing = []string{"LOADING", "MASTERDOWN", "READONLY", "CLUSTERDOWN", "TRYAGAIN", "MISCONF", "NOREPLICAS", "OOM", "BUSY"}

// failed wraps an error of the client or of Redis: what may pass by itself is
// hall.ErrUnavailable, a bug is not.
func failed(what string, err error) error {
	var fromRedis redis.Error
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("metrics: %s: %w", what, err)
	}
	if errors.As(err, &fromRedis) {
		for _, beginning := range passing {
			if strings.HasPrefix(err.Error(), beginning) {
				return fmt.Errorf("metrics: %s: %w: %w", what, hall.ErrUnavailable, err)
			}
		}
		return fmt.Errorf("metrics: %s: %w", what, err)
	}
	return fmt.Errorf("metrics: %s: %w: %w", what, hall.ErrUnavailable, err)
}
