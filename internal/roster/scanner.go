package roster

import "strings"

// maxCell is how many bytes a cell may have. Spreadsheets keep 32,767
// characters; what is longer is no cell, but a file that is no roster or a
// quotation mark that is closed far below.
const maxCell = 128 << 10

// scanner splits text into records as spreadsheets do: a field that begins
// with a quotation mark runs to the closing one, a doubled one stands for
// itself, and one in the middle of an unquoted field is a character like
// others. Blank rows count, a line break within a quoted field does not.
type scanner struct {
	text      string
	separator byte
	row       int
	at        int
	cells     []cell
}

func (s *scanner) next() (r record, ok bool, err error) {
	if s.at >= len(s.text) {
		return record{}, false, nil
	}
	s.row++
	s.cells = s.cells[:0]
	for {
		field, err := s.field()
		if err != nil {
			return record{}, false, err
		}
		s.cells = append(s.cells, cell{text: field})
		if s.at >= len(s.text) {
			return record{s.row, s.cells}, true, nil
		}
		end := s.text[s.at]
		s.at++
		if end == '\n' {
			return record{s.row, s.cells}, true, nil
		}
	}
}

// field reads up to, not including, the next separator or line break.
func (s *scanner) field() (string, error) {
	quoted := ""
	if s.at < len(s.text) && s.text[s.at] == '"' {
		s.at++
		var err error
		if quoted, err = s.quoted(); err != nil {
			return "", err
		}
	}
	rest, err := s.unquoted()
	if quoted == "" {
		return rest, err
	}
	return quoted + rest, err
}

// unquoted reads the rest of a field that has no more quotation marks of its own.
func (s *scanner) unquoted() (string, error) {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] != s.separator && s.text[s.at] != '\n' {
		if s.at-start >= maxCell {
			return "", s.tooLong()
		}
		s.at++
	}
	return s.text[start:s.at], nil
}

// quoted reads the rest of a quoted field with its closing quotation mark.
func (s *scanner) quoted() (string, error) {
	var doubled strings.Builder
	for {
		n := strings.IndexByte(s.text[s.at:], '"')
		if n < 0 {
			return "", invalid("Row %d: a quotation mark is opened and never closed.", s.row)
		}
		if n+doubled.Len() > maxCell {
			return "", s.tooLong()
		}
		part := s.text[s.at : s.at+n]
		s.at += n + 1
		if s.at >= len(s.text) || s.text[s.at] != '"' {
			if doubled.Len() == 0 {
				return part, nil
			}
			return doubled.String() + part, nil
		}
		doubled.WriteString(part)
		doubled.WriteByte('"')
		s.at++
	}
}

func (s *scanner) tooLong() error {
	return invalid("Row %d has a field of more than %d bytes. Is a quotation mark not closed?", s.row, maxCell)
}
