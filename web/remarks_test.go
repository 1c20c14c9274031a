package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/web"
)

const (
	incidentsPath = proctorPath + "/incidents"
	hostile       = "<b>Bold</b> & <script>alert(1)</script>\nsecond line"
)

// keyOf is the key that a form carries.
func (p *page) keyOf(t *testing.T, testid string) string {
	t.Helper()
	key := p.part(testid).Find("input[name=key]").AttrOr("value", "")
	if key == "" {
		t.Fatalf("%s has no key: %.600s", testid, p.body)
	}
	return key
}

// links lists where a panel leads to, by what the links say.
func (p *page) links() map[string]string {
	links := map[string]string{}
	p.Find(".panel-actions a").Each(func(_ int, a *goquery.Selection) {
		links[a.Text()] = a.AttrOr("href", "") + " " + a.AttrOr("hx-get", "")
	})
	return links
}

func (b *bundle) incidents() []hall.Incident {
	b.t.Helper()
	list, err := b.store.Incidents(b.t.Context(), hallID, hall.Page{})
	if err != nil {
		b.t.Fatal(err)
	}
	return list.Items
}

func TestPanelsLeadToNotesAndIncidents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3", "c4")
	if _, err := b.store.Hold(t.Context(), hallID, "c4", staff); err != nil {
		t.Fatal(err)
	}
	note := func(id string) string { return proctorPath + "/queue/" + id + "/notes?room=A" }
	for address, want := range map[string]map[string]string{
		"/machines/m1?room=A": {"Note": note("c1"), "Incident": incidentsPath + "/new?candidate=c1&machine=m1&room=A"},
		"/machines/m3?room=A": {"Incident": incidentsPath + "/new?machine=m3&room=A"},
		"/queue/c3?room=A":    {"Note": note("c3"), "Incident": incidentsPath + "/new?candidate=c3&room=A"},
		"/queue/c4?room=A":    {"Note": note("c4"), "Incident": incidentsPath + "/new?candidate=c4&room=A"},
	} {
		for _, headers := range [][]string{nil, htmx} {
			panel := b.get(proctorPath+address, headers...).expect(t, http.StatusOK)
			got := panel.links()
			if len(got) != len(want) {
				t.Errorf("%s leads to %v", address, got)
			}
			for text, target := range want {
				if got[text] != target+" "+target {
					t.Errorf("%s: %s leads to %q, want %q", address, text, got[text], target)
				}
				b.get(target, headers...).expect(t, http.StatusOK)
			}
		}
	}
	if got := b.get(proctorPath+"?room=A").Find("[data-testid=incidents-link]").AttrOr("href", ""); got != incidentsPath+"?room=A" {
		t.Errorf("the page leads to %q", got)
	}
}

func TestNotesAreWrittenDownOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	address := proctorPath + "/queue/c1/notes?room=A"
	panel := b.get(address, htmx...).expect(t, http.StatusOK)
	if got := panel.Find("#panel-title").Text(); got != "Notes: N001 Name of c1" || panel.part("notes").Length() != 0 {
		t.Errorf("the panel is about %q", got)
	}
	form := url.Values{"key": {panel.keyOf(t, "note-form")}, "text": {" " + strings.ReplaceAll(hostile, "\n", "\r\n")}}
	for range 2 {
		sent := b.post(address, form).expect(t, http.StatusSeeOther)
		if got := sent.header.Get("Location"); got != proctorPath+"?room=A" {
			t.Errorf("leads to %q", got)
		}
		if got := b.get(proctorPath).text("notice"); got != "The note is written down." {
			t.Errorf("the page says %q", got)
		}
	}
	b.post(address, form, htmx...).expect(t, http.StatusOK)
	panel = b.get(address, htmx...)
	form = url.Values{"key": {panel.keyOf(t, "note-form")}, "text": {"left his glasses"}}
	fragment := b.post(address, form, htmx...).expect(t, http.StatusOK)
	if fragment.text("notice") != "The note is written down." || fragment.Find("#tiles[hx-swap-oob]").Length() != 1 {
		t.Errorf("the fragment is %.300s", fragment.body)
	}
	notes := b.candidate("c1").Notes
	if len(notes) != 2 || notes[0].Text != hostile || notes[0].By != "anna" || notes[1].Text != "left his glasses" {
		t.Errorf("kept are %+v", notes)
	}
	panel = b.get(address).expect(t, http.StatusOK)
	if got := panel.part("notes").Find(".remark").Last().Find(".remark-text").Text(); got != hostile {
		t.Errorf("the panel shows %q", got)
	}
	if got := panel.part("notes").Find(".hint").First().Text(); got != "16:00 · anna" { // 08:00 UTC in the hall's zone
		t.Errorf("the panel says %q of who and when", got)
	}
	if panel.part("notes").Find("b, script").Length() != 0 {
		t.Error("a note is read as HTML")
	}
}

func TestNoteFormsKeepTheirText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	address := proctorPath + "/queue/c1/notes"
	key := func() string { return b.get(address, htmx...).keyOf(t, "note-form") }
	for name, test := range map[string]struct{ text, wrong string }{
		"empty":    {" ", "Write something first."},
		"control":  {"a\tb <i>", "This has a control character."},
		"too long": {strings.Repeat("字", 1001), "This has more than 1000 characters."},
	} {
		for _, headers := range [][]string{nil, htmx} {
			wrong := b.post(address, url.Values{"key": {key()}, "text": {test.text}}, headers...).expect(t, http.StatusUnprocessableEntity)
			field := wrong.part("note-form").Find("textarea")
			if got := field.Text(); got != test.text || field.AttrOr("aria-invalid", "") != "true" {
				t.Errorf("%s: the field holds %q", name, got)
			}
			if got := wrong.Find("#" + field.AttrOr("aria-describedby", "none")).Text(); got != test.wrong {
				t.Errorf("%s: the form says %q", name, got)
			}
		}
	}
	b.post(address, url.Values{"text": {"x"}}).expect(t, http.StatusUnprocessableEntity) // without a key
	b.post(address, url.Values{"key": {"mine"}, "text": {"x"}}).expect(t, http.StatusUnprocessableEntity)
	for _, unknown := range []string{proctorPath + "/queue/c9/notes", "/halls/nowhere/proctor/queue/c1/notes"} {
		b.get(unknown).expect(t, http.StatusNotFound)
		b.post(unknown, url.Values{"key": {key()}, "text": {"x"}}).expect(t, http.StatusNotFound)
	}
	if notes := b.candidate("c1").Notes; len(notes) != 0 {
		t.Errorf("kept are %+v", notes)
	}
	// The form as it was, from a browser that kept it, with other words: asked
	// for, not lost. As a rule Back brings a fresh form, which is empty.
	used := key()
	b.post(address, url.Values{"key": {used}, "text": {"first"}}).expect(t, http.StatusSeeOther)
	again := b.post(address, url.Values{"key": {used}, "text": {"second"}}).expect(t, http.StatusUnprocessableEntity)
	fresh := again.keyOf(t, "note-form")
	if fresh == used || again.part("note-form").Find("textarea").Text() != "second" {
		t.Errorf("the form comes back with key %q", fresh)
	}
	b.post(address, url.Values{"key": {fresh}, "text": {"second"}}).expect(t, http.StatusSeeOther)
	if notes := b.candidate("c1").Notes; len(notes) != 2 {
		t.Errorf("kept are %+v", notes)
	}
}

func TestNotesCanBeFull(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	address := proctorPath + "/queue/c1/notes"
	key := b.get(address).keyOf(t, "note-form")
	for i := range hall.MaxNotes {
		if _, err := b.store.AddNote(t.Context(), hallID, "c1", strconv.Itoa(i), staff); err != nil {
			t.Fatal(err)
		}
	}
	for _, headers := range [][]string{nil, htmx} {
		full := b.post(address, url.Values{"key": {key}, "text": {"one more"}}, headers...).expect(t, http.StatusConflict)
		if full.part("note-form").Find("textarea").Text() != "one more" || full.Find("#note-text-error").Length() != 1 {
			t.Errorf("the form is %.600s", full.body)
		}
	}
	if panel := b.get(address).expect(t, http.StatusOK); panel.part("full").Length() != 1 || panel.part("note-form").Length() != 0 {
		t.Error("the panel offers what cannot be done")
	}
}

func TestIncidentsAreReportedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	panel := b.get(incidentsPath+"/new?machine=m1&candidate=c1&room=A", htmx...).expect(t, http.StatusOK)
	form := panel.part("incident-form")
	if got := strings.Join(strings.Fields(form.Find("fieldset").Text()), " "); got != "Concerns A, machine m1 N001 Name of c1" {
		t.Errorf("the form names %q", got)
	}
	if form.Find("fieldset [checked]").Length() != 2 || form.Find("#incident-machine, #incident-candidate").Length() != 0 {
		t.Error("the form asks for what it was opened for")
	}
	if got := form.Find("option").Length(); got != 1+len(hall.DefaultCategories) {
		t.Errorf("%d categories", got)
	}
	values := url.Values{
		"key": {panel.keyOf(t, "incident-form")}, "category": {"machine"}, "machine": {"m1"}, "candidate": {"c1"}, "text": {hostile}, "done": {"restarted"},
	}
	address := form.AttrOr("action", "")
	for range 2 {
		if got := b.post(address, values).expect(t, http.StatusSeeOther).header.Get("Location"); got != incidentsPath+"?room=A" {
			t.Errorf("leads to %q", got)
		}
	}
	if got := b.get(incidentsPath).text("notice"); got != "The incident is written down." {
		t.Errorf("the list says %q", got)
	}
	fragment := b.post(address, values, htmx...).expect(t, http.StatusOK)
	if fragment.text("notice") != "The incident is written down." {
		t.Errorf("the fragment says %q", fragment.text("notice"))
	}
	kept := b.incidents()
	want := hall.IncidentReport{Category: "machine", Machine: "m1", Candidate: "c1", Text: hostile, Done: "restarted"}
	if len(kept) != 1 || kept[0].IncidentReport != want || kept[0].By != "anna" || kept[0].Ticket != "N001" {
		t.Fatalf("kept are %+v", kept)
	}
	if got := b.get(proctorPath).text("incidents-link"); got != "1 incident" {
		t.Errorf("the proctors' page counts %q", got)
	}
	page := b.get(incidentsPath+"?room=A").expect(t, http.StatusOK)
	if got := page.text("incident"); !strings.Contains(got, "16:00 Machine A, machine m1 N001 anna") || !strings.Contains(got, "Done: restarted") {
		t.Errorf("the list shows %q", got)
	}
	if got := page.part("incident").Find(".remark-text").First().Text(); got != hostile || page.part("incident").Find("b, script").Length() != 0 {
		t.Errorf("the text is shown as %q", got)
	}
	if page.part("incident").Length() != 1 {
		t.Errorf("the page has %d incidents", page.part("incident").Length())
	}
}

func TestIncidentFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	key := func() string { return b.get(incidentsPath+"/new", htmx...).keyOf(t, "incident-form") }
	for name, test := range map[string]struct {
		query string
		form  url.Values
		kept  []string // of the form, afterwards
		wrong string   // field with a fault
	}{
		"no category": {"?machine=m1&candidate=c1", url.Values{"machine": {"m1"}, "text": {"dark"}}, []string{
			`[name=machine][value=m1][checked]`, `[name=candidate][value=c1]:not([checked])`,
		}, "category"},
		"other category": {"", url.Values{"category": {"weather"}, "machine": {"m2"}, "text": {"dark"}}, []string{`option[value=m2][selected]`}, "category"},
		"no text":        {"", url.Values{"category": {"rules"}, "candidate": {"N001"}}, []string{`option[value=rules][selected]`, `[name=candidate][value=N001]`}, "text"},
		"control":        {"?machine=m1", url.Values{"category": {"rules"}, "text": {"x"}, "done": {"a\x00b"}}, []string{`#incident-text`}, "done"},
		"nobody":         {"", url.Values{"category": {"rules"}, "text": {"dark"}, "candidate": {"N777"}}, []string{`[name=candidate][value=N777]`}, "candidate"},
		"no machine":     {"", url.Values{"category": {"rules"}, "text": {"dark"}, "machine": {"m9"}}, []string{`option[value=rules][selected]`}, "machine"},
	} {
		for _, headers := range [][]string{nil, htmx} {
			test.form.Set("key", key())
			answer := b.post(incidentsPath+test.query, test.form, headers...).expect(t, http.StatusUnprocessableEntity)
			form := answer.part("incident-form")
			for _, selector := range test.kept {
				if form.Find(selector).Length() != 1 {
					t.Errorf("%s: the form has no %s", name, selector)
				}
			}
			if got := form.Find("#incident-text").Text(); got != test.form.Get("text") {
				t.Errorf("%s: the text is %q", name, got)
			}
			if errors := form.Find(".error:not([hidden])"); errors.Length() != 1 || errors.AttrOr("id", "") != "incident-"+test.wrong+"-error" {
				t.Errorf("%s: the faults are at %q", name, errors.AttrOr("id", ""))
			}
			if got := form.AttrOr("action", ""); got != incidentsPath+strings.ReplaceAll(test.query, "machine=m1&candidate=c1", "candidate=c1&machine=m1") {
				t.Errorf("%s: the form goes to %q", name, got)
			}
		}
	}
	whole := url.Values{"category": {"rules"}, "text": {"x"}}
	b.post(incidentsPath, whole).expect(t, http.StatusUnprocessableEntity) // without a key
	for _, unknown := range []string{incidentsPath + "/new?machine=m9", incidentsPath + "/new?candidate=c9", "/halls/nowhere/proctor/incidents", "/halls/nowhere/proctor/incidents/new"} {
		b.get(unknown).expect(t, http.StatusNotFound)
	}
	for query, field := range map[string]string{"machine=m9": "machine", "candidate=c9": "candidate"} {
		b.post(incidentsPath+"?"+query, url.Values{"key": {key()}, "category": {"rules"}, "text": {"x"}, field: {field[:1] + "9"}}).expect(t, http.StatusNotFound)
	}
	if kept := b.incidents(); len(kept) != 0 {
		t.Errorf("kept are %+v", kept)
	}
}

// People are named by their ticket, however it is typed, or by their number;
// a box that is not ticked any more names nobody.
func TestIncidentsByHand(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2")
	b.get(incidentsPath).expect(t, http.StatusOK)
	for _, test := range []struct{ query, candidate, want string }{
		{"", "n002", "c2"}, {"", " c5 ", "c5"}, {"", "", ""}, {"?candidate=c1", "", ""}, {"?candidate=c1", "c1", "c1"},
	} {
		key := b.get(incidentsPath+"/new"+test.query, htmx...).keyOf(t, "incident-form")
		b.post(incidentsPath+test.query, url.Values{"key": {key}, "category": {"other"}, "text": {"x"}, "candidate": {test.candidate}}).expect(t, http.StatusSeeOther)
		kept := b.incidents()
		if got := kept[len(kept)-1].Candidate; got != test.want {
			t.Errorf("%q with %q names %q, want %q", test.query, test.candidate, got, test.want)
		}
	}
}

func TestIncidentsHavePages(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *web.Config, layout *hall.Layout) { layout.IncidentCategories = []string{"power-cut"} })
	b.logIn()
	if got := b.get(incidentsPath).text("no-incidents"); got == "" {
		t.Error("the page does not say that there are none")
	}
	for i := range 120 {
		report := hall.IncidentReport{Category: "power-cut", Text: fmt.Sprintf("incident %d", i)}
		if _, err := b.store.OpenIncident(t.Context(), hallID, report, staff); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]struct {
		first, count int
		links        string
	}{
		"?room=A": {119, 50, "page=2&room=A"}, "?page=2": {69, 50, "page=1 page=3"}, "?page=3": {19, 20, "page=2"},
		"?page=99": {19, 20, "page=2"}, "?page=-1": {119, 50, "page=2"}, "?page=x": {119, 50, "page=2"},
	} {
		page := b.get(incidentsPath+query).expect(t, http.StatusOK)
		var links []string
		page.Find(".pages a").Each(func(_ int, a *goquery.Selection) {
			links = append(links, strings.TrimPrefix(a.AttrOr("href", ""), incidentsPath+"?"))
		})
		first := page.part("incident").First()
		if got := strings.Join(links, " "); got != want.links || page.part("incident").Length() != want.count {
			t.Errorf("%s has %d incidents and leads to %q", query, page.part("incident").Length(), got)
		}
		if got := first.Find(".remark-text").Text(); got != fmt.Sprintf("incident %d", want.first) || first.Find(".tag").Text() != "Power cut" {
			t.Errorf("%s begins with %q of %q", query, got, first.Find(".tag").Text())
		}
	}
}

func TestRemarksNeedALogin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	key := b.get(incidentsPath+"/new").keyOf(t, "incident-form")
	b.client = b.browser()
	for _, address := range []string{incidentsPath, incidentsPath + "/new", proctorPath + "/queue/c1/notes"} {
		if got := b.get(address).expect(t, http.StatusSeeOther).header.Get("Location"); got != "/login?next="+url.QueryEscape(address) {
			t.Errorf("%s leads to %q", address, got)
		}
		b.get(address, htmx...).expect(t, http.StatusUnauthorized)
	}
	form := url.Values{"key": {key}, "category": {"other"}, "text": {"x"}}
	for _, address := range []string{incidentsPath, proctorPath + "/queue/c1/notes"} {
		b.post(address, form).expect(t, http.StatusSeeOther)
	}
	if len(b.incidents()) != 0 || len(b.candidate("c1").Notes) != 0 {
		t.Error("a stranger wrote something down")
	}
}
