package hall

import (
	"strings"
	"unicode/utf8"
)

// MaskName leaves the first character of a name: enough to know oneself, too
// little to know others.
func MaskName(name string) string {
	name = strings.TrimSpace(name)
	_, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return name[:size] + "**"
}

// MaskIDNumber leaves the last four characters of an ID number, none of one
// with fewer than eight.
func MaskIDNumber(id string) string {
	runes := []rune(id)
	if len(runes) < 8 {
		return strings.Repeat("•", len(runes))
	}
	return strings.Repeat("•", len(runes)-4) + string(runes[len(runes)-4:])
}
