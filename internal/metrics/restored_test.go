package metrics_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// A hall that was restored elsewhere has the figures of its closed days, made
// anew from their events, as those of the present one.
func TestFiguresOfARestoredHall(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		ctx := s.Context()
		day := func(people int) {
			s.Helper()
			rows := make([]hall.RosterRow, people)
			for i := range rows {
				rows[i] = halltest.Row(string(rune('a'+i)), "1")
				rows[i].Row = i + 2
			}
			_, err := s.store.PutRoster(ctx, s.id, rows, false, tester)
			s.must(err)
			for _, row := range rows {
				_, _, err := s.store.CheckIn(ctx, s.id, row.Candidate, hall.CheckIn{}, tester)
				s.must(err)
			}
		}
		day(2)
		closed, err := s.store.CloseDay(ctx, s.id, "", tester)
		s.must(err)
		_, err = s.store.OpenDay(ctx, s.id, tester)
		s.must(err)
		day(3)

		figures := func(on *scene, id, of string) []any {
			s.Helper()
			var got []any
			for _, name := range []string{"checkInsPerHour", "commands"} {
				value, err := on.centre.QueryMetrics(ctx, id, []hall.MetricRequest{{MetricsName: name, Day: of}})
				s.must(err)
				got = append(got, value[0].Value)
			}
			return got
		}
		file, err := os.Create(filepath.Join(s.TempDir(), "hall"))
		s.must(err)
		s.Cleanup(func() { _ = file.Close() })
		_, err = s.store.BackupHall(ctx, s.id, "test", file)
		s.must(err)
		other := newScene(s.TB, servers["redis"])
		id, _, err := other.store.RestoreHall(ctx, file, "again")
		s.must(err)
		for _, of := range []string{closed.ID, hall.CurrentDay} {
			if got, want := figures(other, id, of), figures(s, s.id, of); !reflect.DeepEqual(got, want) {
				s.Errorf("figures of %s are %v, before they were %v", of, got, want)
			} else if said := fmt.Sprint(got[0]); said == "<nil>" || said == "map[]" {
				s.Errorf("%s has no figures", of)
			}
		}
	})
}
