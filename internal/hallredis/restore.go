package hallredis

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hallfile"
)

const (
	// copyLasts is how long the copy of a hall stays where nobody finishes it.
	copyLasts = time.Hour
	// copyBytes is how much one step of loading writes, a single text apart.
	copyBytes = 1 << 20
)

// RestoreHall makes the hall that a file has; under the id as, or that of the file
// if it is empty. It is there as a whole or not at all: a file that is damaged, or that
// Redis cannot take, leaves nothing behind. CodeChanged for a hall that is there
// already, CodeInvalid for an id that none can have; errors of package hallfile.
func (s *Store) RestoreHall(ctx context.Context, file *os.File, as string) (id string, summary hallfile.Summary, err error) {
	checked, err := hallfile.Check(file)
	if err != nil {
		return "", summary, err
	}
	if id = as; id == "" {
		id = checked.Header.Hall
	}
	if fault := hall.IDFault(id); fault != "" {
		return "", summary, &hall.Error{
			Code: hall.CodeInvalid, Message: fmt.Sprintf("The id %q of the hall %s.", id, fault),
			Faults: []hall.Fault{{Location: "path.hall", Message: fault, Value: id}},
		}
	}
	k := keysOf(s.prefix, id)
	n, err := s.client.Exists(ctx, k.hall()).Result()
	if err != nil {
		return "", summary, s.failed("hall", err)
	}
	if n > 0 {
		return "", summary, thereAlready(id)
	}
	l := &loader{store: s, keys: k, copy: keys{k.base + "restore:" + rand.Text() + ":"}}
	if err := l.restore(ctx, file, id); err != nil {
		return "", summary, errors.Join(err, l.drop(context.WithoutCancel(ctx)))
	}
	// The list lives in another slot: a hall is written first and listed then.
	if err := s.client.ZAdd(ctx, hallsKey(s.prefix), redis.Z{Member: id}).Err(); err != nil {
		return "", summary, s.failed("list of halls", err)
	}
	return id, checked.Summary, nil
}

func thereAlready(id string) error {
	return &hall.Error{Code: hall.CodeChanged, Message: fmt.Sprintf("There is a hall %q already.", id)}
}

// loader loads a file into keys that nobody knows, in the slot of the hall, and
// renames them all in one step.
type loader struct {
	store *Store
	keys  keys
	copy  keys
	names [][2]string // key and when it ends: see hall_restore.lua

	key   hallfile.Key
	batch [][]any // commands for the key
	added int     // elements in them
	bytes int
}

func (l *loader) restore(ctx context.Context, file *os.File, id string) error {
	r, err := hallfile.Read(file)
	if err != nil {
		return err
	}
	for {
		if l.key, err = r.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := l.load(ctx, r); err != nil {
			return err
		}
	}
	if err := l.readable(ctx, id); err != nil {
		return err
	}
	return l.rename(ctx, id)
}

// load loads one key. What ended meanwhile is left out.
func (l *loader) load(ctx context.Context, r *hallfile.Reader) error {
	if kind := kindOf(l.key.Name); kind == 0 || kind != l.key.Kind {
		return fmt.Errorf("the backup of program %q has a key %q of kind %q, which no hall of this program has", r.Header.Program, l.key.Name, l.key.Kind)
	}
	last, n := "", 0
	for {
		texts, err := r.Element()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		last, n = texts[0], n+1
		if err := l.add(ctx, texts); err != nil {
			return err
		}
	}
	if err := l.flush(ctx); err != nil {
		return err
	}
	there := n > 0
	if l.key.Kind == hallfile.Stream && r.Stream.Last != "" && r.Stream.Last != "0-0" {
		there = true // also without an entry
		if err := l.endStream(ctx, r.Stream, last, n); err != nil {
			return err
		}
	}
	if !there {
		return nil
	}
	ends := ""
	if !l.key.Ends.IsZero() {
		ends = strconv.FormatInt(l.key.Ends.UnixMilli(), 10)
	}
	l.names = append(l.names, [2]string{l.key.Name, ends})
	return nil
}

// target is where the key is loaded.
func (l *loader) target() string { return l.copy.base + l.key.Name }

// add adds an element, now or with the next ones.
func (l *loader) add(ctx context.Context, texts []string) error {
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = text
		l.bytes += len(text)
	}
	command := map[hallfile.Kind]string{
		hallfile.String: "SET", hallfile.Hash: "HSET", hallfile.ZSet: "ZADD", hallfile.List: "RPUSH", hallfile.Stream: "XADD",
	}[l.key.Kind]
	if l.key.Kind == hallfile.ZSet {
		slices.Reverse(args) // the score comes first
	}
	if len(l.batch) == 0 || l.key.Kind == hallfile.Stream { // of all others one command takes many
		l.batch = append(l.batch, []any{command, l.target()})
	}
	last := &l.batch[len(l.batch)-1]
	*last = append(*last, args...)
	if l.added++; l.added >= chunk || l.bytes >= copyBytes {
		return l.flush(ctx)
	}
	return nil
}

// flush writes what was added. From its first element on the key ends by itself.
func (l *loader) flush(ctx context.Context) error {
	if len(l.batch) == 0 {
		return nil
	}
	_, err := l.store.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		for _, args := range l.batch {
			p.Do(ctx, args...)
		}
		p.PExpire(ctx, l.target(), copyLasts)
		return nil
	})
	l.batch, l.added, l.bytes = nil, 0, 0
	if err != nil {
		return l.store.failed("restore", err)
	}
	return nil
}

// endStream makes the stream go on as the one that was read would have.
func (l *loader) endStream(ctx context.Context, state hallfile.StreamState, last string, n int) error {
	if state.Last == last && state.Deleted == "0-0" && state.Added == strconv.Itoa(n) {
		return nil
	}
	client, key := l.store.client, l.target()
	_, err := client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		if state.Last != last {
			p.XAdd(ctx, &redis.XAddArgs{Stream: key, ID: state.Last, Values: []string{"deleted", ""}})
			p.XDel(ctx, key, state.Last)
		}
		p.PExpire(ctx, key, copyLasts)
		return nil
	})
	if err != nil {
		return l.store.failed("restore", err)
	}
	if state.Added == "" || state.Deleted == "" {
		return nil
	}
	err = client.Do(ctx, "XSETID", key, state.Last, "ENTRIESADDED", state.Added, "MAXDELETEDID", state.Deleted).Err()
	if err != nil && !strings.Contains(err.Error(), "unknown command") { // an in-process server keeps the last id only
		return l.store.failed("restore", err)
	}
	return nil
}

// readable reports an error for a copy that would be no hall.
func (l *loader) readable(ctx context.Context, id string) error {
	if _, err := l.store.hallBy(ctx, id, l.copy); err != nil {
		return fmt.Errorf("the backup has no hall that can be read: %w", err)
	}
	fields, err := l.store.client.HGetAll(ctx, l.copy.hall()).Result()
	if err != nil {
		return l.store.failed("hall", err)
	}
	if _, err := decode[hall.Rules]("rules", fields["rules"]); err != nil {
		return fmt.Errorf("the backup has no hall that can be read: %w", err)
	}
	for _, field := range []string{"base", "dayNumber", "version"} {
		if _, err := strconv.ParseInt(fields[field], 10, 64); err != nil {
			return fmt.Errorf("the backup has no hall that can be read: its %s is %q", field, fields[field])
		}
	}
	return nil
}

// rename puts the copy in the place of the hall.
func (l *loader) rename(ctx context.Context, id string) error {
	names, err := json.Marshal(l.names)
	if err != nil {
		return fmt.Errorf("encode names: %w", err)
	}
	declared := make([]string, 0, 2*len(l.names))
	for _, name := range l.names {
		declared = append(declared, l.copy.base+name[0], l.keys.base+name[0])
	}
	o, _, err := l.store.runCommand(ctx, hallRestore, id, hall.System, &command{
		now: l.store.nowMillis(), args: []any{strings.TrimPrefix(l.copy.base, l.keys.base), string(names)}, keys: declared,
	})
	switch {
	case hall.CodeOf(err) == hall.CodeChanged:
		return thereAlready(id)
	case err == nil && o == outcomeNobody:
		return errors.New("the copy of the hall was gone before it was whole")
	default:
		return err
	}
}

// drop deletes the copy.
func (l *loader) drop(ctx context.Context) error {
	all := []string{l.target()}
	for _, name := range l.names {
		all = append(all, l.copy.base+name[0])
	}
	for some := range slices.Chunk(all, chunk) {
		if err := l.store.client.Unlink(ctx, some...).Err(); err != nil {
			return l.store.failed("restore", err)
		}
	}
	return nil
}
