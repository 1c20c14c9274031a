package hallredis

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hallfile"
)

// begin begins a key in the file.
func (b *backup) begin(key string) {
	name := strings.TrimPrefix(key, b.keys.base)
	b.w.Key(hallfile.Key{Kind: kindOf(name), Name: name})
}

// copyKey copies a key that does not change, if it is there.
func (b *backup) copyKey(ctx context.Context, tx *redis.Tx, key string) error {
	n, err := tx.Exists(ctx, key).Result()
	if err != nil || n == 0 {
		return err
	}
	b.begin(key)
	switch kindOf(strings.TrimPrefix(key, b.keys.base)) {
	case hallfile.Hash:
		return b.copyHash(ctx, tx, key)
	case hallfile.ZSet:
		return b.copyZSet(ctx, tx, key)
	case hallfile.List:
		return b.copyList(ctx, tx, key)
	case hallfile.Stream:
		_, err := b.copyStream(ctx, tx, key)
		return err
	default:
		return fmt.Errorf("key %s is of no kind", key)
	}
}

func (b *backup) copyHash(ctx context.Context, tx *redis.Tx, key string) error {
	for cursor := uint64(0); ; {
		flat, next, err := tx.HScan(ctx, key, cursor, "", chunk).Result()
		if err != nil {
			return err
		}
		for i := 0; i+1 < len(flat); i += 2 {
			b.w.Add(flat[i], flat[i+1])
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func (b *backup) copyZSet(ctx context.Context, tx *redis.Tx, key string) error {
	for first := int64(0); ; first += chunk {
		members, err := tx.ZRangeWithScores(ctx, key, first, first+chunk-1).Result()
		if err != nil {
			return err
		}
		b.addMembers(members)
		if len(members) < chunk {
			return nil
		}
	}
}

func (b *backup) addMembers(members []redis.Z) {
	for _, z := range members {
		member, _ := z.Member.(string)
		b.w.Add(member, strconv.FormatFloat(z.Score, 'f', -1, 64))
	}
}

func (b *backup) copyList(ctx context.Context, tx *redis.Tx, key string) error {
	for first := int64(0); ; first += chunk {
		values, err := tx.LRange(ctx, key, first, first+chunk-1).Result()
		if err != nil {
			return err
		}
		for _, value := range values {
			b.w.Add(value)
		}
		if len(values) < chunk {
			return nil
		}
	}
}

// copyStream copies the entries of a stream until there are no more, and returns the last id.
func (b *backup) copyStream(ctx context.Context, tx *redis.Tx, key string) (last string, err error) {
	for from := "-"; ; from = "(" + last {
		entries := xrange(ctx, key, from, chunk)
		if err := tx.Process(ctx, entries); err != nil {
			return "", err
		}
		b.addEntries(entries.Val())
		b.count(key, len(entries.Val()))
		if n := len(entries.Val()); n > 0 {
			last = reply(entries.Val()).list(n - 1).text(0)
		}
		if len(entries.Val()) < chunk {
			return last, nil
		}
	}
}

// xrange reads entries with their fields in order, which the client's own
// command does not keep; at most so many, all if limit is 0.
func xrange(ctx context.Context, key, from string, limit int) *redis.SliceCmd {
	args := []any{"XRANGE", key, from, "+"}
	if limit > 0 {
		args = append(args, "COUNT", limit)
	}
	return redis.NewSliceCmd(ctx, args...)
}

// addEntries writes entries of a stream.
func (b *backup) addEntries(entries reply) {
	for i := range entries {
		entry := entries.list(i)
		b.w.Add(append([]string{entry.text(0)}, entry.texts(1)...)...)
	}
}

// count counts the events of the present day.
func (b *backup) count(key string, n int) {
	if key == b.keys.events() {
		b.summary.Events += n
	}
}
