package access_test

import (
	"errors"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
)

func TestPasswords(t *testing.T) {
	t.Parallel()
	names := []string{"anna", "Exam Hall 7", "no7"}
	for password, want := range map[string]error{
		"":                    access.ErrPassword,
		"nine char":           access.ErrPassword,
		"ten chars!":          nil,
		"four words in a row": nil,
		"десять букв":         nil,
		"九个字的密码还不够长":          nil, // ten characters, thirty bytes
		"tab\tin the middle":  access.ErrPassword,
		"password123":         access.ErrCommon,
		"Password2026!":       access.ErrCommon,
		"P@ssw0rd1234":        access.ErrCommon,
		"welcome2026":         access.ErrCommon,
		"adminadmin1":         access.ErrCommon,
		"iloveyou99":          access.ErrCommon,
		"password of mine":    nil,
		"1234567890":          access.ErrPlain,
		"0987654321":          access.ErrPlain,
		"qwertyuiop":          access.ErrPlain,
		"qwertyuiop12":        access.ErrPlain,
		"abcdefghijkl":        access.ErrPlain,
		"1q2w3e4r5t6y":        access.ErrPlain,
		"1qaz2wsx3edc":        access.ErrPlain,
		"aaaaaaaaaaaa":        access.ErrPlain,
		"abcxyabcxyabcxy":     access.ErrPlain,
		"ababababab":          access.ErrPlain,
		"йцукенгшщз":          access.ErrPlain,
		"anna-2026-11":        access.ErrNamed,
		"Exam Hall 7!":        access.ErrNamed,
		"no7no7no7no7x":       access.ErrNamed,
		"hannah is my aunt":   nil,
	} {
		if got := access.CheckPassword(password, names...); !errors.Is(got, want) {
			t.Errorf("CheckPassword(%q) = %v, want %v", password, got, want)
		}
	}
}
