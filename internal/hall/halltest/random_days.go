package halltest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/hallcall/hallcall/internal/hall"
)

// drawDayCommand says whether the next command is on the day itself: seldom
// while it is open, mostly while it is being prepared, since little else goes then.
func (p *play) drawDayCommand(r *rapid.T) string {
	if !p.model.Open {
		return rapid.SampledFrom([]string{"", "", "open day", "open day", "close day", "roster", "roster"}).Draw(r, "day command")
	}
	if rapid.IntRange(0, 24).Draw(r, "on the day") > 0 {
		return ""
	}
	return rapid.SampledFrom([]string{"close day", "close day", "close day", "open day"}).Draw(r, "day command")
}

// dayStep gives a command on the day to both.
func (p *play) dayStep(r *rapid.T, command string) (want, got error) {
	switch command {
	case "open day":
		want = p.model.OpenDay()
		var h hall.Hall
		if h, got = p.store.OpenDay(p.ctx, p.id, p.by); got == nil && h.Day.ID != p.model.dayID {
			r.Fatalf("opened day %q, want %q", h.Day.ID, p.model.dayID)
		}
	case "close day":
		named := rapid.SampledFrom([]string{"", p.model.dayID}).Draw(r, "named")
		want = p.model.CloseDay()
		var s hall.DaySummary
		if s, got = p.store.CloseDay(p.ctx, p.id, named, p.by); got == nil {
			p.events, p.steps = nil, map[string]int{} // the next day has its own
			p.sameDay(r, s, p.model.closed[len(p.model.closed)-1].summary)
		}
	case "roster":
		var rows []hall.RosterRow
		for i := range rapid.IntRange(1, randomCandidates).Draw(r, "rows") {
			row := Row(fmt.Sprintf("%04d", i), rapid.Permutation([]string{"1", "2", "3"}).Draw(r, "subjects")[:1+i%3]...)
			if _, known := p.model.Candidates[row.Candidate]; !known {
				p.model.Register(row)
				rows = append(rows, row)
			}
		}
		_, got = p.store.PutRoster(p.ctx, p.id, rows, false, p.by)
	}
	return want, got
}

// compareDays fails unless the present day and all closed ones are those of the model.
func (p *play) compareDays(r *rapid.T) {
	now, err := p.store.Day(p.ctx, p.id, hall.CurrentDay)
	if err != nil {
		r.Fatalf("day: %v", err)
	}
	p.sameDay(r, now, p.model.Summary())
	for _, day := range p.model.closed {
		st, err := p.store.DayState(p.ctx, p.id, day.id)
		if err != nil {
			r.Fatalf("closed day %s: %v", day.id, err)
		}
		if broken := hall.Check(&st); len(broken) > 0 {
			r.Fatalf("closed day %s is broken:\n%s", day.id, strings.Join(broken, "\n"))
		}
		if got := describeState(&st); !slices.Equal(got, day.state) {
			r.Fatalf("closed day %s differs:\n%s", day.id, difference(got, day.state))
		}
		if last := st.Events[len(st.Events)-1]; last.Event != hall.EventDayClosed || last.Day != day.id {
			r.Fatalf("the last event of day %s is %s of %s", day.id, last.Event, last.Day)
		}
	}
}

func (p *play) sameDay(r *rapid.T, got, want hall.DaySummary) {
	if !reflect.DeepEqual(got, want) {
		r.Fatalf("day is %+v, want %+v; figures %+v, want %+v", got, want, got.Figures, want.Figures)
	}
}
