package roster

import (
	"regexp"
	"unicode/utf8"
)

// idNumberLength is the length of an ID number with a check character.
const idNumberLength = 18

// rounded matches a long number that went through a floating-point number and
// lost its last digits: 9.99999E+17, 999999199001010048.0.
var rounded = regexp.MustCompile(`^[+-]?([0-9]+([.,][0-9]+[eE]\+?|[eE]\+)[0-9]{1,3}|[0-9]{16,}[.,]0+)$`)

// idNumber normalises an ID number: x after 17 digits is the check character X.
func idNumber(s string) string {
	s = code(s)
	if len(s) == idNumberLength && s[idNumberLength-1] == 'x' {
		return s[:idNumberLength-1] + "X"
	}
	return s
}

// checkCharacterFits reports whether an ID number of 18 characters ends in the
// check character of ISO 7064 MOD 11-2. Other ID numbers have none.
func checkCharacterFits(id string) bool {
	if utf8.RuneCountInString(id) != idNumberLength {
		return true
	}
	if len(id) != idNumberLength {
		return false
	}
	sum := 0
	for i := range idNumberLength - 1 {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
		sum = (sum + int(id[i]-'0')) * 2
	}
	return id[idNumberLength-1] == "0123456789X"[(12-sum%11)%11]
}
