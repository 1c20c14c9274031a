package hallredis_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// What the staff write stands in few keys, where it can be erased, and not in
// events, records or remembered answers.
func TestRemarksStandApart(t *testing.T) {
	t.Parallel()
	const written = "doctors letter"
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := server(t)
			clock := halltest.NewClock()
			store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: clock.Now})
			by := func(key string) hall.Caller { return hall.Caller{By: "test", Key: key} }
			if _, _, err := store.PutHall(t.Context(), "h", halltest.Layout("one", "two", "three"), "", by("")); err != nil {
				t.Fatal(err)
			}
			if _, err := store.PutRoster(t.Context(), "h", []hall.RosterRow{halltest.Row("a", "1")}, false, by("")); err != nil {
				t.Fatal(err)
			}
			if _, err := store.AddNote(t.Context(), "h", "a", written, by("k1")); err != nil {
				t.Fatal(err)
			}
			report := hall.IncidentReport{Category: "person", Candidate: "a", Text: written, Done: written}
			if _, err := store.OpenIncident(t.Context(), "h", report, by("k2")); err != nil {
				t.Fatal(err)
			}
			correction := hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", Text: written, Reason: written}
			if _, err := store.Correct(t.Context(), "h", hall.CurrentDay, correction, by("k3")); err != nil {
				t.Fatal(err)
			}
			var found []string
			keys, err := client.Keys(t.Context(), prefix+"*").Result()
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range keys {
				if strings.Contains(content(t.Context(), t, client, key), written) {
					found = append(found, strings.TrimPrefix(key, prefix))
				}
			}
			slices.Sort(found)
			if want := []string{"{h}:corrections", "{h}:incidents", "{h}:notes"}; !slices.Equal(found, want) {
				t.Errorf("it stands in %v of %d keys, want %v", found, len(keys), want)
			}
		})
	}
}

// content is everything that a key holds.
func content(ctx context.Context, t *testing.T, client redis.UniversalClient, key string) string {
	t.Helper()
	kind, err := client.Type(ctx, key).Result()
	if err != nil {
		t.Fatal(err)
	}
	read, known := map[string]func() (any, error){
		"string": func() (any, error) { return client.Get(ctx, key).Result() },
		"hash":   func() (any, error) { return client.HGetAll(ctx, key).Result() },
		"zset":   func() (any, error) { return client.ZRange(ctx, key, 0, -1).Result() },
		"list":   func() (any, error) { return client.LRange(ctx, key, 0, -1).Result() },
		"stream": func() (any, error) { return client.XRange(ctx, key, "-", "+").Result() },
	}[kind]
	if !known {
		t.Fatalf("key %s is a %s", key, kind)
	}
	value, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(value)
}
