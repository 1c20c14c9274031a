package hallredis_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// TestUndoAmongManyEvents takes a command back after so many events of other
// systems as come in half an hour, and not after so many of the hall.
func TestUndoAmongManyEvents(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: halltest.NewClock().Now})
			ctx := t.Context()
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			_, _, err := store.PutHall(ctx, "h", halltest.Layout("one", "two", "three"), "", testStaff)
			must(err)
			_, err = store.PutRoster(ctx, "h", []hall.RosterRow{halltest.Row("a", "1"), halltest.Row("b", "1")}, false, testStaff)
			must(err)
			for _, candidate := range []string{"a", "b"} {
				_, _, err = store.CheckIn(ctx, "h", candidate, hall.CheckIn{}, testStaff)
				must(err)
			}
			many := func(event string) {
				t.Helper()
				_, err := client.Pipelined(ctx, func(p redis.Pipeliner) error {
					for range 6000 {
						p.XAdd(ctx, &redis.XAddArgs{Stream: prefix + "{h}:events", Values: []string{"event", event, "at", "0", "by", "eve"}})
					}
					return nil
				})
				must(err)
			}
			held, err := store.Hold(ctx, "h", "b", testStaff)
			must(err)
			snapshot, err := store.Snapshot(ctx, "h")
			must(err)
			command := snapshot.Commands[0].ID
			many("x_tick")
			done, err := store.Undo(ctx, "h", command, false, testStaff)
			must(err)
			if again, err := store.Undo(ctx, "h", command, false, testStaff); err != nil || again.Event != done.Event || held.State != hall.Held {
				t.Errorf("taken back by %q, then %q: %v", done.Event, again.Event, err)
			}
			_, err = store.Hold(ctx, "h", "b", testStaff)
			must(err)
			snapshot, err = store.Snapshot(ctx, "h")
			must(err)
			many("candidate_registered")
			if _, err = store.Undo(ctx, "h", snapshot.Commands[0].ID, false, testStaff); hall.CodeOf(err) != hall.CodeNotUndoable {
				t.Errorf("far back: %v", err)
			}
		})
	}
}
