package roster

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hallcall/hallcall/internal/hall"
)

// What can be wrong with a row.
const (
	codeRequired       = "required"
	codeInvalidID      = "invalid_id"
	codeDuplicate      = "duplicate_in_file"
	codeUnknownSubject = "unknown_subject"
	codeUnknownClass   = "unknown_class"
	codeUnknownSession = "unknown_session"
	codeRounded        = "number_was_rounded"
	codeChecksum       = "id_number_checksum"
	codeTooLong        = "too_long"
	codeUnreadable     = "unreadable_cell"
)

// How many characters a cell may have.
const (
	maxName     = 200
	maxIDNumber = 64
	maxNote     = 2000
	maxShown    = 100 // of a value in the answer
)

// maxLists is how many different lists of subjects are kept while a file is read.
const maxLists = 1000

// rowReader turns records into rows of the roster.
type rowReader struct {
	layout  *hall.Layout
	columns columns
	without []string
	seen    map[string]int      // row by candidate id
	lists   map[string][]string // subjects by cell: many rows share few lists
}

func newRowReader(layout *hall.Layout, c columns) *rowReader {
	return &rowReader{layout: layout, columns: c, without: c.without(), seen: map[string]int{}, lists: map[string][]string{}}
}

// fault is what is wrong with one cell.
type fault struct {
	code, message string
}

func faultf(code, message string, args ...any) *fault {
	return &fault{code: code, message: fmt.Sprintf(message, args...)}
}

func roundedFault() *fault {
	return faultf(codeRounded, "A spreadsheet has rounded this number. Format the column as text and enter it again.")
}

// read reads one record: a good row, or the first thing that is wrong with it.
func (r *rowReader) read(rec record) (hall.RosterRow, *hall.RejectedRow) {
	row := hall.RosterRow{Row: rec.Row, Without: r.without}
	steps := []struct {
		column string
		take   func(row *hall.RosterRow, cell string) *fault
	}{
		{columnCandidate, r.candidate},
		{columnName, r.name},
		{columnIDNumber, r.idNumber},
		{columnSubjects, r.subjects},
		{columnClass, r.class},
		{columnSession, r.session},
		{columnNote, r.note},
	}
	for _, step := range steps {
		cell := r.columns.value(rec, step.column)
		f := cell.fault(step.column)
		if f == nil {
			f = step.take(&row, cell.text)
		}
		if f != nil {
			return hall.RosterRow{}, reject(rec.Row, step.column, cell.text, f)
		}
	}
	if surplus := r.columns.surplus(rec); surplus != "" {
		return hall.RosterRow{}, reject(rec.Row, "", surplus,
			faultf(codeTooLong, "The row has %d fields, the header %d. Put quotation marks around a field that has a separator in it.",
				len(rec.cells), r.columns.width))
	}
	return row, nil
}

func reject(row int, column, cell string, f *fault) *hall.RejectedRow {
	return &hall.RejectedRow{Row: row, Column: column, Value: shown(cell), Code: f.code, Message: f.message}
}

// shown is a cell as an answer shows it.
func shown(cell string) string {
	value := trim(cell)
	if utf8.RuneCountInString(value) > maxShown {
		value = string([]rune(value)[:maxShown]) + "…"
	}
	return value
}

func (r *rowReader) candidate(row *hall.RosterRow, cell string) *fault {
	id := code(cell)
	switch {
	case id == "":
		return faultf(codeRequired, "The row has no candidate number.")
	case rounded.MatchString(id):
		return roundedFault()
	case utf8.RuneCountInString(id) > hall.MaxIDLength:
		return faultf(codeTooLong, "A candidate number has at most %d characters.", hall.MaxIDLength)
	}
	if strings.ContainsFunc(id, isUnseen) {
		return faultf(codeInvalidID, "The candidate number has a character that cannot be seen.")
	}
	if wrong := hall.IDFault(id); wrong != "" {
		return faultf(codeInvalidID, "The candidate number %s.", wrong)
	}
	if first, ok := r.seen[id]; ok {
		return faultf(codeDuplicate, "Row %d has the same candidate number.", first)
	}
	r.seen[id] = row.Row
	row.Candidate = id
	return nil
}

func (r *rowReader) name(row *hall.RosterRow, cell string) *fault {
	row.Person.Name = personName(cell)
	return tooLong(row.Person.Name, maxName)
}

func (r *rowReader) idNumber(row *hall.RosterRow, cell string) *fault {
	id := idNumber(cell)
	row.Person.IDNumber = id
	switch {
	case rounded.MatchString(id):
		return roundedFault()
	case strings.ContainsFunc(id, unicode.IsControl):
		return faultf(codeInvalidID, "The ID number has a control character.")
	case strings.ContainsFunc(id, isUnseen):
		return faultf(codeInvalidID, "The ID number has a character that cannot be seen.")
	case !checkCharacterFits(id):
		return faultf(codeChecksum, "The check character at the end does not fit this ID number.")
	}
	return tooLong(id, maxIDNumber)
}

// subjectSeparators stand between the codes of a list, besides blanks.
const subjectSeparators = "|、,;，；｜"

func (r *rowReader) subjects(row *hall.RosterRow, cell string) *fault {
	if known, ok := r.lists[cell]; ok {
		row.Subjects = known
		return nil
	}
	listed := strings.FieldsFunc(cell, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune(subjectSeparators, c)
	})
	for _, item := range listed {
		subject, ok := r.subject(item)
		if !ok {
			return faultf(codeUnknownSubject, "%s is not a subject of this hall.", shorten(item))
		}
		if !slices.Contains(row.Subjects, subject) {
			row.Subjects = append(row.Subjects, subject)
		}
	}
	if len(row.Subjects) == 0 {
		return faultf(codeRequired, "The row has no subject.")
	}
	row.Subjects = slices.Clip(row.Subjects) // rows share it
	if len(r.lists) < maxLists {
		r.lists[cell] = row.Subjects
	}
	return nil
}

// subject finds the code of the layout that is written so, or so in plain width.
func (r *rowReader) subject(written string) (string, bool) {
	for _, s := range []string{trim(written), code(written)} {
		if _, ok := r.layout.Subject(s); ok {
			return s, true
		}
	}
	return "", false
}

func (r *rowReader) class(row *hall.RosterRow, cell string) *fault {
	class, known := readClass(cell)
	if !known {
		return faultf(codeUnknownClass, "%s is not a class: use management, vip, priority or normal.", shorten(trim(cell)))
	}
	row.Class = class
	return nil
}

func (r *rowReader) session(row *hall.RosterRow, cell string) *fault {
	written := code(cell)
	if written == "" {
		return nil
	}
	for _, s := range r.layout.Sessions {
		if s.Code == written || s.Code == trim(cell) {
			row.Session = s.Code
			return nil
		}
	}
	return faultf(codeUnknownSession, "%s is not a session of this hall.", shorten(written))
}

func (r *rowReader) note(row *hall.RosterRow, cell string) *fault {
	row.Person.Note = remark(cell)
	return tooLong(row.Person.Note, maxNote)
}

func tooLong(text string, limit int) *fault {
	if n := utf8.RuneCountInString(text); n > limit {
		return faultf(codeTooLong, "The text has %d characters, at most %d are kept.", n, limit)
	}
	return nil
}

// shorten keeps a message short, whatever the cell holds.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= 40 {
		return s
	}
	return string([]rune(s)[:40]) + "…"
}
