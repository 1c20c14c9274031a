package hallredis

import (
	"fmt"

	"github.com/hallcall/hallcall/internal/hall"
)

// outcome is the first element of a script's reply. lua/lib/day.lua has the same numbers.
type outcome int64

const (
	outcomeOK        outcome = 0
	outcomeFirst     outcome = 1
	outcomeNobody    outcome = 2
	outcomeReadAgain outcome = 3 // see Store.again

	outcomeUnknownHall        outcome = -1
	outcomeUnknownCandidate   outcome = -2
	outcomeUnknownMachine     outcome = -3
	outcomeUnknownSitting     outcome = -4
	outcomeUnknownRoom        outcome = -5
	outcomeNotInQueue         outcome = -6
	outcomeWrongState         outcome = -7
	outcomeNeedsRestore       outcome = -8
	outcomeAlreadyDone        outcome = -9
	outcomeDayNotOpen         outcome = -10
	outcomeCheckInClosed      outcome = -11
	outcomePaused             outcome = -12
	outcomeMachineNotIdle     outcome = -13
	outcomeNoMachine          outcome = -14
	outcomeRecallLimit        outcome = -15
	outcomeInUse              outcome = -16
	outcomeKeyReused          outcome = -17
	outcomeBadTime            outcome = -18
	outcomeChanged            outcome = -19
	outcomeUnknownEvent       outcome = -20
	outcomeNotUndoable        outcome = -21
	outcomeUndoBlocked        outcome = -22
	outcomeTooManyNotes       outcome = -23
	outcomeUnknownCategory    outcome = -24
	outcomeUnknownDay         outcome = -25
	outcomeUnknownIncident    outcome = -26
	outcomeTooManyCorrections outcome = -27
	outcomeTooEarly           outcome = -28
	outcomeTooLate            outcome = -29
)

// refusals has the code and sentence of every outcome that refuses.
var refusals = map[outcome]hall.Error{
	outcomeUnknownHall:        {Code: hall.CodeUnknownHall, Message: "There is no such hall."},
	outcomeUnknownDay:         {Code: hall.CodeUnknownDay, Message: "The hall has no such day."},
	outcomeUnknownCandidate:   {Code: hall.CodeUnknownCandidate, Message: "There is no such candidate on the roster."},
	outcomeUnknownMachine:     {Code: hall.CodeUnknownMachine, Message: "There is no such machine."},
	outcomeUnknownSitting:     {Code: hall.CodeUnknownSitting, Message: "There is no such sitting."},
	outcomeUnknownRoom:        {Code: hall.CodeUnknownRoom, Message: "There is no such room."},
	outcomeNotInQueue:         {Code: hall.CodeNotInQueue, Message: "This candidate is not in the queue."},
	outcomeWrongState:         {Code: hall.CodeWrongState, Message: "This cannot be done now."},
	outcomeNeedsRestore:       {Code: hall.CodeNeedsRestore, Message: "This candidate left or did not come when called. The staff can bring the candidate back."},
	outcomeAlreadyDone:        {Code: hall.CodeAlreadyDone, Message: "This candidate has finished every subject."},
	outcomeDayNotOpen:         {Code: hall.CodeDayNotOpen, Message: "The day is not open."},
	outcomeCheckInClosed:      {Code: hall.CodeCheckInClosed, Message: "Check-in is closed."},
	outcomePaused:             {Code: hall.CodePaused, Message: "Calling is paused."},
	outcomeMachineNotIdle:     {Code: hall.CodeMachineNotIdle, Message: "The machine is not idle."},
	outcomeNoMachine:          {Code: hall.CodeNoMachine, Message: "No idle machine serves this subject."},
	outcomeRecallLimit:        {Code: hall.CodeRecallLimit, Message: "This call was announced again as often as the rules allow."},
	outcomeInUse:              {Code: hall.CodeInUse, Message: "It is in use."},
	outcomeChanged:            {Code: hall.CodeChanged, Message: "The layout was changed since it was read."},
	outcomeUnknownEvent:       {Code: hall.CodeUnknownEvent, Message: "There is no such event today."},
	outcomeNotUndoable:        {Code: hall.CodeNotUndoable, Message: "This is not one of the last commands that can be taken back."},
	outcomeUndoBlocked:        {Code: hall.CodeUndoBlocked, Message: "Something was done since that builds on it."},
	outcomeBadTime:            {Code: hall.CodeInvalid, Message: "The time does not fit.", Faults: badTime},
	outcomeTooManyNotes:       {Code: hall.CodeTooManyNotes, Message: "There are as many notes about this candidate as can be kept."},
	outcomeUnknownCategory:    {Code: hall.CodeInvalid, Message: "This hall has no such category of incidents."},
	outcomeUnknownIncident:    {Code: hall.CodeUnknownIncident, Message: "There is no such incident."},
	outcomeTooManyCorrections: {Code: hall.CodeTooManyCorrections, Message: "The records of this day have as many corrections as can be kept."},
	outcomeTooEarly:           {Code: hall.CodeTooEarly, Message: "Check-in of this candidate's session has not begun."},
	outcomeTooLate:            {Code: hall.CodeTooLate, Message: "This candidate is too late for the session."},
	outcomeKeyReused:          {Code: hall.CodeKeyReused, Message: "This idempotency key was used for another command."},
}

// badTime says what is wrong with the time of a check-in.
var badTime = []hall.Fault{{Location: "body.at", Message: "must not be in the future and at most 24 hours back"}}

// refusal is the domain error for an outcome below zero. A detail, where there
// is one, is the state that did not allow the command, or what is in use.
func (o outcome) refusal(script string, detail reply) error {
	known, ok := refusals[o]
	if !ok {
		return fmt.Errorf("script %s: unexpected outcome %d", script, o)
	}
	refused := known
	switch {
	case o == outcomeInUse && len(detail) == 2:
		refused.Message = fmt.Sprintf("The %s %s is in use and cannot be taken away.", detail.text(0), detail.text(1))
	case o == outcomeUndoBlocked && len(detail) == 3:
		refused.Message = fmt.Sprintf("Something was done since about the same people or machines: %s by %s.", detail.text(1), detail.text(2))
		refused.Faults = []hall.Fault{{Location: "body.event", Message: refused.Message, Value: detail.text(0)}}
	case len(detail) > 0:
		refused.State = detail.text(0)
		if o == outcomeWrongState || o == outcomeMachineNotIdle || o == outcomeInUse {
			refused.Message = fmt.Sprintf("%s The state is %q.", known.Message, refused.State)
		}
	}
	return &refused
}
