package access

import (
	"errors"
	"slices"
	"time"
)

// Errors of devices.
var (
	// ErrNoCode says that no device shows this code: it is mistyped, has ended or was entered before.
	ErrNoCode = errors.New("no device shows this code")
	// ErrOneRoom says that a board shows one room or all of them.
	ErrOneRoom = errors.New("a board shows one room or all of them")
)

// DeviceKinds are what a device can be: the roles that are those of things.
var DeviceKinds = []Role{Kiosk, Board, Printer}

// Device is a kiosk, a board or a printer that somebody of the staff let in.
// Its secret is known to its own browser only.
type Device struct {
	ID    string
	Name  string
	Kind  Role
	Hall  string
	Rooms []string  // that it is for, none for all of them
	By    string    // who let it in
	Made  time.Time // when

	Seen  time.Time // last contact, to some seconds
	Sound Sound
	Paper Paper
}

// Asking is a device that shows a code and that nobody has let in yet.
type Asking struct {
	Code string
	Kind Role
	Ends time.Time
}

// Sound is whether a device can be heard.
type Sound string

// What a device says of its sound; "" where it has none.
const (
	SoundOn     Sound = "on"
	SoundMuted  Sound = "muted"  // by its browser or by somebody
	SoundBroken Sound = "broken" // it cannot say calls
)

// Paper is what a device says of its printer; "" where it has none.
type Paper string

// How a printer is.
const (
	PaperIn  Paper = "in"
	PaperOut Paper = "out"
)

// DeviceReport is what a device says of itself.
type DeviceReport struct {
	Sound Sound
	Paper Paper
}

// Valid reports whether a device can say this.
func (r DeviceReport) Valid() bool {
	return slices.Contains([]Sound{"", SoundOn, SoundMuted, SoundBroken}, r.Sound) && slices.Contains([]Paper{"", PaperIn, PaperOut}, r.Paper)
}

// silence is how long nothing was heard of a device that is not connected: two
// of its reports were lost.
const silence = 40 * time.Second

// Online reports whether a device was heard of lately.
func (d *Device) Online(now time.Time) bool { return now.Sub(d.Seen) < silence }

// Caller is the name of a device in events and logs; no account's looks like it.
func (d *Device) Caller() string { return DevicePrefix + d.ID }

// Grant is what a device may do. One that is for a room of its hall may still
// do so for the hall: which room a board shows is its own matter.
func (d *Device) Grant() Grant { return In(d.Kind, d.Hall) }
