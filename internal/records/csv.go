package records

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteCSV writes a table as RFC 4180 says, in UTF-8 with a mark at the
// beginning, by which spreadsheets know it. Texts stand in quotes, numbers do
// not. Times are of the hall's zone, with their offset from UTC.
func WriteCSV(w io.Writer, t Table) error {
	out := bufio.NewWriter(w)
	_, _ = out.WriteString("\ufeff") // errors of a bufio.Writer stay until Flush
	for i, c := range t.Columns {
		writeSeparator(out, i)
		writeQuoted(out, c.Name)
	}
	_, _ = out.WriteString("\r\n")
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		for i, cell := range row {
			writeSeparator(out, i)
			if !cell.Empty {
				t.writeCell(out, t.Columns[i].Kind, cell)
			}
		}
		if _, err := out.WriteString("\r\n"); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (t *Table) writeCell(out *bufio.Writer, kind Kind, cell Cell) {
	switch kind {
	case Text:
		writeQuoted(out, harmless(cell.Text))
	case Number:
		_, _ = out.WriteString(plain(cell.Number))
	case Time:
		_, _ = out.WriteString(cell.Time.In(t.Zone).Format("2006-01-02T15:04:05-07:00"))
	}
}

func writeSeparator(out *bufio.Writer, i int) {
	if i > 0 {
		_ = out.WriteByte(',')
	}
}

// writeQuoted writes a text. Lines of one end as those of the file do.
func writeQuoted(out *bufio.Writer, text string) {
	_ = out.WriteByte('"')
	_, _ = out.WriteString(strings.ReplaceAll(strings.ReplaceAll(text, `"`, `""`), "\n", "\r\n"))
	_ = out.WriteByte('"')
}

// formulaSigns begin what spreadsheets take for a formula, in the widths of East Asian type too.
const formulaSigns = "=+-@\t\r\n＝＋－＠"

// harmless is a text that no spreadsheet takes for a formula: one that could
// begin one gets an apostrophe in front. Blanks in front do not hide a sign.
func harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \u00a0\u3000"))
	if !strings.ContainsRune(formulaSigns, first) { // the rune of an empty text is none of them
		return text
	}
	return "'" + text
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
