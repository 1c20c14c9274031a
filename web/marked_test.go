package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

const markedPath = proctorPath + "/marked"

// marks are those of tiles as the page shows them now.
func (b *bundle) marks(machines ...string) (marks []string) {
	b.t.Helper()
	p := b.get(proctorPath).expect(b.t, http.StatusOK)
	for _, machine := range machines {
		box := p.Find(`[data-testid=tile][data-machine="` + machine + `"] [name=mark]`)
		if box.Length() != 1 || box.AttrOr("form", "") != "marks" {
			b.t.Fatalf("the tile of %s has no box", machine)
		}
		marks = append(marks, box.AttrOr("value", ""))
	}
	return marks
}

// markedForms are the commands that the panel offers, by name.
func (b *bundle) markedForms(marks ...string) map[string]url.Values {
	b.t.Helper()
	p := b.get(markedPath+"?"+url.Values{"mark": marks}.Encode(), htmx...).expect(b.t, http.StatusOK)
	return formsOf(p)
}

func formsOf(p *page) map[string]url.Values {
	forms := map[string]url.Values{}
	for i := range p.Find("form[data-testid^=marked-]").Length() {
		form := p.Find("form[data-testid^=marked-]").Eq(i)
		values := url.Values{}
		for j := range form.Find("input[type=hidden]").Length() {
			field := form.Find("input[type=hidden]").Eq(j)
			values.Add(field.AttrOr("name", ""), field.AttrOr("value", ""))
		}
		forms[strings.TrimPrefix(form.AttrOr("data-testid", ""), "marked-")] = values
	}
	return forms
}

func namesOf(forms map[string]url.Values) []string {
	var names []string
	for name, values := range forms {
		names = append(names, name+strings.Repeat("+", len(values["mark"])))
	}
	slices.Sort(names)
	return names
}

// setupRooms has four machines for subject 1, of which c1 to c3 get three.
func setupRooms(t *testing.T) *bundle {
	t.Helper()
	b := setup(t, func(_ *web.Config, layout *hall.Layout) {
		rules := layout.Rules
		*layout = halltest.Layout("one", "one", "one", "one", "two", "three")
		layout.Rules = rules
	})
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	b.seat("s1")
	return b
}

func TestOneCommandForSeveralTiles(t *testing.T) {
	t.Parallel()
	b := setupRooms(t)
	marks := b.marks("m1", "m2", "m3", "m4")
	forms := b.markedForms(marks...)
	want := []string{"break-off+++", "end+", "no-show++", "out-of-service+", "recall++", "seat++", "spare+"}
	if got := namesOf(forms); !slices.Equal(got, want) {
		t.Fatalf("it offers %q, want %q", got, want)
	}
	for range 2 { // a double click
		if got := b.post(markedPath+"/recall", forms["recall"], htmx...).expect(t, http.StatusOK).text("notice"); got != "Called again: N002, N003." {
			t.Errorf("the page says %q", got)
		}
	}
	if got := b.candidate("c2"); got.State != hall.Called {
		t.Errorf("c2 is %s", got.State)
	}
	for range 2 {
		if got := b.post(markedPath+"/seat", forms["seat"], htmx...).expect(t, http.StatusOK).text("notice"); got != "Seated: N002, N003." {
			t.Errorf("the page says %q", got)
		}
	}
	b.end("s2") // somebody else was faster
	all := b.get(markedPath+"?all=A").expect(t, http.StatusOK)
	if got := all.Text(); !strings.Contains(got, "Marked: ") || all.Find("html").Length() != 1 {
		t.Errorf("all of a room: %.300s", got)
	}
	ends := formsOf(b.get(markedPath + "?" + url.Values{"mark": b.marks("m1", "m3")}.Encode()))["end"]
	b.end("s3")
	p := b.post(markedPath+"/end", ends, htmx...).expect(t, http.StatusOK) // ended twice is ended
	if got := p.text("notice"); got != "Finished: N001, N003." {
		t.Errorf("the page says %q", got)
	}
	for _, c := range []string{"c1", "c2", "c3"} {
		if got := b.candidate(c).State; got != hall.Done {
			t.Errorf("%s is %s", c, got)
		}
	}
}

// What has changed since it was marked is not hit, and said.
func TestMarkedTilesThatHaveChanged(t *testing.T) {
	t.Parallel()
	b := setupRooms(t)
	marks := b.marks("m1", "m2", "m3")
	forms := b.markedForms(marks...)
	b.noShow("s2")
	p := b.post(markedPath+"/seat", forms["seat"], htmx...).expect(t, http.StatusConflict)
	if got := p.text("notice"); !strings.HasPrefix(got, "Seated: N003. Machine m2: ") {
		t.Errorf("the page says %q", got)
	}
	if got := b.candidate("c3").State; got != hall.Seated {
		t.Errorf("c3 is %s", got)
	}
	panel := b.get(markedPath+"?"+url.Values{"mark": marks}.Encode(), htmx...)
	if got := panel.text("panel-warning"); got == "" || len(formsOf(panel)["end"]["mark"]) != 2 {
		t.Errorf("the panel warns %q and offers %v", got, namesOf(formsOf(panel)))
	}
}

// A power cut: all sittings of a room are broken off, and each reason is kept.
func TestARoomIsBrokenOff(t *testing.T) {
	t.Parallel()
	b := setupRooms(t)
	form := b.markedForms(b.marks("m1", "m2")...)["break-off"]
	form.Set("code", "power")
	p := b.post(markedPath+"/break-off", form, htmx...).expect(t, http.StatusUnprocessableEntity)
	if p.Find("#marked-reason-break-off-error").Length() != 1 || p.Find("#marked-code-break-off option[selected]").AttrOr("value", "") != "power" {
		t.Errorf("without a reason: %.400s", p.body)
	}
	form = formsOf(p)["break-off"]
	form.Set("code", "power")
	form.Set("reason", "no power")
	for range 2 {
		if got := b.post(markedPath+"/break-off", form, htmx...).expect(t, http.StatusOK).text("notice"); got != "Broken off: N001, N002." {
			t.Errorf("the page says %q", got)
		}
	}
	list, err := b.store.Machines(t.Context(), hallID, hall.MachineFilter{}, hall.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Items[:2] {
		if m.State != hall.MachineOutOfService || m.Reason != "no power" {
			t.Errorf("%s is %+v", m.ID, m)
		}
	}
	incidents := b.incidents()
	if len(incidents) != 2 || incidents[0].Command != hall.EventSittingAborted || incidents[1].Text != "no power" {
		t.Errorf("the incidents are %+v", incidents)
	}
	back := b.markedForms(b.marks("m1", "m2")...)["in-service"]
	if got := b.post(markedPath+"/in-service", back, htmx...).expect(t, http.StatusOK).text("notice"); !strings.HasPrefix(got, "In service: ") {
		t.Errorf("the page says %q", got)
	}
}

func TestMarksThatAreNone(t *testing.T) {
	t.Parallel()
	b := setupRooms(t)
	if got := b.get(markedPath, htmx...).expect(t, http.StatusOK); !strings.Contains(got.Text(), "Nothing is marked") {
		t.Errorf("without a mark: %.200s", got.Text())
	}
	good := b.markedForms(b.marks("m1")...)["end"]
	for name, change := range map[string]func(url.Values){
		"no key":       func(v url.Values) { v.Del("key") },
		"no mark":      func(v url.Values) { v.Del("mark") },
		"broken mark":  func(v url.Values) { v.Add("mark", "m1") },
		"broken count": func(v url.Values) { v.Add("mark", "m1\x1fs1\x1fx") },
	} {
		form := url.Values{"key": good["key"], "mark": slices.Clone(good["mark"])}
		change(form)
		b.post(markedPath+"/end", form, htmx...).expect(t, http.StatusUnprocessableEntity)
		if got := b.candidate("c1").State; got != hall.Seated {
			t.Fatalf("%s: c1 is %s", name, got)
		}
	}
	b.get(markedPath+"?mark=m1", htmx...).expect(t, http.StatusUnprocessableEntity)
	b.get(markedPath+"/end").expect(t, http.StatusSeeOther)
}

// A command of which a part is in a room of others is refused as a whole.
func TestMarksInRoomsOfOthers(t *testing.T) {
	t.Parallel()
	s := setupStaffed(t)
	s.checkIn("c1", "c2")
	s.seat("s1")
	s.seat("s2")
	boss := s.as(s.enter("boss", access.In(access.Manager, hallID)))
	form := formsOf(boss.get(markedPath + "?" + url.Values{"mark": boss.marks("m1", "m2")}.Encode()))["end"]
	bert := s.as(s.enter("bert", access.In(access.Proctor, hallID, "B")))
	bert.post(markedPath+"/end", form, htmx...).expect(t, http.StatusForbidden)
	for name, mark := range map[string]string{
		"another's machine beside one's own sitting": "m1\x1fs2\x1f0", "another's machine beside none": "m1\x1fs9\x1f0",
		"another's sitting beside one's own machine": "m2\x1fs1\x1f0",
	} {
		for _, command := range []string{"out-of-service", "spare", "in-service", "end", "break-off"} {
			forged := url.Values{"key": form["key"], "mark": {mark}, "code": {"other"}, "reason": {"x"}}
			if p := bert.post(markedPath+"/"+command, forged, htmx...); p.status != http.StatusForbidden {
				t.Errorf("%s: %s is answered %d", name, command, p.status)
			}
		}
	}
	for _, c := range []string{"c1", "c2"} {
		if got := s.candidate(c).State; got != hall.Seated {
			t.Errorf("%s is %s", c, got)
		}
	}
	if got := namesOf(formsOf(bert.get(markedPath + "?all=A"))); len(got) != 0 {
		t.Errorf("a proctor of another room is offered %q", got)
	}
}
