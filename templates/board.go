package templates

import "github.com/hallcall/hallcall/internal/locale"

// BoardPage is the hall display.
type BoardPage struct {
	Page
	HallName string
	RoomName string // "" for all rooms
	Clock    string // time of day when the page was made
	Board    Board
}

// Board is what changes on the hall display.
type Board struct {
	Texts     []*locale.Texts // its languages, which have their turns
	Closed    bool            // the day is not open
	Pauses    []BoardPause
	Calling   []BoardCall // open calls, newest first
	Last      []BoardCall // those who went to their places or need not go any more, newest first
	Next      []string    // numbers, in order
	Waiting   []BoardSubject
	WaitTotal string // "" if it is not known for this board
}

// BoardPause says that nobody is called, in the hall or in some rooms.
type BoardPause struct {
	Text    Said
	Message string // of the staff, "" for none
}

// manyCalls is how many calls beside the newest have room on two columns.
const manyCalls = 8

// BoardCall is a number and where it goes.
type BoardCall struct {
	Sitting   string
	Ticket    string
	Name      string // masked, "" if the hall shows none
	Room      string
	Machine   string
	Again     int  // how often it was called again
	Withdrawn bool // the call does not stand any more
}

// BoardSubject is how many wait for a subject.
type BoardSubject struct {
	Name  Said
	Count int
}
