package roster

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	byteOrderMark = "\xef\xbb\xbf"
	zipSignature  = "PK\x03\x04" // of a spreadsheet file
)

// decode turns the bytes of a file into text with \n at the end of each line.
func decode(data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return "", invalid("The file is empty.")
	case bytes.HasPrefix(data, []byte(zipSignature)):
		return "", invalid("This is a spreadsheet file, not text. Save it as CSV (UTF-8).")
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return "", invalid("The file is not text in UTF-8. Save it as CSV (UTF-8).")
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return strings.ReplaceAll(text, "\r", "\n"), nil
}
