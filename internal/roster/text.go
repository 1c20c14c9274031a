package roster

import "strings"

// separators are those that spreadsheets write, the likeliest first.
var separators = []byte{',', ';', '\t'}

// openText reads the header of a text in the encoding in which it makes sense.
func openText(data []byte) (columns, source, error) {
	text, err := decode(data)
	var found columns
	var body source
	if err == nil {
		found, body, err = openDecoded(text)
	}
	if !text.guessed {
		return found, body, err
	}
	known := len(found.index)
	if err != nil {
		known = 0
	}
	if other, rows, ok := openRussian(data, known); ok {
		return other, rows, nil
	}
	if err == nil && hardlyChinese(data) {
		return columns{}, nil, invalid("The headers do not tell how the names are encoded, and they are hardly Chinese. Save the file as CSV (UTF-8).")
	}
	return found, body, err
}

// openRussian reads the header of a text as Russian Windows writes it. Whatever
// is neither UTF-8 nor UTF-16 was read as GB18030 before, with so many known
// columns: only Russian headers that say more than that speak against it.
func openRussian(data []byte, known int) (columns, source, bool) {
	text, ok := decodeRussian(data)
	if !ok {
		return columns{}, nil, false
	}
	found, body, err := openDecoded(text)
	return found, body, err == nil && found.cyrillic && len(found.index) > known
}

// openDecoded reads the header of a text with the separator that finds it first
// and makes the most of it.
func openDecoded(t decoded) (columns, source, error) {
	text := strings.ReplaceAll(t.text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	var best columns
	var body *scanner
	var failure error
	for _, separator := range separators {
		s := &scanner{text: text, separator: separator}
		found, err := readHeader(s)
		if err == nil {
			err = found.check()
		}
		if body == nil || better(found, err, best, failure) {
			best, body, failure = found, s, err
			best.width = len(s.cells)
			best.understood.Format, best.understood.Encoding, best.understood.Separator = Text, t.encoding, separator
		}
	}
	return best, body, failure
}

// better reports whether a header is to be preferred to the one found so far.
func better(found columns, err error, best columns, failure error) bool {
	switch {
	case (err == nil) != (failure == nil):
		return err == nil
	case err == nil && found.row != best.row:
		return found.row < best.row
	}
	return len(found.index) > len(best.index)
}
