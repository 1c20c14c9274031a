package halltest

import (
	"cmp"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// lasting is something that is an alert once it has lasted too long.
type lasting struct {
	alert     hall.Alert    // not raised yet
	lasted    time.Duration // pauses left out where they count
	stands    bool          // its clock
	threshold time.Duration
	hold      time.Duration
}

// due is when it is an alert, zero for never as things are.
func (l *lasting) due(now time.Time) time.Time {
	if l.stands {
		return time.Time{}
	}
	return now.Add(l.threshold + l.hold - l.lasted)
}

func (m *Model) lasting(a hall.Alert, lasted time.Duration, minutes float64) lasting {
	rule := hall.AlertRuleOf(m.Rules, a.Name)
	return lasting{alert: a, lasted: lasted, threshold: rule.Threshold(m.rules(), minutes), hold: rule.Hold()}
}

// watched lists all that may be an alert, but for waits and machines that are
// idle while somebody waits: there are none in the model.
func (m *Model) watched() []lasting {
	if !m.Open {
		return nil
	}
	var all []lasting
	needed := false
	for _, c := range m.Candidates {
		needed = needed || c.State == hall.Waiting || c.State == hall.Called
	}
	if gone := m.screensGone(); needed && !gone.After(m.Now) {
		all = append(all, m.lasting(hall.Alert{Name: hall.AlertNoScreen, Since: gone}, m.Now.Sub(gone), 0))
	}
	for _, machine := range m.Machines {
		if s := m.Sittings[machine.Sitting]; s != nil {
			all = append(all, m.watchedSitting(s))
		}
	}
	return all
}

func (m *Model) watchedSitting(s *hall.Sitting) lasting {
	a := hall.Alert{
		Machine: s.Machine, Candidate: s.Candidate, Ticket: s.Ticket, Subject: s.Subject, Room: s.Room, Sitting: s.ID,
	}
	if s.State == hall.SittingCalled && m.rules().ConfirmSeat {
		a.Name, a.Since = hall.AlertCallUnanswered, s.CalledAt
		l := m.lasting(a, m.Now.Sub(s.CalledAt)-s.Stood, 0)
		if l.stands = !s.StandsSince.IsZero(); l.stands {
			l.lasted -= m.Now.Sub(s.StandsSince)
		}
		return l
	}
	subject, _ := m.Layout.Subject(s.Subject)
	a.Name, a.Since = hall.AlertSittingLong, s.Began()
	return m.lasting(a, m.Now.Sub(s.Began()), subject.Minutes)
}

// screensGone is when the last board was gone: in the future while there is one.
func (m *Model) screensGone() time.Time {
	gone := m.openedAt
	for _, until := range m.Screens {
		if until.After(gone) {
			gone = until
		}
	}
	return gone
}

// ReportScreens is hall.Alerts.ReportScreens.
func (m *Model) ReportScreens(node string, boards int) {
	until, known := m.Screens[node]
	switch {
	case boards > 0:
		m.Screens[node] = m.Now.Add(hall.ScreensForgotten)
		delete(m.Alerts, (&hall.Alert{Name: hall.AlertNoScreen}).Key())
	case known && until.After(m.Now):
		m.Screens[node] = m.Now
	}
}

// watch raises what has lasted too long and clears what has not, or is over.
func (m *Model) watch() {
	wrong := map[string]bool{}
	for _, l := range m.watched() {
		wrong[l.alert.Key()] = l.lasted >= l.threshold
		if l.lasted >= l.threshold+l.hold {
			m.raise(l.alert)
		}
	}
	for key, a := range m.Alerts {
		if a.Name != hall.AlertWait && !wrong[key] {
			delete(m.Alerts, key)
		}
	}
}

func (m *Model) raise(a hall.Alert) {
	if _, active := m.Alerts[a.Key()]; !active {
		a.Raised = m.Now
		m.Alerts[a.Key()] = a
	}
}

// SettleAlerts does at the end of a command what it does to alerts: those of a
// sitting end with it, and a wait that was marked is an alert while it goes on.
func (m *Model) SettleAlerts() {
	for key, a := range m.Alerts {
		s, c := m.Sittings[a.Sitting], m.Candidates[a.Candidate]
		ended := false
		switch a.Name {
		case hall.AlertWait:
			ended = c.State != hall.Waiting || !c.OverTarget
		case hall.AlertCallUnanswered:
			ended = s.State != hall.SittingCalled || s.Machine != a.Machine
		case hall.AlertSittingLong:
			ended = s.State == hall.SittingEnded || s.Machine != a.Machine || !s.Began().Equal(a.Since)
		case hall.AlertMachineIdle, hall.AlertNoScreen, hall.AlertRedis:
		}
		if ended {
			delete(m.Alerts, key)
		}
	}
	for _, c := range m.Line() {
		if c.OverTarget {
			m.raise(hall.Alert{Name: hall.AlertWait, Candidate: c.ID, Ticket: c.Ticket, Since: c.WaitingSince.Add(c.HoldInWait)})
		}
	}
}

// lookBy is until when a store must look for alerts, to raise the next one when
// it is due; zero for never. Whether a screen is needed is seen some time later.
func (m *Model) lookBy() time.Time {
	var by time.Time
	for _, l := range m.watched() {
		due := l.due(m.Now)
		if _, active := m.Alerts[l.alert.Key()]; active || due.IsZero() {
			continue
		}
		if soon := m.Now.Add(shortestAlert); l.alert.Name == hall.AlertNoScreen && due.Before(soon) {
			due = soon
		}
		if by.IsZero() || due.Before(by) {
			by = cmp.Or(due, by)
		}
	}
	return by
}

// shortestAlert is the shortest time that an alert about a machine takes.
const shortestAlert = 30 * time.Second
