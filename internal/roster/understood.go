package roster

import (
	"strings"

	"github.com/hallcall/hallcall/internal/hall"
)

// Understood says what a file was read as.
type Understood struct {
	Format    Format
	Encoding  string // of a text, such as "GB18030"; "" for a workbook
	Separator byte   // of a text, 0 for a workbook
	Sheet     string // of a workbook, "" for a text
	HeaderRow int    // as a spreadsheet counts
	Headers   []Header
}

// Header is a header of the file that has a text.
type Header struct {
	Place  string // the letter that a spreadsheet has for the column
	Text   string // as it stands in the file, at most maxShown characters
	Column string // what it was understood as, "" for a column that is ignored
}

// Reading is a roster as it was read for a hall.
type Reading struct {
	Understood

	Rows     []hall.RosterRow   // good ones, to be taken
	Rejected []hall.RejectedRow // the others, with the first thing that is wrong with each
	Total    int                // of both; rows without any text are none
}

// maxHeaders is how many headers are told: what is ignored may be very much.
const maxHeaders = 100

// headersOf tells what the cells of a header row were understood as.
func headersOf(r record, index map[string]int) []Header {
	byCell := map[int]string{}
	for column, cell := range index {
		byCell[cell] = column
	}
	var headers []Header
	for i, cell := range r.cells {
		column := byCell[i]
		if cell.blank() || (column == "" && len(headers) >= maxHeaders) {
			continue
		}
		headers = append(headers, Header{Place: letters(i), Text: shown(cell.text), Column: column})
	}
	return headers
}

// letters is the name that spreadsheets give to a column: A, …, Z, AA.
func letters(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// ColumnNames lists the columns of a roster.
func ColumnNames() []string { return append([]string(nil), columnNames...) }

// known are the columns that the file has, in the usual order.
func (u *Understood) known() []string {
	var known []string
	for _, name := range columnNames {
		for _, h := range u.Headers {
			if h.Column == name {
				known = append(known, name)
			}
		}
	}
	return known
}

// Has reports whether the file has a column.
func (u *Understood) Has(column string) bool {
	for _, name := range u.known() {
		if name == column {
			return true
		}
	}
	return false
}

// Ignored are the texts of headers that are no column of a roster.
func (u *Understood) Ignored() []string {
	var ignored []string
	for _, h := range u.Headers {
		if h.Column == "" {
			ignored = append(ignored, h.Text)
		}
	}
	return ignored
}

// Words says in one line what kind of file it is.
func (u *Understood) Words() string {
	if u.Format == Workbook {
		return "Excel workbook (xlsx), sheet " + u.Sheet
	}
	between := map[byte]string{',': "commas", ';': "semicolons", '\t': "tabs"}[u.Separator]
	return strings.Join([]string{"Text in " + u.Encoding, "with " + between + " between the columns"}, ", ")
}
