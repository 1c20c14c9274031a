package halltest_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/hall/halltest"
)

// dayPlan is a day as it will go: who comes when, walks and sits how long.
type dayPlan struct {
	Candidates []planned `json:"candidates"`
}

type planned struct {
	Candidate      string             `json:"candidate"`
	Class          hall.Class         `json:"class"`
	ArriveSeconds  float64            `json:"arriveSeconds"` // after opening
	WalkSeconds    float64            `json:"walkSeconds"`   // from called to seated
	Subjects       []string           `json:"subjects"`
	SittingSeconds map[string]float64 `json:"sittingSeconds"` // from seated to ended
}

// guess is the estimate at a check-in or a return to the queue, and how long
// the wait was then.
type guess struct {
	estimate *time.Duration
	actual   time.Duration
	since    time.Time
}

// happens is something that the plan brings at a time.
type happens struct {
	at time.Time
	do func() (candidate string, err error) // says who checked in or came back, if anybody
}

// replayed is a day on the reference model, through the rules of the store.
type replayed struct {
	t       *testing.T
	model   *halltest.Model
	plan    map[string]planned
	coming  []happens // in order of time, of the same time first planned first
	waiting map[string]guess
	calls   int // how many were seen
	guesses []guess
}

func replay(t *testing.T, layout hall.Layout, plan dayPlan) []guess {
	t.Helper()
	opening := halltest.NewClock().Now()
	r := &replayed{
		t: t, model: halltest.NewModel(layout, opening), plan: map[string]planned{}, waiting: map[string]guess{},
	}
	for _, p := range plan.Candidates {
		r.plan[p.Candidate] = p
		r.model.Register(hall.RosterRow{Candidate: p.Candidate, Class: p.Class, Subjects: p.Subjects})
		r.in(p.ArriveSeconds, func() (string, error) {
			_, err := r.model.CheckIn(p.Candidate, hall.CheckIn{})
			return p.Candidate, err
		})
	}
	for len(r.coming) > 0 {
		next := r.coming[0]
		r.coming = r.coming[1:]
		r.model.Now = next.at
		r.step(next)
	}
	if len(r.waiting) > 0 {
		t.Errorf("%d people were never called", len(r.waiting))
	}
	return r.guesses
}

// in plans something for so many seconds from now.
func (r *replayed) in(seconds float64, do func() (string, error)) {
	at := r.model.Now.Add(time.Duration(math.Round(seconds*1000)) * time.Millisecond)
	i, _ := slices.BinarySearchFunc(r.coming, at, func(h happens, at time.Time) int {
		return cmp.Or(h.at.Compare(at), -1) // behind those of the same time
	})
	r.coming = slices.Insert(r.coming, i, happens{at, do})
}

func (r *replayed) step(next happens) {
	r.t.Helper()
	who, err := next.do()
	if err != nil {
		r.t.Fatal(err)
	}
	r.seeCalls()
	if c := r.model.Candidates[who]; c != nil && c.State == hall.Waiting {
		r.waiting[who] = guess{estimate: r.model.Estimates([]*hall.Candidate{c})[0], since: r.model.Now}
	}
}

// seeCalls plans what comes after each new call, and closes the guesses.
func (r *replayed) seeCalls() {
	for {
		s := r.model.Sittings["s"+strconv.Itoa(r.calls+1)]
		if s == nil {
			return
		}
		r.calls++
		r.in(r.plan[s.Candidate].WalkSeconds, func() (string, error) { return r.seat(s) })
		if g, waited := r.waiting[s.Candidate]; waited {
			g.actual = r.model.Now.Sub(g.since)
			r.guesses = append(r.guesses, g)
			delete(r.waiting, s.Candidate)
		}
	}
}

func (r *replayed) seat(s *hall.Sitting) (string, error) {
	r.in(r.plan[s.Candidate].SittingSeconds[s.Subject], func() (string, error) {
		return s.Candidate, r.model.End(s.ID)
	})
	return "", r.model.Seat(s.ID)
}
