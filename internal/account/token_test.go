package account_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
)

func kioskToken(name string) access.Token {
	return access.Token{Name: name, Grant: access.In(access.Kiosk, "h"), By: access.Admin}
}

func makeToken(s site, token access.Token, form string) (shown string) {
	s.Helper()
	shown, err := s.accounts.MakeToken(s.Context(), token, form)
	if err != nil {
		s.Fatal(err)
	}
	return shown
}

func wantNoToken(s site, shown string) {
	s.Helper()
	if token, err := s.accounts.Token(s.Context(), shown); !errors.Is(err, access.ErrUnknown) {
		s.Errorf("token %+v, %v, want none", token, err)
	}
}

func TestATokenFromItsMakingOn(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		first := makeToken(s, kioskToken("entrance"), "form")
		shown := makeToken(s, kioskToken("entrance"), "form") // a double click: the last answer counts
		wantNoToken(s, first)
		list, err := s.accounts.Tokens(s.Context())
		if err != nil || len(list) != 1 || !list[0].Used.IsZero() || list[0].Made.IsZero() || list[0].By != access.Admin {
			s.Fatalf("Tokens = %+v, %v", list, err)
		}
		for range 2 {
			token, err := s.accounts.Token(s.Context(), shown)
			if err != nil || token.Name != "entrance" || !token.Grant.Same(access.In(access.Kiosk, "h")) || token.Used.IsZero() {
				s.Fatalf("Token = %+v, %v", token, err)
			}
		}
		if _, err := s.accounts.MakeToken(s.Context(), kioskToken("entrance"), "form"); !errors.Is(err, access.ErrSent) {
			s.Errorf("the form of a used token: %v", err)
		}
		if _, err := s.accounts.MakeToken(s.Context(), kioskToken("entrance"), "another form"); !errors.Is(err, access.ErrTaken) {
			s.Errorf("a second token of this name: %v", err)
		}
		if list, err := s.accounts.Tokens(s.Context()); err != nil || len(list) != 1 || list[0].Used.IsZero() {
			s.Errorf("Tokens = %+v, %v", list, err)
		}
		for _, key := range s.client.Keys(s.Context(), "*tokens").Val() {
			for field, value := range s.client.HGetAll(s.Context(), key).Val() {
				if strings.Contains(field+value, shown[len(shown)-43:]) {
					s.Errorf("field %s of %s holds the secret", field, key)
				}
			}
		}
		for range 2 {
			if err := s.accounts.Revoke(s.Context(), list[0].ID); err != nil {
				s.Error(err)
			}
		}
		wantNoToken(s, shown)
		makeToken(s, kioskToken("entrance"), "another form")
	})
}

func TestWhatIsNoToken(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		shown := makeToken(s, kioskToken("entrance"), "form")
		for _, other := range []string{"", "x", shown + "x", shown[:len(shown)-1] + "!", strings.ToUpper(shown), shown[:22] + strings.Repeat("A", 43), "used "} {
			wantNoToken(s, other)
		}
	})
}
