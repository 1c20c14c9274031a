package hallredis

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// watchHealth is how often a silent subscription is checked.
const watchHealth = 2 * time.Second

// Watch implements hall.Watcher.
func (s *Store) Watch(ctx context.Context, changed func(hall.Hint)) error {
	subscription := s.client.PSubscribe(ctx, hintsPattern(s.prefix))
	defer func() { _ = subscription.Close() }()
	messages := subscription.ChannelWithSubscriptions(redis.WithChannelHealthCheckInterval(watchHealth))
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m, ok := <-messages:
			if !ok {
				return fmt.Errorf("watch: %w: subscription closed", hall.ErrUnavailable)
			}
			switch m := m.(type) {
			case *redis.Subscription: // also after every reconnection: hints may have been lost
				changed(hall.Hint{})
			case *redis.Message:
				changed(s.hintOf(m))
			}
		}
	}
}

// hintOf reads what answer.lua publishes: the version and the next due time.
func (s *Store) hintOf(m *redis.Message) hall.Hint {
	version, due, _ := strings.Cut(m.Payload, " ")
	h := hall.Hint{Hall: hallOfChannel(s.prefix, m.Channel)}
	h.Version, _ = strconv.ParseInt(version, 10, 64)
	if ms, err := strconv.ParseInt(due, 10, 64); err == nil {
		h.Due = atMillis(ms)
	}
	return h
}

// Snapshot implements hall.Watcher.
func (s *Store) Snapshot(ctx context.Context, id string) (hall.Snapshot, error) {
	return s.snapshot(ctx, id, hall.LineShown, hall.AsideShown)
}

func (s *Store) snapshot(ctx context.Context, id string, line, aside int) (hall.Snapshot, error) {
	_, r, err := s.run(ctx, snapshot, id, hall.Caller{}, line, aside, hall.CommandsShown)
	if err != nil {
		return hall.Snapshot{}, err
	}
	snap := hall.Snapshot{Now: atMillis(r.number(0)), States: map[hall.CandidateState]int{}, Waiting: map[string]int{}}
	if snap.Hall, err = hallOf(id, r.pairs(1), r.pairs(2)); err != nil {
		return hall.Snapshot{}, err
	}
	open, err := sittingsOf(r.list(4))
	if err != nil {
		return hall.Snapshot{}, err
	}
	if snap.Machines, err = machinesOf(r.list(3), open, &snap.Hall.Layout); err != nil {
		return hall.Snapshot{}, err
	}
	if snap.Calls, err = sittingsOf(r.list(5)); err != nil {
		return hall.Snapshot{}, err
	}
	if snap.Line, err = lineOf(r.list(6), r.list(12), false); err != nil {
		return hall.Snapshot{}, err
	}
	if snap.Aside, err = entriesOf(r.list(7)); err != nil {
		return hall.Snapshot{}, err
	}
	for state, n := range r.pairs(8) {
		snap.States[hall.CandidateState(state)], _ = strconv.Atoi(n)
	}
	waiting := r.list(9)
	for i := 0; i+1 < len(waiting); i += 2 {
		snap.Waiting[waiting.text(i)] = int(waiting.number(i + 1))
	}
	commands := r.list(10)
	for i := 0; i+1 < len(commands); i += 2 {
		e, err := eventOf(commands.text(i), commands.pairs(i+1))
		if err != nil {
			return hall.Snapshot{}, err
		}
		snap.Commands = append(snap.Commands, e)
	}
	snap.Incidents = int(r.number(11))
	snap.Alerts, err = alertsOf(r.texts(13))
	return snap, err
}

// sittingsOf reads a flat list of sittings and their persons.
func sittingsOf(r reply) ([]hall.Sitting, error) {
	sittings := make([]hall.Sitting, 0, len(r)/2)
	for i := 0; i+1 < len(r); i += 2 {
		s, err := sittingOf(r.text(i), r.text(i+1))
		if err != nil {
			return nil, err
		}
		sittings = append(sittings, s)
	}
	return sittings, nil
}

// machinesOf reads machine records into the order of the layout.
func machinesOf(r reply, open []hall.Sitting, layout *hall.Layout) ([]hall.Machine, error) {
	sitting := make(map[string]*hall.Sitting, len(open))
	for i := range open {
		sitting[open[i].ID] = &open[i]
	}
	known := make(map[string]hall.Machine, len(r))
	for i := range r {
		m, err := machineOf(r.text(i))
		if err != nil {
			return nil, err
		}
		known[m.ID] = m
	}
	machines := make([]hall.Machine, 0, len(r))
	for _, spec := range layout.Machines {
		m, ok := known[spec.ID]
		if !ok {
			continue
		}
		if spec.Label != "" {
			m.Label = spec.Label
		}
		m.Current = sitting[m.Sitting]
		machines = append(machines, m)
	}
	return machines, nil
}
