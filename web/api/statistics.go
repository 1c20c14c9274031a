package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
)

// statistics registers the figures over those who wait now.
func (r *routes) statistics() {
	register(r, access.See, huma.Operation{
		OperationID: "queue-statistics", Method: http.MethodPost, Path: "/halls/{hall}/queue/statistics",
		Summary:     "Say how long those have waited who wait now",
		Description: "Time on hold is left out. The median of an even number is the mean of the two in the middle; p95Wait is the least wait that 95 % do not exceed.",
	}, r.queueStatistics)
}

// POST /halls/{hall}/queue/statistics
func (r *routes) queueStatistics(ctx context.Context, input *struct {
	HallPath
	Body *struct {
		Filters    []hall.Class `json:"filters,omitempty" enum:"management,vip,priority,normal" doc:"classes; none means all"`
		Statistics []string     `json:"statistics,omitempty" enum:"averageWait,maxWait,medianWait,p95Wait" doc:"none means all"`
	}
},
) (*reply[statisticsShape], error) {
	var classes []hall.Class
	var wanted []string
	if input.Body != nil {
		classes, wanted = input.Body.Filters, input.Body.Statistics
	}
	stats, err := r.store.WaitStatistics(ctx, input.Hall, classes)
	if err != nil {
		return nil, err
	}
	return &reply[statisticsShape]{Body: statisticsShapeOf(&stats, wanted)}, nil
}

// statisticsShape has the figures that were asked for; waits in seconds.
type statisticsShape struct {
	Count       int      `json:"count" doc:"how many of these classes wait"`
	AverageWait *float64 `json:"averageWait,omitempty"`
	MaxWait     *float64 `json:"maxWait,omitempty"`
	MedianWait  *float64 `json:"medianWait,omitempty"`
	P95Wait     *float64 `json:"p95Wait,omitempty"`
}

func statisticsShapeOf(s *hall.WaitStatistics, wanted []string) statisticsShape {
	figure := func(name string, wait time.Duration) *float64 {
		if len(wanted) > 0 && !slices.Contains(wanted, name) {
			return nil
		}
		value := seconds(wait)
		return &value
	}
	return statisticsShape{
		Count: s.Count, AverageWait: figure("averageWait", s.Average), MaxWait: figure("maxWait", s.Max),
		MedianWait: figure("medianWait", s.Median), P95Wait: figure("p95Wait", s.P95),
	}
}
