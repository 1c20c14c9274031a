package access

import "slices"

// Permission is one row of the table, or a part of one.
type Permission string

// The permissions. Anyone and SignedIn stand for addresses that no row is about.
const (
	Anyone     Permission = "anyone"      // start page, login, description of the API; also what has a secret of its own in its address
	SignedIn   Permission = "signed in"   // one's own account
	Report     Permission = "report"      // what a device says of itself
	CheckIn    Permission = "check in"    // check in, own ticket
	Watch      Permission = "watch"       // board, live
	See        Permission = "see"         // what the staff read of a hall: line, machines, people, events, figures
	Attend     Permission = "attend"      // seat, end, recall, no-show, abort, transfer, machine states, incidents, notes, hold, return, leave, restore at the tail, next
	Undo       Permission = "undo"        // one's own commands
	UndoOthers Permission = "undo others" // everybody's commands
	Manage     Permission = "manage"      // time of the place, class, call out of turn, kept place, pause, check-in door, roster, open, close, records, rules; whole ID numbers
	Arrange    Permission = "arrange"     // layout, accounts and devices of a hall
	Administer Permission = "administer"  // halls, tokens, metric definitions, backup
)

// Permissions are all, in the order of the table.
var Permissions = []Permission{Anyone, SignedIn, Report, CheckIn, Watch, See, Attend, Undo, UndoOthers, Manage, Arrange, Administer}

// table says which roles have a permission in their hall. Whatever is not here
// is not allowed to anybody.
var table = map[Permission][]Role{
	SignedIn:   StaffRoles,
	Report:     DeviceKinds,
	CheckIn:    {Kiosk, Proctor, Manager, Administrator},
	Watch:      {Board, Proctor, Manager, Administrator},
	See:        {Proctor, Manager, Administrator},
	Attend:     {Proctor, Manager, Administrator},
	Undo:       {Proctor, Manager, Administrator},
	UndoOthers: {Manager, Administrator},
	Manage:     {Manager, Administrator},
	Arrange:    {Manager, Administrator},
	Administer: {Administrator},
}

// Known reports whether a permission is one that a route can name.
func (p Permission) Known() bool { return slices.Contains(Permissions, p) }

// Allows reports whether a grant has a permission in a hall and, where it is
// about something that stands in a room, in that room. An empty hall asks
// whether it has it anywhere at all.
func Allows(g Grant, p Permission, hallID, room string) bool {
	switch {
	case p == Anyone:
		return true
	case !slices.Contains(table[p], g.Role):
		return false
	case g.Role == Administrator, p == SignedIn:
		return true
	case g.Hall == "", hallID != "" && hallID != g.Hall:
		return false
	}
	return room == "" || !g.Bound() || slices.Contains(g.Rooms, room)
}

// Least is the smallest role of people that has a permission, Nobody for what
// people need no role for.
func Least(p Permission) Role {
	for _, role := range StaffRoles {
		if slices.Contains(table[p], role) {
			return role
		}
	}
	return Nobody
}
