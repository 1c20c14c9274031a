package templates

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/hallcall/hallcall/internal/locale"
)

// BoardPage is the hall display.
type BoardPage struct {
	Page
	HallName string
	RoomName string // "" for all rooms
	Clock    string // time of day when the page was made
	Voice    BoardVoice
	Board    Board
}

// BoardVoice is how a board speaks.
type BoardVoice struct {
	Languages string // BoardLanguages as JSON
	Repeats   int    // how often each announcement is spoken
	Test      BoardCall
}

// BoardLanguage is what is said in a language: by a voice of the browser, or by clips.
type BoardLanguage struct {
	Tag                 string `json:"tag"`
	Spoken              string `json:"spoken"`
	Sentence            string `json:"sentence"`
	SentenceWithoutRoom string `json:"sentenceWithoutRoom"`
	Clips               string `json:"clips"` // address of the sound file
	Index               string `json:"index"` // address of what is where in it, in seconds
}

// Board is what changes on the hall display.
type Board struct {
	ShowSeconds int             // at least so long a call is shown
	Texts       []*locale.Texts // its languages, which have their turns
	Closed      bool            // the day is not open
	Pauses      []BoardPause
	Calling     []BoardCall // open calls, newest first
	Last        []BoardCall // those who went to their places or need not go any more, newest first
	Next        []string    // numbers, in order
	Waiting     []BoardSubject
	WaitTotal   string // "" if it is not known for this board
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
	At        int64 // when it was announced last, in milliseconds
	Again     int   // how often it was called again
	Withdrawn bool  // the call does not stand any more
}

// BoardSubject is how many wait for a subject.
type BoardSubject struct {
	Name  Said
	Count int
}

// callData is what the page script needs to say a call aloud.
func callData(c BoardCall) templ.Attributes {
	return templ.Attributes{
		"data-call": c.Sitting + "-" + strconv.Itoa(c.Again), "data-at": strconv.FormatInt(c.At, 10),
		"data-ticket": c.Ticket, "data-room": c.Room, "data-machine": c.Machine,
	}
}
