package hall

import "time"

// DayState says whether a day is open.
type DayState string

// The states of a day.
const (
	DayPreparing DayState = "preparing"
	DayOpen      DayState = "open"
	DayClosed    DayState = "closed"
)

// Day is one opening of a hall. It has its id once it is open: while it is
// being prepared nobody knows its date.
type Day struct {
	ID           string
	State        DayState
	OpenedAt     time.Time
	ClosedAt     time.Time // zero until it is closed
	ErasedAt     time.Time // zero until its names and texts are erased
	Base         time.Time // places count from here
	CheckInOpen  bool
	Paused       bool
	PauseMessage string
	PausedRooms  map[string]string // message by room
}

// DayDate is the date of a day that opens at a time, in the hall's own time
// zone. The day keeps it, also when it goes on after midnight: its id is
// 2026-11-30-2 for the second day that the hall opens on this date.
func DayDate(opened time.Time, zone *time.Location) string {
	return opened.In(zone).Format(time.DateOnly)
}

// Hall is one exam site: what its administrator wrote, and its present day.
type Hall struct {
	ID     string
	Layout Layout
	// LayoutTag is another one whenever the layout is.
	LayoutTag string
	Day       Day
	Version   int64 // grows with every change of the hall
}

// Location is the hall's time zone; UTC if the machine does not know it.
func (h *Hall) Location() *time.Location {
	zone, err := time.LoadLocation(h.Layout.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}
