package hall

import "time"

// CurrentDay stands for the present day of a hall where the id of a day is asked for.
const CurrentDay = "current"

// DaySummary is a day in numbers. The people of a closed day are counted where
// they stood: whoever was not done by then is waiting, called, seated and so on.
type DaySummary struct {
	ID       string // empty while the day is being prepared
	State    DayState
	OpenedAt time.Time // zero while the day is being prepared
	ClosedAt time.Time // zero until it is closed
	ErasedAt time.Time // zero until names and texts are erased
	People   map[CandidateState]int
	Sittings int
	Figures  *DayFigures // nil in lists
}

// DayFigures say how a day went. Calls and sittings that were open at its end
// are counted by their state, the others by their outcome.
type DayFigures struct {
	Open     map[SittingState]int
	Outcomes map[Outcome]int
	Machines map[MachineState]int
	MeanWait time.Duration // of all calls, from the begin of the wait
	MaxWait  time.Duration
}

// Count adds up a day's sittings.
func (f *DayFigures) Count(sittings []Sitting) {
	var sum time.Duration
	f.Open, f.Outcomes = map[SittingState]int{}, map[Outcome]int{}
	f.MeanWait, f.MaxWait = 0, 0
	for i := range sittings {
		s := &sittings[i]
		if s.State == SittingEnded {
			f.Outcomes[s.Outcome]++
		} else {
			f.Open[s.State]++
		}
		sum += s.Wait
		f.MaxWait = max(f.MaxWait, s.Wait)
	}
	if len(sittings) > 0 {
		f.MeanWait = sum / time.Duration(len(sittings))
	}
}
