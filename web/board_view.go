package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// nextShown is how many numbers of those who are next the board shows.
const nextShown = 12

// lastShown is how many answered calls the board shows.
const lastShown = 20

// boardView maps a hall to its board, of all rooms or of one.
func boardView(all []*locale.Texts, s *hall.Snapshot, room string) templates.Board {
	b := boardMapper{texts: all, s: s, room: room, labels: machineLabels(s)}
	board := templates.Board{Texts: all, ShowSeconds: s.Hall.Layout.Rules.CallShowSeconds, Calling: b.calling(), Last: b.last(), Next: b.next(), Waiting: b.waiting()}
	if room == "" {
		board.WaitTotal = strconv.Itoa(s.States[hall.Waiting])
	}
	board.Closed = s.Hall.Day.State != hall.DayOpen
	board.Pauses = pausesOf(all, &s.Hall, room)
	return board
}

type boardMapper struct {
	texts  []*locale.Texts
	s      *hall.Snapshot
	room   string
	labels map[string]string
}

// calling are the open calls, the newest announcement first. They come from
// the machines, so that each is there however many there are.
func (b boardMapper) calling() []templates.BoardCall {
	var open []*hall.Sitting
	for i := range b.s.Machines {
		if sitting := b.s.Machines[i].Current; sitting != nil && sitting.State == hall.SittingCalled {
			open = append(open, sitting)
		}
	}
	rank := b.announced()
	slices.SortStableFunc(open, func(x, y *hall.Sitting) int {
		return cmp.Or(rank(x)-rank(y), y.AnnouncedAt.Compare(x.AnnouncedAt))
	})
	return b.calls(open)
}

// announced tells how many announcements came after that of a sitting. Of the
// last ones the store knows the order also within a millisecond.
func (b boardMapper) announced() (rank func(*hall.Sitting) int) {
	ranks := make(map[string]int, len(b.s.Calls))
	for i := range b.s.Calls {
		ranks[b.s.Calls[i].ID] = i
	}
	return func(s *hall.Sitting) int {
		if rank, ok := ranks[s.ID]; ok {
			return rank
		}
		return len(ranks)
	}
}

// last are the calls that were answered or withdrawn, the newest first. Whoever
// was called once more needs not know of a withdrawn call.
func (b boardMapper) last() []templates.BoardCall {
	var answered []*hall.Sitting
	later := map[string]bool{}
	for i := range b.s.Calls {
		sitting := &b.s.Calls[i]
		here := b.room == "" || sitting.Room == b.room
		withdrawn := sitting.Outcome == hall.WithdrawnOutcome && !later[sitting.Candidate]
		shown := sitting.State == hall.SittingSeated || sitting.Outcome == hall.Finished || withdrawn
		if here && shown && len(answered) < lastShown {
			answered = append(answered, sitting)
		}
		later[sitting.Candidate] = true
	}
	return b.calls(answered)
}

func (b boardMapper) calls(sittings []*hall.Sitting) []templates.BoardCall {
	calls := make([]templates.BoardCall, 0, len(sittings))
	for _, sitting := range sittings {
		if b.room != "" && sitting.Room != b.room {
			continue
		}
		call := templates.BoardCall{
			Sitting: sitting.ID, Ticket: sitting.Ticket, Again: sitting.Recalls, At: millis(sitting.AnnouncedAt),
			Room: roomName(&b.s.Hall.Layout, sitting.Room), Machine: b.label(sitting.Machine),
			Withdrawn: sitting.Outcome == hall.WithdrawnOutcome,
		}
		if b.s.Hall.Layout.Rules.BoardNames == hall.NamesMasked {
			call.Name = hall.MaskName(sitting.Name)
		}
		calls = append(calls, call)
	}
	return calls
}

func (b boardMapper) label(machine string) string {
	if label := b.labels[machine]; label != "" {
		return label
	}
	return machine
}

// next are the numbers at the head of the line, for one room of those only who
// have a subject due that is served there.
func (b boardMapper) next() []string {
	served := b.served()
	var tickets []string
	for i := range b.s.Line {
		entry := &b.s.Line[i]
		due := func(code string) bool { return served[code] }
		if len(tickets) < nextShown && slices.ContainsFunc(entry.Remaining(), due) {
			tickets = append(tickets, entry.Ticket)
		}
	}
	return tickets
}

func (b boardMapper) waiting() []templates.BoardSubject {
	served := b.served()
	var subjects []templates.BoardSubject
	for _, subject := range b.s.Hall.Layout.Subjects {
		if served[subject.Code] {
			subjects = append(subjects, templates.BoardSubject{Name: b.subjectName(subject), Count: b.s.Waiting[subject.Code]})
		}
	}
	return subjects
}

// subjectName is a subject's name in each language of the board.
func (b boardMapper) subjectName(subject hall.Subject) templates.Said {
	var name templates.Said
	for _, t := range b.texts {
		name = append(name, templates.Words{Lang: t.Tag(), Text: subject.Title(t.Tag())})
	}
	return name
}

// served are the subjects of the board: of the hall, or of the room's machines.
func (b boardMapper) served() map[string]bool {
	served := map[string]bool{}
	for i := range b.s.Machines {
		if m := &b.s.Machines[i]; b.room == "" || m.Room == b.room {
			for _, code := range m.Subjects {
				served[code] = true
			}
		}
	}
	return served
}

// machineLabels is what stands on each machine.
func machineLabels(s *hall.Snapshot) map[string]string {
	labels := make(map[string]string, len(s.Machines))
	for i := range s.Machines {
		labels[s.Machines[i].ID] = machineLabel(&s.Machines[i])
	}
	return labels
}

// hallPause is the pause of the whole hall, if there is one.
func hallPause(all []*locale.Texts, h *hall.Hall) []templates.BoardPause {
	if !h.Day.Paused {
		return nil
	}
	return []templates.BoardPause{{Text: said(all, "pause.hall"), Message: h.Day.PauseMessage}}
}

// pausesOf are the pauses of the hall and of the rooms that a board shows, and
// what the staff says about them. Rooms of which it says the same share a line.
func pausesOf(all []*locale.Texts, h *hall.Hall, room string) []templates.BoardPause {
	pauses := hallPause(all, h)
	rooms := map[string][]string{} // by message
	var messages []string
	for _, r := range h.Layout.Rooms {
		message, paused := h.Day.PausedRooms[r.ID]
		if !paused || room != "" && room != r.ID {
			continue
		}
		if len(rooms[message]) == 0 {
			messages = append(messages, message)
		}
		rooms[message] = append(rooms[message], r.Title())
	}
	for _, message := range messages {
		text := said(all, "pause.rooms", "Rooms", strings.Join(rooms[message], ", "))
		pauses = append(pauses, templates.BoardPause{Text: text, Message: message})
	}
	return pauses
}
