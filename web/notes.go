package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// noteRoutes are the notes about somebody:
// /halls/{hall}/proctor/queue/{candidate}/notes
func (s *Server) noteRoutes(r routes) {
	r.get(access.Attend, "/queue/:candidate/notes", s.getNotePanel)
	r.post(access.Attend, "/queue/:candidate/notes", s.do(s.addNote))
}

// GET …/notes: the notes there are, and a form for another one.
func (s *Server) getNotePanel(c echo.Context) error {
	return s.showNotePanel(c, http.StatusOK, templates.NoteForm{})
}

func (s *Server) showNotePanel(c echo.Context, status int, form templates.NoteForm) error {
	ctx := c.Request().Context()
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	person, err := s.cfg.Store.Candidate(ctx, h.ID, c.Param("candidate"))
	if err != nil {
		return err
	}
	return s.showPanel(c, status, notePanel(&h, &person, c.QueryParam("room"), form))
}

// POST …/notes
func (s *Server) addNote(c echo.Context, by hall.Caller) (string, error) {
	values, err := formValues(c)
	if err != nil {
		return "", err
	}
	if by, err = withKey(by, values); err != nil {
		return "", err
	}
	form := templates.NoteForm{Text: values.Get("text")}
	_, err = s.cfg.Store.AddNote(c.Request().Context(), c.Param("hall"), c.Param("candidate"), form.Text, by)
	if !correctable(err) {
		return "The note is written down.", err
	}
	status := http.StatusUnprocessableEntity
	switch hall.CodeOf(err) {
	case hall.CodeKeyReused:
		form.Error = sentBefore
	case hall.CodeTooManyNotes:
		form.Error, status = explain(english, status, err).message, api.StatusOf(err)
	default:
		form.Error = fieldFault(err, "text")
		if strings.TrimSpace(form.Text) == "" {
			form.Error = "Write something first."
		}
	}
	return "", s.showNotePanel(c, status, form)
}
