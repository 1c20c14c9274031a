package records

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// StateWords says where somebody stood, at the end of a closed day or by now.
func StateWords(state hall.CandidateState, closed bool) string {
	switch state {
	case hall.Registered:
		if closed {
			return "Did not come"
		}
		return "Not here yet"
	case hall.Waiting:
		return "Waiting"
	case hall.Called:
		return "Called"
	case hall.Seated:
		return "At a machine"
	case hall.Resting:
		return "Having a break"
	case hall.Held:
		return "Stepped away"
	case hall.Done:
		return "Finished"
	case hall.Absent:
		return "Absent: did not come when called"
	case hall.Withdrawn:
		return "Left"
	}
	return string(state)
}

// OutcomeWords says how a sitting ended, or how far it is.
func OutcomeWords(s *hall.Sitting) string {
	switch {
	case s.State == hall.SittingCalled:
		return "Called"
	case s.State == hall.SittingSeated:
		return "At the machine"
	case s.Outcome == hall.Finished:
		return "Finished"
	case s.Outcome == hall.Aborted:
		return "Broken off"
	case s.Outcome == hall.NoShow:
		return "Did not come"
	case s.Outcome == hall.WithdrawnOutcome:
		return "Call taken back"
	}
	return string(s.Outcome)
}

// eventWords say what happened.
var eventWords = map[hall.EventName]string{
	hall.EventDayOpened: "Day opened", hall.EventDayClosed: "Day closed",
	hall.EventCheckInOpened: "Check-in opened", hall.EventCheckInClosed: "Check-in closed",
	hall.EventHallPaused: "Calling paused", hall.EventHallResumed: "Calling resumed", hall.EventLayoutChanged: "Layout or rules changed",
	hall.EventCandidateRegistered: "Put on the roster", hall.EventCandidateChanged: "Roster entry changed",
	hall.EventCandidateCheckedIn: "Checked in", hall.EventCandidateCalled: "Called", hall.EventCandidateRecalled: "Called again",
	hall.EventCandidateSeated: "Seated", hall.EventSittingEnded: "Finished the subject", hall.EventCandidateRequeued: "Back in line",
	hall.EventCandidateResting: "Break begins", hall.EventCandidateNoShow: "Did not come to the call", hall.EventCandidateAbsent: "Marked absent",
	hall.EventSittingAborted: "Sitting broken off", hall.EventSittingTransferred: "Moved to another machine",
	hall.EventCandidateHeld: "Stepped away", hall.EventCandidateReturned: "Came back", hall.EventCandidateWithdrawn: "Left",
	hall.EventCandidateRestored: "Restored", hall.EventCandidateClassChanged: "Class changed", hall.EventCandidateDone: "Finished every subject",
	hall.EventCandidateNoted: "Note written", hall.EventMachineOutOfService: "Machine out of service",
	hall.EventMachineInService: "Machine in service", hall.EventMachineSpare: "Machine made a spare",
	hall.EventIncidentOpened: "Incident reported", hall.EventAlertRaised: "Alert", hall.EventAlertCleared: "Alert over",
	hall.EventUndone: "Taken back",
}

// IncidentWords say what happened: what the staff wrote, or what command opened
// the incident, and why.
func IncidentWords(i *hall.Incident) string {
	if i.Command == "" {
		return i.Text
	}
	words := eventWords[i.Command]
	if i.Text != "" {
		words += ": " + i.Text
	}
	return words
}

// IncidentDone says what was done about it.
func IncidentDone(i *hall.Incident) string {
	if i.To != "" {
		return strings.TrimSpace("Moved to machine " + i.To + ". " + i.Done)
	}
	return i.Done
}

// Words says what an entry of the log is about.
func (e *Entry) Words() string {
	if e.Correction != nil {
		return "Records corrected"
	}
	return cmp.Or(eventWords[e.Event.Event], string(e.Event.Event))
}

// Details says what more there is to an entry, "" for nothing.
func (e *Entry) Details() string {
	if c := e.Correction; c != nil {
		return string(c.Table) + " " + c.Row + ": " + correctedTo(c)
	}
	var parts []string
	add := func(label, text string) {
		if text != "" {
			parts = append(parts, label+" "+text)
		}
	}
	add("day", e.Day)
	add("from", e.From)
	if e.ClassWas != "" && e.ClassWas != e.Class {
		add("class", string(e.ClassWas)+" to "+string(e.Class))
	}
	add("fault of the", string(e.Fault))
	add("category", e.Category)
	add("alert", string(e.Alert))
	add("event", e.Undoes)
	if e.More > 0 {
		add("and", strconv.Itoa(e.More)+" more of the roster")
	}
	return strings.Join(parts, ", ")
}

// correctedTo is what a correction says.
func correctedTo(c *hall.Correction) string {
	switch {
	case c.State == "":
		return c.Text
	case c.Text == "":
		return StateWords(c.State, true)
	}
	return StateWords(c.State, true) + ". " + c.Text
}

// correctionText is a correction with who made it, when and why.
func correctionText(c *hall.Correction, zone *time.Location) string {
	return c.At.In(zone).Format("2006-01-02 15:04") + " " + c.By + ": " + correctedTo(c) + " (" + c.Reason + ")"
}

// CorrectionTexts says of each correction who made it, when, what is right and why.
func CorrectionTexts(list []hall.Correction, zone *time.Location) []string {
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = correctionText(&list[i], zone)
	}
	return lines
}

// Length is how long a sitting took; ok is false until it has ended, and for one that never began.
func Length(s *hall.Sitting) (d time.Duration, ok bool) {
	if s.SeatedAt.IsZero() || s.EndedAt.IsZero() {
		return 0, false
	}
	return s.EndedAt.Sub(s.SeatedAt), true
}

// Late is how long after the start of their session somebody checked in, 0 for
// who was in time and where the session has no start.
func (d *Day) Late(c *hall.Candidate) time.Duration {
	if c.CheckedInAt.IsZero() || d.Hall.Day.OpenedAt.IsZero() {
		return 0
	}
	start := d.Hall.Layout.SessionWindows(d.Hall.Day.OpenedAt, d.zone)[c.Session].Start
	if start.IsZero() {
		return 0
	}
	return max(0, c.CheckedInAt.Sub(start))
}
