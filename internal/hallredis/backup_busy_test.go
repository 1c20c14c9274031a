package hallredis_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// busyPeople is how many candidates a crowd works on.
const busyPeople = 160

// clients are how many give commands at once; the in-process server takes one at a time, and slowly.
var clients = map[string]int{"redis": 8, "memory": 2}

// TestBackupWhileCommandsRun makes backups while clients give commands:
// each has the hall of one instant, between two of its commands.
func TestBackupWhileCommandsRun(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			store := hallredis.New(client, hallredis.Options{Prefix: prefix})
			crowded(t, store)
			stop := crowd(t, store, clients[server], "in ", func(int) {})
			for i := range 3 {
				before := version(t, store)
				file := backup(t, store, "h")
				after := version(t, store)
				mine := fmt.Sprintf("%s%d:", prefix, i)
				there := hallredis.New(client, hallredis.Options{Prefix: mine})
				restore(t, there, file, "")
				st := healthy(t, there, "h")
				if v := st.Hall.Version; v < before || v > after {
					t.Errorf("the backup has version %d, begun at %d and done at %d", v, before, after)
				}
				// All events until then, and an answer to each check-in of those, and to no other.
				events, err := store.Events(t.Context(), "h", "", hall.Page{})
				if err != nil {
					t.Fatal(err)
				}
				checkedIn := 0
				for n, e := range st.Events {
					if e.ID != events.Items[n].ID {
						t.Fatalf("event %d is %s, want %s", n, e.ID, events.Items[n].ID)
					}
					if e.Event == hall.EventCandidateCheckedIn {
						checkedIn++
					}
				}
				answers, err := client.Keys(t.Context(), mine+"{h}:once:*").Result()
				if err != nil || len(answers) != checkedIn {
					t.Errorf("%d answers to %d check-ins, %v", len(answers), checkedIn, err)
				}
			}
			stop()
		})
	}
}

// daysClosed is less than the number of times that a backup begins anew.
const daysClosed = 4

// TestBackupWhileDaysClose has days that are closed while backups are made.
func TestBackupWhileDaysClose(t *testing.T) {
	t.Parallel()
	client, prefix := servers["redis"](t)
	store := hallredis.New(client, hallredis.Options{Prefix: prefix})
	crowded(t, store)
	var closed atomic.Int32
	stop := crowd(t, store, clients["redis"], "", func(n int) {
		if n%150 != 0 || closed.Load() == daysClosed {
			return
		}
		if _, err := store.CloseDay(t.Context(), "h", "", testStaff); err != nil {
			t.Error(err)
		}
		if _, err := store.OpenDay(t.Context(), "h", testStaff); err != nil {
			t.Error(err)
		}
		crowded(t, store)
		closed.Add(1)
	})
	for i := 0; closed.Load() < daysClosed && !t.Failed(); i++ {
		file := backup(t, store, "h")
		there := hallredis.New(client, hallredis.Options{Prefix: fmt.Sprintf("%s%d:", prefix, i)})
		restore(t, there, file, "")
		healthy(t, there, "h")
	}
	stop()
}

func version(t *testing.T, store *hallredis.Store) int64 {
	t.Helper()
	h, err := store.Hall(t.Context(), "h")
	if err != nil {
		t.Fatal(err)
	}
	return h.Version
}

// crowded is a hall with a roster, new or that of the day before.
func crowded(t *testing.T, store *hallredis.Store) {
	t.Helper()
	if _, _, err := store.PutHall(t.Context(), "h", halltest.Layout("one", "two", "both", "three", "one", "two"), "", testStaff); err != nil {
		t.Error(err)
	}
	var rows []hall.RosterRow
	for i := range busyPeople {
		rows = append(rows, halltest.Row(strconv.Itoa(i), "1", "2", "3"))
	}
	if _, err := store.PutRoster(t.Context(), "h", rows, false, testStaff); err != nil {
		t.Error(err)
	}
}

// crowd lets clients give commands until stop is called; after each, done
// gets how many there were. Check-ins have idempotency keys that begin with key, if it is not empty.
func crowd(t *testing.T, store *hallredis.Store, clients int, key string, done func(n int)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var given atomic.Int32
	for g := range clients {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := strconv.Itoa((g + clients*i) % busyPeople)
				by := testStaff
				if key != "" {
					by.Key = key + id
				}
				_, _, _ = store.CheckIn(t.Context(), "h", id, hall.CheckIn{}, by)
				switch i % 4 {
				case 0:
					_, _ = store.Hold(t.Context(), "h", id, testStaff)
				case 1:
					_, _ = store.AddNote(t.Context(), "h", id, "a note", testStaff)
				case 2:
					_, _ = store.Return(t.Context(), "h", strconv.Itoa((g+clients*(i-2))%busyPeople), testStaff)
				default:
				}
				machines, err := store.Machines(t.Context(), "h", hall.MachineFilter{}, hall.Page{})
				if err != nil {
					t.Error(err)
					return
				}
				if m := machines.Items[g%len(machines.Items)]; m.Sitting != "" {
					_, _ = store.End(t.Context(), "h", m.Sitting, testStaff)
				}
				done(int(given.Add(1)))
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}
