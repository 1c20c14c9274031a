package access

import "slices"

// Role is what somebody or something is in a hall.
type Role string

// The roles, by how much they may do.
const (
	Nobody        Role = ""
	Kiosk         Role = "kiosk"
	Board         Role = "board"
	Printer       Role = "printer"
	Proctor       Role = "proctor"
	Manager       Role = "manager"
	Administrator Role = "administrator"
)

// Roles are all that people and programs can be given, the smallest first.
var Roles = []Role{Kiosk, Board, Proctor, Manager, Administrator}

// StaffRoles are those of people.
var StaffRoles = []Role{Proctor, Manager, Administrator}

// Known reports whether a role can be given.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

// Grant is what somebody was given: a role, the hall that it is for, and for
// proctors the rooms, none for all of them. An administrator's has no hall. The
// zero Grant is that of nobody.
type Grant struct {
	Role  Role
	Hall  string
	Rooms []string
}

// All is the grant of an administrator.
func All() Grant { return Grant{Role: Administrator} }

// In is the grant of a role in a hall, in some of its rooms if any are named.
func In(role Role, hallID string, rooms ...string) Grant {
	return Grant{Role: role, Hall: hallID, Rooms: rooms}
}

// Whole reports whether a grant is one that can be given: a known role, and a
// hall wherever the role is for one.
func (g Grant) Whole() bool {
	if g.Role == Administrator {
		return g.Hall == "" && len(g.Rooms) == 0
	}
	return g.Role.Known() && g.Hall != "" && (g.Role == Proctor || len(g.Rooms) == 0)
}

// Bound reports whether a grant is for some rooms of its hall only.
func (g Grant) Bound() bool { return g.Role == Proctor && len(g.Rooms) > 0 }

// Same reports whether two grants give the same.
func (g Grant) Same(other Grant) bool {
	return g.Role == other.Role && g.Hall == other.Hall && slices.Equal(g.Rooms, other.Rooms)
}

// Gives reports whether somebody with this grant may give another one: those of
// a hall are given by whom its accounts are for, and nobody gives more than
// they have.
func (g Grant) Gives(other Grant) bool {
	if other.Role == Administrator || other.Hall == "" {
		return Allows(g, Administer, "", "")
	}
	return Allows(g, Arrange, other.Hall, "")
}
