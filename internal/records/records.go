// Package records makes the lists of a day that are signed, kept and handed on:
// attendance, sittings, incidents and the log. It reads them part by part, so
// that a list may be longer than what fits into memory, and writes them as CSV
// and as workbooks.
package records

import (
	"context"
	"iter"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// chunk is how many rows are read at once.
const chunk = 500

// Store is what records are read from.
type Store interface {
	hall.Records
	hall.EventSource
}

// Day is a day whose records are read. It stays that day when it is closed
// meanwhile. Each part of a list is of one instant: what changes while the list
// of a present day is read is in it or not.
type Day struct {
	hall.RecordedDay

	store       Store
	zone        *time.Location
	corrections []hall.Correction
	of          map[correctedRow][]hall.Correction
}

// correctedRow is a row that has corrections.
type correctedRow struct {
	table hall.RecordTable
	row   string
}

// Find returns a day by its id or as hall.CurrentDay, with the corrections
// that there are by now. CodeUnknownHall, CodeUnknownDay.
func Find(ctx context.Context, store Store, id, day string) (*Day, error) {
	found, err := store.RecordedDay(ctx, id, day)
	if err != nil {
		return nil, err
	}
	d := &Day{RecordedDay: found, store: store, zone: found.Hall.Location(), of: map[correctedRow][]hall.Correction{}}
	if d.corrections, err = store.Corrections(ctx, id, found.Number); err != nil {
		return nil, err
	}
	for _, c := range d.corrections {
		row := correctedRow{c.Table, c.Row}
		d.of[row] = append(d.of[row], c)
	}
	return d, nil
}

// Corrected returns the corrections of one row, the first one first.
func (d *Day) Corrected(table hall.RecordTable, row string) []hall.Correction {
	return d.of[correctedRow{table, row}]
}

// Person is somebody of the roster.
type Person struct {
	hall.Candidate

	Corrections []hall.Correction
}

// Stood is where the person stood by the last correction that says so, else as it was recorded.
func (p *Person) Stood() hall.CandidateState {
	state := p.State
	for i := range p.Corrections {
		if p.Corrections[i].State != "" {
			state = p.Corrections[i].State
		}
	}
	return state
}

// Sitting is a sitting of the day.
type Sitting struct {
	hall.Sitting

	Corrections []hall.Correction
}

// Incident is an incident of the day.
type Incident struct {
	hall.Incident

	Corrections []hall.Correction
}

// PeoplePage reads a page of the attendance.
func (d *Day) PeoplePage(ctx context.Context, page hall.Page) (hall.List[Person], error) {
	list, err := d.store.Attendance(ctx, d.Hall.ID, d.Number, page)
	return mapped(list, func(c *hall.Candidate) Person {
		return Person{*c, d.Corrected(hall.TableAttendance, c.ID)}
	}), err
}

// SittingsPage reads a page of the sittings.
func (d *Day) SittingsPage(ctx context.Context, page hall.Page) (hall.List[Sitting], error) {
	list, err := d.store.DaySittings(ctx, d.Hall.ID, d.Number, page)
	return mapped(list, func(s *hall.Sitting) Sitting {
		return Sitting{*s, d.Corrected(hall.TableSittings, s.ID)}
	}), err
}

// IncidentsPage reads a page of the incidents.
func (d *Day) IncidentsPage(ctx context.Context, page hall.Page) (hall.List[Incident], error) {
	list, err := d.store.DayIncidents(ctx, d.Hall.ID, d.Number, page)
	return mapped(list, func(i *hall.Incident) Incident {
		return Incident{*i, d.Corrected(hall.TableIncidents, i.ID)}
	}), err
}

func mapped[T, U any](list hall.List[T], change func(*T) U) hall.List[U] {
	items := make([]U, len(list.Items))
	for i := range list.Items {
		items[i] = change(&list.Items[i])
	}
	return hall.List[U]{Items: items, Total: list.Total}
}

// each goes through all of a list that is read page by page; it ends after the first error.
func each[T any](ctx context.Context, read func(context.Context, hall.Page) (hall.List[T], error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for number := 1; ; number++ {
			list, err := read(ctx, hall.Page{Number: number, Size: chunk})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range list.Items {
				if !yield(&list.Items[i], nil) {
					return
				}
			}
			if number*chunk >= list.Total {
				return
			}
		}
	}
}

// People goes through the whole attendance, in the order of the roster.
func (d *Day) People(ctx context.Context) iter.Seq2[*Person, error] { return each(ctx, d.PeoplePage) }

// Sittings goes through all sittings, in the order of their calls.
func (d *Day) Sittings(ctx context.Context) iter.Seq2[*Sitting, error] {
	return each(ctx, d.SittingsPage)
}

// Incidents goes through all incidents, in order of time.
func (d *Day) Incidents(ctx context.Context) iter.Seq2[*Incident, error] {
	return each(ctx, d.IncidentsPage)
}
