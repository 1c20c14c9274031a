package access_test

import (
	"slices"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
)

// grants are one of each kind, all of hall h but the administrator's.
var grants = map[access.Role]access.Grant{
	access.Nobody:        {},
	access.Kiosk:         access.In(access.Kiosk, "h"),
	access.Board:         access.In(access.Board, "h"),
	access.Printer:       access.In(access.Printer, "h"),
	access.Proctor:       access.In(access.Proctor, "h"),
	access.Manager:       access.In(access.Manager, "h"),
	access.Administrator: access.All(),
}

// rows are who has a permission in hall h, as the contract has it.
var rows = map[access.Permission]string{
	access.CheckIn:    "kiosk proctor manager administrator",
	access.Watch:      "board proctor manager administrator",
	access.See:        "proctor manager administrator",
	access.Attend:     "proctor manager administrator",
	access.Undo:       "proctor manager administrator",
	access.UndoOthers: "manager administrator",
	access.Manage:     "manager administrator",
	access.Arrange:    "manager administrator",
	access.Administer: "administrator",
	access.SignedIn:   "proctor manager administrator",
	access.Report:     "kiosk board printer",
	access.Anyone:     " kiosk board printer proctor manager administrator",
}

func TestTheTable(t *testing.T) {
	t.Parallel()
	if len(rows) != len(access.Permissions) {
		t.Fatalf("%d rows, want one for each of %d permissions", len(rows), len(access.Permissions))
	}
	for permission, who := range rows {
		for role, grant := range grants {
			want := slices.Contains(split(who), string(role))
			if got := access.Allows(grant, permission, "h", ""); got != want {
				t.Errorf("%q may %s: %v, want %v", role, permission, got, want)
			}
			anywhere := permission == access.Anyone || permission == access.SignedIn
			elsewhere := want && (role == access.Administrator || anywhere)
			if got := access.Allows(grant, permission, "other", ""); got != elsewhere {
				t.Errorf("%q of hall h may %s in another: %v, want %v", role, permission, got, elsewhere)
			}
		}
	}
	if access.Allows(access.All(), "what no row has", "h", "") {
		t.Error("what is not in the table is allowed")
	}
}

func split(who string) []string {
	var words []string
	word := ""
	for _, r := range who + " " {
		if r == ' ' {
			words, word = append(words, word), ""
			continue
		}
		word += string(r)
	}
	return words
}

func TestRooms(t *testing.T) {
	t.Parallel()
	bound := access.In(access.Proctor, "h", "101", "102")
	for room, want := range map[string]bool{"101": true, "102": true, "103": false, "": true} {
		if got := access.Allows(bound, access.Attend, "h", room); got != want {
			t.Errorf("room %q: %v, want %v", room, got, want)
		}
	}
	if !access.Allows(grants[access.Proctor], access.Attend, "h", "103") || !access.Allows(grants[access.Manager], access.Attend, "h", "103") {
		t.Error("whoever has no rooms has all of them")
	}
	if access.Allows(access.Grant{Role: access.Manager}, access.Attend, "h", "") {
		t.Error("a manager of no hall may do something")
	}
}

func TestWhatCanBeGiven(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		grant access.Grant
		whole bool
	}{
		"nobody": {access.Grant{}, false}, "administrator": {access.All(), true}, "no such role": {access.In("owner", "h"), false},
		"administrator of a hall": {access.In(access.Administrator, "h"), false}, "manager of none": {access.In(access.Manager, ""), false},
		"manager of rooms": {access.In(access.Manager, "h", "101"), false}, "proctor of rooms": {access.In(access.Proctor, "h", "101"), true},
	} {
		if got := test.grant.Whole(); got != test.whole {
			t.Errorf("%s: %v, want %v", name, got, test.whole)
		}
	}
	manager := grants[access.Manager]
	for name, test := range map[string]struct {
		giver, given access.Grant
		want         bool
	}{
		"manager, own hall":          {manager, access.In(access.Proctor, "h"), true},
		"manager, other hall":        {manager, access.In(access.Proctor, "other"), false},
		"manager, administrator":     {manager, access.All(), false},
		"proctor":                    {grants[access.Proctor], access.In(access.Proctor, "h"), false},
		"administrator, anybody":     {access.All(), access.In(access.Manager, "h"), true},
		"administrator, another one": {access.All(), access.All(), true},
	} {
		if got := test.giver.Gives(test.given); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
