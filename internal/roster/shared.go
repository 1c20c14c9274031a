package roster

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxShared is how many bytes of text a workbook may keep apart from its sheets.
const maxShared = 64 << 20

// shared are the texts that cells refer to by their number: all in one string,
// with the end of each, since there may be many.
type shared struct {
	text string
	ends []uint32
}

// at returns a text by its number as a cell has it.
func (s *shared) at(number string) (string, bool) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(s.ends) {
		return "", false
	}
	begin := uint32(0)
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.text[begin:s.ends[i]], true
}

// readShared reads the shared texts of a workbook.
func readShared(p *parts, name string) (shared, error) {
	m, err := p.open(name)
	if err != nil || m == nil {
		return shared{}, err
	}
	var all strings.Builder
	var ends []uint32
	for {
		token, err := m.next()
		if err != nil {
			return shared{}, err
		}
		if token == nil {
			return shared{all.String(), ends}, m.finish()
		}
		if tag, ok := token.(xml.StartElement); !ok || tag.Name.Local != "si" {
			continue
		}
		text, err := m.text("si")
		if err != nil {
			return shared{}, err
		}
		if all.Len()+len(text) > p.texts {
			return shared{}, invalid("The workbook has more than %d bytes of text: it is no roster.", p.texts)
		}
		all.WriteString(text)
		ends = append(ends, uint32(all.Len())) //nolint:gosec // at most maxShared
	}
}

// text reads what stands in an element up to its end: its runs one after the
// other, without the readings that may stand above them.
func (m *markup) text(element string) (string, error) {
	m.buffer = m.buffer[:0]
	inText, inReading := false, false
	for {
		token, err := m.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case nil:
			return "", damaged(m.part)
		case xml.StartElement:
			inText = t.Name.Local == "t"
			inReading = inReading || t.Name.Local == "rPh"
		case xml.EndElement:
			switch t.Name.Local {
			case element:
				return unescape(string(m.buffer)), nil
			case "rPh":
				inReading = false
			}
			inText = false
		case xml.CharData:
			if !inText || inReading {
				continue
			}
			if err := m.keep(t); err != nil {
				return "", err
			}
		}
	}
}

// unescape turns the characters that XML cannot have back into themselves:
// workbooks write them as _x000D_.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		const length = len("_x000D_")
		if len(s) >= length && s[length-1] == '_' {
			if code, err := strconv.ParseUint(s[2:length-1], 16, 16); err == nil && utf8.ValidRune(rune(code)) {
				b.WriteRune(rune(code))
				s = s[length:]
				continue
			}
		}
		b.WriteString(s[:2])
		s = s[2:]
	}
}
