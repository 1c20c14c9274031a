package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// managersEntry is what these tests read of an entry of the queue.
type managersEntry struct {
	Ticket, Class, State  string
	Position              int
	QueuedAt, CheckedInAt time.Time
}

func TestCheckInWithTimeAndClass(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1")
	client.command(http.MethodPut, "/queue/x", "").is(http.StatusCreated)
	at := time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)
	body := `{"at": "` + at.Format(time.RFC3339Nano) + `", "class": "vip"}`
	got := decode[managersEntry](client.command(http.MethodPut, "/queue/y", body).is(http.StatusCreated))
	if got.Ticket != "V001" || got.Class != "vip" || got.Position != 1 || !got.QueuedAt.Equal(at) || !got.CheckedInAt.Equal(at) {
		t.Errorf("answered %+v, want the place of %s", got, at)
	}
	client.enrol("z,1")
	for _, body := range []string{
		`{"at": "1970-01-01T00:00:00Z"}`, `{"at": "0001-01-01T00:00:00Z"}`, `{"at": "1969-12-31T00:00:00Z"}`,
		`{"at": "` + time.Now().Add(time.Hour).Format(time.RFC3339) + `"}`, `{"at": "` + time.Now().Add(-25*time.Hour).Format(time.RFC3339) + `"}`,
	} {
		p := client.do(http.MethodPut, "/halls/h/queue/z", body).problem(http.StatusUnprocessableEntity, "invalid")
		if got := p.locations(); len(got) != 1 || got[0] != "body.at" {
			t.Errorf("%s: faults at %q", body, got)
		}
	}
	p := client.do(http.MethodPut, "/halls/h/queue/z", `{"class": "royal"}`).problem(http.StatusUnprocessableEntity, "invalid")
	if got := p.locations(); len(got) != 1 || got[0] != "body.class" {
		t.Errorf("faults at %q", got)
	}
}

func TestRestoreToTheKeptPlace(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1")
	client.command(http.MethodPut, "/queue/x", "")
	client.command(http.MethodPut, "/queue/y", "")
	client.command(http.MethodDelete, "/queue/x", "").is(http.StatusNoContent)
	got := decode[managersEntry](client.command(http.MethodPost, "/queue/x/restore", `{"place": "kept"}`).is(http.StatusOK))
	if got.Position != 1 {
		t.Errorf("position is %d", got.Position)
	}
	client.command(http.MethodDelete, "/queue/x", "").is(http.StatusNoContent)
	if got = decode[managersEntry](client.command(http.MethodPost, "/queue/x/restore", "").is(http.StatusOK)); got.Position != 2 {
		t.Errorf("position is %d", got.Position)
	}
	client.do(http.MethodPost, "/halls/h/queue/x/restore", `{"place": "best"}`).problem(http.StatusUnprocessableEntity, "invalid")
}

func TestCallOutOfTurn(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1")
	client.command(http.MethodPut, "/queue/x", "")
	client.command(http.MethodPut, "/queue/y", "")
	client.do(http.MethodPost, "/halls/h/queue/y/call", `{"machine": "a-1", "reason": " \u00a0"}`).problem(http.StatusUnprocessableEntity, "invalid")
	client.do(http.MethodPost, "/halls/h/queue/y/call", `{"machine": "a-1"}`).problem(http.StatusUnprocessableEntity, "invalid")
	called := decode[sitting](client.command(http.MethodPost, "/queue/y/call", `{"machine": "a-1", "reason": "train"}`).is(http.StatusOK))
	if called.Candidate != "y" || called.Machine != "a-1" {
		t.Errorf("called %+v", called)
	}
	client.do(http.MethodPost, "/halls/h/queue/y/call", `{"machine": "a-2", "reason": "train"}`).problem(http.StatusConflict, "wrong_state")
	client.do(http.MethodPost, "/halls/h/queue/x/call", `{"machine": "a-1", "reason": "train"}`).problem(http.StatusConflict, "machine_not_idle")
}

func TestCheckInDoor(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1")
	type answered struct{ Day struct{ CheckIn string } }
	if got := decode[answered](client.command(http.MethodPost, "/check-in/close", "").is(http.StatusOK)); got.Day.CheckIn != "closed" {
		t.Errorf("the door is %s", got.Day.CheckIn)
	}
	client.do(http.MethodPut, "/halls/h/queue/x", "").problem(http.StatusConflict, "check_in_closed")
	client.command(http.MethodPost, "/check-in/open", "").is(http.StatusOK)
	client.command(http.MethodPut, "/queue/x", "").is(http.StatusCreated)
}

func TestQueueStatistics(t *testing.T) {
	t.Parallel()
	client := realHall(t, `"mode": "manual"`)
	client.enrol("x,1", "y,1", "z,1")
	for candidate, wait := range map[string]time.Duration{"x": time.Minute, "y": 2 * time.Minute, "z": 6 * time.Minute} {
		at := time.Now().Add(-wait).UTC().Format(time.RFC3339Nano)
		client.command(http.MethodPut, "/queue/"+candidate, `{"at": "`+at+`", "class": "vip"}`).is(http.StatusCreated)
	}
	type answered struct {
		Count                                     int
		AverageWait, MaxWait, MedianWait, P95Wait *float64
	}
	got := decode[answered](client.command(http.MethodPost, "/queue/statistics", `{"filters": ["vip"], "statistics": ["averageWait", "medianWait"]}`).is(http.StatusOK))
	near := func(value *float64, want float64) bool { return value != nil && *value >= want && *value < want+20 }
	if got.Count != 3 || !near(got.AverageWait, 180) || !near(got.MedianWait, 120) || got.MaxWait != nil || got.P95Wait != nil {
		t.Errorf("answered %+v", got)
	}
	if got = decode[answered](client.command(http.MethodPost, "/queue/statistics", "").is(http.StatusOK)); !near(got.MaxWait, 360) || !near(got.P95Wait, 360) {
		t.Errorf("answered %+v", got)
	}
	if got = decode[answered](client.command(http.MethodPost, "/queue/statistics", `{"filters": ["normal"]}`).is(http.StatusOK)); got.Count != 0 {
		t.Errorf("answered %+v", got)
	}
	for body, location := range map[string]string{
		`{"filters": ["royal"]}`: "body.filters[0]", `{"statistics": ["bestWait"]}`: "body.statistics[0]",
	} {
		p := client.do(http.MethodPost, "/halls/h/queue/statistics", body).problem(http.StatusUnprocessableEntity, "invalid")
		if got := p.locations(); len(got) != 1 || got[0] != location {
			t.Errorf("%s: faults at %q", body, got)
		}
	}
}

func TestPutCandidate(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	type answered struct {
		ID, Name, IDNumber, Class, Note string
		Subjects                        []string
	}
	got := decode[answered](client.command(http.MethodPut, "/candidates/n%2F1", `{"name": "Ann", "note": "left-handed", "subjects": ["2", "1"]}`).is(http.StatusCreated))
	if got.ID != "n/1" || got.Name != "Ann" || got.Class != "normal" || len(got.Subjects) != 2 || got.Subjects[0] != "2" {
		t.Errorf("answered %+v", got)
	}
	got = decode[answered](client.command(http.MethodPut, "/candidates/n%2F1", `{"class": "vip", "subjects": ["1"]}`).is(http.StatusOK))
	if got.Name != "Ann" || got.Note != "left-handed" || got.Class != "vip" || len(got.Subjects) != 1 {
		t.Errorf("answered %+v", got)
	}
	for body, location := range map[string]string{
		`{"subjects": ["9"]}`: "body.subjects", `{"subjects": ["1"], "idNumber": "999999196609016030"}`: "body.idNumber",
		`{"subjects": ["1"], "session": "PM"}`: "body.session", `{"subjects": []}`: "body.subjects",
	} {
		p := client.do(http.MethodPut, "/halls/h/candidates/n1", body).problem(http.StatusUnprocessableEntity, "invalid")
		if got := p.locations(); len(got) != 1 || got[0] != location {
			t.Errorf("%s: faults at %q, want %s", body, got, location)
		}
	}
}

func TestLayoutIsReplacedOnlyIfItIsTheExpectedOne(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	layout := edited(t)
	put := func(tag string) answer { return client.with("If-Match", tag).do(http.MethodPut, "/halls/h", layout) }
	tag := client.do(http.MethodGet, "/halls/h", "").is(http.StatusOK).Header().Get("ETag")
	put(`"another"`).problem(http.StatusPreconditionFailed, "changed")
	fresh := put(tag).is(http.StatusOK).Header().Get("ETag")
	if fresh == tag || fresh == "" {
		t.Errorf("the tag was %s and is %s", tag, fresh)
	}
	put(tag).problem(http.StatusPreconditionFailed, "changed")
	put("*").is(http.StatusOK)
	for _, wrong := range []string{"", " ", `""`, `"*"`, `"none"`, strings.Trim(fresh, `"`), fresh[:9], "W/" + fresh} {
		put(wrong).problem(http.StatusPreconditionFailed, "changed")
	}
	create := client.with("If-None-Match", "*")
	create.do(http.MethodPut, "/halls/h", layout).problem(http.StatusPreconditionFailed, "changed")
	create.do(http.MethodPut, "/halls/new", layout).is(http.StatusCreated)
	client.with("If-None-Match", fresh).do(http.MethodPut, "/halls/h", layout).problem(http.StatusUnprocessableEntity, "invalid")
	client.with("If-Match", "*").do(http.MethodPut, "/halls/none", layout).problem(http.StatusPreconditionFailed, "changed")
}
