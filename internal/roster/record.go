package roster

import "strings"

// record is one row of the file. Row is its number as a spreadsheet shows it:
// blank rows count, a line break within a quoted field does not.
type record struct {
	Row    int
	Fields []string
}

// blank reports whether no field has any text.
func (r record) blank() bool {
	for _, f := range r.Fields {
		if strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

// scanner splits text into records as spreadsheets do: a field that begins
// with a quotation mark runs to the closing one, a doubled one stands for
// itself, and one in the middle of an unquoted field is a character like others.
type scanner struct {
	text      string
	separator byte
	row       int
	at        int
}

// next returns the next record; ok is false at the end of the text.
func (s *scanner) next() (r record, ok bool, err error) {
	if s.at >= len(s.text) {
		return record{}, false, nil
	}
	s.row++
	r.Row = s.row
	for {
		field, err := s.field()
		if err != nil {
			return record{}, false, err
		}
		r.Fields = append(r.Fields, field)
		if s.at >= len(s.text) {
			return r, true, nil
		}
		end := s.text[s.at]
		s.at++
		if end == '\n' {
			return r, true, nil
		}
	}
}

// field reads up to, not including, the next separator or line break.
func (s *scanner) field() (string, error) {
	var b strings.Builder
	if s.at < len(s.text) && s.text[s.at] == '"' {
		s.at++
		if err := s.quoted(&b); err != nil {
			return "", err
		}
	}
	start := s.at
	for s.at < len(s.text) && s.text[s.at] != s.separator && s.text[s.at] != '\n' {
		s.at++
	}
	b.WriteString(s.text[start:s.at])
	return b.String(), nil
}

// quoted reads the rest of a quoted field with its closing quotation mark.
func (s *scanner) quoted(b *strings.Builder) error {
	for {
		n := strings.IndexByte(s.text[s.at:], '"')
		if n < 0 {
			return invalid("Row %d: a quotation mark is opened and never closed.", s.row)
		}
		b.WriteString(s.text[s.at : s.at+n])
		s.at += n + 1
		if s.at >= len(s.text) || s.text[s.at] != '"' {
			return nil
		}
		b.WriteByte('"')
		s.at++
	}
}

// firstRecord returns the first record that has any text.
func (s *scanner) firstRecord() (record, error) {
	for {
		r, ok, err := s.next()
		if err != nil || !ok {
			return record{}, err
		}
		if !r.blank() {
			return r, nil
		}
	}
}

// rest returns the records up to the end, without blank ones.
func (s *scanner) rest() ([]record, error) {
	var records []record
	for {
		r, ok, err := s.next()
		if err != nil || !ok {
			return records, err
		}
		if !r.blank() {
			records = append(records, r)
		}
	}
}
