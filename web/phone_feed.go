package web

import (
	"context"
	"log/slog"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/locale"
	"github.com/hallcall/hallcall/templates"
)

// phonePause is the time between two readings of a hall's phone pages: many
// are open, and nobody minds a second.
const phonePause = time.Second

// phoneStore is what phone pages are read from.
type phoneStore interface {
	hall.Watcher
	hall.Phones
	Hall(ctx context.Context, id string) (hall.Hall, error)
}

// newPhoneFeed makes the feed of the phone pages.
func newPhoneFeed(store phoneStore, out publisher, now func() time.Time, log *slog.Logger) *feed {
	f := newFeed(store, out, now, log)
	f.show, f.pause = phoneShower{store, out}.show, phonePause
	return f
}

// phoneShower shows the open phone pages of a hall. All of them are read at
// once; one whose state is as before is not sent.
type phoneShower struct {
	store phoneStore
	out   publisher
}

func (s phoneShower) show(ctx context.Context, id string, topics []topic) error {
	h, err := s.store.Hall(ctx, id)
	if err != nil {
		return err
	}
	secrets := make([]string, len(topics))
	for i, t := range topics {
		secrets[i] = t.room
	}
	entries, err := s.store.PhoneEntries(ctx, id, secrets)
	if err != nil {
		return err
	}
	for _, t := range topics {
		texts := locale.For(t.lang)
		view := endedPhone(texts) // the day is over
		if e, known := entries[t.room]; known {
			view = phoneView(texts, &h, &e)
		}
		message, err := renderBytes(ctx, storeState(t, 0), templates.PhoneFragment(view))
		if err != nil {
			return err
		}
		s.out.Publish(t.name(), message)
	}
	return nil
}
