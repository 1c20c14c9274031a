package halltest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

func describeAlert(a *hall.Alert) string {
	return fmt.Sprintf("alert %q machine %q candidate %q ticket %q subject %q room %q sitting %q since %s raised %s",
		a.Key(), a.Machine, a.Candidate, a.Ticket, a.Subject, a.Room, a.Sitting, stamp(a.Since), stamp(a.Raised))
}

// compareAlerts fails unless the store shows its alerts everywhere and looks
// for the next one in time.
func (p *play) compareAlerts(r *rapid.T, st *hall.State) {
	snap, err := p.store.Snapshot(p.ctx, p.id)
	if err != nil || !slices.Equal(snap.Alerts, st.Alerts) {
		r.Fatalf("a snapshot has alerts %+v, want %+v (%v)", snap.Alerts, st.Alerts, err)
	}
	list, err := p.store.Alerts(p.ctx, p.id, hall.Page{Number: 1, Size: 2})
	if err != nil || list.Total != len(st.Alerts) || !slices.Equal(list.Items, st.Alerts[:min(2, len(st.Alerts))]) {
		r.Fatalf("the list of alerts is %+v, want %+v (%v)", list, st.Alerts, err)
	}
	by, look := p.model.lookBy(), time.Time{}
	for _, d := range st.Due {
		if d.Kind == hall.DueAlert {
			look = d.At
		}
	}
	if by.IsZero() {
		return
	}
	if by.Before(p.model.Now) {
		by = p.model.Now
	}
	if look.IsZero() || look.After(by) {
		r.Fatalf("an alert is due by %s, the next look is at %s", stamp(by), stamp(look))
	}
}
