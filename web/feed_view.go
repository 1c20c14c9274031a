package web

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// snapshots shows the topics of a hall from one snapshot of it.
type snapshots struct {
	store   hall.Watcher
	out     publisher
	figures *figuresCache // for monitor pages
}

func (s snapshots) show(ctx context.Context, id string, topics []topic) error {
	snapshot, err := s.store.Snapshot(ctx, id)
	if err != nil {
		return err
	}
	for _, t := range topics {
		message, err := s.render(ctx, t, &snapshot)
		if err != nil {
			return err
		}
		s.out.Publish(t.name(), message)
	}
	return nil
}

// render makes the message of one topic; a monitor page has figures too.
func (s snapshots) render(ctx context.Context, t topic, snapshot *hall.Snapshot) ([]byte, error) {
	if t.view != viewMonitor {
		return renderTopic(ctx, t, snapshot)
	}
	figures, err := s.figures.of(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	return renderBytes(ctx, storeState(t, 0), templates.MonitorFragment(monitorView(snapshot, &figures), true))
}

// renderTopic makes the message of one topic: the fragments of its page. The
// same state makes the same bytes, so that it is not sent twice.
func renderTopic(ctx context.Context, t topic, s *hall.Snapshot) ([]byte, error) {
	fresh := storeState(t, 0)
	if t.view == viewProctor {
		return renderBytes(ctx, fresh, templates.ProctorFragment(proctorView(s, t.room, t.manages)))
	}
	return renderBytes(ctx, fresh, templates.BoardFragment(boardView(textsIn(t.lang), s, t.room), true))
}

// renderLost makes the message that the store does not answer.
func renderLost(ctx context.Context, t topic, since time.Time) ([]byte, error) {
	return renderBytes(ctx, storeState(t, since.UnixMilli()))
}

// storeState tells since when the store does not answer, 0 for that it does:
// the public that what they see is old, the staff what is wrong.
func storeState(t topic, since int64) templ.Component {
	if t.view == viewBoard || t.view == viewPhone {
		return templates.StoreState(textsIn(t.lang), since, true)
	}
	return templates.StoreAlert(since, true)
}
