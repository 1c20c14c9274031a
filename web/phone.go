package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// phoneReload is after how many seconds a phone without scripts looks again.
const phoneReload = 15

// phoneRoutes are the page of one candidate: whoever has its address may see it.
func (s *Server) phoneRoutes(r routes) {
	r.get(access.Anyone, "", s.limited(access.LimitPhone, s.getPhone))
	r.get(access.Anyone, "/live", s.limited(access.LimitSocket, s.getPhoneLive))
}

// phoneHeaders keep the address of a phone page from other sites and from
// search engines.
func phoneHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Robots-Tag", "noindex, nofollow")
		return next(c)
	}
}

// GET /t/{token}: a candidate's number, place in line and call.
func (s *Server) getPhone(c echo.Context) error {
	id, secret, e, err := s.phoneOf(c)
	if hall.CodeOf(err) == hall.CodeUnknownPhone {
		return s.noPhone(c)
	}
	if err != nil {
		return err
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), id)
	if err != nil {
		return err
	}
	texts, address := s.speak(c, &h), api.PhonePath(id, secret)
	view := phoneView(texts, &h, &e)
	p := s.page(c, view.Title, "phone.css", "phone.js")
	p.Zone, p.Offset = h.Location().String(), zoneOffset(&h, e.Now)
	p.ReloadAfter, p.ReloadTo = phoneReload, withValues(address, "lang", askedLanguage(c))
	return render(c, http.StatusOK, templates.PhoneScreen(templates.PhonePage{
		Page: p, HallName: h.Layout.Name, URL: p.ReloadTo, LiveURL: withValues(address+"/live", "lang", texts.Tag()), Phone: view,
		Languages: languageLinks(address, locale.All(), texts),
	}))
}

// GET /t/{token}/live, a websocket.
func (s *Server) getPhoneLive(c echo.Context) error {
	id, secret, _, err := s.phoneOf(c)
	if err != nil {
		return err
	}
	return serveLive(c, s.phoneHub, topic{hall: id, view: viewPhone, room: secret, lang: tagsOf([]*locale.Texts{locale.For(c.QueryParam("lang"))})}, "")
}

// phoneOf finds whose page an address is. Everything that leads nowhere is
// CodeUnknownPhone.
func (s *Server) phoneOf(c echo.Context) (id, secret string, e hall.Entry, err error) {
	id, secret, ok := hall.ParsePhoneToken(c.Param("token"))
	if !ok {
		return "", "", hall.Entry{}, &hall.Error{Code: hall.CodeUnknownPhone, Message: "There is no such page today."}
	}
	e, err = s.cfg.Store.Phone(c.Request().Context(), id, secret)
	return id, secret, e, err
}

// noPhone says that the page is not there, and nothing of why.
func (s *Server) noPhone(c echo.Context) error {
	view := endedPhone(s.speak(c, nil))
	p := s.page(c, view.Title, "phone.css", "")
	return render(c, http.StatusNotFound, templates.PhoneScreen(templates.PhonePage{Page: p, Phone: view}))
}
