package halltest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// A wait of which an estimate is judged is longer than this.
const judgedFrom = 5 * time.Minute

// How far estimates may be from the actual waits, as the median of their
// relative errors: on the three days together, and on random days.
const allowedOnDays, allowedOnRandomDays = 0.25, 0.35

// TestEstimates replays three days and judges the estimate that was given at
// each check-in and at each return to the queue by the wait that came of it.
// They have to be good enough under each pair of rules.
func TestEstimates(t *testing.T) {
	t.Parallel()
	days := []string{"busy-morning", "small-rush", "spread-out"}
	for _, requeue := range []string{hall.RequeueTail, hall.RequeueKeep} {
		for _, choice := range []string{hall.ChoiceBottleneck, hall.ChoiceListed} {
			t.Run(requeue+" "+choice, func(t *testing.T) {
				t.Parallel()
				layout := read[hall.Layout](t, "../../app/demo/hall.json") // the days are days of the demo hall
				layout.Rules.Requeue, layout.Rules.SubjectChoice = requeue, choice
				var all []guess
				for _, day := range days {
					guesses := replay(t, layout, read[dayPlan](t, "testdata/"+day+".json"))
					t.Logf("%-12s %s", day, judge(guesses))
					all = append(all, guesses...)
				}
				together := judge(all)
				t.Logf("%-12s %s", "together", together)
				if !(together.median < allowedOnDays) {
					t.Errorf("median error %.1f %%, want less than %.0f %%", 100*together.median, 100*allowedOnDays)
				}
			})
		}
	}
}

// TestEstimatesOnRandomDays judges estimates on days and halls of all kinds:
// what is good on three days only would show here.
func TestEstimatesOnRandomDays(t *testing.T) {
	t.Parallel()
	for _, requeue := range []string{hall.RequeueTail, hall.RequeueKeep} {
		t.Run(requeue, func(t *testing.T) {
			t.Parallel()
			var all []guess
			for seed := range uint64(30) {
				layout, plan := randomDay(seed)
				layout.Rules.Requeue = requeue
				all = append(all, replay(t, layout, plan)...)
			}
			together := judge(all)
			t.Log(together)
			if !(together.median < allowedOnRandomDays) {
				t.Errorf("median error %.1f %%, want less than %.0f %%", 100*together.median, 100*allowedOnRandomDays)
			}
		})
	}
}

// quality says how good estimates were.
type quality struct {
	judged, missing   int
	median, p90, bias float64 // of the errors, in parts of the actual wait; the bias keeps the sign
}

func (q quality) String() string {
	if q.judged == 0 {
		return fmt.Sprintf("no wait over %s", judgedFrom)
	}
	return fmt.Sprintf("%4d waits over %s: median error %4.1f %%, p90 %4.1f %%, bias %+5.1f %%, without an estimate %d",
		q.judged, judgedFrom, 100*q.median, 100*q.p90, 100*q.bias, q.missing)
}

// judge counts an estimate that is missing as all wrong.
func judge(guesses []guess) quality {
	var q quality
	var signed, errors []float64
	for _, g := range guesses {
		if g.actual <= judgedFrom {
			continue
		}
		q.judged++
		if g.estimate == nil {
			q.missing++
			errors = append(errors, 1)
			continue
		}
		e := float64(*g.estimate-g.actual) / float64(g.actual)
		signed, errors = append(signed, e), append(errors, math.Abs(e))
	}
	q.median, q.p90, q.bias = nth(errors, 0.5), nth(errors, 0.9), nth(signed, 0.5)
	return q
}

// nth is the least value that a part of all does not exceed (nearest rank),
// NaN for none.
func nth(values []float64, part float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[int(math.Ceil(part*float64(len(values))))-1]
}

func read[T any](t *testing.T, file string) T {
	t.Helper()
	var v T
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}
