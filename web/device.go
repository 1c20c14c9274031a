package web

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/templates"
)

// Devices knows the kiosks, boards and printers that were let in. Its errors
// are those of package access; an outage wraps hall.ErrUnavailable.
type Devices interface {
	// Code returns the code that a device with a secret shows; ErrNoCode.
	Code(ctx context.Context, secret string, kind access.Role) (access.Asking, error)
	// Ask gives a device with a secret a code to show, or the one that it has; ErrTooMany.
	Ask(ctx context.Context, secret string, kind access.Role) (access.Asking, error)
	// Pair lets the device in that shows a code, once for one form: ErrNoCode,
	// ErrTaken, ErrOneRoom, ErrTooMany.
	Pair(ctx context.Context, code string, given access.Device, form string) (access.Device, error)
	// Find returns the device with a secret, and notes that it was heard of; ErrUnknown.
	Find(ctx context.Context, secret string) (access.Device, error)
	// Report keeps what a device says of itself; ErrUnknown.
	Report(ctx context.Context, secret string, report access.DeviceReport) error

	// Device returns a device of a hall; ErrUnknown.
	Device(ctx context.Context, hallID, id string) (access.Device, error)
	// List returns the devices of a hall by name.
	List(ctx context.Context, hallID string) ([]access.Device, error)
	// Change gives a device of a hall another name and other rooms; ErrUnknown,
	// ErrTaken, ErrOneRoom.
	Change(ctx context.Context, hallID, id, name string, rooms []string) error
	// Revoke shuts a device of a hall out.
	Revoke(ctx context.Context, hallID, id string) error
}

// pathDevice is where devices say how they are.
const pathDevice = "/device"

// What a browser keeps to be known again as a device: a secret, which is worth
// nothing until somebody of the staff lets it in, and nothing once it is shut out.
const (
	deviceCookie = "hallcall-device"
	secretBytes  = 32
)

// cookieLifetime is as long as browsers keep a cookie.
const cookieLifetime = 400 * 24 * time.Hour

var deviceSecrets = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// visitingDevice is where a request keeps which device sent it.
const visitingDevice = "web.device"

// visitingAs is the device that sent a request, nil if none did.
func visitingAs(c echo.Context) *access.Device {
	device, _ := c.Get(visitingDevice).(*access.Device)
	return device
}

// secretOf is what a browser is known by as a device, "" for nothing.
func secretOf(c echo.Context) string {
	cookie, err := c.Cookie(deviceCookie)
	if err != nil || !deviceSecrets.MatchString(cookie.Value) {
		return ""
	}
	return cookie.Value
}

// deviceOf is the device with a secret, nil if there is none.
func (s *Server) deviceOf(ctx context.Context, secret string) (*access.Device, error) {
	if secret == "" || s.cfg.Devices == nil {
		return nil, nil //nolint:nilnil // most visitors are none, which is no error
	}
	device, err := s.cfg.Devices.Find(ctx, secret)
	if errors.Is(err, access.ErrUnknown) {
		return nil, nil //nolint:nilnil // it was shut out
	}
	if err != nil {
		return nil, err
	}
	return &device, nil
}

// accountOf is a device as a visitor.
func accountOf(device *access.Device) access.Account {
	return access.Account{User: device.Caller(), Name: device.Name, Grant: device.Grant()}
}

// keepSecret gives a browser a secret to be known by.
func (s *Server) keepSecret(c echo.Context) (secret string, err error) {
	random := make([]byte, secretBytes)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	secret = base64.RawURLEncoding.EncodeToString(random)
	s.keepCookie(c, deviceCookie, secret)
	return secret, nil
}

// keepCookie keeps a value in a browser for as long as browsers do.
func (s *Server) keepCookie(c echo.Context, name, value string) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // Secure where the request or the setting says that there is TLS
		Name: name, Value: value, Path: "/", MaxAge: int(cookieLifetime.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.sessions.secure || c.IsTLS(),
	})
}

// POST /device: how a device is.
func (s *Server) postDevice(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	report := access.DeviceReport{Sound: access.Sound(values.Get("sound")), Paper: access.Paper(values.Get("paper"))}
	switch {
	case visitingAs(c) == nil:
		return c.NoContent(http.StatusUnauthorized) // its page starts again then, and shows a code
	case !report.Valid():
		return echo.NewHTTPError(http.StatusUnprocessableEntity)
	}
	err = s.cfg.Devices.Report(c.Request().Context(), secretOf(c), report)
	switch {
	case errors.Is(err, access.ErrUnknown):
		return c.NoContent(http.StatusUnauthorized)
	case err != nil:
		return err
	case isFragment(c):
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, deviceURL(visitingAs(c)))
}

// GET /device leads a device to its page.
func (s *Server) getDevice(c echo.Context) error {
	if device := visitingAs(c); device != nil {
		return c.Redirect(http.StatusSeeOther, deviceURL(device))
	}
	return c.Redirect(http.StatusSeeOther, pathHome)
}

// GET /halls/{hall}/printer: what somebody at a printer tells the staff with a tap.
func (s *Server) getPrinter(c echo.Context) error {
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	device := visitingAs(c)
	switch {
	case device != nil && device.Kind == access.Printer && device.Hall == h.ID:
	case device != nil:
		return access.Refuse(visitor(c).Grant, access.Report, h.ID)
	default:
		return errNeedsPairing
	}
	p := s.page(c, device.Name, "page.css", "printer.js")
	return render(c, http.StatusOK, templates.Printer(templates.PrinterPage{
		Page: p, Name: device.Name, HallName: h.Layout.Name, Out: device.Paper == access.PaperOut, URL: pathDevice,
	}))
}

// deviceURL is the page of a device.
func deviceURL(device *access.Device) string {
	address := hallURL(device.Hall, string(device.Kind))
	if device.Kind == access.Board {
		return withRoom(address, ownRoom(device))
	}
	return address
}

// ownRoom is the room that a board is for, "" for all of them.
func ownRoom(device *access.Device) string {
	if len(device.Rooms) == 0 {
		return ""
	}
	return device.Rooms[0]
}

// mayShow reports whether a board may show a room.
func mayShow(device *access.Device, room string) bool {
	return device == nil || len(device.Rooms) == 0 || slices.Contains(device.Rooms, room)
}

// deviceWords says on the page of a refusal which device this is.
func deviceWords(device *access.Device, words explanation) explanation {
	words.message = "This is the " + kindWords[device.Kind] + " " + device.Name + ", and it is for nothing else."
	words.advice = "Its page is " + deviceURL(device) + ". To use it otherwise, have the staff shut it out first."
	return words
}

// kindWords name the kinds of devices within a sentence.
var kindWords = map[access.Role]string{access.Kiosk: "kiosk", access.Board: "board", access.Printer: "printer"}
