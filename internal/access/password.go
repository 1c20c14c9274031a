package access

import (
	_ "embed"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths of a password: the least in characters, the most in bytes.
const (
	MinPassword = 10
	MaxPassword = 1024
)

// Errors of passwords that cannot be taken; their words are for people.
var (
	// ErrPassword says that a password has the wrong length or is no text.
	ErrPassword = errors.New("a password must have at least 10 characters and at most 1024 bytes of text")
	// ErrCommon says that a password is one that people guess first.
	ErrCommon = errors.New("this password is among the first that are guessed: take another one")
	// ErrPlain says that a password has next to nothing in it.
	ErrPlain = errors.New("this password repeats itself or goes along the keyboard: take another one")
	// ErrNamed says that a password is made of names that everybody knows.
	ErrNamed = errors.New("this password is made of the name of the user or the hall: take another one")
)

// commonWords are what the commonest passwords are made of, in lower case.
//
//go:embed common.txt
var commonWords string

// rows are characters that follow each other: in the alphabet, on keyboards.
var rows = []string{
	"abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
	"йцукенгшщзхъ", "фывапролджэ", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
}

// longestRow is how many characters the longest of the rows has.
const longestRow = 40

// CheckPassword says why a password cannot be taken, nil if it can; names are
// those that it must not be made of.
func CheckPassword(password string, names ...string) error {
	if !usable(password) {
		return ErrPassword
	}
	plain := strings.ToLower(password)
	for _, name := range names {
		if name = strings.ToLower(name); utf8.RuneCountInString(name) >= 3 && padded(plain, name) {
			return ErrNamed
		}
	}
	if repeats(plain) || runs(plain) {
		return ErrPlain
	}
	for _, word := range strings.Fields(commonWords) {
		if padded(plain, word) || padded(unleet.Replace(plain), word) {
			return ErrCommon
		}
	}
	return nil
}

func usable(password string) bool {
	return utf8.RuneCountInString(password) >= MinPassword && len(password) <= MaxPassword && utf8.ValidString(password) &&
		!strings.ContainsFunc(password, unicode.IsControl)
}

// unleet reads digits and signs as the letters that people put them for.
var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// padded reports whether a password is a word, repeated perhaps, with hardly
// more to it than a year or a sign: what is left has less than five characters,
// or none but digits and signs.
func padded(password, word string) bool {
	if !strings.Contains(password, word) {
		return false
	}
	rest := strings.ReplaceAll(password, word, "")
	return utf8.RuneCountInString(rest) < 5 || !strings.ContainsFunc(rest, unicode.IsLetter)
}

// repeats reports whether a password has fewer than five different characters,
// or is one piece again and again.
func repeats(password string) bool {
	different := map[rune]bool{}
	for _, r := range password {
		different[r] = true
	}
	if len(different) < 5 {
		return true
	}
	for length := 1; length <= len(password)/2; length++ {
		if piece := password[:length]; strings.Repeat(piece, len(password)/length)+piece[:len(password)%length] == password {
			return true
		}
	}
	return false
}

// runs reports whether a password goes along rows, forwards or backwards, with
// fewer than four characters that do not.
func runs(password string) bool {
	const least = 4 // as long a piece of a row is no accident
	left, text := 0, []rune(password)
	for len(text) > 0 {
		n := run(text)
		if n < least {
			left, n = left+1, 1
		}
		text = text[n:]
	}
	return left < 4
}

// run is how many characters a text begins with that follow each other in a row.
func run(text []rune) (longest int) {
	for n := min(len(text), longestRow); n > 1; n-- {
		piece := string(text[:n])
		for _, row := range rows {
			if strings.Contains(row, piece) || strings.Contains(reversed(row), piece) {
				return n
			}
		}
	}
	return 1
}

func reversed(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}
