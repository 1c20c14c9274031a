package access

// RefusalError is the error of somebody who may not do what they asked for.
type RefusalError struct {
	Need   Permission
	Hall   string // "" where it is about none
	Reason Reason
}

// Reason says what is missing.
type Reason int

// The reasons.
const (
	NotTheRole Reason = iota // another role has the right
	OtherHall                // the role has it, but in another hall
	OtherRoom                // it has it in other rooms of this hall
	NoRoom                   // what is asked for could be in any room
	NotOwn                   // it was another one's command
)

// Refuse is the refusal of a permission to a grant.
func Refuse(g Grant, need Permission, hallID string) *RefusalError {
	refusal := &RefusalError{Need: need, Hall: hallID}
	if Allows(g, need, "", "") && g.Hall != hallID {
		refusal.Reason = OtherHall
	}
	return refusal
}

// Error says for people what may not be done, and who may.
func (r *RefusalError) Error() string {
	switch r.Reason {
	case OtherHall:
		return "This is for the staff of that hall."
	case OtherRoom:
		return "This is in a room that is not yours."
	case NoRoom:
		return "This could be in a room that is not yours. Choose a machine in one of your rooms."
	case NotOwn:
		return "This was not your command. A manager of the hall can take it back."
	case NotTheRole:
	}
	switch Least(r.Need) {
	case Administrator:
		return "This is for administrators."
	case Manager:
		return "This is for managers of the hall."
	default:
		return "This is for the staff of the hall."
	}
}
