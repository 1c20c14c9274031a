package hall

import (
	"fmt"
	"time"
)

// DayState says whether a day is open.
type DayState string

// The states of a day.
const (
	DayPreparing DayState = "preparing"
	DayOpen      DayState = "open"
)

// Day is one opening of a hall.
type Day struct {
	ID           string
	State        DayState
	OpenedAt     time.Time
	Base         time.Time // places count from here
	CheckInOpen  bool
	Paused       bool
	PauseMessage string
	PausedRooms  map[string]string // message by room
}

// DayID names the n-th day that a hall opens on one date of its own time zone.
func DayID(opened time.Time, zone *time.Location, n int) string {
	return fmt.Sprintf("%s-%d", opened.In(zone).Format(time.DateOnly), n)
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
