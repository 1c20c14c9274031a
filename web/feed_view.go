package web

import (
	"context"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/templates"
)

// renderTopic makes the message of one topic: the fragments of its page. The
// same state makes the same bytes, so that it is not sent twice.
func renderTopic(ctx context.Context, t topic, s *hall.Snapshot) ([]byte, error) {
	fresh := templates.StoreState(0, true)
	if t.view == viewProctor {
		return renderBytes(ctx, fresh, templates.ProctorFragment(proctorView(s, t.room)))
	}
	return renderBytes(ctx, fresh, templates.BoardFragment(boardView(s, t.room), true))
}

// renderLost makes the message that the store does not answer.
func renderLost(ctx context.Context, since time.Time) ([]byte, error) {
	return renderBytes(ctx, templates.StoreState(since.UnixMilli(), true))
}
