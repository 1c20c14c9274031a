package hallredis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallfile"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

// mover is a store whose halls move to another Redis now and then, between two commands.
type mover struct {
	hall.Store

	tb     testing.TB
	now    func() time.Time
	moves  int
	places []func(testing.TB) (redis.UniversalClient, string)
}

// State moves the hall first, at every ninth version of it.
func (m *mover) State(ctx context.Context, id string) (hall.State, error) {
	h, err := m.Hall(ctx, id)
	if err != nil {
		return hall.State{}, err
	}
	if h.Version%9 == 0 {
		m.moves++
		here, ok := m.Store.(*hallredis.Store)
		if !ok {
			return hall.State{}, errors.New("no store on Redis")
		}
		// All moves of a kind of Redis go to one, where each finds a space of its own.
		client, prefix := m.places[m.moves%len(m.places)](m.tb)
		there := hallredis.New(client, hallredis.Options{Prefix: fmt.Sprintf("%s%d:", prefix, m.moves), Now: m.now})
		file, err := os.CreateTemp(m.tb.TempDir(), "")
		if err != nil {
			return hall.State{}, err
		}
		defer func() { _ = file.Close() }()
		if _, err := here.BackupHall(ctx, id, "", file); err != nil {
			return hall.State{}, err
		}
		if _, _, err := there.RestoreHall(ctx, file, ""); err != nil {
			return hall.State{}, err
		}
		m.Store = there
	}
	return m.Store.State(ctx, id)
}

// TestRandomDaysMove plays random days that move from one Redis to another in the middle.
func TestRandomDaysMove(t *testing.T) {
	t.Parallel()
	halltest.Random(t, func(tb testing.TB) (hall.Store, *halltest.Clock) {
		tb.Helper()
		var places []func(testing.TB) (redis.UniversalClient, string)
		for _, connect := range []string{"redis", "memory", "redis"} {
			client, prefix := servers[connect](tb)
			places = append(places, func(testing.TB) (redis.UniversalClient, string) { return client, prefix })
		}
		client, prefix := places[0](tb)
		clock := halltest.NewClock()
		store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})
		return &mover{Store: store, tb: tb, now: clock.Now, places: places}, clock
	})
}

// same has of a state what does not depend on the ids of events, which are those of each Redis.
func same(t *testing.T, st hall.State) string {
	t.Helper()
	for i := range st.Events {
		e := &st.Events[i]
		e.ID, e.Cause, e.Undoes = "", "", ""
	}
	st.Reasons = nil
	return asJSON(t, st)
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRestoredDayGoesOn gives the same commands to a hall and to what was restored of it elsewhere.
func TestRestoredDayGoesOn(t *testing.T) {
	t.Parallel()
	for _, move := range moves() {
		t.Run(move[0]+" to "+move[1], func(t *testing.T) {
			t.Parallel()
			client, prefix := servers[move[0]](t)
			clock := halltest.NewClock()
			here := full(t, client, prefix, clock)
			other, otherPrefix := servers[move[1]](t)
			there := hallredis.New(other, hallredis.Options{Prefix: otherPrefix, Now: clock.Now})
			file := backup(t, here, "h")
			restore(t, there, file, "")

			// Phone pages, and answers to commands that were given before.
			for secret := range healthy(t, here, "h").Phones {
				want, err := here.Phone(t.Context(), "h", secret)
				got, otherErr := there.Phone(t.Context(), "h", secret)
				if err != nil || otherErr != nil || asJSON(t, got) != asJSON(t, want) {
					t.Errorf("the phone page is %s, want %s (%v, %v)", asJSON(t, got), asJSON(t, want), err, otherErr)
				}
			}
			again := hall.Caller{By: "test", Key: "roster again"}
			if _, err := there.PutRoster(t.Context(), "h", []hall.RosterRow{halltest.Row("other", "1")}, false, again); hall.CodeOf(err) != hall.CodeKeyReused {
				t.Errorf("another command with a key of before: %v", err)
			}
			commands := snapshot(t, here).Commands
			sitting, last := only(t, here, hall.SittingSeated), waiting(t, here)
			day := healthy(t, here, "h").Hall.Day.ID
			steps := []struct {
				name string
				give func(s *hallredis.Store) error
			}{
				{"undo of a command before", func(s *hallredis.Store) error {
					_, err := s.Undo(t.Context(), "h", commands[0].ID, false, testStaff)
					return err
				}},
				{"hold", func(s *hallredis.Store) error { _, err := s.Hold(t.Context(), "h", last, testStaff); return err }},
				{"resume", func(s *hallredis.Store) error { _, err := s.Resume(t.Context(), "h", "B", testStaff); return err }},
				{"seat", func(s *hallredis.Store) error { _, err := s.Seat(t.Context(), "h", sitting, testStaff); return err }},
				{"end", func(s *hallredis.Store) error { _, err := s.End(t.Context(), "h", sitting, testStaff); return err }},
				{"undo", func(s *hallredis.Store) error {
					_, err := s.Undo(t.Context(), "h", snapshot(t, s).Commands[0].ID, false, testStaff)
					return err
				}},
				{"end again", func(s *hallredis.Store) error { _, err := s.End(t.Context(), "h", sitting, testStaff); return err }},
				{"add", func(s *hallredis.Store) error {
					_, err := s.PutRoster(t.Context(), "h", []hall.RosterRow{halltest.Row("new", "1")}, false, testStaff)
					return err
				}},
				{"check in", func(s *hallredis.Store) error {
					_, _, err := s.CheckIn(t.Context(), "h", "new", hall.CheckIn{}, testStaff)
					return err
				}},
				{"elapse", func(s *hallredis.Store) error { _, err := s.Elapse(t.Context(), "h"); return err }},
				{"close", func(s *hallredis.Store) error { _, err := s.CloseDay(t.Context(), "h", day, testStaff); return err }},
				{"open", func(s *hallredis.Store) error { _, err := s.OpenDay(t.Context(), "h", testStaff); return err }},
			}
			for _, step := range steps {
				clock.Move(time.Second)
				if err, otherErr := step.give(here), step.give(there); err != nil || otherErr != nil {
					t.Fatalf("%s: %v, elsewhere %v", step.name, err, otherErr)
				}
				want, got := healthy(t, here, "h"), healthy(t, there, "h")
				secretOfNew(&want, &got)
				if got, want := same(t, got), same(t, want); got != want {
					t.Fatalf("after %s:\n%s\nwant\n%s", step.name, got, want)
				}
			}
		})
	}
}

// secretOfNew takes out who checked in since: everybody gets a secret of their own.
func secretOfNew(states ...*hall.State) {
	for _, st := range states {
		delete(st.Phones, st.Secrets["new"])
		delete(st.Secrets, "new")
	}
}

// TestRestoreWithClockBehind restores where Redis has an earlier time.
func TestRestoreWithClockBehind(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			clock := halltest.NewClock()
			file := backup(t, full(t, client, prefix, clock), "h")
			clock.Move(-3 * time.Hour)
			there := hallredis.New(client, hallredis.Options{Prefix: prefix + "2:", Now: clock.Now})
			restore(t, there, file, "")
			rows := []hall.RosterRow{halltest.Row("y", "1"), halltest.Row("b", "1")}
			if _, err := there.PutRoster(t.Context(), "h", rows, false, testStaff); err != nil {
				t.Fatal(err)
			}
			before := healthy(t, there, "h")
			for _, row := range rows {
				if _, _, err := there.CheckIn(t.Context(), "h", row.Candidate, hall.CheckIn{}, testStaff); err != nil {
					t.Fatal(err)
				}
			}
			after := healthy(t, there, "h")
			line := []string{}
			for _, q := range after.Wait[len(before.Wait):] {
				line = append(line, q.Candidate)
			}
			if !slices.Equal(line, []string{"y", "b"}) {
				t.Errorf("behind all others stand %q", line)
			}
			newest, old := after.Events[len(after.Events)-1], before.Events[len(before.Events)-1]
			if len(after.Events) <= len(before.Events) || after.Events[len(before.Events)-1].ID != old.ID || newest.ID == old.ID {
				t.Errorf("the events end with %s, those of before with %s", newest.ID, old.ID)
			}
		})
	}
}

// TestRestoreRefuses has halls that are there, other ids, and two restores at the same time.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			clock := halltest.NewClock()
			store := full(t, client, prefix, clock)
			file := backup(t, store, "h")
			before := dump(t, client, prefix)
			if _, _, err := store.RestoreHall(t.Context(), file, ""); hall.CodeOf(err) != hall.CodeChanged {
				t.Errorf("over a hall that is there: %v", err)
			}
			if after := dump(t, client, prefix); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Error("the hall that was there is another one")
			}
			if _, _, err := store.RestoreHall(t.Context(), file, "a\nb"); hall.CodeOf(err) != hall.CodeInvalid {
				t.Errorf("under an id that none can have: %v", err)
			}
			if _, err := store.BackupHall(t.Context(), "none", "", file); hall.CodeOf(err) != hall.CodeUnknownHall {
				t.Errorf("a backup of no hall: %v", err)
			}
			file = backup(t, store, "h")
			for _, id := range []string{"考场 {}", "h2"} {
				var done atomic.Int32
				var all sync.WaitGroup
				for range 4 {
					all.Go(func() {
						mine, err := os.Open(file.Name())
						if err != nil {
							t.Error(err)
							return
						}
						defer func() { _ = mine.Close() }()
						switch _, _, err := store.RestoreHall(t.Context(), mine, id); {
						case err == nil:
							done.Add(1)
						case hall.CodeOf(err) != hall.CodeChanged:
							t.Error(err)
						}
					})
				}
				all.Wait()
				if done.Load() != 1 {
					t.Errorf("%d of 4 made the hall %q", done.Load(), id)
				}
				healthy(t, store, id)
			}
			wantNoCopies(t, client, prefix)
		})
	}
}

func wantNoCopies(t *testing.T, client redis.UniversalClient, prefix string) {
	t.Helper()
	if copies, err := client.Keys(t.Context(), prefix+"*:restore:*").Result(); err != nil || len(copies) > 0 {
		t.Errorf("copies are left: %q, %v", copies, err)
	}
}

// TestRestoreRefusesDamage cuts the file off and changes it: nothing is written.
func TestRestoreRefusesDamage(t *testing.T) {
	t.Parallel()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	file := backup(t, full(t, client, prefix, clock), "h")
	good, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	there := hallredis.New(client, hallredis.Options{Prefix: prefix + "2:", Now: clock.Now})
	bad := filepath.Join(t.TempDir(), "bad")
	refuse := func(what string, at int, content []byte) {
		t.Helper()
		if err := os.WriteFile(bad, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(bad)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		if _, _, err := there.RestoreHall(t.Context(), file, ""); err == nil {
			t.Fatalf("%s at byte %d of %d was taken", what, at, len(good))
		}
	}
	for at := 0; at < len(good); at += 97 {
		refuse("cut off", at, good[:at])
		changed := slices.Clone(good)
		changed[at] ^= 1 << (at % 8)
		refuse("changed", at, changed)
	}
	refuse("followed by something", len(good), append(slices.Clone(good), 0))
	if written, err := client.Keys(t.Context(), prefix+"2:*").Result(); err != nil || len(written) > 0 {
		t.Errorf("damaged files wrote %q, %v", written, err)
	}
}

// TestRestoreRefusesForeignKeys has files that are whole and would write what no hall has.
func TestRestoreRefusesForeignKeys(t *testing.T) {
	t.Parallel()
	client, prefix := redistest.Client(t)
	clock := halltest.NewClock()
	source := backup(t, full(t, client, prefix, clock), "h")
	there := hallredis.New(client, hallredis.Options{Prefix: prefix + "2:", Now: clock.Now})
	for name, alter := range map[string]change{
		"another name":   rename("notes", "other", hallfile.Hash),
		"outside":        rename("notes", "}:hall", hallfile.Hash),
		"a copy":         rename("notes", "restore:X:hall", hallfile.Hash),
		"figures":        rename("notes", "metrics:followed", hallfile.Hash),
		"another kind":   rename("notes", "index", hallfile.Hash),
		"an odd answer":  rename("notes", "once:x", hallfile.Hash),
		"an odd day":     rename("notes", "day:x:notes", hallfile.Hash),
		"a day's days":   rename("notes", "day:2026-11-30-1:days", hallfile.Hash),
		"no layout":      set("hall", "layout", "[]"),
		"no rules":       set("hall", "rules", "{"),
		"no base":        set("hall", "base", "x"),
		"no hall at all": rename("hall", "day:2020-01-01-1:hall", hallfile.Hash),
	} {
		bad := rewritten(t, source, alter)
		if _, _, err := there.RestoreHall(t.Context(), bad, ""); err == nil || hall.CodeOf(err) == hall.CodeChanged {
			t.Errorf("%s: %v", name, err)
		}
	}
	if written, err := client.Keys(t.Context(), prefix+"2:*").Result(); err != nil || len(written) > 0 {
		t.Errorf("left are %q, %v", written, err)
	}
	// What the test rewrites without a change is good.
	restore(t, there, rewritten(t, source, rename("", "", 0)), "")
	healthy(t, there, "h")
}

func rename(name, to string, kind hallfile.Kind) change {
	return func(key hallfile.Key, element []string) (hallfile.Key, [][]string) {
		if key.Name == name {
			key.Name, key.Kind = to, kind
		}
		return key, [][]string{element}
	}
}

func set(name, field, value string) change {
	return func(key hallfile.Key, element []string) (hallfile.Key, [][]string) {
		if key.Name == name && len(element) > 0 && element[0] == field {
			return key, [][]string{{field, value}}
		}
		return key, [][]string{element}
	}
}

// change says what becomes of a key, which it gets alone first, and of each element of it.
type change func(hallfile.Key, []string) (hallfile.Key, [][]string)

// rewritten is a whole file with other content.
func rewritten(tb testing.TB, source *os.File, alter change) *os.File {
	tb.Helper()
	file, err := os.CreateTemp(tb.TempDir(), "")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = file.Close() })
	r, err := hallfile.Read(source)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := hallfile.NewWriter(file, r.Header)
	if err != nil {
		tb.Fatal(err)
	}
	for {
		key, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		changed, _ := alter(key, nil)
		w.Key(changed)
		for {
			element, err := r.Element()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				tb.Fatal(err)
			}
			_, elements := alter(key, element)
			for _, element := range elements {
				w.Add(element...)
			}
		}
		if key.Kind == hallfile.Stream && changed.Kind == key.Kind && !grows[key.Name] {
			w.EndStream(r.Stream)
		}
	}
	if err := w.Close(r.Summary); err != nil {
		tb.Fatal(err)
	}
	return file
}

// death is a client of a program that is killed after some commands.
type death struct{ left atomic.Int64 }

var errKilled = errors.New("killed")

func (d *death) DialHook(next redis.DialHook) redis.DialHook { return next }

func (d *death) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if d.left.Add(-1) < 0 {
			cmd.SetErr(errKilled)
			return errKilled
		}
		return next(ctx, cmd)
	}
}

func (d *death) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if d.left.Add(-1) < 0 {
			return errKilled
		}
		return next(ctx, cmds)
	}
}

// TestRestoreKilled kills a restore after each of its commands: what is there
// then is no hall, and goes away by itself; the next try makes the hall.
func TestRestoreKilled(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			clock := halltest.NewClock()
			store := full(t, client, prefix, clock)
			file := backup(t, store, "h")
			want := dump(t, client, prefix)
			delete(want, "webhook")
			options := client.(*redis.Client).Options() //nolint:errcheck,forcetypeassert // that is what the servers are
			kills := 0
			for alive := int64(0); ; alive++ {
				mortal := redis.NewClient(options)
				d := &death{}
				d.left.Store(alive)
				mortal.AddHook(d)
				mine := fmt.Sprintf("%s%d:", prefix, alive)
				_, _, err := hallredis.New(mortal, hallredis.Options{Prefix: mine, Now: clock.Now}).RestoreHall(t.Context(), file, "")
				_ = mortal.Close()
				if err == nil {
					break
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				kills++
				there := hallredis.New(client, hallredis.Options{Prefix: mine, Now: clock.Now})
				whole := len(keysOfHall(t, client, mine)) > 0 && client.Exists(t.Context(), mine+"{h}:hall").Val() == 1
				left, err := client.Keys(t.Context(), mine+"*").Result()
				if err != nil {
					t.Fatal(err)
				}
				for _, key := range left {
					if !whole && (!strings.Contains(key, ":restore:") || client.PTTL(t.Context(), key).Val() <= 0) {
						t.Errorf("after %d commands: %s is left for ever", alive, key)
					}
				}
				if mended, err := there.MendHallList(t.Context()); err != nil || (len(mended) == 1) != whole {
					t.Errorf("after %d commands: listed are %q, %v", alive, mended, err)
				}
				if !whole {
					restore(t, there, file, "")
				}
				got := dump(t, client, mine)
				for key := range want {
					if fmt.Sprint(got[key]) != fmt.Sprint(want[key]) {
						t.Fatalf("after %d commands and another try: %s is another one", alive, key)
					}
				}
			}
			if kills < 40 {
				t.Errorf("killed %d times only", kills)
			}
		})
	}
}
