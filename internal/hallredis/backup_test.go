package hallredis_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/nodes"
)

// backup makes a backup of a hall and returns the open file.
func backup(tb testing.TB, store *hallredis.Store, id string) *os.File {
	tb.Helper()
	file, err := os.Create(filepath.Join(tb.TempDir(), "hall.backup"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = file.Close() })
	if _, err := store.BackupHall(context.WithoutCancel(tb.Context()), id, "test", file); err != nil {
		tb.Fatal(err)
	}
	return file
}

// restore makes the hall of a file.
func restore(tb testing.TB, store *hallredis.Store, file *os.File, as string) {
	tb.Helper()
	if _, _, err := store.RestoreHall(context.WithoutCancel(tb.Context()), file, as); err != nil {
		tb.Fatal(err)
	}
}

// moves are from each kind of Redis to each.
func moves() [][2]string {
	var all [][2]string
	for from := range servers {
		for to := range servers {
			all = append(all, [2]string{from, to})
		}
	}
	return all
}

// dump is what Redis has of the hall h, by key.
func dump(t *testing.T, client redis.UniversalClient, prefix string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, name := range keysOfHall(t, client, prefix) {
		key, ctx := prefix+"{h}:"+name, t.Context()
		kind, err := client.Type(ctx, key).Result()
		if err != nil {
			t.Fatal(err)
		}
		switch kind {
		case "string":
			all[name] = client.Get(ctx, key).Val()
		case "hash":
			all[name] = client.HGetAll(ctx, key).Val()
		case "zset":
			all[name] = client.ZRangeWithScores(ctx, key, 0, -1).Val()
		case "list":
			all[name] = client.LRange(ctx, key, 0, -1).Val()
		case "stream":
			all[name] = client.Do(ctx, "XRANGE", key, "-", "+").Val() // with the order of fields
		default:
			t.Fatalf("%s is a %s", name, kind)
		}
	}
	return all
}

// full is a hall with a closed day, an open one, and something in every key.
func full(t *testing.T, client redis.UniversalClient, prefix string, clock *halltest.Clock) *hallredis.Store {
	t.Helper()
	store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})
	ctx := t.Context()
	busy(t, store)
	clock.Move(time.Minute)
	_, closeErr := store.CloseDay(ctx, "h", "", testStaff)
	clock.Move(time.Minute)
	_, openErr := store.OpenDay(ctx, "h", testStaff)
	_, resumeErr := store.Resume(ctx, "h", "B", testStaff)
	busyDay(t, store, "roster again")
	clock.Move(2 * time.Second)
	_, seatErr := store.Seat(ctx, "h", only(t, store, hall.SittingCalled), testStaff)
	_, noteErr := store.AddNote(ctx, "h", "a", "𠮷 comes \"late\" =1", testStaff)
	clock.Move(time.Second)
	// An undo leaves a gap in the stream of commands: here at its end.
	_, holdErr := store.Hold(ctx, "h", waiting(t, store), testStaff)
	commands := snapshot(t, store).Commands
	_, undoErr := store.Undo(ctx, "h", commands[0].ID, false, testStaff)
	screensErr := store.ReportScreens(ctx, "h", "n1", 2)
	_, moveErr := nodes.New(client, prefix).Move(ctx, "h", hall.Position{}, hall.Position{Day: 1, After: "5-0"}, 3)
	_, _, leaseErr := nodes.New(client, prefix).Lease(ctx, "h", "node", time.Minute)
	clock.Move(10 * time.Minute)
	_, elapseErr := store.Elapse(ctx, "h")
	for _, err := range []error{closeErr, openErr, resumeErr, seatErr, noteErr, holdErr, undoErr, screensErr, moveErr, leaseErr, elapseErr} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func snapshot(t *testing.T, store *hallredis.Store) hall.Snapshot {
	t.Helper()
	shown, err := store.Snapshot(t.Context(), "h")
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// only is the one sitting in a state.
func only(t *testing.T, store *hallredis.Store, state hall.SittingState) string {
	t.Helper()
	list, err := store.Sittings(t.Context(), "h", hall.SittingFilter{State: state}, hall.Page{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%s are %v, %v", state, list.Items, err)
	}
	return list.Items[0].ID
}

// waiting is the last in line.
func waiting(t *testing.T, store *hallredis.Store) string {
	t.Helper()
	line := snapshot(t, store).Line
	if len(line) == 0 {
		t.Fatal("nobody waits")
	}
	return line[len(line)-1].ID
}

func TestBackupHasAll(t *testing.T) {
	t.Parallel()
	for _, move := range moves() {
		t.Run(move[0]+" to "+move[1], func(t *testing.T) {
			t.Parallel()
			client, prefix := servers[move[0]](t)
			clock := halltest.NewClock()
			store := full(t, client, prefix, clock)
			other, otherPrefix := servers[move[1]](t)
			there := hallredis.New(other, hallredis.Options{Prefix: otherPrefix, Now: clock.Now})
			file := backup(t, store, "h")
			restore(t, there, file, "")
			if err := store.BackupBusyHall(t.Context(), "h", file); err != nil {
				t.Fatal(err)
			}
			busyPrefix := otherPrefix + "busy:"
			restore(t, hallredis.New(other, hallredis.Options{Prefix: busyPrefix}), file, "")
			if quiet, busy := dump(t, other, otherPrefix), dump(t, other, busyPrefix); !reflect.DeepEqual(quiet, busy) {
				t.Errorf("read bit by bit:\n%v\nat once:\n%v", quiet, busy)
			}

			want, got := dump(t, client, prefix), dump(t, other, otherPrefix)
			webhook, _ := want["webhook"].(map[string]string)
			delete(webhook, "node") // the lease is that of a server there
			delete(webhook, "until")
			if len(want) < 50 {
				t.Errorf("only %d keys", len(want))
			}
			for key := range want {
				if !reflect.DeepEqual(got[key], want[key]) {
					t.Errorf("%s is\n%v, want\n%v", key, got[key], want[key])
				}
			}
			for key := range got {
				if want[key] == nil {
					t.Errorf("%s came from nowhere", key)
				}
			}
			sameTimes(t, client, prefix, other, otherPrefix)
			healthy(t, there, "h")
			if ids, err := there.HallIDs(t.Context()); err != nil || !slices.Equal(ids, []string{"h"}) {
				t.Errorf("the list of halls is %q, %v", ids, err)
			}
			if move == [2]string{"redis", "redis"} {
				sameStreams(t, client, prefix, other, otherPrefix)
			}
		})
	}
}

// sameTimes fails unless all keys end at the same time, about.
func sameTimes(t *testing.T, client redis.UniversalClient, prefix string, other redis.UniversalClient, otherPrefix string) {
	t.Helper()
	limited := 0
	for _, name := range keysOfHall(t, client, prefix) {
		want, err := client.PTTL(t.Context(), prefix+"{h}:"+name).Result()
		got, otherErr := other.PTTL(t.Context(), otherPrefix+"{h}:"+name).Result()
		if apart := (want - got).Abs(); err != nil || otherErr != nil || apart > time.Minute || (want < 0) != (got < 0) {
			t.Errorf("%s ends in %v, want %v (%v, %v)", name, got, want, err, otherErr)
		}
		if want > 0 {
			limited++
		}
	}
	if limited != 2 {
		t.Errorf("%d keys end, want those of 2 answers", limited)
	}
}

// sameStreams fails unless the streams of the present day know the same beside their entries.
func sameStreams(t *testing.T, client redis.UniversalClient, prefix string, other redis.UniversalClient, otherPrefix string) {
	t.Helper()
	for _, name := range []string{"events", "commands", "called"} {
		want, err := client.XInfoStream(t.Context(), prefix+"{h}:"+name).Result()
		got, otherErr := other.XInfoStream(t.Context(), otherPrefix+"{h}:"+name).Result()
		if err != nil || otherErr != nil {
			t.Fatal(err, otherErr)
		}
		if got.LastGeneratedID != want.LastGeneratedID || got.MaxDeletedEntryID != want.MaxDeletedEntryID || got.EntriesAdded != want.EntriesAdded {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
		if name == "commands" && want.MaxDeletedEntryID == "0-0" {
			t.Error("no command was taken back")
		}
	}
}

// healthy fails unless all invariants hold, for all days.
func healthy(t *testing.T, store *hallredis.Store, id string) hall.State {
	t.Helper()
	st, err := store.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	days, err := store.Days(t.Context(), id, hall.Page{})
	if err != nil {
		t.Fatal(err)
	}
	states := []hall.State{st}
	for _, day := range days.Items[1:] {
		closed, err := store.DayState(t.Context(), id, day.ID)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, closed)
	}
	for _, st := range states {
		if broken := hall.Check(&st); len(broken) > 0 {
			t.Errorf("day %s is broken:\n%s", st.Hall.Day.ID, strings.Join(broken, "\n"))
		}
	}
	return st
}
