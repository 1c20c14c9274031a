package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// errNeedsLogin says that a page is for people who are logged in.
var errNeedsLogin = errors.New("web: needs a login")

// unavailable is the error of sessions that cannot be read or written.
func unavailable(err error) error {
	return fmt.Errorf("session: %w: %w", hall.ErrUnavailable, err)
}

// refreshSeconds is how soon a page asks again that could not be shown.
const refreshSeconds = 5

// explanation is what a page says about a status.
type explanation struct{ headline, message, advice string }

// explanations name the texts about each status.
var explanations = map[int]string{
	http.StatusBadRequest:            "unreadable",
	http.StatusForbidden:             "forbidden",
	http.StatusNotFound:              "nothing",
	http.StatusMethodNotAllowed:      "method",
	http.StatusConflict:              "conflict",
	http.StatusRequestEntityTooLarge: "tooLarge",
	http.StatusUnprocessableEntity:   "invalid",
	http.StatusTooManyRequests:       "tooMany",
	http.StatusServiceUnavailable:    "unavailable",
	http.StatusInternalServerError:   "broken",
}

// explain finds the words for a status and, for errors of the domain, its own
// sentence, which is in English.
func explain(t *locale.Texts, status int, err error) explanation {
	name, ok := explanations[status]
	if !ok {
		name = explanations[http.StatusInternalServerError]
		if status < http.StatusInternalServerError {
			name = explanations[http.StatusBadRequest]
		}
	}
	words := explanation{t.Text("errorTitle." + name), t.Text("errorMessage." + name), t.Text("errorAdvice." + name)}
	var refused *access.RefusalError
	if errors.As(err, &refused) {
		return notAllowed(refused)
	}
	var domain *hall.Error
	if t == english && errors.As(err, &domain) && domain.Code != hall.CodeUnavailable {
		words.message = domain.Message
	}
	return words
}

// explainTo finds the words for whoever asked: a device is told what it is for.
func explainTo(c echo.Context, status int, err error) explanation {
	words := explain(textsOf(c), status, err)
	if device := visitingAs(c); device != nil && status == http.StatusForbidden {
		return deviceWords(device, words)
	}
	return words
}

// handleError answers every error in the form that the request asks for.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed || clientGone(c) {
		return
	}
	// The request's time is over, that for telling so is not.
	c.SetRequest(c.Request().WithContext(context.WithoutCancel(c.Request().Context())))
	if errors.Is(err, errNeedsLogin) {
		s.answer(c, askForLogin(c))
		return
	}
	if errors.Is(err, errNeedsPairing) {
		if err = s.askForPairing(c); err == nil || c.Response().Committed {
			s.answer(c, err)
			return
		}
	}
	status := api.StatusOf(err)
	var refused *access.RefusalError
	var locked *access.LockedError
	switch {
	case errors.As(err, &refused):
		s.logRefusal(c, refused)
	case errors.As(err, &locked): // no line for each: a flood would go on in the log
		s.cfg.Log.Debug("too many requests", "path", loggedPath(c), "id", requestID(c))
	default:
		s.logError(c, status, err)
	}
	api.RetryAfter(c.Response().Header(), err)
	switch {
	case api.InAPI(c.Request()), wantsProblem(c.Request()):
		s.answer(c, api.WriteProblem(c, err))
	case isFragment(c):
		s.answer(c, s.errorFragment(c, status, err))
	default:
		s.answer(c, s.errorPage(c, status, err))
	}
}

// clientGone reports whether nobody waits for the answer any more.
func clientGone(c echo.Context) bool {
	original, ok := c.Get(originalContext).(context.Context)
	return ok && errors.Is(original.Err(), context.Canceled)
}

// answer logs what went wrong in answering an error.
func (s *Server) answer(c echo.Context, err error) {
	if err != nil {
		s.cfg.Log.Warn("error not answered", "error", err, "id", requestID(c))
	}
}

func (s *Server) logError(c echo.Context, status int, err error) {
	log := s.cfg.Log.Warn
	if status >= http.StatusInternalServerError {
		log = s.cfg.Log.Error
	}
	log("request failed", "error", err, "status", status, "method", c.Request().Method,
		"path", loggedPath(c), "id", requestID(c))
}

func (s *Server) errorPage(c echo.Context, status int, err error) error {
	forStaff := signedIn(c) != "" || visitingAs(c) != nil && status == http.StatusForbidden // which are in English
	if !forStaff {
		s.speak(c, nil)
	}
	words := explainTo(c, status, err)
	p := templates.ErrorPage{
		Page:   s.page(c, words.headline, "page.css", ""),
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Headline: words.headline,
		Message: words.message, Advice: words.advice,
	}
	if p.User != "" {
		p.Warning = s.warning(c) // a page of the staff, too
	}
	if status >= http.StatusInternalServerError {
		p.RequestID = requestID(c)
	}
	if (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests) && c.Request().Method == http.MethodGet {
		p.Refresh = refreshSeconds // screens without anybody in front of them come back by themselves
	}
	return render(c, status, templates.Error(p))
}

func (s *Server) errorFragment(c echo.Context, status int, err error) error {
	words := explainTo(c, status, err)
	said := words.message + " " + words.advice
	if status >= http.StatusInternalServerError {
		said = words.headline + ". " + said // no sentence of the domain says what is wrong
	}
	c.Response().Header().Set("HX-Reswap", "none")
	return render(c, status, templates.NoticeBox(templates.Notice{Text: said, Bad: true}, true))
}

// wantsProblem reports whether a client asks for JSON and not for a page.
func wantsProblem(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, "json") && !strings.Contains(accept, "text/html")
}

// isFragment reports whether the page script asks for a part of a page.
func isFragment(c echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }
