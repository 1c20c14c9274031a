package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// tooManyCodes is how long a screen waits that gets no code now.
const tooManyCodes = 30 * time.Second

// deviceRoutes are the devices of a hall, for those who look after it.
func (s *Server) deviceRoutes(r routes) {
	r.get(access.Arrange, "", s.getDevices)
	r.post(access.Arrange, "", s.postPair)
	r.get(access.Arrange, "/:device", s.getOneDevice)
	r.post(access.Arrange, "/:device", s.postDeviceChange)
	r.post(access.Arrange, "/:device/revoke", s.postDeviceRevoke)
	r.get(access.Arrange, "/:device/revoke", toDevices)
}

func devicesURL(hallID string, parts ...string) string {
	return hallURL(hallID, append([]string{"staff", "devices"}, parts...)...)
}

func toDevices(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, devicesURL(c.Param("hall")))
}

// GET /halls/{hall}/staff/devices: which there are and how they are. The page
// asks for the list alone every few seconds.
func (s *Server) getDevices(c echo.Context) error {
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	if isFragment(c) {
		list, err := s.deviceList(c, &h)
		if err != nil {
			return err
		}
		return render(c, http.StatusOK, templates.DeviceListFragment(list))
	}
	return s.devicesPage(c, http.StatusOK, &h, s.pairForm(&h, nil))
}

func (s *Server) devicesPage(c echo.Context, status int, h *hall.Hall, form templates.DeviceForm) error {
	list, err := s.deviceList(c, h)
	if err != nil {
		return err
	}
	return render(c, status, templates.Devices(templates.DevicesPage{
		Page: s.staffPage(c, "Devices", "admin.css", "devices.js"), HallName: h.Layout.Name, Open: h.Layout.Rules.OpenScreens,
		List: list, Form: form, Back: hallURL(h.ID, "proctor"), Kiosk: hallURL(h.ID, "kiosk"), Board: hallURL(h.ID, "board"), Printer: hallURL(h.ID, "printer"),
	}))
}

func (s *Server) deviceList(c echo.Context, h *hall.Hall) (templates.DeviceList, error) {
	list := templates.DeviceList{URL: devicesURL(h.ID)}
	devices, err := s.cfg.Devices.List(c.Request().Context(), h.ID)
	if err != nil {
		return list, err
	}
	now := s.cfg.Now()
	for i := range devices {
		list.Rows = append(list.Rows, deviceRow(h, &devices[i], now))
	}
	return list, nil
}

// deviceRow says how a device is, what needs somebody first.
func deviceRow(h *hall.Hall, d *access.Device, now time.Time) templates.DeviceRow {
	row := templates.DeviceRow{
		Key: d.ID, Name: d.Name, Kind: roleWords[d.Kind], Where: roomNames(&h.Layout, d.Rooms), URL: devicesURL(h.ID, d.ID),
		State: "Online", StateKind: "go", By: d.By, Made: clockOfDay(d.Made, now, h.Location()),
	}
	switch {
	case d.Seen.IsZero():
		row.State, row.StateKind = "Not seen yet", "stop"
	case !d.Online(now):
		row.State, row.StateKind = "Gone since "+clockOfDay(d.Seen, now, h.Location()), "stop"
	default:
		row.Seen = clockOfDay(d.Seen, now, h.Location())
	}
	switch d.Sound {
	case access.SoundMuted:
		row.Troubles = append(row.Troubles, "Muted")
	case access.SoundBroken:
		row.Troubles = append(row.Troubles, "Cannot speak")
	case access.SoundOn:
	}
	if d.Paper == access.PaperOut {
		row.Troubles = append(row.Troubles, "Out of paper")
	}
	return row
}

// clockOfDay is a time of today by the clock, one of another day with its date.
func clockOfDay(t, now time.Time, zone *time.Location) string {
	t, now = t.In(zone), now.In(zone)
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}

// roomNames says for which rooms a device is.
func roomNames(l *hall.Layout, rooms []string) string {
	if len(rooms) == 0 {
		return "The whole hall"
	}
	names := make([]string, len(rooms))
	for i, id := range rooms {
		names[i] = roomName(l, id)
	}
	return strings.Join(names, ", ")
}

// pairForm lets a device in.
func (s *Server) pairForm(h *hall.Hall, chosen []string) templates.DeviceForm {
	return templates.DeviceForm{URL: devicesURL(h.ID), Key: newFormKey(), Rooms: roomChoices(h, chosen)}
}

func roomChoices(h *hall.Hall, chosen []string) []templates.Option {
	options := make([]templates.Option, 0, len(h.Layout.Rooms))
	for _, room := range h.Layout.Rooms {
		options = append(options, templates.Option{Value: room.ID, Text: room.Title(), Chosen: slices.Contains(chosen, room.ID)})
	}
	return options
}

// readDevice reads the name and the rooms of a device, and says what is wrong with them.
func readDevice(h *hall.Hall, values url.Values, form *templates.DeviceForm) (name string, rooms []string) {
	name, rooms = strings.TrimSpace(values.Get("name")), values["room"]
	form.Name, form.NameError, form.Rooms = name, nameFault(name, true), roomChoices(h, rooms)
	for _, room := range rooms {
		if _, known := h.Layout.Room(room); !known {
			form.RoomError = "The hall has changed: a room that was chosen is not there any more."
		}
	}
	slices.Sort(rooms)
	return name, slices.Compact(rooms)
}

// POST /halls/{hall}/staff/devices: let the device in that shows a code.
func (s *Server) postPair(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	key := values.Get("key")
	if !formKeys.MatchString(key) {
		return errBrokenForm
	}
	form := s.pairForm(&h, nil)
	given := access.Device{Hall: h.ID, By: visitor(c).User}
	given.Name, given.Rooms = readDevice(&h, values, &form)
	form.Code = usualText(values.Get("code"))
	if form.Code == "" {
		form.CodeError = "Type the code that the device shows."
	}
	if form.CodeError+form.NameError+form.RoomError != "" {
		return s.devicesPage(c, http.StatusUnprocessableEntity, &h, form)
	}
	if err := s.cfg.Limits.Take(ctx, access.LimitPairing, visitor(c).User); err != nil {
		return err
	}
	device, err := s.cfg.Devices.Pair(ctx, form.Code, given, key)
	if err != nil {
		return s.refuseDevice(c, &h, form, err)
	}
	s.logChange(c, "device let in", device.Caller())
	s.sessions.keep(c, sessionNotice, "The "+kindWords[device.Kind]+" "+device.Name+" is let in. It goes on by itself within some seconds.")
	return toDevices(c)
}

// refuseDevice shows the form again, with what is wrong.
func (s *Server) refuseDevice(c echo.Context, h *hall.Hall, form templates.DeviceForm, err error) error {
	switch {
	case errors.Is(err, access.ErrNoCode):
		form.CodeError = "No device shows this code now. Look at its screen again: a code ends after ten minutes."
	case errors.Is(err, access.ErrTaken):
		form.NameError = "Another device of this hall has this name."
	case errors.Is(err, access.ErrOneRoom):
		form.RoomError = "A board shows one room or, if none is chosen, all of them."
	case errors.Is(err, access.ErrTooMany):
		form.CodeError = "The hall has as many devices as it may have. Shut one out first."
	default:
		return err
	}
	if form.Device == "" {
		return s.devicesPage(c, http.StatusConflict, h, form)
	}
	return s.oneDevicePage(c, http.StatusConflict, h, form)
}

// GET /halls/{hall}/staff/devices/{device}
func (s *Server) getOneDevice(c echo.Context) error {
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	device, err := s.cfg.Devices.Device(ctx, h.ID, c.Param("device"))
	if err != nil {
		return unknownDevice(err)
	}
	form := deviceForm(&h, &device)
	form.Rooms = roomChoices(&h, device.Rooms)
	return s.oneDevicePage(c, http.StatusOK, &h, form)
}

func deviceForm(h *hall.Hall, d *access.Device) templates.DeviceForm {
	return templates.DeviceForm{URL: devicesURL(h.ID, d.ID), Device: d.Name, Name: d.Name, Revoke: devicesURL(h.ID, d.ID, "revoke")}
}

func (s *Server) oneDevicePage(c echo.Context, status int, h *hall.Hall, form templates.DeviceForm) error {
	return render(c, status, templates.OneDevice(templates.OneDevicePage{
		Page: s.staffPage(c, "Device", "admin.css", ""), HallName: h.Layout.Name, Form: form, Back: devicesURL(h.ID),
	}))
}

// POST /halls/{hall}/staff/devices/{device}: another name, other rooms.
func (s *Server) postDeviceChange(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	device, err := s.cfg.Devices.Device(ctx, h.ID, c.Param("device"))
	if err != nil {
		return unknownDevice(err)
	}
	form := deviceForm(&h, &device)
	name, rooms := readDevice(&h, values, &form)
	if form.NameError+form.RoomError != "" {
		return s.oneDevicePage(c, http.StatusUnprocessableEntity, &h, form)
	}
	switch err := s.cfg.Devices.Change(ctx, h.ID, device.ID, name, rooms); {
	case errors.Is(err, access.ErrUnknown):
		return unknownDevice(err)
	case err != nil:
		return s.refuseDevice(c, &h, form, err)
	}
	s.rights.hint()
	s.logChange(c, "device changed", device.Caller())
	s.sessions.keep(c, sessionNotice, "The device "+name+" is changed.")
	return toDevices(c)
}

// POST /halls/{hall}/staff/devices/{device}/revoke: shut it out.
func (s *Server) postDeviceRevoke(c echo.Context) error {
	id := c.Param("device")
	if err := s.cfg.Devices.Revoke(c.Request().Context(), c.Param("hall"), id); err != nil {
		return err
	}
	s.rights.hint()
	s.logChange(c, "device shut out", access.DevicePrefix+id)
	s.sessions.keep(c, sessionNotice, "The device is shut out. Its screen shows a code again.")
	return toDevices(c)
}

// unknownDevice is the error of a device that is not one of the hall.
func unknownDevice(err error) error {
	if errors.Is(err, access.ErrUnknown) {
		return echo.NewHTTPError(http.StatusNotFound).SetInternal(err)
	}
	return err
}
