package web

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hallcall/hallcall/internal/enrol"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/roster"
	"github.com/hallcall/hallcall/templates"
)

// refusedShown is how many rows that cannot be taken stand on a page.
const refusedShown = 200

// rosterColumns are what the form says about columns.
var rosterColumns = []templates.RosterColumn{
	{Name: "candidate_id", Required: true, Examples: "准考证号, 考号, Номер", What: "The candidate’s number, with its leading zeros"},
	{Name: "subjects", Required: true, Examples: "科目, Предметы", What: "Codes of the subjects, as 1|3 or 1、3"},
	{Name: "name", Examples: "姓名, ФИО, Имя", What: "The name, in any script"},
	{Name: "id_number", Examples: "身份证号, Документ, Паспорт", What: "The ID number as text; one of 18 characters has the right check character"},
	{Name: "class", Examples: "类别, Категория", What: "management, vip, priority or normal; also 优先, Льготный"},
	{Name: "session", Examples: "场次, Смена", What: "The code of a session of the hall"},
	{Name: "note", Examples: "备注, Примечание", What: "A remark for the staff"},
}

func rosterForm(hallID, wrong string) *templates.RosterForm {
	return &templates.RosterForm{URL: rosterURL(hallID), Error: wrong, Columns: rosterColumns}
}

// rosterDay says which day a roster would be for.
func rosterDay(h *hall.Hall, total int) string {
	if h.Day.State == hall.DayOpen {
		return fmt.Sprintf("For day %s, which is open. %s", h.Day.ID, onRoster(total))
	}
	return "For the next day, which is not open yet. " + onRoster(total)
}

func onRoster(total int) string {
	if total == 0 {
		return "Its roster is empty."
	}
	return "Its roster has " + plural(total, "candidate") + "."
}

// plural is a number with the thing that it counts: 1 row, 20,000 rows.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// rosterMapper shows an upload.
type rosterMapper struct {
	hall   *hall.Hall
	id     string
	paper  *enrol.Paper
	people int
}

func (m rosterMapper) fill(p *templates.RosterPage) {
	switch m.paper.State {
	case enrol.Taken, enrol.Left:
		p.Running = m.running()
		p.ReloadAfter, p.ReloadTo = refreshSeconds, p.Running.URL
	case enrol.Over:
		p.Lines = []string{rosterDay(m.hall, m.people)}
		p.Result = m.result()
	default:
		p.Lines = []string{rosterDay(m.hall, m.people)}
		p.Preview = m.preview()
	}
}

func (m rosterMapper) url(parts ...string) string { return rosterURL(m.hall.ID, parts...) }

func (m rosterMapper) preview() *templates.RosterPreview {
	a := &m.paper.About
	view := &templates.RosterPreview{
		File: a.File, Kind: a.Understood.Words() + ".",
		HeaderRow: fmt.Sprintf("The header is row %d.", a.Understood.HeaderRow),
		Missing:   missingColumns(&a.Understood), Counts: rosterCounts(&a.Result), Summary: previewSummary(&a.Result),
		ImportURL: m.url("import"), DiscardURL: m.url("discard"), Upload: m.id,
		Changes: rosterChanges(&a.Result), Refused: m.refused(), First: firstRows(a),
	}
	if a.Good > 0 {
		view.Label = "Import " + plural(a.Good, "row")
	}
	for _, h := range a.Understood.Headers {
		view.Headers = append(view.Headers, templates.RosterHeader(h))
	}
	return view
}

// missingColumns says what the file does not have, and what that means.
func missingColumns(u *roster.Understood) string {
	var missing []string
	for _, column := range roster.ColumnNames() {
		if !u.Has(column) {
			missing = append(missing, column)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "No column was understood as " + strings.Join(missing, ", ") + ". What is known of a candidate there stays as it is."
}

func previewSummary(r *hall.RosterResult) string {
	switch {
	case r.Rows == 0:
		return "There is no row below the header: nothing can be imported."
	case r.Created+r.Updated+r.Unchanged == 0:
		return "No row can be taken: nothing can be imported."
	case r.Created+r.Updated == 0 && len(r.Rejected) == 0:
		return "Everything in it is on the roster already: importing it would change nothing."
	case len(r.Rejected) > 0:
		return "Nothing is changed yet. The good rows would be taken, the refused ones left out."
	}
	return "Nothing is changed yet."
}

func rosterCounts(r *hall.RosterResult) []templates.RosterCount {
	counts := []templates.RosterCount{
		{Name: "rows", Label: "rows", N: grouped(r.Rows)},
		{Name: "created", Label: "new", N: grouped(r.Created), Kind: "good"},
		{Name: "updated", Label: "changed", N: grouped(r.Updated)},
		{Name: "unchanged", Label: "unchanged", N: grouped(r.Unchanged)},
		{Name: "rejected", Label: "refused", N: grouped(len(r.Rejected))},
	}
	if len(r.Rejected) > 0 {
		counts[4].Kind = "bad"
	}
	return counts
}

func rosterChanges(r *hall.RosterResult) templates.RosterChanges {
	c := templates.RosterChanges{Title: "What would change"}
	if r.Updated > len(r.Changes) {
		c.Title = fmt.Sprintf("What would change: the first %d of %s", len(r.Changes), plural(r.Updated, "candidate"))
	}
	for _, change := range r.Changes {
		for _, column := range change.Columns {
			c.Rows = append(c.Rows, templates.RosterChange{
				Row: strconv.Itoa(change.Row), Candidate: change.Candidate,
				Column: column.Column, Before: column.Before, After: column.After,
			})
		}
	}
	return c
}

func (m rosterMapper) refused() templates.RosterRefused {
	rejected := m.paper.Result.Rejected
	refused := templates.RosterRefused{Title: plural(len(rejected), "refused row"), All: m.url(m.id, "refused.csv")}
	if len(rejected) > refusedShown {
		refused.Title = fmt.Sprintf("The first %d of %s refused rows", refusedShown, grouped(len(rejected)))
		rejected = rejected[:refusedShown]
	}
	for _, r := range rejected {
		refused.Rows = append(refused.Rows, templates.RosterRefusal{Row: strconv.Itoa(r.Row), Column: r.Column, Value: r.Value, Why: r.Message})
	}
	return refused
}

// firstRows shows rows as they were understood, with the columns that the file has.
func firstRows(a *enrol.About) templates.RosterRows {
	rows := templates.RosterRows{Title: "The rows, as they were understood", Columns: []string{"row"}}
	if a.Good > len(a.First) {
		rows.Title = fmt.Sprintf("The first %d of %s, as they were understood", len(a.First), plural(a.Good, "good row"))
	}
	values := map[string]func(r *hall.RosterRow) string{
		"candidate_id": func(r *hall.RosterRow) string { return r.Candidate },
		"name":         func(r *hall.RosterRow) string { return r.Person.Name },
		"id_number":    func(r *hall.RosterRow) string { return r.Person.IDNumber },
		"subjects":     func(r *hall.RosterRow) string { return strings.Join(r.Subjects, "|") },
		"class":        func(r *hall.RosterRow) string { return string(r.Class) },
		"session":      func(r *hall.RosterRow) string { return r.Session },
		"note":         func(r *hall.RosterRow) string { return r.Person.Note },
	}
	var columns []string
	for _, column := range roster.ColumnNames() {
		if a.Understood.Has(column) {
			columns = append(columns, column)
		}
	}
	rows.Columns = append(rows.Columns, columns...)
	for i := range a.First {
		cells := []string{strconv.Itoa(a.First[i].Row)}
		for _, column := range columns {
			cells = append(cells, values[column](&a.First[i]))
		}
		rows.Rows = append(rows.Rows, cells)
	}
	return rows
}

func (m rosterMapper) running() *templates.RosterRunning {
	now := &m.paper.Progress
	view := &templates.RosterRunning{
		File: m.paper.File, URL: m.url(m.id), Taken: now.Taken, All: now.Good,
		BrokenOff: m.paper.State == enrol.Left, ImportURL: m.url("import"), Upload: m.id,
		Text: fmt.Sprintf("%s of %s are taken.", grouped(now.Taken), plural(now.Good, "row")),
	}
	if view.BrokenOff {
		view.Text = fmt.Sprintf("The server stopped after %s of %s. What was taken stays. Go on with it: nothing is taken twice.",
			grouped(now.Taken), plural(now.Good, "row"))
	}
	return view
}

func (m rosterMapper) result() *templates.RosterResult {
	a, now := &m.paper.About, &m.paper.Progress
	view := &templates.RosterResult{
		File: a.File, By: a.By, Counts: rosterCounts(&a.Result), Refused: m.refused(), Again: m.url(),
		Said: fmt.Sprintf("%s added, %s changed, by %s.", plural(a.Result.Created, "candidate"), grouped(a.Result.Updated), a.By),
	}
	if now.Stopped != "" {
		view.Stopped = fmt.Sprintf("%s of %s were taken and stay. %s", grouped(now.Taken), plural(now.Good, "row"), now.Stopped)
	}
	return view
}
