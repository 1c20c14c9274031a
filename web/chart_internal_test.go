package web

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

func TestNiceAxis(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ highest, step, top float64 }{
		{0, 1, 1}, {1, 1, 1}, {4, 1, 4}, {5, 2, 6}, {8, 2, 8}, {9, 5, 10}, {34, 10, 40}, {41, 20, 60}, {1391, 500, 1500}, {99.5, 50, 100},
	} {
		if step, top := niceAxis(test.highest); step != test.step || top != test.top {
			t.Errorf("up to %g: steps of %g to %g, want %g to %g", test.highest, step, top, test.step, test.top)
		}
	}
	for highest := 0.3; highest < 1e6; highest *= 1.07 {
		step, top := niceAxis(highest)
		if n := top / step; top < highest || n > mostYTicks || math.Abs(n-math.Round(n)) > 1e-9 {
			t.Errorf("up to %g: steps of %g to %g", highest, step, top)
		}
	}
}

// at is a time of the last day of November, by the clock in Shanghai.
func at(hour, minute int) time.Time {
	return time.Date(2026, 11, 30, hour-8, minute, 0, 0, time.UTC)
}

func shanghai(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func texts(ticks []templates.Tick) string {
	var all []string
	for _, tick := range ticks {
		all = append(all, tick.Text)
	}
	return strings.Join(all, " ")
}

func TestHoursOnTheAxis(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to time.Time
		want     string
	}{
		"an hour":         {at(8, 20), at(9, 20), "08:20 08:40 09:00 09:20"},
		"a morning":       {at(8, 10), at(12, 20), "09:00 10:00 11:00 12:00"},
		"a day":           {at(8, 0), at(18, 30), "08:00 10:00 12:00 14:00 16:00 18:00"},
		"beyond midnight": {at(20, 0), at(32, 30), "21:00 00:00 03:00 06:00"},
		"two days":        {at(8, 0), at(8+48, 0), "12:00 1 Dec 12:00 2 Dec"},
		"a month":         {at(8, 0), at(8+24*30, 0), "6 Dec 12 Dec 18 Dec 24 Dec 30 Dec"},
	} {
		p := plot{from: test.from, span: test.to.Sub(test.from), top: 1}
		if got := texts(p.hours(shanghai(t))); got != test.want {
			t.Errorf("%s has %s, want %s", name, got, test.want)
		}
	}
}

// TestSmallDrawing has every coordinate of a small one.
func TestSmallDrawing(t *testing.T) {
	t.Parallel()
	drawn := chart{from: at(8, 0), to: at(9, 0), zone: shanghai(t), level: 2, levelIs: "target", series: []chartSeries{
		{kind: seriesArea, points: []chartPoint{{at(8, 0), 0}, {at(8, 30), 4}, {at(9, 0), 1}}},
		{kind: seriesBars, points: []chartPoint{{at(8, 0), 2}, {at(8, 10), 0}}},
		{kind: seriesSecond, name: "both", points: []chartPoint{{at(8, 0), 4}, {at(8, 10), 4}, {at(8, 50), 0}}},
	}}.draw()
	for i, want := range []string{
		"M36 162 L188 14 L340 125 V162 H36 Z",
		"M40.1 162V88h42.6V162z",
		"M36 14 L86.7 14 M289.3 162",
	} {
		if got := drawn.Series[i].Line; got != want {
			t.Errorf("series %d is %q, want %q", i, got, want)
		}
	}
	if got := drawn.Series[2].Marks; !strings.HasPrefix(got, "M33.6 11.6h4.8v4.8h-4.8z M") {
		t.Errorf("its points are %q", got)
	}
	if texts(drawn.Y) != "0 1 2 3 4" || drawn.Y[4].At != "14" || texts(drawn.X) != "08:00 08:20 08:40 09:00" || drawn.Level.At != "88" {
		t.Errorf("axes are %v, %v, level %v", drawn.Y, drawn.X, drawn.Level)
	}
}

func TestWordsOfFigures(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{0: "0\u00a0%", 0.001: "under 1\u00a0%", 0.333: "33\u00a0%", 0.998: "over 99\u00a0%", 1: "100\u00a0%"} {
		if got := percent(share); got != want {
			t.Errorf("%g is %q, want %q", share, got, want)
		}
	}
	for seconds, want := range map[float64]string{0: "1\u00a0min", 89: "2\u00a0min", 180: "3\u00a0min", 204: "4\u00a0min", 3600: "1\u00a0h", 5399: "1\u00a0h\u00a030\u00a0min"} {
		if got := withinWords(seconds); got != want {
			t.Errorf("within %g s is %q, want %q", seconds, got, want)
		}
	}
	for target, want := range map[time.Duration]string{30 * time.Second: "30\u00a0s", 90 * time.Second: "1\u00a0min\u00a030\u00a0s", time.Hour: "1\u00a0h"} {
		if got := targetWords(target); got != want {
			t.Errorf("a target of %v is %q, want %q", target, got, want)
		}
	}
}

// TestTheLastTenMinutesAreCalledNow has them end in the minute of those before.
func TestTheLastTenMinutesAreCalledNow(t *testing.T) {
	t.Parallel()
	mark := time.Date(2026, 11, 30, 12, 40, 0, 0, time.UTC)
	m := monitorMapper{s: &hall.Snapshot{}, zone: time.UTC, layout: &hall.Layout{}, figures: &dayFigures{
		known: true, waiting: []waitingThen{{From: slot{mark.Add(-slotLength)}, Waiting: 3}, {From: slot{mark}, Waiting: 4}},
	}}
	for state, want := range map[hall.DayState]string{hall.DayOpen: "12:40 3, now 4", hall.DayState("closed"): "12:40 3, at closing, 12:40 4"} {
		m.s.Hall.Day.State = state
		var rows []string
		for _, row := range (curveMapper{m, mark.Add(-time.Hour), mark.Add(30 * time.Second)}).waitingCurve().Rows {
			rows = append(rows, strings.Join(row, " "))
		}
		if got := strings.Join(rows, ", "); got != want {
			t.Errorf("a day that is %s has rows %q, want %q", state, got, want)
		}
	}
}
