package hallredis_test

import (
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// Of a day that was erased no key has a name or a text any more.
func TestErasedTextIsNowhere(t *testing.T) {
	t.Parallel()
	const written = "doctors letter"
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := server(t)
			store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: halltest.NewClock().Now})
			busy(t, store)
			ctx := t.Context()
			_, noteErr := store.AddNote(ctx, "h", "a", written, testStaff)
			_, pauseErr := store.Pause(ctx, "h", "", written, testStaff)
			_, outErr := store.SetMachineState(ctx, "h", "m3", hall.MachineOutOfService, hall.OutageReason{Text: written}, testStaff)
			_, classErr := store.SetClass(ctx, "h", "x", hall.ClassVIP, written, testStaff)
			for _, err := range []error{noteErr, pauseErr, outErr, classErr} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for i := range 600 { // more than one step takes
				report := hall.IncidentReport{Category: "person", Candidate: "a", Text: written, Done: strings.Repeat("x", i)}
				if _, err := store.OpenIncident(ctx, "h", report, testStaff); err != nil {
					t.Fatal(err)
				}
			}
			closed, err := store.CloseDay(ctx, "h", "", testStaff)
			if err != nil {
				t.Fatal(err)
			}
			correction := hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", Text: written, Reason: written}
			if _, err := store.Correct(ctx, "h", closed.ID, correction, testStaff); err != nil {
				t.Fatal(err)
			}
			if err := store.EraseDay(ctx, "h", closed.ID, testStaff); err != nil {
				t.Fatal(err)
			}
			keys, err := client.Keys(ctx, prefix+"*").Result()
			if err != nil || len(keys) < 10 {
				t.Fatalf("%d keys (%v)", len(keys), err)
			}
			for _, key := range keys {
				if !strings.Contains(key, ":day:") {
					continue // the machines of the next day keep why they are out of service
				}
				text := content(ctx, t, client, key)
				for _, gone := range []string{written, "Name of", "99999919900101"} {
					if strings.Contains(text, gone) {
						t.Errorf("%s still has %q", key, gone)
					}
				}
			}
		})
	}
}
