package templates

// Curve is a drawing over the time of a day, with its numbers as a table.
// Coordinates are those of the drawing.
type Curve struct {
	Key           string // fit for an id of an element
	Title         string
	Says          string // what is seen on it, in a sentence
	Empty         string // why there is no drawing, "" if there is one
	Width, Height int
	Left, Right   string // begin and end of the plot
	Bottom        string
	X, Y          []Tick
	Series        []Series
	Level         *Level // a line across, nil for none
	Columns       []string
	Rows          [][]string
}

// Tick is a place on an axis and what stands there.
type Tick struct{ At, Text string }

// Series is one line or one set of bars.
type Series struct {
	Name  string // in the legend, "" for none
	Kind  string // looks: "area", "bars", "main" or "second"
	Line  string // path
	Marks string // path of the points, "" for none
}

// Level is a line across the plot with its name in the legend.
type Level struct{ At, Text string }

// legendMark is the point of a series in the legend.
func legendMark(kind string) string {
	if kind == "second" {
		return "M11 2h6v6h-6z"
	}
	return "M11 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
}
