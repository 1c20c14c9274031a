package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/web"
)

func TestBoardShowsWhoGoesWhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.checkIn("c1", "c2", "c3", "c4")
	p := b.get("/halls/h/board").expect(t, http.StatusOK)
	for testid, want := range map[string]string{
		"hero": "N002 →goes to B Machine m2", "calling": "N001 A Machine m1", "next": "N003N004",
		"waiting-total": "2", "clock": "16:00", // in Asia/Shanghai
	} {
		if got := p.text(testid); got != want {
			t.Errorf("%s shows %q, want %q", testid, got, want)
		}
	}
	for _, forbidden := range []string{"Name of", "999999"} {
		if strings.Contains(p.body, forbidden) {
			t.Errorf("the board shows %q", forbidden)
		}
	}
	if got := b.get("/halls/h/board?room=A").text("hero"); got != "N001 →goes to A Machine m1" {
		t.Errorf("the board of room A shows %q", got)
	}
	if _, err := b.store.Seat(t.Context(), hallID, "s1", staff); err != nil {
		t.Fatal(err)
	}
	if got := b.get("/halls/h/board").text("last"); got != "N001 A · m1" {
		t.Errorf("last calls: %q", got)
	}
	b.get("/halls/h/board?room=Z").expect(t, http.StatusNotFound)
}

func TestBoardMasksNames(t *testing.T) {
	t.Parallel()
	b := setup(t, rules(func(r *hall.Rules) { r.BoardNames = hall.NamesMasked }))
	b.checkIn("c1")
	p := b.get("/halls/h/board")
	if got := p.text("hero"); !strings.Contains(got, "N**") || strings.Contains(p.body, "Name of") {
		t.Errorf("the board shows %q", got)
	}
}

func TestHomeShowsTheHalls(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *web.Config, _ *hall.Layout) { cfg.Warning = "a restart loses the day" })
	b.checkIn("c1", "c2", "c3")
	p := b.get("/").expect(t, http.StatusOK)
	if got := p.text("figure-waiting") + " " + p.text("figure-called"); got != "1 2" {
		t.Errorf("figures %q", got)
	}
	if got := p.text("warning"); got != "a restart loses the day" {
		t.Errorf("warning %q", got)
	}
	if got := p.Find("a.door").First().AttrOr("href", ""); got != kioskPath {
		t.Errorf("the first door leads to %q", got)
	}
	if got := b.get("/login").expect(t, http.StatusOK).text("warning"); got == "" {
		t.Error("the login does not warn")
	}
	if b.get("/halls/none/board").expect(t, http.StatusNotFound).part("warning").Length() != 0 {
		t.Error("a stranger is warned")
	}
	b.logIn()
	for _, page := range []string{
		"", "/machines/m1", "/queue/c3", "/queue/c3/notes", "/incidents", "/incidents/new", "/undo", "/day", "/pause",
	} {
		if b.get(proctorPath+page).expect(t, http.StatusOK).text("warning") == "" {
			t.Errorf("%s does not warn", page)
		}
	}
	for _, address := range []string{"/halls/none/board", proctorPath + "/machines/none", proctorPath + "/queue/none"} {
		if b.get(address).expect(t, http.StatusNotFound).text("warning") == "" {
			t.Errorf("the page of an error, %s, does not warn", address)
		}
	}
}

func TestHomeTurnsPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 24 {
		b.putHall(fmt.Sprintf("h%02d", i), halltest.Layout("one", "two", "three"))
	}
	seen := map[string]bool{}
	for address := "/"; address != ""; {
		p := b.get(address).expect(t, http.StatusOK)
		p.part("hall").Each(func(_ int, s *goquery.Selection) { seen[s.AttrOr("data-hall", "")] = true })
		address = p.part("pages").Find("a:contains(After)").AttrOr("href", "")
	}
	if len(seen) != 25 {
		t.Errorf("%d halls are shown, want 25", len(seen))
	}
	b.get("/?page=99999999999999999999").expect(t, http.StatusOK)
	b.get("/?page=-3").expect(t, http.StatusOK)
}

// Ids of any script and with any character work in addresses.
func TestIDsInAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	for _, id := range []string{"a/b", "{}*:", "100%", "%2F", "a b", "考场·七", "зал", "?#&=+", "𠮷", strings.Repeat("é", 64), `"><script>`} {
		layout := halltest.Layout("one", "two", "three")
		layout.Rules.OpenScreens = true
		layout.Machines[0].ID, layout.Rooms[0].ID = id, id
		for i := range layout.Machines {
			if layout.Machines[i].Room == "A" {
				layout.Machines[i].Room = id
			}
		}
		b.putHall(id, layout)
		row := halltest.Row(id, "1")
		row.Row = 2
		if _, err := b.store.PutRoster(t.Context(), id, []hall.RosterRow{row}, false, staff); err != nil {
			t.Fatal(err)
		}
		base := "/halls/" + url.PathEscape(id)
		room := "?room=" + url.QueryEscape(id)
		b.post(base+"/kiosk", typed(id), htmx...).expect(t, http.StatusOK)
		if got := b.get(base+"/board"+room).expect(t, http.StatusOK).part("hero").Length(); got != 1 {
			t.Errorf("%q: nobody is called", id)
		}
		tile := b.get(base+"/proctor"+room).expect(t, http.StatusOK).part("tile").First()
		action := tile.Find("form").First().AttrOr("action", "")
		b.post(action, nil).expect(t, http.StatusSeeOther)
		b.get(tile.Find("a.more").AttrOr("href", "")).expect(t, http.StatusOK)
		b.get(base+"/proctor/queue/"+url.PathEscape(id)).expect(t, http.StatusOK)
		b.get("/").expect(t, http.StatusOK)
	}
}
