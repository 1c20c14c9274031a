package metrics_test

import (
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// spoil gives a figure's key another type, as no definition can.
func (s *scene) spoil(key string) {
	s.Helper()
	s.must(s.centre.Follow(s.Context(), s.id))
	for name := range s.keys() {
		if strings.HasSuffix(name, ":figure:"+key) {
			s.must(s.client.Del(s.Context(), name).Err())
			s.must(s.client.Set(s.Context(), name, "x", 0).Err())
			return
		}
	}
	s.Fatalf("there is no key of %s", key)
}

// TestOneUnreadableFigure has one figure that cannot be read among others: it
// alone is answered with an error, also what is worked out of it.
func TestOneUnreadableFigure(t *testing.T) {
	t.Parallel()
	onBoth(t, func(s *scene) {
		_, err := s.store.SetMachineState(s.Context(), s.id, "m1", hall.MachineOutOfService, hall.OutageReason{Text: "dark"}, tester)
		s.must(err)
		s.spoil("machine:state")
		requests := []hall.MetricRequest{}
		for _, name := range []string{"machineOutNow", "machineStates", "machinesByState", "absences"} {
			requests = append(requests, hall.MetricRequest{MetricsName: name})
		}
		answers, err := s.centre.QueryMetrics(s.Context(), s.id, requests)
		s.must(err)
		for i, broken := range []bool{false, true, true, false} {
			a := answers[i]
			if a.MetricsName != requests[i].MetricsName || (a.Error != "") != broken || (a.Value == nil) != broken {
				s.Errorf("answered %+v", a)
			}
		}
	})
}
