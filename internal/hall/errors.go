package hall

import "errors"

// Code is the stable, machine-readable name of an error.
type Code string

// The codes that callers may rely on.
const (
	CodeInvalid            Code = "invalid"
	CodeUnknownHall        Code = "unknown_hall"
	CodeUnknownDay         Code = "unknown_day"
	CodeUnknownRoom        Code = "unknown_room"
	CodeUnknownCandidate   Code = "unknown_candidate"
	CodeUnknownMachine     Code = "unknown_machine"
	CodeUnknownSitting     Code = "unknown_sitting"
	CodeUnknownEvent       Code = "unknown_event"
	CodeUnknownIncident    Code = "unknown_incident"
	CodeUnknownPhone       Code = "unknown_phone"
	CodeUnknownMetric      Code = "unknown_metric"
	CodeUnreadable         Code = "unreadable"
	CodeNotInQueue         Code = "not_in_queue"
	CodeWrongState         Code = "wrong_state"
	CodeNeedsRestore       Code = "needs_restore"
	CodeAlreadyDone        Code = "already_done"
	CodeDayNotOpen         Code = "day_not_open"
	CodeCheckInClosed      Code = "check_in_closed"
	CodeTooEarly           Code = "too_early"
	CodeTooLate            Code = "too_late"
	CodePaused             Code = "paused"
	CodeMachineNotIdle     Code = "machine_not_idle"
	CodeNoMachine          Code = "no_machine"
	CodeRecallLimit        Code = "recall_limit"
	CodeInUse              Code = "in_use"
	CodeTooManyNotes       Code = "too_many_notes"
	CodeTooManyCorrections Code = "too_many_corrections"
	CodeChanged            Code = "changed"
	CodeNotUndoable        Code = "not_undoable"
	CodeUndoBlocked        Code = "undo_blocked"
	CodeKeyReused          Code = "idempotency_key_reused"
	CodeUnavailable        Code = "unavailable"
)

// Error is an outcome that a caller can act on: a code for programs and a
// sentence for people. State is set when the present state did not allow the
// command; Faults when input was invalid.
type Error struct {
	Code    Code
	Message string
	State   string
	Faults  []Fault
}

// Fault is one thing that is wrong with an input, and where it stands.
type Fault struct {
	Location string
	Message  string
	Value    any
}

// Error returns the sentence for people.
func (e *Error) Error() string { return e.Message }

// CodeOf returns the code of the first Error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// FaultsOf returns the faults of the first Error in err's chain.
func FaultsOf(err error) []Fault {
	var e *Error
	if errors.As(err, &e) {
		return e.Faults
	}
	return nil
}

// ErrUnavailable says that the store cannot be reached now. Whether a command
// that failed so was carried out is unknown; repeating it is safe.
var ErrUnavailable = &Error{Code: CodeUnavailable, Message: "The store does not answer. Try again in a moment."}
