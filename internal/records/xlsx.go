package records

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of spreadsheets.
const (
	sheetRows = 1 << 20 // with the header
	cellRunes = 32767
)

// Cell formats, by their place in the styles of the workbook.
const (
	styleNumber = 0
	styleHeader = 1
	styleText   = 2 // stays text also when somebody edits it
	styleTime   = 3
)

// WriteXLSX writes a table as a workbook with one sheet, row by row: neither the
// table nor a name is kept in memory or in a temporary file. Every text is a
// text cell, so nothing is a formula; times are dates of the hall's clock. Rows
// that no sheet can hold go on in another one.
func WriteXLSX(w io.Writer, t Table) error { return writeXLSX(w, t, sheetRows) }

func writeXLSX(w io.Writer, t Table, rows int) error {
	book := workbook{zip: zip.NewWriter(w), table: &t, limit: rows}
	if err := book.open(); err != nil {
		return err
	}
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		if book.row == book.limit {
			if err := book.next(); err != nil {
				return err
			}
		}
		if err := book.write(row); err != nil {
			return err
		}
	}
	if err := book.end(); err != nil {
		return err
	}
	return book.zip.Close()
}

// workbook is one that is being written. Its sheets come first, since only then it is known how many there are.
type workbook struct {
	zip    *zip.Writer
	out    *bufio.Writer
	table  *Table
	limit  int // rows of a sheet
	sheets int
	row    int // the last one written
}

func (b *workbook) open() error {
	b.sheets++
	b.row = 1
	part, err := b.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", b.sheets))
	if err != nil {
		return err
	}
	b.out = bufio.NewWriter(part)
	b.print(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, c := range b.table.Columns {
		b.print(fmt.Sprintf(`<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, c.width()))
	}
	b.print(`</cols><sheetData><row r="1">`)
	for i, c := range b.table.Columns {
		b.text(i, styleHeader, c.Name)
	}
	b.print(`</row>`)
	return nil
}

// width of a column in characters.
func (c *Column) width() int {
	switch {
	case c.Wide:
		return 40
	case c.Kind == Time:
		return max(20, utf8.RuneCountInString(c.Name)+2)
	}
	return max(14, utf8.RuneCountInString(c.Name)+2)
}

func (b *workbook) write(row []Cell) error {
	b.row++
	b.print(`<row r="` + strconv.Itoa(b.row) + `">`)
	for i, cell := range row {
		if cell.Empty {
			continue
		}
		switch b.table.Columns[i].Kind {
		case Text:
			b.text(i, styleText, cell.Text)
		case Number:
			b.value(i, styleNumber, plain(cell.Number))
		case Time:
			b.value(i, styleTime, strconv.FormatFloat(serial(cell.Time.In(b.table.Zone)), 'f', 8, 64))
		}
	}
	b.print(`</row>`)
	_, err := b.out.WriteString("\n")
	return err
}

func (b *workbook) print(s string) { _, _ = b.out.WriteString(s) } // errors of a bufio.Writer stay

func (b *workbook) value(column, style int, value string) {
	b.print(fmt.Sprintf(`<c r="%s%d" s="%d"><v>%s</v></c>`, letters(column), b.row, style, value))
}

func (b *workbook) text(column, style int, text string) {
	b.print(fmt.Sprintf(`<c r="%s%d" s="%d" t="inlineStr"><is><t xml:space="preserve">`, letters(column), b.row, style))
	_ = xml.EscapeText(b.out, []byte(spelled(shortened(text)))) // the same
	b.print(`</t></is></c>`)
}

// shortened is as much of a text as a cell holds; all of it is in the other formats.
func shortened(text string) string {
	if len(text) <= cellRunes {
		return text
	}
	units := 0 // spreadsheets count in UTF-16
	for i, r := range text {
		units++
		if r > 0xffff {
			units++
		}
		if units >= cellRunes {
			return text[:i] + "…"
		}
	}
	return text
}

// escaped is what spreadsheets read as a character of that number.
var escaped = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

// spelled is a text that spreadsheets read as it is.
func spelled(text string) string { return escaped.ReplaceAllString(text, `_x005F_$1`) }

// letters name a column, from 0: A to Z, then AA.
func letters(column int) string {
	if column < 26 {
		return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column : column+1]
	}
	return letters(column/26-1) + letters(column%26)
}

// serial is a time on the wall clock as spreadsheets count: in days.
func serial(t time.Time) float64 {
	wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	return wall.Sub(time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
}

func (b *workbook) close() error {
	b.print(`</sheetData></worksheet>`)
	return b.out.Flush()
}

// next goes on in another sheet.
func (b *workbook) next() error {
	if err := b.close(); err != nil {
		return err
	}
	return b.open()
}

// end writes what says which sheets there are and how cells look.
func (b *workbook) end() error {
	if err := b.close(); err != nil {
		return err
	}
	var types, sheets, relations strings.Builder
	for n := 1; n <= b.sheets; n++ {
		name := b.table.Title
		if n > 1 {
			name = fmt.Sprintf("%s %d", name, n)
		}
		fmt.Fprintf(&types, sheetType, n)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, n, n)
		fmt.Fprintf(&relations, sheetRelation, n, n)
	}
	for _, part := range []struct{ name, text string }{
		{"xl/workbook.xml", fmt.Sprintf(workbookPart, sheets.String())},
		{"xl/_rels/workbook.xml.rels", fmt.Sprintf(relationsPart, relations.String(), b.sheets+1)},
		{"xl/styles.xml", stylesPart},
		{"_rels/.rels", rootPart},
		{"[Content_Types].xml", fmt.Sprintf(typesPart, types.String())},
	} {
		out, err := b.zip.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, xml.Header+part.text); err != nil {
			return err
		}
	}
	return nil
}
