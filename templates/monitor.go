package templates

// MonitorPage shows how a hall's day goes.
type MonitorPage struct {
	Page
	HallName string
	Links    []Link // other pages of the hall
	Monitor  Monitor
}

// Monitor is what changes on the monitor page.
type Monitor struct {
	Day       string // how it stands
	AsOf      string // time of day of what is shown
	Tags      []Tag
	Notes     []string // what the staff or the program says about the day
	Alerts    []AlertGroup
	Tiles     []Figure
	Waits     WaitTable
	Curves    []Curve
	NoFigures string // why there are no curves, "" if there are
	Machines  []MachineCount
	Rooms     []RoomStrip
	Many      bool // machines, so that each is drawn smaller
}

// Tag is a word about the day and its kind: "go", "call" or "stop".
type Tag struct{ Text, Kind string }

// AlertGroup are the active alerts of one name.
type AlertGroup struct {
	Key         string
	Text        string
	Items       []AlertItem
	More        int // that are not listed on the screen
	MoreOnPaper int // that are not listed on paper
}

// AlertItem is one alert. What it is about may be empty: then it is the hall.
type AlertItem struct {
	Key        string // fit for an id of an element
	Text       string
	URL        string
	Since      int64
	NotOnPaper bool
}

// Figure is one number with what it counts. With Since it is a time that runs.
type Figure struct {
	Key, Label, Value string
	Note              string
	Main              bool
	Since, Limit      int64
}

// WaitTable are the waits by subject.
type WaitTable struct {
	Target string // in words
	Now    bool   // whether anybody can wait now
	Rows   []WaitRow
}

// WaitRow are the waits for one subject, or for all of them.
type WaitRow struct {
	Key         string
	Name        string
	All         bool
	Waiting     string
	Since       int64 // begin of the longest wait of who waits now, 0 for nobody
	Limit       int64
	Calls       string
	Within      string // share within the target
	Short       bool   // that share is low
	Median, P95 string
}

// MachineCount is how many machines are in a state. Mark stands for the state
// on each machine.
type MachineCount struct {
	State, Mark, Name string
	N                 int
}

// RoomStrip are the machines of a room.
type RoomStrip struct {
	Key    string
	Name   string
	Note   string // paused
	Cells  []MachineCell
	Counts string // for readers who do not see them
}

// MachineCell is one machine.
type MachineCell struct{ Key, Label, State, Mark, Says, URL string }

// kindsWithNames is how many kinds of alerts fit on paper with names.
const kindsWithNames = 2
