package roster

// cellKind says what a cell has, besides its text, that a roster cannot take.
type cellKind uint8

const (
	cellText    cellKind = iota
	cellRounded          // a number whose last digits a spreadsheet does not keep
	cellDate             // a date or time; the text is its usual form
	cellBroken           // the error of a formula; the text is its name
	cellPending          // a formula without a stored result
)

// cell is one cell of a file.
type cell struct {
	text string
	kind cellKind
}

// blank reports whether there is nothing in a cell.
func (c cell) blank() bool { return c.kind == cellText && trim(c.text) == "" }

// fault says why a cell cannot be taken for a column, nil if it can. A date is
// text where text is free.
func (c cell) fault(column string) *fault {
	switch c.kind {
	case cellText:
		return nil
	case cellRounded:
		return roundedFault()
	case cellDate:
		if column == columnName || column == columnNote {
			return nil
		}
		return faultf(codeUnreadable, "A spreadsheet has made a date of this. Format the column as text and enter it again.")
	case cellBroken:
		return faultf(codeUnreadable, "The formula in this cell has an error.")
	case cellPending:
		return faultf(codeUnreadable, "The formula in this cell has no stored result. Open the file in a spreadsheet program and save it.")
	}
	return nil
}

// record is one row of a file. Row is its number as a spreadsheet shows it. The
// cells are those of the next record as soon as that is read.
type record struct {
	Row   int
	cells []cell
}

// blank reports whether no cell has anything.
func (r record) blank() bool {
	for _, c := range r.cells {
		if !c.blank() {
			return false
		}
	}
	return true
}

// source gives the rows of a file, one after the other; ok is false at the end.
type source interface {
	next() (r record, ok bool, err error)
}

// nextFilled returns the next record that has anything.
func nextFilled(s source) (record, bool, error) {
	for {
		r, ok, err := s.next()
		if err != nil || !ok || !r.blank() {
			return r, ok, err
		}
	}
}
