package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestUndoOfAnEnd takes back an end on the wrong tile, after which the next
// one was called there.
func TestUndoOfAnEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	b.checkIn("c1", "c2", "c3")
	b.post(proctorPath+"/sittings/s1/seat", nil).expect(t, http.StatusSeeOther)
	b.post(proctorPath+"/sittings/s1/end", nil).expect(t, http.StatusSeeOther)

	panel := b.get(proctorPath+"/undo", htmx...).expect(t, http.StatusOK)
	rows := panel.part("undo-row")
	if rows.Length() != 2 {
		t.Fatalf("%d commands are offered: %s", rows.Length(), panel.body)
	}
	first := strings.Join(strings.Fields(rows.First().Text()), " ")
	for _, want := range []string{"N001 finished at A, machine m1", "anna", "N001 is at A, machine m1 again. The call of N003 to A, machine m1 is withdrawn.", "Take back"} {
		if !strings.Contains(first, want) {
			t.Errorf("the row says %q, without %q", first, want)
		}
	}
	event := rows.First().Find("input[name=event]").AttrOr("value", "")
	action := rows.First().Find("form").AttrOr("action", "")
	if action != proctorPath+"/undo" {
		t.Fatalf("the form leads to %q", action)
	}
	for range 2 { // a double click is one
		b.post(action, url.Values{"event": {event}}).expect(t, http.StatusSeeOther)
	}
	if got := b.get(proctorPath).text("notice"); got != "Taken back. The call of N003 to A, machine m1 is withdrawn." {
		t.Errorf("it says %q", got)
	}
	if got := b.candidate("c1").State; got != hall.Seated {
		t.Errorf("c1 is %s, want seated", got)
	}
	board := b.get("/halls/h/board")
	if got := board.text("last"); got != "N003 Call withdrawn: please waitN001 A · m1" {
		t.Errorf("the board's last calls are %q", got)
	}
	if got := board.text("hero"); strings.Contains(got, "N003") {
		t.Errorf("the board still calls %q", got)
	}
}

func TestUndoThatIsBlocked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.logIn()
	if got := b.get(proctorPath+"/undo").expect(t, http.StatusOK); !strings.Contains(got.body, "nothing to take back") {
		t.Errorf("an empty list says %s", got.body)
	}
	b.checkIn("c1", "c2", "c3")
	b.post(proctorPath+"/sittings/s1/end", nil).expect(t, http.StatusSeeOther)
	b.post(proctorPath+"/sittings/s3/seat", nil).expect(t, http.StatusSeeOther)
	panel := b.get(proctorPath + "/undo")
	last := panel.part("undo-row").Last()
	if got := last.Text(); !strings.Contains(got, "Not while this stands: N003 was seated at A, machine m1.") || last.Find("form").Length() != 0 {
		t.Errorf("the blocked command says %q", got)
	}
	snapshot, err := b.store.Snapshot(t.Context(), hallID)
	if err != nil {
		t.Fatal(err)
	}
	end := snapshot.Commands[1].ID
	refused := b.post(proctorPath+"/undo", url.Values{"event": {end}}).expect(t, http.StatusConflict)
	if got := refused.text("notice"); !strings.Contains(got, "Something was done since") {
		t.Errorf("the refusal says %q", got)
	}
	for _, event := range []string{"", "1-1", "<b>"} {
		b.post(proctorPath+"/undo", url.Values{"event": {event}}).expect(t, http.StatusNotFound)
	}
	if got := b.candidate("c3").State; got != hall.Seated {
		t.Errorf("c3 is %s, want seated", got)
	}
}
