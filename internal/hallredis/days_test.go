package hallredis_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// TestKeysOfAClosedDay looks at the keys themselves: nothing of the day is left
// among those of the hall, and all of it stands in the archive.
func TestKeysOfAClosedDay(t *testing.T) {
	t.Parallel()
	for server, connect := range servers {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			client, prefix := connect(t)
			store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: halltest.NewClock().Now})
			busy(t, store)
			before := keysOfHall(t, client, prefix)
			if _, err := store.CloseDay(t.Context(), "h", "2026-11-30-1", testStaff); err != nil {
				t.Fatal(err)
			}
			after := keysOfHall(t, client, prefix)
			var archived, live []string
			for _, key := range after {
				if old, isOld := strings.CutPrefix(key, "day:2026-11-30-1:"); isOld {
					archived = append(archived, old)
				} else if !regexp.MustCompile(`^(hall|machines|service|subjects|events|days|answers|idle:[123]|once:.*)$`).MatchString(key) {
					live = append(live, key)
				}
			}
			if len(live) > 0 {
				t.Errorf("of the day before are left %q", live)
			}
			want := slices.DeleteFunc(before, func(key string) bool { return key == "answers" || strings.HasPrefix(key, "once:") })
			if !slices.Equal(archived, want) || len(want) < 20 {
				t.Errorf("archived are %q, want %q", archived, want)
			}
		})
	}
}

// testStaff gives the commands.
var testStaff = hall.Caller{By: "test"}

// busy makes a hall whose day has something in every key.
func busy(t *testing.T, store *hallredis.Store) {
	t.Helper()
	busyDay(t, store, "roster")
}

// busyDay is such a day of a hall that may be there; the roster has this idempotency key.
func busyDay(t *testing.T, store *hallredis.Store, key string) {
	t.Helper()
	layout := halltest.Layout("one", "two", "three")
	layout.Rules.MaxHoldSeconds = 60
	rows := []hall.RosterRow{}
	for id, class := range map[string]hall.Class{"a": hall.ClassNormal, "n": hall.ClassNormal, "v": hall.ClassVIP, "p": hall.ClassPriority, "m": hall.ClassManagement, "x": hall.ClassNormal} {
		row := halltest.Row(id, "1")
		row.Class = class
		rows = append(rows, row)
	}
	ctx := t.Context()
	keyed := hall.Caller{By: "test", Key: key}
	_, _, putErr := store.PutHall(ctx, "h", layout, "", testStaff)
	_, rosterErr := store.PutRoster(ctx, "h", rows, false, keyed)
	for _, id := range []string{"a", "n", "v", "p", "m", "x"} {
		if _, _, err := store.CheckIn(ctx, "h", id, hall.CheckIn{}, testStaff); err != nil {
			t.Fatal(err)
		}
	}
	_, holdErr := store.Hold(ctx, "h", "x", testStaff)
	_, pauseErr := store.Pause(ctx, "h", "B", "", testStaff)
	_, outErr := store.SetMachineState(ctx, "h", "m2", hall.MachineOutOfService, hall.OutageReason{Text: "dark"}, testStaff)
	for _, err := range []error{putErr, rosterErr, holdErr, pauseErr, outErr} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keysOfHall lists the keys of the hall h without what all of them begin with.
func keysOfHall(t *testing.T, client redis.UniversalClient, prefix string) []string {
	t.Helper()
	keys, err := client.Keys(t.Context(), prefix+"{h}:*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		keys[i] = strings.TrimPrefix(key, prefix+"{h}:")
	}
	slices.Sort(keys)
	return keys
}
