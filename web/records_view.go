package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
	"github.com/hallcall/hallcall/templates"
)

// recordsURL is the page of a list of a day.
func recordsURL(hallID, day string, table hall.RecordTable) string {
	return withValues(hallURL(hallID, "staff", "records", day), "table", string(table))
}

// dayTitle is what people call a day.
func dayTitle(id string) string {
	if id == "" {
		return "Next day"
	}
	return "Day " + id
}

func daysView(h *hall.Hall, days hall.List[hall.DaySummary], number int) templates.DaysPage {
	p := templates.DaysPage{HallName: h.Layout.Name, Back: hallURL(h.ID, "proctor")}
	for i := range days.Items {
		p.Days = append(p.Days, dayRow(h, &days.Items[i]))
	}
	address := func(n int) string { return withValues(hallURL(h.ID, "staff", "days"), "page", strconv.Itoa(n)) }
	if number > 1 {
		p.Newer = address(number - 1)
	}
	if number*daysShown < days.Total {
		p.Older = address(number + 1)
	}
	return p
}

func dayRow(h *hall.Hall, d *hall.DaySummary) templates.DayRow {
	row := templates.DayRow{
		Name: dayTitle(d.ID), URL: recordsURL(h.ID, cmp.Or(d.ID, hall.CurrentDay), ""),
		Opened: dated(d.OpenedAt, h.Location()), Closed: dated(d.ClosedAt, h.Location()),
	}
	switch d.State {
	case hall.DayPreparing:
		row.Opened = "Not yet"
	case hall.DayOpen:
		row.Closed = "Open now"
	case hall.DayClosed:
	}
	if !d.ErasedAt.IsZero() {
		row.Closed += ", names erased"
	}
	var total int
	row.Figures, total = peopleAmounts(d.People, d.State == hall.DayClosed)
	row.Roster = strconv.Itoa(total)
	return row
}

// dated is a date and a time of day, "" for none.
func dated(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format("2006-01-02 15:04")
}

// peopleAmounts says how many stood where, and how many there are.
func peopleAmounts(people map[hall.CandidateState]int, closed bool) (list []templates.Amount, total int) {
	for _, state := range []hall.CandidateState{
		hall.Done, hall.Seated, hall.Called, hall.Waiting, hall.Held, hall.Resting, hall.Absent, hall.Withdrawn, hall.Registered,
	} {
		if n := people[state]; n > 0 {
			words, _, _ := strings.Cut(records.StateWords(state, closed), ":")
			list = append(list, templates.Amount{N: n, Text: strings.ToLower(words[:1]) + words[1:]})
			total += n
		}
	}
	return list, total
}

// recordTitles name the lists.
var recordTitles = map[hall.RecordTable]string{
	hall.TableAttendance: "Attendance", hall.TableSittings: "Sittings", hall.TableIncidents: "Incidents", hall.TableLog: "Log",
}

// recordMapper makes the page of one list.
type recordMapper struct {
	day    *records.Day
	layout *hall.Layout
	zone   *time.Location
	table  hall.RecordTable
	number int
}

func (m recordMapper) page(ctx context.Context) (templates.RecordsPage, error) {
	day := &m.day.Hall.Day
	p := templates.RecordsPage{
		HallName: m.layout.Name, Day: dayTitle(day.ID), When: m.when(), Title: recordTitles[m.table],
		Back: hallURL(m.day.Hall.ID, "staff", "days"), Empty: "There is nothing on this list.",
		Printed: "As of " + dated(m.day.Now, m.zone) + ", times of " + m.zone.String(),
	}
	for _, table := range hall.RecordTables {
		p.Tables = append(p.Tables, templates.Link{Text: recordTitles[table], URL: m.url(table), Current: table == m.table})
	}
	file := hallURL(m.day.Hall.ID, "staff", "records", m.id(), "file")
	for _, f := range []struct{ text, format string }{{"Excel", "xlsx"}, {"CSV", "csv"}} {
		p.Downloads = append(p.Downloads, templates.Link{Text: f.text, URL: withValues(file, "table", string(m.table), "format", f.format)})
	}
	if day.State == hall.DayClosed && day.ErasedAt.IsZero() {
		p.EraseURL = hallURL(m.day.Hall.ID, "staff", "records", m.id(), "erase")
	}
	if !day.ErasedAt.IsZero() {
		p.Printed += ". Names and texts were erased on " + dated(day.ErasedAt, m.zone)
	}
	total, err := m.fill(ctx, &p)
	if err != nil {
		return p, err
	}
	if len(m.layout.Sessions) == 0 && m.table == hall.TableAttendance {
		dropSession(&p)
	}
	m.paging(&p, total)
	return p, nil
}

// dropSession leaves out the column of a hall that has none.
func dropSession(p *templates.RecordsPage) {
	i := slices.Index(p.Columns, "Session")
	p.Columns = slices.Delete(p.Columns, i, i+1)
	for n := range p.Rows {
		p.Rows[n].Cells = slices.Delete(p.Rows[n].Cells, i, i+1)
	}
}

// id is that of the day in addresses.
func (m recordMapper) id() string { return cmp.Or(m.day.Hall.Day.ID, hall.CurrentDay) }

func (m recordMapper) url(table hall.RecordTable) string {
	return recordsURL(m.day.Hall.ID, m.id(), table)
}

func (m recordMapper) when() string {
	day := &m.day.Hall.Day
	switch day.State {
	case hall.DayPreparing:
		return "being prepared"
	case hall.DayClosed:
		return dated(day.OpenedAt, m.zone) + " to " + dated(day.ClosedAt, m.zone)
	case hall.DayOpen:
	}
	return "open since " + dated(day.OpenedAt, m.zone)
}

func (m recordMapper) paging(p *templates.RecordsPage, total int) {
	if total <= recordsShown && m.number == 1 {
		return
	}
	p.Shown = fmt.Sprintf("Rows %d to %d of %d", min((m.number-1)*recordsShown+1, total), min(m.number*recordsShown, total), total)
	address := func(n int) string {
		return withValues(hallURL(m.day.Hall.ID, "staff", "records", m.id()), "table", string(m.table), "page", strconv.Itoa(n))
	}
	if m.number > 1 {
		p.Before = address(m.number - 1)
	}
	if m.number*recordsShown < total {
		p.After = address(m.number + 1)
	}
}

// fill reads the rows and says how many there are in all.
func (m recordMapper) fill(ctx context.Context, p *templates.RecordsPage) (total int, err error) {
	page := hall.Page{Number: m.number, Size: recordsShown}
	switch m.table {
	case hall.TableAttendance:
		p.Columns = []string{"No.", "Candidate", "Name", "ID number", "Session", "Subjects", "Stood", "Ticket", "Checked in", "Finished", "Notes"}
		total, err = fillRows(ctx, p, page, m.day.PeoplePage, m.personRow)
		p.Totals = m.attendanceTotals(ctx, total, &err)
	case hall.TableSittings:
		p.Columns = []string{"No.", "Candidate", "Name", "Ticket", "Subject", "Machine", "Called", "Seated", "Ended", "Length", "How it ended"}
		total, err = fillRows(ctx, p, page, m.day.SittingsPage, m.sittingRow)
		p.Totals = counted(total, "sitting")
	case hall.TableIncidents:
		p.Columns = []string{"No.", "Time", "Category", "Machine", "Candidate", "What happened", "What was done", "By"}
		total, err = fillRows(ctx, p, page, m.day.IncidentsPage, m.incidentRow)
		p.Totals = counted(total, "incident")
	case hall.TableLog:
		p.Note = "Commands of people and of the time. What came of each in the same step is in the files."
		p.Columns = []string{"No.", "Time", "By", "What", "Who and where", "Details", "Reason", "Taken back"}
		read := func(ctx context.Context, page hall.Page) (hall.List[records.Entry], error) {
			return m.day.LogPage(ctx, page, (*records.Entry).IsCommand)
		}
		total, err = fillRows(ctx, p, page, read, m.entryRow)
		p.Totals = counted(total, "command")
	}
	return total, err
}

func counted(n int, word string) []templates.Amount {
	if n != 1 {
		word += "s"
	}
	return []templates.Amount{{N: n, Text: word}}
}

func fillRows[T any](
	ctx context.Context, p *templates.RecordsPage, page hall.Page,
	read func(context.Context, hall.Page) (hall.List[T], error), row func(number string, item *T) templates.RecordRow,
) (int, error) {
	list, err := read(ctx, page)
	for i := range list.Items {
		p.Rows = append(p.Rows, row(strconv.Itoa((page.Number-1)*page.Size+i+1), &list.Items[i]))
	}
	return list.Total, err
}

// attendanceTotals counts everybody where they stood, also those on other pages.
func (m recordMapper) attendanceTotals(ctx context.Context, total int, err *error) []templates.Amount {
	people := map[hall.CandidateState]int{}
	corrected := 0
	for p, readErr := range m.day.People(ctx) {
		if readErr != nil {
			*err = readErr
			return nil
		}
		people[p.State]++
		if p.Stood() != p.State {
			corrected++
		}
	}
	amounts, _ := peopleAmounts(people, m.day.Hall.Day.State == hall.DayClosed)
	amounts = append([]templates.Amount{{N: total, Text: "on the roster"}}, amounts...)
	if corrected > 0 {
		amounts = append(amounts, templates.Amount{N: corrected, Text: "corrected to stand elsewhere"})
	}
	return amounts
}

// erasePanel asks whether a day shall be erased, and says what goes and what stays.
func erasePanel(hallID string, d *hall.DaySummary) templates.Panel {
	_, total := peopleAmounts(d.People, true)
	return templates.Panel{
		Title: "Erase the persons of day " + d.ID, Back: recordsURL(hallID, d.ID, ""),
		Lines: []string{
			"What goes: names and ID numbers of " + people(total) + ", notes, reasons, and what incidents and corrections say.",
			"What stays: figures, and the records by the numbers of the candidates.",
		},
		Warning: "This cannot be taken back. Download and sign the records before.",
		Actions: []templates.Action{{Label: "Erase for good", URL: hallURL(hallID, "staff", "records", d.ID, "erase"), Kind: "danger"}},
	}
}
