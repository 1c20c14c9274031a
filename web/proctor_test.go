package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

func TestProctorNeedsALogin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent := b.get(proctorPath+"?room=A").expect(t, http.StatusSeeOther)
	if got := sent.header.Get("Location"); got != "/login?next="+url.QueryEscape(proctorPath+"?room=A") {
		t.Errorf("leads to %q", got)
	}
	fragment := b.post(proctorPath+"/sittings/s1/end", nil, "HX-Request", "true", "HX-Current-URL", "http://host"+proctorPath)
	fragment.expect(t, http.StatusUnauthorized)
	if got := fragment.header.Get("HX-Redirect"); got != "/login?next="+url.QueryEscape(proctorPath) {
		t.Errorf("a fragment leads to %q", got)
	}
	b.get(proctorPath, "Accept", "application/json").expect(t, http.StatusUnauthorized)
	b.get("/halls/h/live?view=proctor").expect(t, http.StatusUnauthorized)
	b.post(proctorPath+"/pause", nil).expect(t, http.StatusSeeOther)
	if h, err := b.store.Hall(t.Context(), hallID); err != nil || h.Day.Paused {
		t.Errorf("a stranger paused the hall (%v)", err)
	}
}

func TestProctorSeesWhoIsWhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	p := b.get(proctorPath).expect(t, http.StatusOK)
	tile := p.Find(`[data-testid=tile][data-machine=m1]`)
	if got := tile.AttrOr("data-state", ""); got != "called" {
		t.Errorf("m1 is %q, want called", got)
	}
	text := tile.Text()
	for _, want := range []string{"N001", "Name of c1", "••••01c1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the tile shows %q, without %q", text, want)
		}
	}
	if strings.Contains(p.body, "99999919900101") {
		t.Error("an ID number is shown whole")
	}
	if got := p.text("queue-row"); !strings.Contains(got, "N003") {
		t.Errorf("the queue shows %q", got)
	}
	if got := b.get(proctorPath + "?room=B").part("tile").Length(); got != 2 {
		t.Errorf("%d machines in room B, want 2", got)
	}
	b.get(proctorPath+"?room=Z").expect(t, http.StatusNotFound)
}

func TestProctorCommands(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3", "c4")
	for _, step := range []struct {
		name, address string
		form          url.Values
		candidate     string
		want          hall.CandidateState
	}{
		{"seat", "/sittings/s1/seat", nil, "c1", hall.Seated},
		{"seat twice", "/sittings/s1/seat", nil, "c1", hall.Seated},
		{"call again", "/sittings/s2/recall", url.Values{"recall": {"2"}}, "c2", hall.Called},
		{"call again, double click", "/sittings/s2/recall", url.Values{"recall": {"2"}}, "c2", hall.Called},
		{"no-show", "/sittings/s2/no-show", nil, "c2", hall.Waiting},
		{"end", "/sittings/s1/end", nil, "c1", hall.Done},
		{"hold", "/queue/c2/hold", nil, "c2", hall.Held},
		{"return", "/queue/c2/return", nil, "c2", hall.Waiting},
		{"withdraw", "/queue/c2/leave", nil, "c2", hall.Withdrawn},
		{"restore", "/queue/c2/restore", nil, "c2", hall.Waiting},
		{"class", "/queue/c2/class", url.Values{"class": {"vip"}}, "c2", hall.Waiting},
		{"abort", "/sittings/s3/abort", url.Values{"fault": {"candidate"}, "then": {"withdraw"}, "reason": {"ill"}}, "c3", hall.Withdrawn},
	} {
		sent := b.post(proctorPath+step.address+"?room=A", step.form)
		if sent.status != http.StatusSeeOther || sent.header.Get("Location") != proctorPath+"?room=A" {
			t.Fatalf("%s: %d to %q: %s", step.name, sent.status, sent.header.Get("Location"), sent.text("notice"))
		}
		if got := b.candidate(step.candidate).State; got != step.want {
			t.Errorf("%s: %s is %s, want %s", step.name, step.candidate, got, step.want)
		}
		if got := b.get(proctorPath).text("notice"); got == "" {
			t.Errorf("%s: nothing is said", step.name)
		}
		if got := b.get(proctorPath).text("notice"); got != "" {
			t.Errorf("%s: said twice: %q", step.name, got)
		}
	}
	if got := b.candidate("c2").Class; got != hall.ClassVIP {
		t.Errorf("class %q, want vip", got)
	}
}

func TestAStalePageCannotEndAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	b.post(proctorPath+"/sittings/s1/no-show", nil).expect(t, http.StatusSeeOther) // m1 goes to c3
	before := b.candidate("c3")
	for _, verb := range []string{"end", "seat", "no-show"} {
		conflict := b.post(proctorPath+"/sittings/s1/"+verb, nil)
		if verb == "no-show" && conflict.status == http.StatusSeeOther {
			continue // the second time gives the first answer
		}
		conflict.expect(t, http.StatusConflict)
		if conflict.part("tile").Length() != 4 || conflict.text("notice") == "" {
			t.Errorf("%s: the page does not say what happened", verb)
		}
		fragment := b.post(proctorPath+"/sittings/s1/"+verb, nil, htmx...).expect(t, http.StatusConflict)
		if fragment.Find("#notice[hx-swap-oob]").Length() != 1 || fragment.Find("#tiles[hx-swap-oob]").Length() != 1 {
			t.Errorf("%s: the fragment does not bring the state", verb)
		}
	}
	if after := b.candidate("c3"); after.State != before.State || after.Sitting != before.Sitting {
		t.Errorf("c3 was %s in %s and is %s in %s", before.State, before.Sitting, after.State, after.Sitting)
	}
	b.post(proctorPath+"/sittings/s99/end", nil).expect(t, http.StatusNotFound)
}

func TestACommandByThePageScriptBringsWhatChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	fragment := b.post(proctorPath+"/sittings/s1/seat?room=A", nil, htmx...).expect(t, http.StatusOK)
	if got := fragment.Find(`[data-machine=m1]`).AttrOr("data-state", ""); got != "in_use" {
		t.Errorf("m1 is %q, want in_use", got)
	}
	if fragment.Find("html link").Length() != 0 || fragment.part("tile").Length() != 2 {
		t.Error("the answer is more than what the page of room A shows")
	}
}

func TestFormsKeepTheirValues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	wrong := b.post(proctorPath+"/sittings/s1/abort", url.Values{"fault": {"machine"}, "keepMachine": {"true"}, "reason": {" "}}, htmx...)
	wrong.expect(t, http.StatusUnprocessableEntity)
	form := wrong.part("abort-form")
	if form.Find("[name=fault][value=machine][checked]").Length() != 1 || form.Find("[name=keepMachine][checked]").Length() != 1 {
		t.Error("what was chosen is not kept")
	}
	if form.Find("#abort-reason-error").Length() != 1 || wrong.header.Get("HX-Retarget") != "#panel-body" {
		t.Error("what is wrong is not said beside the field")
	}
	whole := b.post(proctorPath+"/machines/m2/out-of-service", url.Values{"reason": {""}}).expect(t, http.StatusUnprocessableEntity)
	if whole.part("out-of-service-form").Find(".error").Length() != 1 {
		t.Error("the page without scripts does not say what is wrong")
	}
	b.post(proctorPath+"/sittings/s1/recall", url.Values{"recall": {"soon"}}).expect(t, http.StatusUnprocessableEntity)
	b.post(proctorPath+"/next", url.Values{}).expect(t, http.StatusUnprocessableEntity)
	b.post(proctorPath+"/queue/c1/class", url.Values{"class": {"king"}}).expect(t, http.StatusUnprocessableEntity)
}

func TestMachinesGoInAndOutOfService(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	state := func() string {
		return b.get(proctorPath).Find("[data-machine=m2]").AttrOr("data-state", "")
	}
	for _, step := range []struct {
		verb string
		form url.Values
		want string
	}{
		{"out-of-service", url.Values{"reason": {"<i>dark</i>"}}, "out_of_service"},
		{"spare", nil, "spare"},
		{"in-service", nil, "idle"},
	} {
		b.post(proctorPath+"/machines/m2/"+step.verb, step.form).expect(t, http.StatusSeeOther)
		if got := state(); got != step.want {
			t.Errorf("%s: %q, want %q", step.verb, got, step.want)
		}
	}
	b.checkIn("c1", "c2")
	b.post(proctorPath+"/machines/m2/out-of-service", url.Values{"reason": {"dark"}}).expect(t, http.StatusConflict)
	b.post(proctorPath+"/machines/m9/spare", nil).expect(t, http.StatusNotFound)
}

func TestPanelsOfferWhatFits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	panel := b.get(proctorPath+"/machines/m1", htmx...).expect(t, http.StatusOK)
	if panel.part("transfer-form").Find("option[value=m2]").Length() != 1 || panel.part("out-of-service-form").Length() != 0 {
		t.Error("the panel of a called machine does not fit")
	}
	panel = b.get(proctorPath+"/machines/m2").expect(t, http.StatusOK)
	if panel.part("out-of-service-form").Length() != 1 || panel.part("abort-form").Length() != 0 || panel.Find("html").Length() != 1 {
		t.Error("the panel of an idle machine does not fit")
	}
	b.post(proctorPath+"/sittings/s1/transfer", url.Values{"machine": {"m2"}, "outOfService": {"true"}, "reason": {"dark"}}).expect(t, http.StatusSeeOther)
	if got := b.get(proctorPath).Find("[data-machine=m1]").AttrOr("data-state", ""); got != "out_of_service" {
		t.Errorf("m1 is %q", got)
	}
	b.checkIn("c2")
	panel = b.get(proctorPath+"/queue/c2", htmx...).expect(t, http.StatusOK)
	if got := panel.part("class-form").Find("option[selected]").AttrOr("value", ""); got != "normal" {
		t.Errorf("class %q is chosen", got)
	}
	if got := panel.Text(); !strings.Contains(got, "1st in line, about 10\u00a0min to go") {
		t.Errorf("the panel of somebody in line says %q", got)
	}
	b.get(proctorPath+"/queue/c5").expect(t, http.StatusNotFound)
	b.get(proctorPath+"/machines/m9").expect(t, http.StatusNotFound)
	b.get(proctorPath+"/pause").expect(t, http.StatusOK)
}

func TestWhoIsSetAsideCanBeHelped(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.RestSeconds, r.NoShow = 600, hall.NoShowAbsent }))
	b.logIn()
	both := halltest.Row("c6", "1", "2")
	both.Row = 2
	if _, err := b.store.PutRoster(t.Context(), hallID, []hall.RosterRow{both}, false, staff); err != nil {
		t.Fatal(err)
	}
	b.checkIn("c6", "c1", "c2", "c5", "c3", "c4")
	for _, command := range []string{"/sittings/s1/end", "/sittings/s2/no-show", "/queue/c3/hold", "/queue/c4/leave"} {
		b.post(proctorPath+command, nil).expect(t, http.StatusSeeOther)
	}
	page := b.get(proctorPath)
	for candidate, want := range map[string]struct {
		state   hall.CandidateState
		row     string
		panel   []string
		classes bool
	}{
		"c6": {hall.Resting, "hold", []string{"hold", "leave"}, true},
		"c3": {hall.Held, "return", []string{"return", "leave"}, true},
		"c1": {hall.Absent, "restore", []string{"restore"}, false},
		"c4": {hall.Withdrawn, "restore", []string{"restore"}, false},
	} {
		if got := b.candidate(candidate).State; got != want.state {
			t.Fatalf("%s is %s, want %s", candidate, got, want.state)
		}
		row := page.Find("#aside-" + candidate)
		address := proctorPath + "/queue/" + candidate
		if got := row.Find("form").AttrOr("action", ""); got != address+"/"+want.row {
			t.Errorf("the row of %s offers %q", candidate, got)
		}
		if got := row.Find("a").AttrOr("href", ""); got != address {
			t.Errorf("the row of %s leads to %q", candidate, got)
		}
		panel := b.get(address, htmx...).expect(t, http.StatusOK)
		var verbs []string
		panel.Find(".panel-actions form").Each(func(_ int, form *goquery.Selection) {
			verbs = append(verbs, strings.TrimPrefix(form.AttrOr("action", ""), address+"/"))
		})
		if !slices.Equal(verbs, want.panel) {
			t.Errorf("the panel of %s offers %v, want %v", candidate, verbs, want.panel)
		}
		class := b.post(address+"/class", url.Values{"class": {"vip"}, "reason": {"asked for"}})
		if got := panel.part("class-form").Length() == 1; got != want.classes || got != (class.status == http.StatusSeeOther) {
			t.Errorf("the panel of %s offers a class: %v; the change is answered %d", candidate, got, class.status)
		}
	}
}

func TestACallDoesNotRunOutInAPause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	limit := func() int { return b.get(proctorPath).Find("[data-machine=m1] .elapsed[data-limit]").Length() }
	if limit() != 1 {
		t.Error("the call never runs out")
	}
	for _, room := range []string{"", "A"} {
		b.post(proctorPath+"/pause", url.Values{"room": {room}}).expect(t, http.StatusSeeOther)
		if limit() != 0 {
			t.Errorf("the call runs out in the pause of %q", room)
		}
		b.post(proctorPath+"/resume", url.Values{"room": {room}}).expect(t, http.StatusSeeOther)
	}
	b.post(proctorPath+"/sittings/s1/seat", nil).expect(t, http.StatusSeeOther)
	b.post(proctorPath+"/pause", url.Values{"room": {""}}).expect(t, http.StatusSeeOther)
	if limit() != 1 {
		t.Error("who sits goes on in a pause, and is not seen to be over time")
	}
}

func TestManualModeCallsTheNext(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.Mode = hall.ModeManual }))
	b.logIn()
	b.checkIn("c1", "c2")
	if got := b.get(proctorPath).Find("[data-machine=m1] form").AttrOr("action", ""); got != proctorPath+"/next" {
		t.Fatalf("the idle tile offers %q", got)
	}
	next := url.Values{"machine": {"m1"}}
	b.post(proctorPath+"/next", next).expect(t, http.StatusSeeOther)
	b.post(proctorPath+"/next", next).expect(t, http.StatusConflict) // a double click
	if a, c := b.candidate("c1").State, b.candidate("c2").State; a != hall.Called || c != hall.Waiting {
		t.Errorf("c1 is %s and c2 %s", a, c)
	}
	b.post(proctorPath+"/next", url.Values{"machine": {"m3"}}).expect(t, http.StatusSeeOther)
	if got := b.get(proctorPath).text("notice"); !strings.Contains(got, "Nobody") {
		t.Errorf("nobody waits for m3, and the page says %q", got)
	}
}

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.post(proctorPath+"/pause?room=A", url.Values{"room": {""}, "message": {"<b>lunch</b>"}}).expect(t, http.StatusSeeOther)
	if got := b.get("/halls/h/board").text("paused"); got != "Calling is paused. <b>lunch</b>" {
		t.Errorf("the board says %q", got)
	}
	b.checkIn("c1")
	b.post(proctorPath+"/resume", url.Values{"room": {""}}).expect(t, http.StatusSeeOther)
	if got := b.candidate("c1").State; got != hall.Called {
		t.Errorf("c1 is %s after the pause", got)
	}
	b.post(proctorPath+"/pause", url.Values{"room": {"B"}}).expect(t, http.StatusSeeOther)
	p := b.get(proctorPath + "?room=B")
	if got := p.part("pause").Find("[name=room]").AttrOr("value", "?"); got != "B" {
		t.Errorf("resumes %q, want B", got)
	}
	if got := b.get(proctorPath + "?room=A").part("pause").Length(); got != 0 {
		t.Error("room A looks paused")
	}
	b.post(proctorPath+"/pause", url.Values{"room": {"A"}, "message": {"back at ten"}}).expect(t, http.StatusSeeOther)
	p = b.get(proctorPath)
	if got := p.text("pause"); !strings.Contains(got, "Calling is paused in A. back at ten") || !strings.Contains(got, "Calling is paused in B.") {
		t.Errorf("the page of all rooms says %q", got)
	}
	if got := p.part("room-paused").Length(); got != 2 {
		t.Errorf("%d rooms look paused, want 2", got)
	}
	for address, want := range map[string]string{
		"/halls/h/board":        "Calling is paused in A. back at tenCalling is paused in B.",
		"/halls/h/board?room=A": "Calling is paused in A. back at ten", "/halls/h/board?room=B": "Calling is paused in B.",
	} {
		if got := b.get(address).text("paused"); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s says %q, want %q", address, got, want)
		}
	}
	b.post(proctorPath+"/pause", url.Values{"room": {"Z"}}).expect(t, http.StatusNotFound)
	b.post(proctorPath+"/pause", url.Values{"message": {strings.Repeat("x", 201)}}).expect(t, http.StatusUnprocessableEntity)
}

// TestTimeAwayIsShown holds somebody twice: the whole time counts.
func TestTimeAwayIsShown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	away := func(d time.Duration) {
		b.post(proctorPath+"/queue/c3/hold", nil).expect(t, http.StatusSeeOther)
		b.clock.Move(d)
	}
	away(61 * time.Minute)
	if got := b.get(proctorPath).text("aside-row"); !strings.Contains(got, "stepped away") || strings.Contains(got, "again") {
		t.Errorf("set aside is %q", got)
	}
	b.post(proctorPath+"/queue/c3/return", nil).expect(t, http.StatusSeeOther)
	away(30 * time.Second)
	if got := b.get(proctorPath).text("aside-row"); !strings.Contains(got, "stepped away again") {
		t.Errorf("set aside is %q", got)
	}
	if got := b.get(proctorPath + "/queue/c3").body; !strings.Contains(got, "Away for 1\u00a0h\u00a01\u00a0min in all today") {
		t.Errorf("the panel does not say how long: %s", got)
	}
	if got := b.get(proctorPath + "/queue/c2").body; strings.Contains(got, "Away for") {
		t.Errorf("the panel of somebody who stayed says %s", got)
	}
}

// Who moves keeps the time of before, and the machine that was left is out of service.
func TestATransferKeepsTheTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1")
	b.seat("s1")
	since := func(machine string) string {
		t.Helper()
		return b.get(proctorPath).Find(`[data-testid=tile][data-machine="`+machine+`"] .elapsed`).AttrOr("data-since", "")
	}
	began := since("m1")
	b.clock.Move(5 * time.Minute)
	form := url.Values{"machine": {"m2"}, "outOfService": {"true"}, "reason": {"smokes"}, "code": {"hardware"}}
	b.post(proctorPath+"/sittings/s1/transfer", form, htmx...).expect(t, http.StatusOK)
	if got := since("m2"); got != began || got == "" {
		t.Errorf("the tile counts from %s, before the move from %s", got, began)
	}
	if got := b.get(proctorPath).Find("[data-testid=tile][data-machine=m1]").AttrOr("data-state", ""); got != "out_of_service" {
		t.Errorf("m1 is %s", got)
	}
	if got := b.get(proctorPath + "/incidents").Find("main").Text(); !strings.Contains(got, "Moved to another machine: smokes") || !strings.Contains(got, "Moved to machine m2.") {
		t.Errorf("the incidents are %q", got)
	}
}

// After a fault of the machine the candidate is the first of the class, with
// the subject still due, until spares and machines run out.
func TestAMachinesFaultPutsTheCandidateFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3", "c4") // c3 and c4 wait
	b.seat("s1")
	b.seat("s2")
	fault := url.Values{"fault": {"machine"}, "reason": {"dark"}, "code": {"hardware"}}
	for _, sitting := range []string{"s1", "s2"} {
		b.post(proctorPath+"/sittings/"+sitting+"/abort", fault, htmx...).expect(t, http.StatusOK)
	}
	line := b.get(proctorPath).part("queue-row")
	var tickets []string
	for i := range line.Length() {
		tickets = append(tickets, line.Eq(i).Find(".row-ticket").Text())
	}
	if want := []string{"N002", "N001", "N003", "N004"}; !slices.Equal(tickets, want) {
		t.Errorf("the line is %q, want %q", tickets, want)
	}
	if c := b.candidate("c1"); c.State != hall.Waiting || !slices.Equal(c.Remaining(), []string{"1"}) {
		t.Errorf("c1 is %s with %v left", c.State, c.Remaining())
	}
}
