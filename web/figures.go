package web

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// dayFigures are the figures of one day that the monitor page shows beside the
// snapshot of the hall.
type dayFigures struct {
	known     bool             // whether there are any; the rest of them is empty if not
	closed    *hall.DaySummary // whose figures they are, nil for the present day
	all       waitFigures
	bySubject map[string]waitFigures
	missing   []string      // figures that could not be read; the others are there
	waiting   []waitingThen // when the number changed
	waits     []waitsThen
	done      map[slot]int
	longest   map[string]time.Time // begin of the longest wait of who waits now, by subject
	lastCall  time.Time            // about when the last of those is called, zero if nothing can be said
}

// waitFigures say how the waits until calls were distributed.
type waitFigures struct {
	Count                                   int
	MedianSeconds, P95Seconds, WithinTarget float64
	missing                                 bool
}

// waitingThen is how many waited at the end of ten minutes.
type waitingThen struct {
	From    slot
	Waiting int
}

// waitsThen are the waits that ended with calls of the same ten minutes.
type waitsThen struct {
	From                      slot
	Count                     int
	MedianSeconds, P95Seconds float64
}

// slot is the begin of ten minutes.
type slot struct{ at time.Time }

// UnmarshalText reads a slot as figures name it.
func (s *slot) UnmarshalText(text []byte) error {
	at, err := time.Parse("2006-01-02T15:04Z07:00", string(text))
	s.at = at.UTC() // as keys of a map the same times are the same
	return err
}

// end is the end of the ten minutes.
func (s slot) end() time.Time { return s.at.Add(slotLength) }

const slotLength = 10 * time.Minute

// read asks for the figures of a day in one query; day is empty for the present one.
func (f *dayFigures) read(ctx context.Context, metrics hall.Metrics, h *hall.Hall, day string) error {
	into := []any{&f.all, &f.waiting, &f.waits, &f.done}
	var requests []hall.MetricRequest
	for _, name := range []string{"allWaits", "waitingOverDay", "waitsOverDay", "donePerTenMinutes"} {
		requests = append(requests, hall.MetricRequest{MetricsName: name, Day: day})
	}
	subjects := make([]waitFigures, len(h.Layout.Subjects))
	for i, subject := range h.Layout.Subjects {
		requests = append(requests, hall.MetricRequest{MetricsName: "waits", Params: map[string]string{"subject": subject.Code}, Day: day})
		into = append(into, &subjects[i])
	}
	answers, err := metrics.QueryMetrics(ctx, h.ID, requests)
	if err != nil {
		return err
	}
	for i := range answers {
		if answers[i].Error != "" || typed(answers[i].Value, into[i]) != nil {
			f.missing = append(f.missing, answers[i].MetricsName)
			if waits, ok := into[i].(*waitFigures); ok {
				*waits = waitFigures{missing: true}
			}
		}
	}
	f.known, f.bySubject = true, map[string]waitFigures{}
	for i, subject := range h.Layout.Subjects {
		f.bySubject[subject.Code] = subjects[i]
	}
	return nil
}

// typed reads the value of a figure into what it is for a page.
func typed(value, into any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// readLine adds what the whole line tells: the longest waits, and about when
// its last one is called, if that can be said of everybody in it.
func (f *dayFigures) readLine(line []hall.Entry, now time.Time) {
	f.longest = longestWaits(line)
	var last time.Duration
	for i := range line {
		estimate := line[i].Estimate
		if estimate == nil {
			return
		}
		last = max(last, *estimate)
	}
	if len(line) > 0 {
		f.lastCall = now.Add(last)
	}
}

// longestWaits are the begins of the longest waits, by subject and under "" of all.
func longestWaits(line []hall.Entry) map[string]time.Time {
	longest := map[string]time.Time{}
	for i := range line {
		since := waitsSince(&line[i])
		for _, subject := range append(line[i].Remaining(), "") {
			if first, ok := longest[subject]; !ok || since.Before(first) {
				longest[subject] = since
			}
		}
	}
	return longest
}

// waitsSince is the begin of a wait, time on hold left out.
func waitsSince(e *hall.Entry) time.Time { return e.WaitingSince.Add(e.HoldInWait) }
