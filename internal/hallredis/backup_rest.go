package hallredis

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hallfile"
)

// lease are the fields of the webhook that say which server has the hall at the
// moment: it has no meaning elsewhere.
var lease = []string{"node", "until"}

// rest is what Redis answers about the present day, all of one instant.
type rest struct {
	names   []string
	hashes  map[string]*redis.MapStringStringCmd
	zsets   map[string]*redis.ZSliceCmd
	lists   map[string]*redis.StringSliceCmd
	streams map[string]*redis.SliceCmd
	people  *redis.IntCmd // how many are on the roster
	more    *redis.Cmd    // see hall_backup.lua
	time    *redis.TimeCmd
}

// readRest reads everything of the hall but for what was read before: closed
// days, what is large of a quiet hall, and the events up to last.
func (b *backup) readRest(ctx context.Context, tx *redis.Tx, last string) (*rest, error) {
	r := &rest{
		names:  b.keys.present(subjectsOf(b.set)),
		hashes: map[string]*redis.MapStringStringCmd{}, zsets: map[string]*redis.ZSliceCmd{},
		lists: map[string]*redis.StringSliceCmd{}, streams: map[string]*redis.SliceCmd{},
	}
	if b.quiet {
		r.names = slices.DeleteFunc(r.names, func(name string) bool { return slices.Contains(b.keys.large(), name) })
	}
	_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
		r.time, r.people = p.Time(ctx), p.HLen(ctx, b.keys.candidates())
		r.more = hallBackup.lua.Eval(ctx, p, b.keys.scripted(b.keys.once("", "")), b.store.nowMillis(), "", "PUBLISH", "")
		for _, name := range r.names {
			if err := r.ask(ctx, p, b.keys, name, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r *rest) ask(ctx context.Context, p redis.Pipeliner, k keys, name, last string) error {
	switch kindOf(strings.TrimPrefix(name, k.base)) {
	case hallfile.Hash:
		r.hashes[name] = p.HGetAll(ctx, name)
	case hallfile.ZSet:
		r.zsets[name] = p.ZRangeWithScores(ctx, name, 0, -1)
	case hallfile.List:
		r.lists[name] = p.LRange(ctx, name, 0, -1)
	case hallfile.Stream:
		from := "-"
		if name == k.events() && last != "" {
			from = "(" + last
		}
		r.streams[name] = xrange(ctx, name, from, 0)
		return p.Process(ctx, r.streams[name])
	default:
	}
	return nil
}

// writeRest writes what was read, if it is of the day that was begun with. The
// events come first: they go on.
func (b *backup) writeRest(r *rest) error {
	h := r.hashes[b.keys.hall()].Val()
	var days []string
	for _, z := range r.zsets[b.keys.days()].Val() {
		day, _ := z.Member.(string)
		days = append(days, day)
	}
	if h["dayNumber"] != b.number || h["subjects"] != b.set || !slices.Equal(days, b.days) {
		return errChangedMeanwhile
	}
	answer, err := r.more.Slice()
	if err != nil {
		return err
	}
	more := reply(answer)
	if o := outcome(more.number(0)); o != outcomeOK {
		return o.refusal(hallBackup.name, nil)
	}
	b.summary.Day, b.summary.State = h["day"], h["state"]
	b.summary.Candidates = int(r.people.Val())
	b.writeStreams(r, more.list(2))
	b.writeKeys(r)
	b.writeAnswers(more.list(1), r.time.Val())
	return nil
}

func (b *backup) writeStreams(r *rest, known reply) {
	states := map[string]hallfile.StreamState{}
	for i := range known {
		states[known.list(i).text(0)] = streamStateOf(known.list(i).list(1))
	}
	for _, key := range []string{b.keys.events(), b.keys.commands(), b.keys.called()} {
		entries := r.streams[key].Val()
		_, exists := states[key]
		if key != b.keys.events() {
			if !exists {
				continue
			}
			b.begin(key)
		}
		b.addEntries(entries)
		b.count(key, len(entries))
		b.w.EndStream(states[key])
	}
}

// streamStateOf reads what XINFO STREAM answers.
func streamStateOf(info reply) hallfile.StreamState {
	state := hallfile.StreamState{}
	for i := 0; i+1 < len(info); i += 2 {
		switch info.text(i) {
		case "last-generated-id":
			state.Last = info.text(i + 1)
		case "max-deleted-entry-id":
			state.Deleted = info.text(i + 1)
		case "entries-added":
			state.Added = strconv.FormatInt(info.number(i+1), 10)
		}
	}
	if state.Deleted == "" { // an in-process server knows the last id only, and not always that
		return hallfile.StreamState{}
	}
	return state
}

func (b *backup) writeKeys(r *rest) {
	for _, name := range r.names {
		switch {
		case r.hashes[name] != nil && len(r.hashes[name].Val()) > 0:
			fields := r.hashes[name].Val()
			if name == b.keys.webhook() {
				for _, field := range lease {
					delete(fields, field)
				}
			}
			b.begin(name)
			for field, value := range fields {
				b.w.Add(field, value)
			}
		case r.zsets[name] != nil && len(r.zsets[name].Val()) > 0:
			b.begin(name)
			b.addMembers(r.zsets[name].Val())
		case r.lists[name] != nil && len(r.lists[name].Val()) > 0:
			b.begin(name)
			for _, value := range r.lists[name].Val() {
				b.w.Add(value)
			}
		}
	}
}

// writeAnswers writes the answers that are remembered, each until the time at which it ends.
func (b *backup) writeAnswers(answers reply, now time.Time) {
	for i := range answers {
		one := answers.list(i)
		b.w.Key(hallfile.Key{
			Kind: hallfile.String, Name: "once:" + one.text(0),
			Ends: now.Add(time.Duration(one.number(2)) * time.Millisecond),
		})
		b.w.Add(one.text(1))
	}
}
