package hallredis

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// EraseDay implements hall.Days.
func (s *Store) EraseDay(ctx context.Context, id, day string, by hall.Caller) error {
	if day == hall.CurrentDay {
		h, err := s.Hall(ctx, id)
		if err != nil {
			return err
		}
		return outcomeWrongState.refusal(dayErase.name, reply{string(h.Day.State)})
	}
	if day == "" {
		return outcomeUnknownDay.refusal(dayErase.name, nil)
	}
	by.Key = "" // what is erased is so: a second time changes nothing
	k := keysOf(s.prefix, id).ofDay(day)
	for step := ""; ; {
		_, r, err := s.runCommand(ctx, dayErase, id, by, &command{now: s.nowMillis(), args: []any{day, step}, keys: []string{
			k.hall(), k.people(), k.notes(), k.reasons(), k.commands(), k.called(), k.pauses(), k.machines(), k.incidents(), k.corrections(),
		}})
		if err != nil {
			return err
		}
		if step = r.text(0); step == "" {
			return s.rewriteLog(ctx)
		}
	}
}

// Rewriting the append-only file: how often it is asked for while another
// rewriting, which began before, is under way.
const (
	rewriteTries = 50
	rewriteAgain = 200 * time.Millisecond
)

// rewriteLog has the append-only file written anew, so that what was erased is
// not found in its past. It goes on in the background.
func (s *Store) rewriteLog(ctx context.Context) error {
	rewrite := func(ctx context.Context, c *redis.Client) error { return c.BgRewriteAOF(ctx).Err() }
	for range rewriteTries {
		var err error
		switch client := s.client.(type) {
		case *redis.ClusterClient:
			err = client.ForEachMaster(ctx, rewrite)
		default:
			err = client.BgRewriteAOF(ctx).Err()
		}
		switch {
		case err == nil, strings.Contains(err.Error(), "unknown command"): // the in-process server has no such file
			return nil
		case !strings.Contains(err.Error(), "already in progress"):
			return s.failed("rewrite of the append-only file", err)
		}
		timer := time.NewTimer(rewriteAgain)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("rewrite of the append-only file: %w", ctx.Err())
		case <-timer.C:
		}
	}
	return fmt.Errorf("rewrite of the append-only file: %w: another one does not end", hall.ErrUnavailable)
}

// EraseOldDays implements hall.Days.
func (s *Store) EraseOldDays(ctx context.Context, id string) ([]string, error) {
	h, err := s.Hall(ctx, id)
	if err != nil {
		return nil, err
	}
	now, err := s.Now(ctx)
	if err != nil {
		return nil, err
	}
	kept := now.AddDate(0, 0, -h.Layout.Rules.KeepDays)
	k, erased := keysOf(s.prefix, id), []string{}
	for first := int64(0); ; first += chunk {
		ids, err := s.client.ZRange(ctx, k.days(), first, first+chunk-1).Result() // the earliest in front
		if err != nil {
			return erased, s.failed("days", err)
		}
		all := make([]keys, len(ids))
		for i, day := range ids {
			all[i] = k.ofDay(day)
		}
		days, err := s.summaries(ctx, all)
		if err != nil {
			return erased, err
		}
		for i := range days {
			switch {
			case days[i].ClosedAt.After(kept):
				return erased, nil
			case !days[i].ErasedAt.IsZero():
				continue
			}
			if err := s.EraseDay(ctx, id, days[i].ID, hall.System); err != nil {
				return erased, err
			}
			erased = append(erased, days[i].ID)
		}
		if len(ids) < chunk {
			return erased, nil
		}
	}
}
