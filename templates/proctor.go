package templates

// ProctorPage is the work place of a proctor.
type ProctorPage struct {
	Page
	HallName  string
	Rooms     []Link // all rooms, and each one
	Room      string // that is shown, "" for all
	PauseURL  string // panel with the pause form, "" for those who may not
	SearchURL string // panel that finds somebody
	KeysURL   string // panel with the shortcuts
	UndoURL   string // panel with the last commands
	MarkURL   string // panel with the commands for the tiles that are marked
	Hall      Proctor
}

// Proctor is what changes on the proctor page.
type Proctor struct {
	State HallState
	Rooms []RoomTiles
	Queue QueueList
	Aside AsideList
}

// HallState is the line above the machines.
type HallState struct {
	Manual    bool
	Closed    string // what is not open, "" if all is
	Counts    []Count
	Day       DayState
	Incidents Count // with the page that lists them
	Alerts    Count // the kinds with their numbers, with the page that shows them; none if 0
	Pauses    []Pause
}

// DayState is how the hall's day stands: open with a panel that closes it, or
// to be opened.
type DayState struct {
	Records  Link // lists of the day, or of the closed ones
	Text     string
	Door     *Action // opens or closes check-in; nil while the day is not open, and for those who may not
	CloseURL string  // "" while the day is not open, and for those who may not
	Open     *Action // nil while it is, and for those who may not
	Roster   string  // where its roster is loaded, "" for those who may not
	Devices  string  // where devices are let in, "" for those who may not
}

// Count is a number and what it counts.
type Count struct {
	Label string
	N     int
	URL   string // where they are listed, "" for nowhere
}

// Pause is a pause of the hall or of a room, and how to end it.
type Pause struct {
	Text   string
	Resume *Action // nil for those who may not
}

// RoomTiles are the machines of one room.
type RoomTiles struct {
	Key    string // fit for an id of an element
	ID     string
	Name   string
	Paused bool
	Tiles  []Tile
}

// Tile is one machine.
type Tile struct {
	Key       string // fit for an id of an element
	Now       string // the same, changes with sitting and state
	Machine   string
	Mark      string // what the mark of the tile stands for
	Label     string
	State     string // idle, called, in_use, spare, out_of_service
	StateText string
	Since     int64 // begin of what the tile counts, in milliseconds; 0 for nothing
	Limit     int64 // from here on it is over time, in milliseconds; 0 for never
	Ticket    string
	Class     string // "" for normal
	Name      string
	IDNumber  string // masked
	Subject   string
	Calls     string // "called twice", "" for once
	Reason    string
	Alert     string // what is wrong there, "" for nothing
	Actions   []Action
	More      string // panel with everything else
}

// Action is one button with its form.
type Action struct {
	Label  string
	URL    string
	Kind   string // "primary", "danger" or ""
	Fields []Hidden
	Aria   string // what a screen reader says, "" for Label
}

// Hidden is a field that goes along with a form.
type Hidden struct {
	Name, Value string
}

// QueueList is the head of the line.
type QueueList struct {
	Total   int
	CheckIn string // panel that checks somebody in
	Rows    []QueueRow
}

// QueueRow is one person in line.
type QueueRow struct {
	Key      string
	Ticket   string
	Name     string
	Class    string // "" for normal
	Subjects string
	Since    int64
	Late     int64 // from here on the wait is too long
	More     string
}

// AsideList are those who are in the hall's day but not in line.
type AsideList struct {
	Total int
	Rows  []AsideRow
}

// AsideRow is one person set aside.
type AsideRow struct {
	Key    string
	Ticket string
	Name   string
	State  string // word
	Kind   string // held, resting, absent, withdrawn
	Since  int64  // 0 if it does not matter
	Action Action // what is needed most
	More   string // panel with everything else
}
