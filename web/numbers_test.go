package web_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/account"
	"github.com/hallcall/hallcall/internal/device"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
	"github.com/hallcall/hallcall/internal/hallredis"
	"github.com/hallcall/hallcall/internal/limits"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
	"github.com/hallcall/hallcall/web"
)

// What nobody but the staff may read.
const (
	tellingID   = "99999919900307842X"
	tellingName = "Zebulon Quartermain"
)

// keyMayTell reports whether a key may have names and ID numbers: one can be erased.
func keyMayTell(key string) bool { return strings.HasSuffix(key, ":people") }

// TestNoIDNumberLeaksFromADay plays a day of somebody whose ID number and name
// are told from everything else, and then looks for them.
func TestNoIDNumberLeaksFromADay(t *testing.T) {
	t.Parallel()
	client, prefix := redistest.Client(t)
	log := &lines{}
	store := &breakable{Store: hallredis.New(client, hallredis.Options{Prefix: prefix, Now: halltest.NewClock().Now})}
	b := setup(t, rules(func(r *hall.Rules) { r.KioskSecondFactor, r.BoardNames = "id4", "masked" }), func(cfg *web.Config, layout *hall.Layout) {
		cfg.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		cfg.Limits = limits.New(client, prefix, limits.Defaults(), cfg.Log)
		cfg.Accounts = account.New(client, prefix)
		cfg.Store = store
		if _, _, err := store.PutHall(t.Context(), hallID, *layout, "", staff); err != nil {
			t.Fatal(err)
		}
	})
	s := &staffed{b, account.New(client, prefix), device.New(client, prefix)}
	s.store = store
	row := halltest.Row("c1", "1")
	row.Row, row.Person.IDNumber, row.Person.Name = 2, tellingID, tellingName
	if _, err := store.PutRoster(t.Context(), hallID, []hall.RosterRow{row}, false, staff); err != nil {
		t.Fatal(err)
	}
	desk := s.as(s.enter("anna", access.In(access.Manager, hallID)))
	board := s.watch("view=board")
	kiosk := func(number, id4 string) *page {
		return s.post(kioskPath, url.Values{"candidate": {number}, "id4": {id4}}, htmx...)
	}
	kiosk("c1", "0000").expect(t, http.StatusUnprocessableEntity)
	kiosk(tellingID, "842X").expect(t, http.StatusUnprocessableEntity) // scanned instead of the number
	var said strings.Builder
	said.WriteString(kiosk("c1", "842X").expect(t, http.StatusOK).body)
	s.ask(s.token("door", access.In(access.Kiosk, hallID)), "PUT", "/halls/h/queue/c1", `{"id4": "842X"}`)
	s.ask(s.token("gate", access.In(access.Kiosk, hallID)), "PUT", "/halls/h/queue/"+tellingID, `{"id4": "842X"}`)
	said.WriteString(s.get("/halls/h/board").body)
	sitting := s.candidate("c1").Sitting
	for _, path := range []string{"/sittings/" + sitting + "/seat", "/sittings/" + sitting + "/end"} {
		desk.post(proctorPath+path, nil).expect(t, http.StatusSeeOther)
	}
	token := s.token("ci", access.In(access.Manager, hallID))
	desk.get(proctorPath).expect(t, http.StatusOK)
	said.WriteString(s.ask(token, "GET", "/halls/h/events?size=0", "").body)
	for _, path := range []string{"/t/000000000000", "/halls/h/queue/nobody", "/"} {
		said.WriteString(s.get(path).body)
	}
	if err := board.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, data, err := board.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		said.Write(data)
	}
	for _, secret := range []string{tellingID, tellingName, "Quartermain"} {
		if strings.Contains(said.String(), secret) {
			t.Errorf("pages, boards or events say %s", secret)
		}
		if found := log.with(secret); len(found) > 0 {
			t.Errorf("the log says %s: %q", secret, found)
		}
	}
	if len(log.with("msg=request")) < 5 {
		t.Error("the log has no requests: nothing was looked for")
	}
	wantNoPersons(t, client, prefix)
}

// wantNoPersons looks through all keys of a site.
func wantNoPersons(t *testing.T, client redis.UniversalClient, prefix string) {
	t.Helper()
	keys, err := client.Keys(t.Context(), prefix+"*").Result()
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, key := range keys {
		data, err := client.Dump(t.Context(), key).Result()
		if err != nil {
			t.Fatal(err)
		}
		tells := strings.Contains(data, tellingID) || strings.Contains(data, "Quartermain") || strings.Contains(key, tellingID)
		switch {
		case tells && !keyMayTell(key):
			t.Errorf("%s tells who it was", key)
		case tells:
			told++
		}
	}
	if told == 0 {
		t.Errorf("no key tells who it was: nothing was looked for in %d keys", len(keys))
	}
}
