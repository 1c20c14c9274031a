package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// kioskCaller is who checks people in at a kiosk.
const kioskCaller = "kiosk"

// GET /halls/{hall}/kiosk: the form, or once the answer to the form sent before.
func (s *Server) getKiosk(c echo.Context) error {
	h, err := s.kioskHall(c)
	if err != nil {
		return err
	}
	k := emptyKiosk(s.speak(c, &h), bestTexts(c, &h, ""), &h)
	if kept := s.sessions.take(c, sessionAnswer+h.ID); kept != "" {
		var answer keptAnswer
		if json.Unmarshal([]byte(kept), &answer) == nil {
			k.Texts, k.Answer = locale.For(answer.Lang), &answer.KioskAnswer
		}
	}
	return s.showKiosk(c, http.StatusOK, k)
}

// POST /halls/{hall}/kiosk: check in.
func (s *Server) postKiosk(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	form := templates.KioskForm{Candidate: values.Get("candidate"), ID4: values.Get("id4")}
	by := hall.Caller{By: kioskCaller}
	if device := visitingAs(c); device != nil {
		by.By = device.Caller()
	}
	if try := values.Get("try"); tryKey.MatchString(try) {
		by.Key = try // sent again because no answer came, it gets the first answer
	}
	h, err := s.kioskHall(c)
	if err == nil {
		err = s.limitKiosk(c)
	}
	texts := speakIn(c, &h, values.Get("lang"))
	var locked *access.LockedError
	if errors.As(err, &locked) || hall.CodeOf(err) == hall.CodeUnavailable {
		_, form.AskID = values["id4"]
		return s.refuseKiosk(c, templates.Kiosk{Texts: texts, Own: texts, URL: hallURL(c.Param("hall"), "kiosk"), Form: form}, err)
	}
	if err != nil {
		return err
	}
	k := emptyKiosk(texts, bestTexts(c, &h, ""), &h)
	form.AskID = k.Form.AskID
	k.Form = form
	if incomplete(texts, &k.Form) {
		return s.showKiosk(c, http.StatusUnprocessableEntity, k)
	}
	at := api.Kiosk{Store: s.cfg.Store, Limits: s.cfg.Limits, Device: visitor(c).User, Address: s.addressOf(c)}
	entry, first, err := at.CheckIn(c.Request().Context(), &h, usualText(k.Form.Candidate), usualText(k.Form.ID4), hall.CheckIn{}, by)
	if err != nil {
		return s.refuseKiosk(c, k, err)
	}
	answer := kioskAnswer(texts, &h, &entry, first)
	if first { // only then: nobody gets the page of somebody else by typing a number
		answer.QR = s.phoneCode(c, h.ID, entry.Phone, k.Chosen())
	}
	k.Answer = &answer
	if isFragment(c) {
		return s.showKiosk(c, http.StatusOK, k)
	}
	return s.keepAnswer(c, k)
}

// keptAnswer is an answer and the language that it is in.
type keptAnswer struct {
	templates.KioskAnswer

	Lang string
}

// keepAnswer shows the answer on the next page, once, so that neither F5 nor
// the back button shows it to the next person.
func (s *Server) keepAnswer(c echo.Context, k templates.Kiosk) error {
	data, err := json.Marshal(keptAnswer{Lang: k.Texts.Tag(), KioskAnswer: *k.Answer})
	if err != nil {
		return err
	}
	s.sessions.keep(c, sessionAnswer+c.Param("hall"), string(data))
	return c.Redirect(http.StatusSeeOther, k.URL)
}

// refuseKiosk says what to do next instead.
func (s *Server) refuseKiosk(c echo.Context, k templates.Kiosk, err error) error {
	answer := kioskRefusal(k.Texts, err, &k.Form)
	if code := hall.CodeOf(err); code == hall.CodeTooEarly || code == hall.CodeTooLate {
		answer = s.sessionRefusal(c, code, k.Form.Candidate)
	}
	switch {
	case answer != nil:
		k.Answer = answer
	case k.Form.Error == "":
		return err
	}
	status := api.StatusOf(err)
	api.RetryAfter(c.Response().Header(), err)
	if status == http.StatusNotFound {
		status = http.StatusUnprocessableEntity // the address is right, the number is not
	}
	return s.showKiosk(c, status, k)
}

// sessionRefusal says when the session of a candidate takes people in.
func (s *Server) sessionRefusal(c echo.Context, code hall.Code, typed string) *templates.KioskAnswer {
	ctx, id := c.Request().Context(), c.Param("hall")
	var session hall.Session
	h, err := s.cfg.Store.Hall(ctx, id)
	if err == nil {
		var known hall.Candidate
		known, err = s.cfg.Store.Candidate(ctx, id, usualText(typed))
		session, _ = h.Layout.Session(known.Session)
	}
	if err != nil || session.Code == "" { // it was changed this very moment
		return askTheStaff(textsOf(c))
	}
	return outOfSession(textsOf(c), code, &session)
}

// kioskHall is the hall in the address, if this screen may be used.
func (s *Server) kioskHall(c echo.Context) (hall.Hall, error) {
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return hall.Hall{}, err
	}
	if err := s.mayUseScreen(c, &h, access.CheckIn); err != nil {
		return hall.Hall{}, err
	}
	return h, nil
}

// showKiosk shows the screen; whoever comes next finds the kiosk's own language.
func (s *Server) showKiosk(c echo.Context, status int, k templates.Kiosk) error {
	if isFragment(c) {
		return render(c, status, templates.KioskFragment(k))
	}
	p := s.page(c, k.Texts.Text("kiosk.title"), "kiosk.css", "kiosk.js")
	if k.Answer != nil || k.Form.Error != "" {
		p.ReloadAfter, p.ReloadTo = kioskSeconds, k.URL
	}
	start := templates.Kiosk{Texts: k.Own, Languages: k.Languages, HallName: k.HallName, URL: k.URL, Form: templates.KioskForm{AskID: k.Form.AskID}}
	return render(c, status, templates.KioskScreen(templates.KioskPage{Page: p, Kiosk: k, Start: start}))
}
