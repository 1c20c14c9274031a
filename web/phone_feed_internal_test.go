package web

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// phoneSource has candidates with phone pages, whose secrets are their ids.
type phoneSource struct {
	*source

	mu       sync.Mutex
	place    map[string]int // in line, by secret
	readings chan int       // of how many pages
}

func (s *phoneSource) Hall(_ context.Context, id string) (hall.Hall, error) {
	return hall.Hall{ID: id, Layout: hall.Layout{Name: id, TimeZone: "UTC"}}, nil
}

func (s *phoneSource) Phone(context.Context, string, string) (hall.Entry, error) {
	panic("pages are read one by one")
}

func (s *phoneSource) PhoneEntries(_ context.Context, _ string, secrets []string) (map[string]hall.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := map[string]hall.Entry{}
	for _, secret := range secrets {
		if place, known := s.place[secret]; known {
			e := hall.Entry{Candidate: hall.Candidate{ID: secret, State: hall.Waiting, Ticket: secret}, Ahead: place - 1}
			entries[secret] = e
		}
	}
	s.readings <- len(secrets)
	return entries, nil
}

func (s *phoneSource) set(secret string, place int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if place == 0 {
		delete(s.place, secret)
	} else {
		s.place[secret] = place
	}
}

// phoneSink takes what is published for phones, as the hub does: a state like
// the one before is not sent.
type phoneSink struct {
	sink

	last map[string]string
	sent chan string
}

func (s *phoneSink) Publish(name string, message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last[name] == string(message) {
		return
	}
	s.last[name] = string(message)
	s.sent <- topicOf(name).room
}

const manyPhones = 1000

func startPhoneFeed(t *testing.T) (*feed, *phoneSource, *phoneSink) {
	t.Helper()
	store := &phoneSource{source: newSource(), place: map[string]int{}, readings: make(chan int, 100)}
	out := &phoneSink{last: map[string]string{}, sent: make(chan string, 2*manyPhones)}
	for i := range manyPhones {
		secret := fmt.Sprintf("p%d", i)
		store.place[secret] = i + 1
		out.topics = append(out.topics, topic{hall: "h", view: viewPhone, room: secret}.name())
	}
	f := newPhoneFeed(store, out, time.Now, slog.New(slog.DiscardHandler))
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f, store, out
}

func TestAThousandPhonesAreReadAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // a second is one exactly, on a busy machine too
		f, store, out := startPhoneFeed(t)
		synctest.Wait()
		if n := <-store.readings; n != manyPhones {
			t.Errorf("the first reading has %d pages", n)
		}
		out.got(t, manyPhones)
		store.set("p7", 77)
		began := time.Now()
		for range 100 {
			f.Touch("h") // a burst
		}
		<-store.readings
		synctest.Wait()
		if took := time.Since(began); took != phonePause {
			t.Errorf("read again after %s", took)
		}
		out.got(t, 1, "p7")

		store.set("p8", 0) // the day is over
		f.Touch("h")
		<-store.readings
		synctest.Wait()
		out.got(t, 1, "p8")
		if last := out.last[out.topics[8]]; !strings.Contains(last, `data-kind="ended"`) {
			t.Errorf("a page without a day shows %s", last)
		}
		<-time.After(5 * phonePause)
		f.Stop()
		out.got(t, 0)
		if n := len(store.readings); n != 0 {
			t.Errorf("read %d times more, with nothing new", n)
		}
	})
}

// got fails unless so many pages were sent since it was last asked, these if
// any are given.
func (s *phoneSink) got(t *testing.T, n int, want ...string) {
	t.Helper()
	if len(s.sent) != n {
		t.Errorf("sent to %d, want %d", len(s.sent), n)
	}
	for i := range len(s.sent) {
		if secret := <-s.sent; len(want) > 0 && secret != want[i%len(want)] {
			t.Errorf("sent to %s, for whom nothing changed", secret)
		}
	}
}
