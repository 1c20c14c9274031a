package roster

import (
	"strings"
	"unicode"
)

// The full-width forms of ASCII, and the blank of the same width.
const (
	fullWidthFirst = '！'
	fullWidthLast  = '～'
	fullWidthBlank = '\u3000'
	fullWidthShift = fullWidthFirst - '!'
)

// foldWidth turns full-width characters into the plain ones.
func foldWidth(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	switch {
	case r >= fullWidthFirst && r <= fullWidthLast:
		return r - fullWidthShift
	case r == fullWidthBlank:
		return ' '
	}
	return r
}

// trim removes blanks at both ends, and what cannot be seen there.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || isUnseen(r) })
}

// isUnseen reports whether a character is one of those that come along when
// text is copied: marks of direction, blanks of no width.
func isUnseen(r rune) bool { return unicode.Is(unicode.Cf, r) }

// code normalises a number, code or word: plain width, no outer blanks.
func code(s string) string { return trim(foldWidth(s)) }

// personName normalises a name: letters, digits and blanks of plain width, one
// line. Signs of names, such as the middle dot or brackets, stay as they are.
func personName(s string) string {
	return trim(strings.Map(func(r rune) rune {
		folded := foldRune(r)
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.IsLetter(folded) || unicode.IsDigit(folded) || folded == ' ':
			return folded
		}
		return r
	}, s))
}

// remark normalises free text: its lines stay, other control characters do not.
func remark(s string) string {
	return trim(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, s))
}
