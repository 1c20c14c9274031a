package web

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// grantForm offers the roles and halls that somebody may give.
func (s *Server) grantForm(c echo.Context, roles []access.Role, chosen access.Grant) (templates.GrantForm, error) {
	g := visitor(c).Grant
	form := templates.GrantForm{Rooms: strings.Join(chosen.Rooms, ", ")}
	for _, role := range roles {
		if role == access.Administrator && !g.Gives(access.All()) {
			continue
		}
		form.Roles = append(form.Roles, templates.Option{Value: string(role), Text: roleWords[role], Chosen: role == chosen.Role})
	}
	ids, err := s.cfg.Store.HallIDs(c.Request().Context())
	if err != nil {
		return form, err
	}
	if access.Allows(g, access.Administer, "", "") {
		form.Halls = append(form.Halls, templates.Option{Text: "All halls"})
	}
	for _, id := range ids {
		if access.Allows(g, access.Arrange, id, "") {
			form.Halls = append(form.Halls, templates.Option{Value: id, Text: id, Chosen: id == chosen.Hall})
		}
	}
	return form, nil
}

// readGrant reads what shall be given, and says what is wrong with it.
func (s *Server) readGrant(c echo.Context, values url.Values, roles []access.Role) (access.Grant, templates.GrantForm, error) {
	given := access.Grant{Role: access.Role(values.Get("role")), Hall: values.Get("hall"), Rooms: roomList(values.Get("rooms"))}
	form, err := s.grantForm(c, roles, given)
	if err != nil {
		return given, form, err
	}
	form.Rooms = values.Get("rooms")
	switch {
	case !slices.Contains(roles, given.Role):
		form.RoleError = "Choose a role."
	case given.Role == access.Administrator && given.Hall != "":
		form.HallError = "Administrators have all halls."
	case given.Role != access.Administrator && given.Hall == "":
		form.HallError = "Choose a hall."
	}
	if form.RoleError+form.HallError != "" {
		return given, form, nil
	}
	if given.Role != access.Proctor && len(given.Rooms) > 0 {
		form.RoomError = "Only proctors have rooms."
		return given, form, nil
	}
	if !visitor(c).Grant.Gives(given) {
		return given, form, access.Refuse(visitor(c).Grant, access.Arrange, given.Hall)
	}
	err = s.checkRooms(c.Request().Context(), given, &form)
	return given, form, err
}

// checkRooms looks whether the hall and its rooms are there.
func (s *Server) checkRooms(ctx context.Context, given access.Grant, form *templates.GrantForm) error {
	if given.Hall == "" {
		return nil
	}
	h, err := s.cfg.Store.Hall(ctx, given.Hall)
	if hall.CodeOf(err) == hall.CodeUnknownHall {
		form.HallError = "There is no such hall."
		return nil
	}
	if err != nil {
		return err
	}
	for _, room := range given.Rooms {
		if _, known := h.Layout.Room(room); !known {
			form.RoomError = "This hall has no room " + room + "."
		}
	}
	return nil
}

// roomList reads ids with commas between them.
func roomList(text string) []string {
	var rooms []string
	for room := range strings.SplitSeq(text, ",") {
		if room = strings.TrimSpace(room); room != "" && !slices.Contains(rooms, room) {
			rooms = append(rooms, room)
		}
	}
	return rooms
}

func faulty(f templates.GrantForm) bool { return f.RoleError+f.HallError+f.RoomError != "" }

// nameFault is what is wrong with the name of a person or of a token.
func nameFault(name string, required bool) string {
	switch {
	case required && name == "":
		return "Give it a name."
	case len([]rune(name)) > 64:
		return "At most 64 characters."
	case name != "" && hall.IDFault(name) != "":
		return "This " + hall.IDFault(name) + "."
	}
	return ""
}
