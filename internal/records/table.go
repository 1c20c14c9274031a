package records

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Kind says what the cells of a column are.
type Kind int

// The kinds of cells.
const (
	Text   Kind = iota // as it is, also if it looks like a number or a formula
	Number             // never negative
	Time               // of the hall's clock
)

// Column is one column of a table.
type Column struct {
	Name string
	Kind Kind
	Wide bool // has sentences
}

// Cell is one cell: the field that its column's kind is about counts. A cell
// that is Empty has nothing in it.
type Cell struct {
	Text   string
	Number float64
	Time   time.Time
	Empty  bool
}

// Table is a list of a day, row by row. Each row has a cell for each column.
type Table struct {
	Title   string
	Columns []Column
	Zone    *time.Location // of its times
	Rows    iter.Seq2[[]Cell, error]
}

// Table returns a list with all its columns.
func (d *Day) Table(ctx context.Context, name hall.RecordTable) (Table, error) {
	switch name {
	case hall.TableAttendance:
		return table(d, "Attendance", personColumns, d.People(ctx), d.personCells), nil
	case hall.TableSittings:
		return table(d, "Sittings", sittingColumns, d.Sittings(ctx), d.sittingCells), nil
	case hall.TableIncidents:
		return table(d, "Incidents", incidentColumns, d.Incidents(ctx), d.incidentCells), nil
	case hall.TableLog:
		return table(d, "Log", entryColumns, d.Log(ctx), d.entryCells), nil
	}
	return Table{}, fmt.Errorf("records: no table %q", name)
}

func table[T any](d *Day, title string, columns []Column, rows iter.Seq2[*T, error], cells func(*T) []Cell) Table {
	t := Table{Title: title, Zone: d.zone, Columns: slices.Clone(columns)}
	for i := range t.Columns {
		if t.Columns[i].Kind == Time {
			t.Columns[i].Name += " (" + d.zone.String() + ")"
		}
	}
	t.Rows = func(yield func([]Cell, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(cells(row), nil) {
				return
			}
		}
	}
	return t
}

func text(s string) Cell               { return Cell{Text: s, Empty: s == ""} }
func number(n int) Cell                { return Cell{Number: float64(n)} }
func seconds(d time.Duration) Cell     { return Cell{Number: float64(d.Milliseconds()) / 1000} }
func instant(t time.Time) Cell         { return Cell{Time: t, Empty: t.IsZero()} }
func numberIf(given bool, c Cell) Cell { c.Empty = !given; return c }

var personColumns = []Column{
	{Name: "Candidate"},
	{Name: "Name"},
	{Name: "ID number"},
	{Name: "Class"},
	{Name: "Session"},
	{Name: "Subjects"},
	{Name: "Subjects left"},
	{Name: "Stood"},
	{Name: "State"},
	{Name: "Ticket"},
	{Name: "Checked in", Kind: Time},
	{Name: "Late (minutes)", Kind: Number},
	{Name: "First called", Kind: Time},
	{Name: "Last finished", Kind: Time},
	{Name: "No-shows", Kind: Number},
	{Name: "Away (seconds)", Kind: Number},
	{Name: "Note", Wide: true},
	{Name: "Notes of the staff", Wide: true},
	{Name: "Corrected state"},
	{Name: "Corrections", Wide: true},
}

func (d *Day) personCells(p *Person) []Cell {
	corrected := ""
	if p.Stood() != p.State {
		corrected = string(p.Stood())
	}
	late := d.Late(&p.Candidate)
	return []Cell{
		text(p.ID), text(p.Person.Name), text(p.Person.IDNumber), text(string(p.Class)), text(p.Session),
		text(strings.Join(p.Subjects, ", ")), text(strings.Join(p.Remaining(), ", ")),
		text(StateWords(p.State, d.closed())), text(string(p.State)), text(p.Ticket), instant(p.CheckedInAt),
		numberIf(!p.CheckedInAt.IsZero(), number(int(late.Minutes()))), instant(p.FirstCalled), instant(p.LastEnded),
		number(p.NoShows), seconds(p.HoldBy(d.End())), text(p.Person.Note), text(d.noteTexts(p.Notes)),
		text(corrected), text(d.corrected(p.Corrections)),
	}
}

func (d *Day) corrected(list []hall.Correction) string {
	return strings.Join(CorrectionTexts(list, d.zone), "\n")
}

func (d *Day) closed() bool { return d.Hall.Day.State == hall.DayClosed }

func (d *Day) noteTexts(notes []hall.Note) string {
	lines := make([]string, len(notes))
	for i, n := range notes {
		lines[i] = n.At.In(d.zone).Format("15:04") + " " + n.By + ": " + n.Text
	}
	return strings.Join(lines, "\n")
}

var sittingColumns = []Column{
	{Name: "Sitting"},
	{Name: "Candidate"},
	{Name: "Name"},
	{Name: "Ticket"},
	{Name: "Class"},
	{Name: "Subject"},
	{Name: "Machine"},
	{Name: "Room"},
	{Name: "Called", Kind: Time},
	{Name: "Seated", Kind: Time},
	{Name: "Ended", Kind: Time},
	{Name: "Length (seconds)", Kind: Number},
	{Name: "Wait (seconds)", Kind: Number},
	{Name: "Called again", Kind: Number},
	{Name: "State"},
	{Name: "Outcome"},
	{Name: "How it ended"},
	{Name: "Reason", Wide: true},
	{Name: "Corrections", Wide: true},
}

func (d *Day) sittingCells(s *Sitting) []Cell {
	length, ended := Length(&s.Sitting)
	return []Cell{
		text(s.ID), text(s.Candidate), text(s.Name), text(s.Ticket), text(string(s.Class)), text(s.Subject), text(s.Machine), text(s.Room),
		instant(s.CalledAt), instant(s.SeatedAt), instant(s.EndedAt), numberIf(ended, seconds(length)), seconds(s.Wait), number(s.Recalls),
		text(string(s.State)), text(string(s.Outcome)), text(OutcomeWords(&s.Sitting)), text(s.Reason), text(d.corrected(s.Corrections)),
	}
}

var incidentColumns = []Column{
	{Name: "Incident"},
	{Name: "Time", Kind: Time},
	{Name: "By"},
	{Name: "Category"},
	{Name: "Machine"},
	{Name: "Room"},
	{Name: "Candidate"},
	{Name: "Ticket"},
	{Name: "Name"},
	{Name: "Command"},
	{Name: "Sitting"},
	{Name: "What happened", Wide: true},
	{Name: "What was done", Wide: true},
	{Name: "Corrections", Wide: true},
}

func (d *Day) incidentCells(i *Incident) []Cell {
	return []Cell{
		text(i.ID), instant(i.At), text(i.By), text(i.Category), text(i.Machine), text(i.Room), text(i.Candidate), text(i.Ticket), text(i.Name),
		text(string(i.Command)), text(i.Sitting), text(IncidentWords(&i.Incident)), text(IncidentDone(&i.Incident)), text(d.corrected(i.Corrections)),
	}
}

var entryColumns = []Column{
	{Name: "Entry"},
	{Name: "Time", Kind: Time},
	{Name: "By"},
	{Name: "What", Wide: true},
	{Name: "Event"},
	{Name: "Candidate"},
	{Name: "Ticket"},
	{Name: "Subject"},
	{Name: "Machine"},
	{Name: "Room"},
	{Name: "Sitting"},
	{Name: "Details", Wide: true},
	{Name: "Reason", Wide: true},
	{Name: "Followed from"},
	{Name: "Taken back", Kind: Time},
	{Name: "Taken back by"},
}

func (d *Day) entryCells(e *Entry) []Cell {
	return []Cell{
		text(e.ID), instant(e.At), text(e.By), text(e.Words()), text(string(e.Event.Event)), text(e.Candidate), text(e.Ticket),
		text(e.Subject), text(e.Machine), text(e.Room), text(e.Sitting), text(e.Details()), text(e.Reason),
		text(e.Cause), instant(e.UndoneAt), text(e.UndoneBy),
	}
}
