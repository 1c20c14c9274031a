package roster

import "strings"

// separators are those that spreadsheets write, the likeliest first.
var separators = []byte{',', ';', '\t'}

// openText reads the header of a text with the separator that finds it first
// and makes the most of it.
func openText(data []byte) (columns, source, error) {
	text, err := decode(data)
	if err != nil {
		return columns{}, nil, err
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
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
