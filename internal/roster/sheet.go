package roster

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// The size of a sheet, and how many of its columns are looked at: headers
// further to the right are none.
const (
	maxSheetRows    = 1 << 20
	maxSheetColumns = 1 << 14
	maxColumns      = 1000
)

// sheet gives the rows of a sheet. Hidden rows and columns are rows and columns
// like others: they are what a filter leaves, and would be in the CSV too.
type sheet struct {
	book   *workbook
	markup *markup
	row    int
	cells  []cell
}

// sheet opens a sheet.
func (w *workbook) sheet(name string) (*sheet, error) {
	m, err := w.parts.open(name)
	if err == nil && m == nil {
		err = damaged(name)
	}
	return &sheet{book: w, markup: m}, err
}

func (s *sheet) next() (record, bool, error) {
	for {
		token, err := s.markup.next()
		if err != nil {
			return record{}, false, err
		}
		switch t := token.(type) {
		case nil:
			return record{}, false, s.damaged()
		case xml.StartElement:
			if t.Name.Local == "row" {
				r, err := s.read(&t)
				return r, err == nil, err
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				return record{}, false, s.markup.finish()
			}
		}
	}
}

func (s *sheet) damaged() error { return damaged(s.markup.part) }

// read reads the cells of a row.
func (s *sheet) read(row *xml.StartElement) (record, error) {
	before := s.row
	s.row++
	if number := attribute(row, "r"); number != "" {
		s.row, _ = strconv.Atoi(number)
	}
	if s.row <= before || s.row > maxSheetRows {
		return record{}, s.damaged()
	}
	s.cells = s.cells[:0]
	column := -1
	for {
		token, err := s.markup.next()
		if err != nil {
			return record{}, err
		}
		switch t := token.(type) {
		case nil:
			return record{}, s.damaged()
		case xml.EndElement:
			if t.Name.Local == "row" {
				return record{s.row, s.cells}, nil
			}
		case xml.StartElement:
			if t.Name.Local != "c" {
				continue
			}
			if column, err = s.cell(&t, column); err != nil {
				return record{}, err
			}
		}
	}
}

// cell reads a cell right of the column before, and returns its column.
func (s *sheet) cell(tag *xml.StartElement, before int) (int, error) {
	column := before + 1
	if address := attribute(tag, "r"); address != "" {
		column = columnOf(address)
	}
	if column <= before || column >= maxSheetColumns {
		return 0, s.damaged()
	}
	style := attribute(tag, "s")
	c, err := s.content(attribute(tag, "t"), style)
	if err != nil || column >= maxColumns || c.blank() {
		return column, err
	}
	for len(s.cells) < column {
		s.cells = append(s.cells, cell{})
	}
	s.cells = append(s.cells, c)
	return column, nil
}

// content reads what stands in a cell up to its end.
func (s *sheet) content(kind, style string) (cell, error) {
	m := s.markup
	m.buffer = m.buffer[:0]
	hasFormula, inValue := false, false
	for {
		token, err := m.next()
		switch t := token.(type) {
		case nil:
			if err == nil {
				err = s.damaged()
			}
			return cell{}, err
		case xml.StartElement:
			inValue = t.Name.Local == "v"
			hasFormula = hasFormula || t.Name.Local == "f"
			if t.Name.Local == "is" && kind == inline {
				return s.inline()
			}
		case xml.CharData:
			if !inValue {
				continue
			}
			if err := m.keep(t); err != nil {
				return cell{}, err
			}
		case xml.EndElement:
			inValue = false
			if t.Name.Local == "c" {
				return s.cellOf(kind, style, string(m.buffer), hasFormula)
			}
		}
	}
}

// inline is the type of a cell whose text stands in it.
const inline = "inlineStr"

// inline reads the text of a cell, and on to the end of the cell.
func (s *sheet) inline() (cell, error) {
	text, err := s.markup.text("is")
	for err == nil {
		var token xml.Token
		token, err = s.markup.next()
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "c" {
			return cell{text: text}, nil
		}
		if token == nil && err == nil {
			err = s.damaged()
		}
	}
	return cell{}, err
}

// cellOf makes a cell of what stands in it, by the type that it says it has.
func (s *sheet) cellOf(kind, style, value string, hasFormula bool) (cell, error) {
	switch kind {
	case inline: // of no text
		return cell{}, nil
	case "str":
		return cell{text: unescape(value)}, nil
	}
	value = strings.TrimSpace(value)
	switch {
	case value == "" && hasFormula:
		return cell{kind: cellPending}, nil
	case value == "":
		return cell{}, nil
	}
	switch kind {
	case "s":
		shared, ok := s.book.shared.at(value)
		if !ok {
			return cell{}, s.damaged()
		}
		return cell{text: shared}, nil
	case "", "n":
		return number(value, s.book.format(style), s.book.from1904), nil
	case "b":
		return cell{text: map[string]string{"0": "FALSE", "1": "TRUE"}[value]}, nil
	case "d":
		return cell{value, cellDate}, nil
	case "e":
		return cell{value, cellBroken}, nil
	}
	return cell{}, s.damaged()
}

// format returns the format of a style by its number.
func (w *workbook) format(style string) format {
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(w.formats) {
		return w.formats[i]
	}
	return format{}
}

// columnOf returns the column of an address such as AB12, from 0; -1 if it is none.
func columnOf(address string) int {
	column := 0
	for i := range len(address) {
		letter := address[i]
		switch {
		case letter >= 'a' && letter <= 'z':
			letter -= 'a' - 'A'
		case letter < 'A' || letter > 'Z':
			return column - 1
		}
		column = column*26 + int(letter-'A') + 1
		if column > maxSheetColumns {
			break
		}
	}
	return column - 1
}
