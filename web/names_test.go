package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

// foreign are elements that no page has of its own: what a name must not make.
const foreign = "b, i, main img, script:not([src]), style, [onerror]"

// marked is a name that is HTML to whoever reads it so.
func marked(what string) string { return "<b>" + what + "</b><script>alert(1)</script><i>" }

// markedHall is a hall in which whatever has a name has one of HTML.
func markedHall(t *testing.T) *bundle {
	t.Helper()
	b := setup(t, func(_ *web.Config, l *hall.Layout) {
		l.Name, l.Rules.BoardNames = marked("hall"), hall.NamesMasked
		for i := range l.Rooms {
			l.Rooms[i].Name = marked("room")
		}
		l.Models[0].Name = marked("model")
		for i := range l.Machines {
			l.Machines[i].Label = marked("machine")
		}
		l.Subjects[0].Name = map[string]string{"en": marked("subject")}
	})
	var rows []hall.RosterRow
	for i := range 5 {
		rows = append(rows, hall.RosterRow{
			Row: i + 2, Candidate: fmt.Sprintf("c%d", i+1), Subjects: []string{"1"},
			Person: hall.Person{Name: marked("person"), IDNumber: marked("number"), Note: marked("note")},
		})
	}
	result, err := b.store.PutRoster(t.Context(), hallID, rows, false, staff)
	if err != nil || len(result.Rejected) > 0 {
		t.Fatal(err, result.Rejected)
	}
	return b
}

// TestNamesAreNeverHTML reads all pages of a hall in which every name and
// everything that the staff wrote is HTML.
func TestNamesAreNeverHTML(t *testing.T) {
	t.Parallel()
	b := markedHall(t)
	phone := b.phonePath("c1") // called to the room
	b.checkIn("c2", "c3", "c4")
	b.end("s2") // something to take back
	b.hold("c4")
	_, err := b.store.AddNote(t.Context(), hallID, "c1", marked("written"), staff)
	b.step(err)
	report := hall.IncidentReport{Category: "other", Machine: "m1", Candidate: "c1", Text: marked("text"), Done: marked("done")}
	_, err = b.store.OpenIncident(t.Context(), hallID, report, staff)
	b.step(err)
	_, err = b.store.Pause(t.Context(), hallID, "A", marked("message"), staff)
	b.step(err)
	strange := "/halls/" + url.PathEscape(marked("none")) + "/board"
	for _, address := range []string{"/login", "/api/docs", strange} {
		b.clean(address, b.get(address))
	}
	b.logIn()
	for address, shown := range map[string][]string{
		"/": {"hall"}, "/halls/h/board": {"hall", "room", "machine", "message"}, kioskPath: {"hall"}, phone: {"hall", "room", "machine", "message"},
		proctorPath: {"hall", "room", "machine", "person", "message"}, proctorPath + "/machines/m1": {"room", "machine", "person"},
		proctorPath + "/queue/c3": {"person"}, proctorPath + "/queue/c1/notes": {"person", "note", "written"},
		proctorPath + "/incidents":     {"hall", "room", "machine", "text", "done"},
		proctorPath + "/incidents/new": {"machine"}, proctorPath + "/incidents/new?candidate=c1&machine=m1": {"room", "machine", "person"},
		proctorPath + "/undo": {"room", "machine"}, proctorPath + "/day": nil, proctorPath + "/pause": {"room"},
	} {
		for _, headers := range [][]string{nil, htmx} {
			page := b.get(address, headers...).expect(t, http.StatusOK)
			b.clean(address, page)
			for _, what := range shown {
				if !page.says(marked(what)) {
					t.Errorf("%s does not show the %s: the test sees nothing", address, what)
				}
			}
		}
	}
	for candidate, headers := range map[string][]string{"c1": nil, "c3": htmx, marked("nobody"): htmx} {
		answer := b.post(kioskPath, typed(candidate), headers...)
		b.clean("kiosk, "+candidate, answer)
		b.clean("kiosk, then", b.get(kioskPath))
	}
}

// says reports whether a page has a text, in an attribute at least.
func (p *page) says(text string) bool {
	found := strings.Contains(p.Text(), text)
	p.Find("[value], [aria-label], [title], option").Each(func(_ int, s *goquery.Selection) {
		for _, name := range []string{"value", "aria-label", "title"} {
			found = found || strings.Contains(s.AttrOr(name, ""), text)
		}
	})
	return found
}

// clean fails unless a page has only elements of its own.
func (b *bundle) clean(what string, p *page) {
	b.t.Helper()
	p.Find(foreign).Each(func(_ int, s *goquery.Selection) {
		html, _ := goquery.OuterHtml(s)
		b.t.Errorf("%s has %.200s", what, html)
	})
}
