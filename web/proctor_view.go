package web

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// proctorView maps a hall to what changes on the proctor page, of all rooms or
// of one; manages adds what only managers may do.
func proctorView(s *hall.Snapshot, room string, manages bool) templates.Proctor {
	p := proctorMapper{s: s, layout: &s.Hall.Layout, room: room, manages: manages}
	return templates.Proctor{State: p.state(), Rooms: p.rooms(), Queue: p.queue(), Aside: p.aside()}
}

type proctorMapper struct {
	s      *hall.Snapshot
	layout *hall.Layout
	room   string

	manages bool         // what only managers may do is there, too
	grant   access.Grant // of whom a panel is for
}

// url is the address of a command; it keeps the room that the page shows.
func (p proctorMapper) url(parts ...string) string {
	return withRoom(hallURL(p.s.Hall.ID, append([]string{"proctor"}, parts...)...), p.room)
}

// roomTabs lead to the rooms that somebody has.
func roomTabs(h *hall.Hall, shown string, g access.Grant) []templates.Link {
	address := hallURL(h.ID, "proctor")
	var tabs []templates.Link
	if !g.Bound() {
		tabs = append(tabs, templates.Link{Text: "All rooms", URL: address, Current: shown == ""})
	}
	for _, room := range h.Layout.Rooms {
		if !access.Allows(g, access.Attend, h.ID, room.ID) {
			continue
		}
		tabs = append(tabs, templates.Link{
			Text: room.Title(), URL: withRoom(address, room.ID), Current: room.ID == shown,
		})
	}
	return tabs
}

func (p proctorMapper) state() templates.HallState {
	state := templates.HallState{
		Manual: p.layout.Rules.Mode == hall.ModeManual, Counts: p.counts(), Pauses: p.pauses(),
		Incidents: templates.Count{Label: "incidents", N: p.s.Incidents, URL: incidentsURL(p.s.Hall.ID, "room", p.room)},
		Day:       p.dayState(),
	}
	state.Alerts = p.alerts()
	if p.s.Incidents == 1 {
		state.Incidents.Label = "incident"
	}
	if !p.s.Hall.Day.CheckInOpen {
		state.Closed = "Check-in is closed"
	}
	return state
}

func (p proctorMapper) counts() []templates.Count {
	byState := map[hall.MachineState]int{}
	for i := range p.s.Machines {
		if m := &p.s.Machines[i]; p.room == "" || m.Room == p.room {
			byState[m.State]++
		}
	}
	return []templates.Count{
		{Label: "idle", N: byState[hall.MachineIdle]},
		{Label: "called", N: byState[hall.MachineCalled]},
		{Label: "in use", N: byState[hall.MachineInUse]},
		{Label: "spare", N: byState[hall.MachineSpare]},
		{Label: "out of service", N: byState[hall.MachineOutOfService]},
		{Label: "done today", N: p.s.States[hall.Done]},
	}
}

// pauses are those of the hall and of the rooms that the page shows.
func (p proctorMapper) pauses() []templates.Pause {
	var pauses []templates.Pause
	day := p.s.Hall.Day
	if day.Paused {
		pauses = append(pauses, p.pause("Calling is paused in the whole hall.", day.PauseMessage, "", "Resume calling"))
	}
	for _, room := range p.layout.Rooms {
		message, paused := day.PausedRooms[room.ID]
		if paused && (p.room == "" || p.room == room.ID) {
			pauses = append(pauses, p.pause("Calling is paused in "+room.Title()+".", message, room.ID, "Resume "+room.Title()))
		}
	}
	return pauses
}

// paused reports whether nobody is called to a room.
func (p proctorMapper) paused(room string) bool {
	_, paused := p.s.Hall.Day.PausedRooms[room]
	return paused || p.s.Hall.Day.Paused
}

func (p proctorMapper) pause(text, message, room, label string) templates.Pause {
	shown := templates.Pause{Text: strings.TrimSpace(text + " " + message)}
	if p.manages {
		shown.Resume = &templates.Action{
			Label: label, URL: p.url("resume"), Kind: "primary",
			Fields: []templates.Hidden{{Name: "room", Value: room}},
		}
	}
	return shown
}

func (p proctorMapper) rooms() []templates.RoomTiles {
	var rooms []templates.RoomTiles
	for _, room := range p.layout.Rooms {
		if p.room != "" && p.room != room.ID {
			continue
		}
		tiles := templates.RoomTiles{Key: url.PathEscape(room.ID), ID: room.ID, Name: room.Title(), Paused: p.paused(room.ID)}
		for i := range p.s.Machines {
			if m := &p.s.Machines[i]; m.Room == room.ID {
				tiles.Tiles = append(tiles.Tiles, p.tile(m))
			}
		}
		rooms = append(rooms, tiles)
	}
	return rooms
}

var machineWords = map[hall.MachineState]string{
	hall.MachineIdle: "Idle", hall.MachineCalled: "Called", hall.MachineInUse: "In use",
	hall.MachineSpare: "Spare", hall.MachineOutOfService: "Out of service",
}

func (p proctorMapper) tile(m *hall.Machine) templates.Tile {
	t := templates.Tile{
		Key: url.PathEscape(m.ID), Now: string(m.State), Machine: m.ID, Mark: markFor(m).text(), Label: machineLabel(m), State: string(m.State), StateText: machineWords[m.State],
		Since: millis(m.Since), Reason: outageReason(m), More: p.url("machines", m.ID), Alert: p.alertOf(m.ID),
	}
	if m.Current != nil {
		p.occupy(&t, m.Current)
		return t
	}
	switch m.State {
	case hall.MachineIdle:
		t.Reason = subjectNames(p.layout, m.Subjects)
		if p.layout.Rules.Mode == hall.ModeManual && p.s.Hall.Day.State == hall.DayOpen {
			t.Actions = []templates.Action{{
				Label: "Call next", URL: p.url("next"), Kind: "primary",
				Fields: []templates.Hidden{{Name: "machine", Value: m.ID}}, Aria: "Call next: " + machineWord(t.Label),
			}}
		}
	case hall.MachineSpare, hall.MachineOutOfService:
		if m.State == hall.MachineSpare {
			t.Reason = subjectNames(p.layout, m.Subjects)
		}
		t.Actions = []templates.Action{{
			Label: "Put in service", URL: p.url("machines", m.ID, "in-service"), Aria: "Put in service: " + machineWord(t.Label),
		}}
	default: // with a sitting, above
	}
	return t
}

// occupy puts a sitting on a tile. Every command names the sitting, so that a
// page that is not up to date cannot hit another one.
func (p proctorMapper) occupy(t *templates.Tile, s *hall.Sitting) {
	t.Now = url.PathEscape(s.ID) + "-" + string(s.State)
	t.Ticket, t.Class, t.Name = s.Ticket, className(s.Class), s.Name
	t.IDNumber, t.Subject = hall.MaskIDNumber(s.IDNumber), subjectName(p.layout, s.Subject)
	act := func(label, verb, kind string, fields ...templates.Hidden) templates.Action {
		return templates.Action{
			Label: label, URL: p.url("sittings", s.ID, verb), Kind: kind, Fields: fields,
			Aria: label + ": " + s.Ticket + ", " + machineWord(t.Label),
		}
	}
	if s.State == hall.SittingSeated {
		t.Since, t.Limit = millis(s.SeatedAt), overTime(p.layout, s)
		t.Actions = []templates.Action{act("End", "end", "primary")}
		return
	}
	t.Since = millis(s.CalledAt)
	if p.layout.Rules.ConfirmSeat && !p.paused(s.Room) { // a call does not run out meanwhile
		t.Limit = millis(s.AnnouncedAt.Add(p.layout.Rules.CallTimeout()))
	}
	t.Actions = []templates.Action{act("Seated", "seat", "primary")}
	if s.Recalls > 0 {
		t.Calls = "called " + timesWord(s.Announcement())
	}
	if s.Recalls < p.layout.Rules.RecallLimit {
		again := templates.Hidden{Name: "recall", Value: strconv.Itoa(s.Announcement() + 1)}
		t.Actions = append(t.Actions, act("Call again", "recall", "", again))
	}
	t.Actions = append(t.Actions, act("No-show", "no-show", "danger"))
}

// overTime is when a sitting has taken as long as its subject should.
func overTime(layout *hall.Layout, s *hall.Sitting) int64 {
	subject, ok := layout.Subject(s.Subject)
	if !ok {
		return 0
	}
	return millis(s.SeatedAt.Add(time.Duration(subject.Minutes * float64(time.Minute))))
}

func (p proctorMapper) queue() templates.QueueList {
	list := templates.QueueList{Total: p.s.States[hall.Waiting], CheckIn: p.url("check-in")}
	for i := range p.s.Line {
		e := &p.s.Line[i]
		since := e.WaitingSince.Add(e.HoldInWait) // time on hold does not count
		list.Rows = append(list.Rows, templates.QueueRow{
			Key: url.PathEscape(e.ID), Ticket: e.Ticket, Name: e.Person.Name, Class: className(e.Class),
			Subjects: subjectNames(p.layout, e.Remaining()), Since: millis(since),
			Late: millis(since.Add(time.Duration(p.layout.Rules.WaitTargetSeconds) * time.Second)),
			More: p.url("queue", e.ID),
		})
	}
	return list
}

var asideWords = map[hall.CandidateState]string{
	hall.Held: "stepped away", hall.Resting: "has a break", hall.Absent: "absent", hall.Withdrawn: "withdrawn",
}

func (p proctorMapper) aside() templates.AsideList {
	var list templates.AsideList
	for state := range asideWords {
		list.Total += p.s.States[state]
	}
	for i := range p.s.Aside {
		e := &p.s.Aside[i]
		row := templates.AsideRow{
			Key: url.PathEscape(e.ID), Ticket: e.Ticket, Name: e.Person.Name, State: asideWords[e.State], Kind: string(e.State),
			More: p.url("queue", e.ID),
		}
		if actions := p.lineActions(e); len(actions) > 0 {
			row.Action = actions[0]
			if e.State == hall.Resting {
				row.Action.Label = "Hold" // in fewer words than on the panel
			}
			row.Action.Kind, row.Action.Aria = "", row.Action.Label+": "+e.Ticket
		}
		if e.State == hall.Held {
			row.Since = millis(e.HeldSince)
			if e.Hold > 0 {
				row.State += " again"
			}
		}
		list.Rows = append(list.Rows, row)
	}
	return list
}
