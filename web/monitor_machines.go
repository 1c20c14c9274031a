package web

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// machineMarks stand for the states of machines where there is no room for words.
var machineMarks = map[hall.MachineState]string{
	hall.MachineIdle: "I", hall.MachineCalled: "C", hall.MachineInUse: "U", hall.MachineSpare: "S", hall.MachineOutOfService: "X",
}

func (m monitorMapper) machines() []templates.MachineCount {
	var counts []templates.MachineCount
	for _, state := range hall.MachineStates {
		n := 0
		for i := range m.s.Machines {
			if m.s.Machines[i].State == state {
				n++
			}
		}
		counts = append(counts, templates.MachineCount{State: string(state), Mark: machineMarks[state], Name: strings.ToLower(machineWords[state]), N: n})
	}
	return counts
}

// rooms are the machines of each room, each a link to its panel.
func (m monitorMapper) rooms() []templates.RoomStrip {
	byRoom := map[string][]*hall.Machine{}
	for i := range m.s.Machines {
		machine := &m.s.Machines[i]
		byRoom[machine.Room] = append(byRoom[machine.Room], machine)
	}
	var strips []templates.RoomStrip
	for _, room := range m.layout.Rooms {
		strip := templates.RoomStrip{Key: url.PathEscape(room.ID), Name: room.Title(), Counts: countsIn(byRoom[room.ID])}
		if _, paused := m.s.Hall.Day.PausedRooms[room.ID]; paused {
			strip.Note = "Paused"
		}
		for _, machine := range byRoom[room.ID] {
			strip.Cells = append(strip.Cells, m.cell(machine))
		}
		if len(strip.Cells) > 0 {
			strips = append(strips, strip)
		}
	}
	return strips
}

func (m monitorMapper) cell(machine *hall.Machine) templates.MachineCell {
	says := machineLabel(machine) + ", " + strings.ToLower(machineWords[machine.State])
	if machine.Code != "" && machine.Code != hall.OutageOther {
		says += ", " + strings.ToLower(outageWords[machine.Code])
	}
	if machine.Current != nil {
		says += ", " + machine.Current.Ticket
	}
	return templates.MachineCell{
		Key: url.PathEscape(machine.ID), Label: machine.ID, State: string(machine.State), Mark: machineMarks[machine.State],
		Says: says, URL: hallURL(m.s.Hall.ID, "proctor", "machines", machine.ID),
	}
}

// countsIn says how many machines of a room are in which state.
func countsIn(machines []*hall.Machine) string {
	counts := map[hall.MachineState]int{}
	for _, machine := range machines {
		counts[machine.State]++
	}
	var parts []string
	for _, state := range hall.MachineStates {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(machineWords[state])))
		}
	}
	return strings.Join(parts, ", ")
}
