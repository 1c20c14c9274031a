package web

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// curves are those of the day that is shown.
func (m monitorMapper) curves() []templates.Curve {
	from, to := m.s.Hall.Day.OpenedAt, m.s.Now
	if closed := m.figures.closed; closed != nil {
		from, to = closed.OpenedAt, closed.ClosedAt
	}
	c := curveMapper{m, from, to}
	curves := []templates.Curve{}
	for _, of := range []struct {
		metric string
		draw   func() templates.Curve
	}{{"waitingOverDay", c.waitingCurve}, {"donePerTenMinutes", c.doneCurve}, {"waitsOverDay", c.waitsCurve}} {
		if !slices.Contains(m.figures.missing, of.metric) {
			curves = append(curves, of.draw())
		}
	}
	return curves
}

// curveMapper draws the curves of a day from one time to another.
type curveMapper struct {
	monitorMapper

	from, to time.Time
}

// chart is an empty one from the begin of the first ten minutes to the end of the last.
func (c curveMapper) chart(series ...chartSeries) chart {
	return chart{from: c.slotOf(c.from), to: c.slotOf(c.to).Add(slotLength), zone: c.zone, series: series}
}

// slotOf is the begin of the ten minutes of a time.
func (c curveMapper) slotOf(at time.Time) time.Time {
	local := at.In(c.zone)
	past := time.Duration(local.Minute()%10)*time.Minute + time.Duration(local.Second())*time.Second
	return local.Add(-past).Truncate(time.Second)
}

// at names a time in tables: with the date if the day has more than one.
func (c curveMapper) at(t time.Time) string {
	if c.from.In(c.zone).YearDay() != c.to.In(c.zone).YearDay() {
		return t.In(c.zone).Format("2 Jan 15:04")
	}
	return clock(t, c.zone)
}

// finish gives a drawing its words.
func finish(drawn templates.Curve, key, title, says string, columns []string, rows [][]string) templates.Curve {
	drawn.Key, drawn.Title, drawn.Says, drawn.Columns, drawn.Rows = key, title, says, columns, rows
	return drawn
}

func (c curveMapper) waitingCurve() templates.Curve {
	const key, title = "waiting", "Waiting"
	if len(c.figures.waiting) == 0 {
		return templates.Curve{Key: key, Title: title, Empty: "Nobody has waited yet."}
	}
	points := []chartPoint{{at: c.from}}
	var rows [][]string
	most, mostAt, last := 0, c.from, 0.0
	for _, then := range c.figures.waiting {
		begin, end := then.From.at, c.until(then.From.end())
		if begin.After(points[len(points)-1].at) {
			points = append(points, chartPoint{begin, last})
		}
		last = float64(then.Waiting)
		points = append(points, chartPoint{end, last})
		rows = append(rows, []string{c.atEnd(end, then.From.end()), strconv.Itoa(then.Waiting)})
		if then.Waiting > most {
			most, mostAt = then.Waiting, end
		}
	}
	points = append(points, chartPoint{c.to, last})
	says := "At every full ten minutes the line was empty."
	if most > 0 {
		says = fmt.Sprintf("Most were %d, at %s.", most, c.at(mostAt))
	}
	if c.open() {
		says += fmt.Sprintf(" Now %d.", c.s.States[hall.Waiting])
	}
	drawn := c.chart(chartSeries{kind: seriesArea, points: points}).draw()
	return finish(drawn, key, title, says, []string{"At", "Waiting"}, rows)
}

// until is a time, but not after the end of the curve.
func (c curveMapper) until(at time.Time) time.Time {
	if at.After(c.to) {
		return c.to
	}
	return at
}

// atEnd names the end of ten minutes; of the last ones, which have not gone by,
// it says so, since they may end in the minute of those before.
func (c curveMapper) atEnd(end, whole time.Time) string {
	switch {
	case end.Equal(whole):
		return c.at(end)
	case c.open():
		return "now"
	}
	return "at closing, " + c.at(end)
}

func (c curveMapper) doneCurve() templates.Curve {
	const key, title = "done", "Done in ten minutes"
	if len(c.figures.done) == 0 {
		return templates.Curve{Key: key, Title: title, Empty: "Nobody is done yet."}
	}
	var points []chartPoint
	var rows [][]string
	total, most, mostAt := 0, 0, time.Time{}
	for _, from := range slices.SortedFunc(maps.Keys(c.figures.done), func(a, b slot) int { return a.at.Compare(b.at) }) {
		n := c.figures.done[from]
		points = append(points, chartPoint{from.at, float64(n)})
		rows = append(rows, []string{c.at(from.at), strconv.Itoa(n)})
		total += n
		if n > most {
			most, mostAt = n, from.at
		}
	}
	says := fmt.Sprintf("%d in all. Most were %d, from %s on.", total, most, c.at(mostAt))
	drawn := c.chart(chartSeries{kind: seriesBars, points: points}).draw()
	return finish(drawn, key, title, says, []string{"Ten minutes from", "Done"}, rows)
}

func (c curveMapper) waitsCurve() templates.Curve {
	const key, title = "waits", "Waits by the time of the call, in minutes"
	if len(c.figures.waits) == 0 {
		return templates.Curve{Key: key, Title: title, Empty: "Nobody has been called yet."}
	}
	half, most := chartSeries{name: "half of the calls", kind: seriesMain}, chartSeries{name: "95" + nbsp + "% of the calls", kind: seriesSecond}
	var rows [][]string
	for _, then := range c.figures.waits {
		middle := then.From.at.Add(slotLength / 2)
		half.points = append(half.points, chartPoint{middle, then.MedianSeconds / 60})
		most.points = append(most.points, chartPoint{middle, then.P95Seconds / 60})
		rows = append(rows, []string{c.at(then.From.at), strconv.Itoa(then.Count), withinWords(then.MedianSeconds), withinWords(then.P95Seconds)})
	}
	all := c.figures.all
	says := fmt.Sprintf("Of %d calls %s came within %s; half within %s, 95%s%% within %s.",
		all.Count, percent(all.WithinTarget), targetWords(c.target()), withinWords(all.MedianSeconds), nbsp, withinWords(all.P95Seconds))
	switch {
	case all.missing:
		says = ""
	case all.Count == 1:
		says = "One call, within " + withinWords(all.MedianSeconds) + "."
	}
	ch := c.chart(half, most)
	ch.level, ch.levelIs = c.target().Minutes(), "target "+targetWords(c.target())
	return finish(ch.draw(), key, title, says, []string{"Ten minutes from", "Calls", "Half within", "95" + nbsp + "% within"}, rows)
}
