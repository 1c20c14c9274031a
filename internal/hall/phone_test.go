package hall_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestPhoneTokensNameTheirHall(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, id := range []string{"demo", "考场 7", "a/b:{x}*", "%2F", strings.Repeat("𝒳", hall.MaxIDLength)} {
		secret := hall.NewPhoneSecret()
		token := hall.PhoneToken(id, secret)
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{23,}$`).MatchString(token) || seen[secret] {
			t.Errorf("%q: token %q", id, token)
		}
		seen[secret] = true
		if gotID, gotSecret, ok := hall.ParsePhoneToken(token); gotID != id || gotSecret != secret || !ok {
			t.Errorf("%q: read back as %q and %q", id, gotID, gotSecret)
		}
	}
}

func TestWhatIsNoPhoneToken(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("a", 22)
	for name, token := range map[string]string{
		"nothing":            "",
		"a secret only":      secret,
		"too short":          secret[:21] + "ZA",
		"other characters":   strings.Repeat("/", 22) + "ZGVtbw",
		"padding":            secret + "ZGVtbw==",
		"bits after the end": secret + "ZGVtbx",
		"a line break":       secret + "ZGVt\nbw",
		"no UTF-8":           secret + "_w",
		"a control":          secret + "AA",
		"too long":           secret + strings.Repeat("YWFh", 22),
	} {
		if id, _, ok := hall.ParsePhoneToken(token); ok {
			t.Errorf("%s: taken for hall %q", name, id)
		}
	}
}

func FuzzParsePhoneToken(f *testing.F) {
	f.Add(hall.PhoneToken("demo", hall.NewPhoneSecret()))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		id, secret, ok := hall.ParsePhoneToken(token)
		if ok && hall.PhoneToken(id, secret) != token {
			t.Errorf("%q is read as %q and %q", token, id, secret)
		}
	})
}
