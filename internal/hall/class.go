package hall

import "slices"

// Class is a candidate's class of service.
type Class string

// The classes, highest first.
const (
	ClassManagement Class = "management"
	ClassVIP        Class = "vip"
	ClassPriority   Class = "priority"
	ClassNormal     Class = "normal"
)

// Classes lists every class, highest first.
var Classes = []Class{ClassManagement, ClassVIP, ClassPriority, ClassNormal}

// Valid reports whether c is one of Classes.
func (c Class) Valid() bool { return c.Letter() != "" }

// Letter is what a ticket of this class begins with, or "" for an unknown class.
func (c Class) Letter() string {
	switch c {
	case ClassManagement:
		return "M"
	case ClassVIP:
		return "V"
	case ClassPriority:
		return "P"
	case ClassNormal:
		return "N"
	}
	return ""
}

// level counts the classes from the highest, 0.
func (c Class) level() int { return slices.Index(Classes, c) }
