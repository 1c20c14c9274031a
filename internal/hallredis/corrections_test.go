package hallredis_test

import (
	"fmt"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
)

// A day with nearly as many corrections as it can have takes one more.
func TestCorrectionsHaveAnEnd(t *testing.T) {
	t.Parallel()
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := server(t)
			store := hallredis.New(client, hallredis.Options{Prefix: prefix, Now: halltest.NewClock().Now})
			busy(t, store)
			kept := map[string]any{}
			for n := 1; n < hall.MaxCorrections; n++ {
				kept[fmt.Sprintf("c%d", n)] = fmt.Sprintf(`{"id": "c%d", "table": "attendance", "row": "a"}`, n)
			}
			if err := client.HSet(t.Context(), prefix+"{h}:corrections", kept).Err(); err != nil {
				t.Fatal(err)
			}
			c := hall.CorrectionRequest{Table: hall.TableAttendance, Row: "a", Text: "x", Reason: "y"}
			last := fmt.Sprintf("c%d", hall.MaxCorrections)
			if made, err := store.Correct(t.Context(), "h", hall.CurrentDay, c, testStaff); err != nil || made.ID != last {
				t.Errorf("the last one is %+v (%v)", made, err)
			}
			if _, err := store.Correct(t.Context(), "h", hall.CurrentDay, c, testStaff); hall.CodeOf(err) != hall.CodeTooManyCorrections {
				t.Errorf("one more: %v", err)
			}
			list, err := store.Corrections(t.Context(), "h", 1)
			if err != nil || len(list) != hall.MaxCorrections || list[1].ID != "c2" || list[len(list)-1].ID != last {
				t.Errorf("there are %d corrections (%v)", len(list), err)
			}
		})
	}
}
