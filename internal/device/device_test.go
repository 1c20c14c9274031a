package device_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/device"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Run(m)) }

// site is where devices are kept, with a clock that stands.
type site struct {
	*testing.T

	client  redis.UniversalClient
	prefix  string
	devices *device.Devices
	now     *time.Time
}

// both runs a test on both kinds of Redis.
func both(t *testing.T, test func(s site)) {
	t.Helper()
	for name, open := range map[string]func(testing.TB) (redis.UniversalClient, string){
		"redis-server": redistest.Client,
		"in-process":   redistest.Memory,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := open(t)
			now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
			test(site{t, client, prefix, device.New(client, prefix).At(func() time.Time { return now }), &now})
		})
	}
}

func (s site) ask(secret string, kind access.Role) string {
	s.Helper()
	asking, err := s.devices.Ask(s.Context(), secret, kind)
	if err != nil {
		s.Fatal(err)
	}
	return asking.Code
}

func (s site) pair(code, name, form string, rooms ...string) (access.Device, error) {
	return s.devices.Pair(s.Context(), code, access.Device{Name: name, Hall: "h", Rooms: rooms, By: "eve"}, form)
}

func (s site) mustPair(code, name, form string, rooms ...string) access.Device {
	s.Helper()
	paired, err := s.pair(code, name, form, rooms...)
	if err != nil {
		s.Fatal(err)
	}
	return paired
}

func (s site) wantUnknown(secret string) {
	s.Helper()
	if got, err := s.devices.Find(s.Context(), secret); !errors.Is(err, access.ErrUnknown) {
		s.Errorf("found %+v, %v, want nothing", got, err)
	}
}

func TestADeviceFromItsCodeOn(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		s.wantUnknown("secret")
		if _, err := s.devices.Code(s.Context(), "secret", access.Kiosk); !errors.Is(err, access.ErrNoCode) {
			s.Errorf("a code of nobody: %v", err)
		}
		code := s.ask("secret", access.Kiosk)
		if len(code) != 7 || strings.ContainsAny(code, "01ILO") || s.ask("secret", access.Kiosk) != code {
			s.Fatalf("the code is %q, then another one", code)
		}
		s.wantUnknown("secret") // a code that nobody has entered lets nobody in
		typed := strings.ToLower(code[:3]) + "\u2009– " + code[3:]
		paired := s.mustPair(typed, "Entrance", "form", "A", "B")
		want := access.Device{ID: paired.ID, Name: "Entrance", Kind: access.Kiosk, Hall: "h", Rooms: []string{"A", "B"}, By: "eve", Made: paired.Made}
		if again := s.mustPair(code, "Entrance", "form", "A", "B"); again.ID != paired.ID || !same(again, want) || !paired.Made.Equal(*s.now) {
			s.Errorf("the form again: %+v, want %+v", again, want)
		}
		if _, err := s.pair(code, "Other", "other form"); !errors.Is(err, access.ErrNoCode) {
			s.Errorf("a code that was entered: %v", err)
		}
		found, err := s.devices.Find(s.Context(), "secret")
		if err != nil || !same(found, want) || !found.Grant().Same(access.In(access.Kiosk, "h")) || found.Caller() != "device:"+paired.ID {
			s.Errorf("found %+v, %v", found, err)
		}
		if err := s.devices.Revoke(s.Context(), "other", paired.ID); err != nil {
			s.Error(err)
		}
		if _, err := s.devices.Find(s.Context(), "secret"); err != nil {
			s.Errorf("shut out by another hall: %v", err)
		}
		for range 2 {
			if err := s.devices.Revoke(s.Context(), "h", paired.ID); err != nil {
				s.Error(err)
			}
		}
		s.wantUnknown("secret")
		if list, err := s.devices.List(s.Context(), "h"); err != nil || len(list) != 0 {
			s.Errorf("still listed: %+v, %v", list, err)
		}
		for _, key := range s.client.Keys(s.Context(), s.prefix+"*").Val() {
			if strings.Contains(key, paired.ID) {
				s.Errorf("%s is left", key)
			}
		}
		if next := s.ask("secret", access.Kiosk); next == code {
			s.Error("the same code again")
		}
	})
}

func same(a, b access.Device) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Kind == b.Kind && a.Hall == b.Hall && slices.Equal(a.Rooms, b.Rooms) && a.By == b.By && a.Made.Equal(b.Made)
}

func TestCodesEnd(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		code := s.ask("secret", access.Board)
		*s.now = s.now.Add(10*time.Minute - time.Millisecond)
		if s.ask("secret", access.Board) != code {
			s.Error("ended early")
		}
		*s.now = s.now.Add(time.Millisecond)
		if _, err := s.pair(code, "Hall", "form"); !errors.Is(err, access.ErrNoCode) {
			s.Errorf("a code of ten minutes ago: %v", err)
		}
		next := s.ask("secret", access.Board)
		if next == code {
			s.Error("the same code after its end")
		}
		kiosk := s.ask("secret", access.Kiosk) // the browser shows another page
		if _, err := s.pair(next, "Hall", "form"); kiosk == next || !errors.Is(err, access.ErrNoCode) {
			s.Errorf("the code of a page that is not shown any more: %v", err)
		}
		if got := s.mustPair(kiosk, "Hall", "form").Kind; got != access.Kiosk {
			s.Errorf("it is a %s", got)
		}
	})
}

func TestWhatCannotBePaired(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		board, kiosk := s.ask("board", access.Board), s.ask("kiosk", access.Kiosk)
		if _, err := s.pair(board, "Hall", "1", "A", "B"); !errors.Is(err, access.ErrOneRoom) {
			s.Errorf("a board of two rooms: %v", err)
		}
		paired := s.mustPair(board, "Hall", "2", "A")
		if _, err := s.pair(kiosk, "Hall", "3"); !errors.Is(err, access.ErrTaken) {
			s.Errorf("a second one of this name: %v", err)
		}
		other := s.mustPair(kiosk, "Door", "4")
		for name, c := range map[string]struct {
			id, name string
			rooms    []string
			want     error
		}{
			"one of two rooms":     {paired.ID, "Hall", []string{"A", "B"}, access.ErrOneRoom},
			"the name of another":  {other.ID, "Hall", nil, access.ErrTaken},
			"one that is not here": {"nobody", "x", nil, access.ErrUnknown},
			"its own name":         {paired.ID, "Hall", []string{"B"}, nil},
		} {
			if err := s.devices.Change(s.Context(), "h", c.id, c.name, c.rooms); !errors.Is(err, c.want) {
				s.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
		if err := s.devices.Change(s.Context(), "other", paired.ID, "Mine", nil); !errors.Is(err, access.ErrUnknown) {
			s.Errorf("changed by another hall: %v", err)
		}
		list, err := s.devices.List(s.Context(), "h")
		if err != nil || len(list) != 2 || list[0].Name != "Door" || list[1].Name != "Hall" || !slices.Equal(list[1].Rooms, []string{"B"}) {
			s.Errorf("the list is %+v, %v", list, err)
		}
	})
}

// Two of the staff enter one code, and only one lets the device in.
func TestOneCodeEnteredTwice(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		code := s.ask("secret", access.Kiosk)
		var wait sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			wait.Go(func() { _, results[i] = s.pair(code, "Door "+string(rune('a'+i)), "form"+string(rune('a'+i))) })
		}
		wait.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else if !errors.Is(err, access.ErrNoCode) {
				s.Errorf("the others are told %v", err)
			}
		}
		if list, err := s.devices.List(s.Context(), "h"); won != 1 || err != nil || len(list) != 1 {
			s.Errorf("%d won; the list is %+v, %v", won, list, err)
		}
	})
}

func TestWhatADeviceSaysOfItself(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		if err := s.devices.Report(s.Context(), "secret", access.DeviceReport{}); !errors.Is(err, access.ErrUnknown) {
			s.Errorf("a report of nobody: %v", err)
		}
		s.mustPair(s.ask("secret", access.Board), "Hall", "form")
		begin := *s.now
		look := func() access.Device {
			s.Helper()
			list, err := s.devices.List(s.Context(), "h")
			if err != nil || len(list) != 1 {
				s.Fatalf("the list is %+v, %v", list, err)
			}
			return list[0]
		}
		if d := look(); !d.Seen.IsZero() || d.Online(*s.now) {
			s.Errorf("before its first contact: %+v", d)
		}
		if _, err := s.devices.Find(s.Context(), "secret"); err != nil {
			s.Fatal(err)
		}
		*s.now = begin.Add(39 * time.Second)
		if d := look(); !d.Seen.Equal(begin) || !d.Online(*s.now) || d.Online(s.now.Add(time.Second)) {
			s.Errorf("after a request: %+v", d)
		}
		if err := s.devices.Report(s.Context(), "secret", access.DeviceReport{Sound: access.SoundMuted, Paper: access.PaperOut}); err != nil {
			s.Fatal(err)
		}
		if d := look(); !d.Seen.Equal(*s.now) || d.Sound != access.SoundMuted || d.Paper != access.PaperOut {
			s.Errorf("after a report: %+v", d)
		}
	})
}
