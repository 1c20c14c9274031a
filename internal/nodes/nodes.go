// Package nodes keeps in Redis what the nodes of a site have to agree on when
// they tell somebody outside what happens: how far the events of each hall were
// told, who does so at the moment, and which outage is the next one.
package nodes

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// DefaultPrefix begins every key unless New is told another one.
const DefaultPrefix = "hallcall:"

//go:embed lua
var luaFiles embed.FS

var (
	lease    = newScript("lease")
	release  = newScript("release")
	move     = newScript("move")
	exchange = newScript("exchange")
)

func newScript(name string) *redis.Script {
	text, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // the files are embedded: a wrong name cannot pass the first test
	}
	return redis.NewScript(string(text))
}

// Nodes is what this node knows of the others. All of it is in Redis.
type Nodes struct {
	client redis.UniversalClient
	prefix string
}

// New returns what the nodes with the same Redis and prefix share.
func New(client redis.UniversalClient, prefix string) *Nodes {
	return &Nodes{client: client, prefix: cmp.Or(prefix, DefaultPrefix)}
}

// escape keeps what ends a hash tag out of an id, as the keys of the hall do.
var escape = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// webhookKey is a hash in the slot of a hall: "day" and "after", the position;
// "node" and "until", the lease; "lost", how many events were given up.
func (n *Nodes) webhookKey(hallID string) string {
	return n.prefix + "{" + escape.Replace(hallID) + "}:webhook"
}

// outageKey is a string of the site: what the next outage will be called.
func (n *Nodes) outageKey() string { return n.prefix + "outage" }

// Position is how far the events of a hall were told; zero if not at all.
func (n *Nodes) Position(ctx context.Context, hallID string) (hall.Position, error) {
	fields, err := n.client.HMGet(ctx, n.webhookKey(hallID), "day", "after").Result()
	if err != nil {
		return hall.Position{}, failed("position", err)
	}
	return positionOf(fields), nil
}

// Lease gives a hall to a node for a while, or says how long another node has
// it: wait is 0 for whoever got it. A lease that is lost does no harm: what was
// told is known by the position alone. It answers the position as well.
func (n *Nodes) Lease(ctx context.Context, hallID, node string, length time.Duration) (at hall.Position, wait time.Duration, err error) {
	answer, err := lease.Run(ctx, n.client, []string{n.webhookKey(hallID)}, node, length.Milliseconds()).Slice()
	if err != nil {
		return hall.Position{}, 0, failed("lease", err)
	}
	left, _ := answer[0].(int64)
	return positionOf(answer[1:]), time.Duration(left) * time.Millisecond, nil
}

// Release gives a hall back, if the node still has it.
func (n *Nodes) Release(ctx context.Context, hallID, node string) error {
	if err := release.Run(ctx, n.client, []string{n.webhookKey(hallID)}, node).Err(); err != nil {
		return failed("release", err)
	}
	return nil
}

// Move moves the position of a hall if it still is where from says, and counts
// events that were given up. It reports whether it did.
func (n *Nodes) Move(ctx context.Context, hallID string, from, to hall.Position, lost int) (bool, error) {
	moved, err := move.Run(ctx, n.client, []string{n.webhookKey(hallID)}, from.Day, from.After, to.Day, to.After, lost).Int()
	if err != nil {
		return false, failed("move", err)
	}
	return moved == 1, nil
}

// Lost counts the events of a hall that were given up.
func (n *Nodes) Lost(ctx context.Context, hallID string) (int, error) {
	lost, err := n.client.HGet(ctx, n.webhookKey(hallID), "lost").Int()
	if err != nil && !errors.Is(err, redis.Nil) {
		return 0, failed("lost", err)
	}
	return lost, nil
}

// NextOutage is what the next outage of Redis will be called by every node. To
// ask for it is also to see whether Redis answers.
func (n *Nodes) NextOutage(ctx context.Context) (string, error) {
	name, err := n.client.Get(ctx, n.outageKey()).Result()
	if errors.Is(err, redis.Nil) {
		if err = n.client.SetNX(ctx, n.outageKey(), newName(), 0).Err(); err == nil {
			name, err = n.client.Get(ctx, n.outageKey()).Result()
		}
	}
	if err != nil {
		return "", failed("next outage", err)
	}
	return name, nil
}

// EndOutage says that the outage with a name is over: the next one is another.
func (n *Nodes) EndOutage(ctx context.Context, name string) error {
	if err := exchange.Run(ctx, n.client, []string{n.outageKey()}, name, newName()).Err(); err != nil {
		return failed("end outage", err)
	}
	return nil
}

func newName() string { return strings.ToLower(rand.Text()[:16]) }

func positionOf(fields []any) hall.Position {
	text := func(i int) string { s, _ := fields[i].(string); return s }
	day, _ := strconv.Atoi(text(0))
	return hall.Position{Day: day, After: text(1)}
}

// failed wraps an error. Whoever asks does so again later, whatever it was.
func failed(what string, err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("nodes: %s: %w", what, err)
	}
	return fmt.Errorf("nodes: %s: %w: %w", what, hall.ErrUnavailable, err)
}
