package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// english is what the pages of the staff are written in.
var english = locale.For("en")

// spoken is where a request keeps its language.
const spoken = "web.texts"

// languageCookie keeps which language somebody chose.
const languageCookie = "hallcall-lang"

// speak finds the language of a page: the one that its address asks for, else
// the one that was chosen in this browser, else the best for the browser, else
// the hall's first. What is written from now on for this request is in it.
func (s *Server) speak(c echo.Context, h *hall.Hall) *locale.Texts {
	return speakIn(c, h, c.QueryParam("lang"))
}

// speakIn is the same where a form asks for a language.
func speakIn(c echo.Context, h *hall.Hall, asked string) *locale.Texts {
	texts := bestTexts(c, h, asked)
	c.Set(spoken, texts)
	return texts
}

func bestTexts(c echo.Context, h *hall.Hall, asked string) *locale.Texts {
	wanted := []string{asked}
	if cookie, err := c.Cookie(languageCookie); err == nil {
		wanted = append(wanted, cookie.Value)
	}
	wanted = append(wanted, c.Request().Header.Get("Accept-Language"))
	if h != nil {
		wanted = append(wanted, h.Layout.Languages...)
	}
	return locale.For(wanted...)
}

// textsOf are the texts of a request, those in English before a language was
// found for it, and on the pages of the staff.
func textsOf(c echo.Context) *locale.Texts {
	if texts, ok := c.Get(spoken).(*locale.Texts); ok {
		return texts
	}
	return english
}

// boardTexts are those of a board: in the language that its address asks for,
// "" for the hall's.
func boardTexts(h *hall.Hall, lang string) []*locale.Texts {
	if lang != "" {
		return []*locale.Texts{locale.For(lang)}
	}
	return hallTexts(h)
}

// hallTexts are those of a hall's languages, English for one that has none that
// there are texts in.
func hallTexts(h *hall.Hall) []*locale.Texts {
	var all []*locale.Texts
	seen := map[string]bool{}
	for _, tag := range h.Layout.Languages {
		if t := locale.Find(tag); t != nil && !seen[t.Tag()] {
			seen[t.Tag()] = true
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		all = append(all, locale.For())
	}
	return all
}

// languageLinks offer the page at an address in several languages; none if there
// is no choice.
func languageLinks(address string, all []*locale.Texts, present *locale.Texts) []templates.LanguageLink {
	if len(all) < 2 {
		return nil
	}
	links := make([]templates.LanguageLink, 0, len(all))
	for _, t := range all {
		links = append(links, templates.LanguageLink{
			Tag: t.Tag(), Name: t.Text("language.own"), URL: withValues(address, "lang", t.Tag()), Chosen: t == present,
		})
	}
	return links
}

// said is a text in several languages.
func said(all []*locale.Texts, key string, with ...any) templates.Said {
	words := make(templates.Said, len(all))
	for i, t := range all {
		words[i] = templates.Words{Lang: t.Tag(), Text: t.Text(key, with...)}
	}
	return words
}

// askedLanguage is the language that an address asks for, "" for none that there is.
func askedLanguage(c echo.Context) string {
	if t := locale.Find(c.QueryParam("lang")); t != nil {
		return t.Tag()
	}
	return ""
}

// tagsOf lists languages as a topic has them, and textsIn finds them again.
func tagsOf(all []*locale.Texts) string {
	tags := make([]string, len(all))
	for i, t := range all {
		tags[i] = t.Tag()
	}
	return strings.Join(tags, ",")
}

func textsIn(tags string) []*locale.Texts {
	var all []*locale.Texts
	for tag := range strings.SplitSeq(tags, ",") {
		all = append(all, locale.For(tag))
	}
	return all
}

// POST /language keeps a choice and leads back.
func (s *Server) postLanguage(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	t := locale.Find(values.Get("lang"))
	if t == nil {
		return errBrokenForm
	}
	s.keepCookie(c, languageCookie, t.Tag())
	return c.Redirect(http.StatusSeeOther, localPath(values.Get("next")))
}
