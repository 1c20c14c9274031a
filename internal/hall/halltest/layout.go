package halltest

import (
	"fmt"
	"strconv"

	"github.com/hallcall/hallcall/internal/hall"
)

// Layout returns a small hall: subjects 1, 2, 3 and rooms A, B. Models "one",
// "two" and "three" serve one subject each, "both" serves 2 and 3. machines
// names the model of m1, m2, …; the odd ones stand in room A.
func Layout(machines ...string) hall.Layout {
	l := hall.Layout{
		Name: "Test hall", TimeZone: "Asia/Shanghai", Rules: hall.DefaultRules(),
		Rooms: []hall.Room{{ID: "A"}, {ID: "B"}},
		Models: []hall.Model{
			{ID: "one", Subjects: []string{"1"}},
			{ID: "two", Subjects: []string{"2"}},
			{ID: "three", Subjects: []string{"3"}},
			{ID: "both", Subjects: []string{"2", "3"}},
		},
	}
	for i, minutes := range []float64{10, 20, 5} {
		l.Subjects = append(l.Subjects, hall.Subject{Code: strconv.Itoa(i + 1), Minutes: minutes})
	}
	for i, model := range machines {
		l.Machines = append(l.Machines, hall.MachineSpec{
			ID: fmt.Sprintf("m%d", i+1), Room: []string{"A", "B"}[i%2], Model: model,
		})
	}
	return l
}

// Row is a roster row of a candidate with these subjects.
func Row(candidate string, subjects ...string) hall.RosterRow {
	return hall.RosterRow{
		Candidate: candidate, Subjects: subjects,
		Person: hall.Person{Name: "Name of " + candidate, IDNumber: "99999919900101" + candidate},
	}
}
