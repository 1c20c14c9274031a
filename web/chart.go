package web

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/templates"
)

// Size of a drawing and of the plot in it. On a page it is scaled.
const (
	chartWidth, chartHeight                  = 360, 186
	plotLeft, plotRight, plotTop, plotBottom = 36.0, 340.0, 14.0, 162.0
	mostXTicks, mostYTicks                   = 6, 5
	markRadius, mostMarks                    = 2.4, 60
	shortestSpan                             = time.Hour
	barShare, thinnestBar                    = 0.84, 0.8
	longestGap                               = 3 * slotLength // that a line joins
)

// chart is what is drawn over a day: series over the time from one time to
// another, in the hall's zone.
type chart struct {
	from, to time.Time
	zone     *time.Location
	series   []chartSeries
	level    float64 // 0 for none
	levelIs  string
}

// chartSeries are points in order of time.
type chartSeries struct {
	name, kind string
	points     []chartPoint
}

type chartPoint struct {
	at time.Time
	y  float64
}

// draw makes the drawing of a chart.
func (c chart) draw() templates.Curve {
	if c.to.Sub(c.from) < shortestSpan {
		c.to = c.from.Add(shortestSpan)
	}
	step, top := niceAxis(c.highest())
	p := plot{from: c.from, span: c.to.Sub(c.from), top: top}
	curve := templates.Curve{
		Width: chartWidth, Height: chartHeight,
		Left: number(plotLeft), Right: number(plotRight), Bottom: number(plotBottom),
		X: p.hours(c.zone),
	}
	for y := 0.0; y <= top; y += step {
		curve.Y = append(curve.Y, templates.Tick{At: number(p.y(y)), Text: strconv.FormatFloat(y, 'f', -1, 64)})
	}
	for _, s := range c.series {
		curve.Series = append(curve.Series, p.series(s))
	}
	if c.level > 0 {
		curve.Level = &templates.Level{At: number(p.y(c.level)), Text: c.levelIs}
	}
	return curve
}

func (c chart) highest() float64 {
	highest := c.level
	for _, s := range c.series {
		for _, point := range s.points {
			highest = max(highest, point.y)
		}
	}
	return highest
}

// niceAxis chooses a step of 1, 2 or 5 times a power of ten, and the end of an
// axis that reaches a number.
func niceAxis(highest float64) (step, top float64) {
	highest = max(1, highest)
	for power := 1.0; ; power *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			step = factor * power
			if n := math.Ceil(highest / step); n < mostYTicks {
				return step, n * step
			}
		}
	}
}

// plot maps times and numbers to the drawing.
type plot struct {
	from time.Time
	span time.Duration
	top  float64
}

func (p plot) x(at time.Time) float64 {
	return plotLeft + (plotRight-plotLeft)*at.Sub(p.from).Seconds()/p.span.Seconds()
}

func (p plot) y(value float64) float64 { return plotBottom - (plotBottom-plotTop)*value/p.top }

// hourSteps are the distances between two times on an axis.
var hourSteps = []time.Duration{
	10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// hourStep is the shortest step that leaves few enough of them.
func hourStep(span time.Duration) time.Duration {
	for _, step := range hourSteps {
		if span < mostXTicks*step {
			return step
		}
	}
	const day = 24 * time.Hour
	return (span / mostXTicks).Truncate(day) + day
}

// hours are the times on the axis: full ones by the clock on the wall, with the
// date where a day begins and the axis has several.
func (p plot) hours(zone *time.Location) []templates.Tick {
	step := hourStep(p.span)
	local := p.from.In(zone)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone)
	var ticks []templates.Tick
	for at := midnight; !at.After(p.from.Add(p.span)); at = at.Add(step) {
		if at.Before(p.from) {
			continue
		}
		text := at.In(zone).Format("15:04")
		if step >= 24*time.Hour || (p.span > 24*time.Hour && text == "00:00") {
			text = at.In(zone).Format("2 Jan")
		}
		ticks = append(ticks, templates.Tick{At: number(p.x(at)), Text: text})
	}
	return ticks
}

func (p plot) series(s chartSeries) templates.Series {
	drawn := templates.Series{Name: s.name, Kind: s.kind}
	switch s.kind {
	case seriesBars:
		drawn.Line = p.bars(s.points)
	case seriesArea:
		drawn.Line = p.line(s.points, 0)
		if n := len(s.points); n > 0 {
			drawn.Line += " V" + number(plotBottom) + " H" + number(p.x(s.points[0].at)) + " Z"
		}
	default:
		drawn.Line = p.line(s.points, longestGap)
		if len(s.points) <= mostMarks {
			drawn.Marks = p.marks(s)
		}
	}
	return drawn
}

// Looks of series.
const (
	seriesArea   = "area"
	seriesBars   = "bars"
	seriesMain   = "main"
	seriesSecond = "second"
)

// line joins points, but not over a gap longer than that; 0 is none too long.
func (p plot) line(points []chartPoint, gap time.Duration) string {
	var b strings.Builder
	for i, point := range points {
		command := " L"
		if i == 0 || (gap > 0 && point.at.Sub(points[i-1].at) > gap) {
			command = " M"
		}
		b.WriteString(command + number(p.x(point.at)) + " " + number(p.y(point.y)))
	}
	return strings.TrimSpace(b.String())
}

// bars stand over the ten minutes that begin at their points.
func (p plot) bars(points []chartPoint) string {
	whole := p.x(p.from.Add(slotLength)) - plotLeft
	width := max(thinnestBar, whole*barShare)
	var b strings.Builder
	for _, point := range points {
		if point.y > 0 {
			left := p.x(point.at) + (whole-width)/2
			b.WriteString(" M" + number(left) + " " + number(plotBottom) + "V" + number(p.y(point.y)) + "h" + number(width) + "V" + number(plotBottom) + "z")
		}
	}
	return strings.TrimSpace(b.String())
}

// marks are discs, of the second series squares.
func (p plot) marks(s chartSeries) string {
	var b strings.Builder
	r := number(markRadius)
	for _, point := range s.points {
		x, y := p.x(point.at), p.y(point.y)
		if s.kind == seriesSecond {
			side := number(2 * markRadius)
			b.WriteString(" M" + number(x-markRadius) + " " + number(y-markRadius) + "h" + side + "v" + side + "h-" + side + "z")
			continue
		}
		arc := "a" + r + " " + r + " 0 1 0 "
		b.WriteString(" M" + number(x-markRadius) + " " + number(y) + arc + number(2*markRadius) + " 0" + arc + "-" + number(2*markRadius) + " 0")
	}
	return strings.TrimSpace(b.String())
}

// number is a coordinate to a tenth.
func number(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
