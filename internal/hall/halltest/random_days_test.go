package halltest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/hallcall/hallcall/internal/hall"
)

// randomDay makes a hall and a day: one to five subjects, machines of one or
// two subjects, lengths that spread little or much around a mean that the
// layout says well or badly, a rush or a trickle.
func randomDay(seed uint64) (hall.Layout, dayPlan) {
	r := rand.New(rand.NewPCG(seed, seed))
	between := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
	layout := hall.Layout{Rules: hall.DefaultRules(), Rooms: []hall.Room{{ID: "A"}}}
	means := map[string]float64{}
	var codes []string
	for i := range 1 + r.IntN(5) {
		s := hall.Subject{Code: strconv.Itoa(i + 1), Minutes: math.Round(between(5, 35))}
		layout.Subjects, codes = append(layout.Subjects, s), append(codes, s.Code)
		layout.Models = append(layout.Models, hall.Model{ID: s.Code, Subjects: []string{s.Code}})
		means[s.Code] = s.Minutes * 60 * between(0.8, 1.2)
	}
	if n := len(codes); n > 1 {
		layout.Models = append(layout.Models, hall.Model{ID: "first two", Subjects: codes[:2]}, hall.Model{ID: "last two", Subjects: codes[n-2:]})
	}
	for _, m := range layout.Models {
		for range 1 + r.IntN(8) {
			id := "m" + strconv.Itoa(len(layout.Machines)+1)
			layout.Machines = append(layout.Machines, hall.MachineSpec{ID: id, Room: "A", Model: m.ID})
		}
	}
	spread, walk, hours := between(0.15, 0.65), between(20, 180), between(0.2, 3)
	var plan dayPlan
	for i := range 30 + r.IntN(100) {
		p := planned{
			Candidate: fmt.Sprintf("%04d", i), Class: hall.ClassNormal, Subjects: someOf(r, codes),
			ArriveSeconds: between(0, hours*3600), WalkSeconds: walk * between(0.5, 1.5), SittingSeconds: map[string]float64{},
		}
		for _, code := range p.Subjects {
			p.SittingSeconds[code] = logNormal(r, means[code], spread)
		}
		plan.Candidates = append(plan.Candidates, p)
	}
	return layout, plan
}

// someOf is all subjects for three of four people, else some in any order.
func someOf(r *rand.Rand, codes []string) []string {
	if r.IntN(4) > 0 {
		return codes
	}
	some := append([]string{}, codes...)
	r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:1+r.IntN(len(some))]
}

// logNormal has this mean, and spread times the mean as its standard deviation.
func logNormal(r *rand.Rand, mean, spread float64) float64 {
	s := math.Log(1 + spread*spread)
	return mean * math.Exp(math.Sqrt(s)*r.NormFloat64()-s/2)
}
