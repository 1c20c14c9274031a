package account_test

import (
	"errors"
	"testing"

	"github.com/hallcall/hallcall/internal/access"
)

func proctor(user string, rooms ...string) access.Account {
	return access.Account{User: user, Name: "Anna Meyer", Grant: access.In(access.Proctor, "h", rooms...)}
}

// create is Create that must work.
func create(s site, a access.Account, form string) (password string) {
	s.Helper()
	password, err := s.accounts.Create(s.Context(), a, form)
	if err != nil {
		s.Fatal(err)
	}
	return password
}

func find(s site, user string) access.Account {
	s.Helper()
	a, err := s.accounts.Find(s.Context(), user)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

func TestAnAccountFromItsMakingOn(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		first := create(s, proctor("anna", "101", "102"), "form 1")
		again := create(s, proctor("anna", "101", "102"), "form 1") // a double click
		wantVerify(s.T, s.accounts, "anna", first, access.ErrWrong)
		wantVerify(s.T, s.accounts, "anna", again, nil)
		for form, other := range map[string]access.Account{"form 1": proctor("anna", "101", "102"), "form 2": proctor("anna")} {
			if _, err := s.accounts.Create(s.Context(), other, form); !errors.Is(err, access.ErrTaken) {
				s.Errorf("%s once anna has signed in: %v", form, err)
			}
		}
		a := find(s, "anna")
		if a.Name != "Anna Meyer" || !a.Grant.Same(access.In(access.Proctor, "h", "101", "102")) || a.Disabled || a.Epoch == "" {
			s.Errorf("found %+v", a)
		}
		ensure(s.T, s.accounts, right)
		all, err := s.accounts.List(s.Context())
		if err != nil || len(all) != 2 || all[0].User != access.Admin || all[0].Grant.Role != access.Administrator || all[1].User != "anna" {
			s.Errorf("List = %+v, %v", all, err)
		}
		if _, err := s.accounts.Find(s.Context(), "nobody"); !errors.Is(err, access.ErrUnknown) {
			s.Errorf("nobody: %v", err)
		}
	})
}

func TestChangesAreMadeOnce(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		password := create(s, proctor("anna"), "form")
		before := find(s, "anna")
		changed := before
		changed.Grant, changed.Disabled = access.In(access.Manager, "h"), true
		for range 2 { // a double click
			if err := s.accounts.Save(s.Context(), changed); err != nil {
				s.Fatal(err)
			}
		}
		after := find(s, "anna")
		if after.Grant.Role != access.Manager || !after.Disabled || after.Epoch == before.Epoch {
			s.Errorf("saved %+v", after)
		}
		wantVerify(s.T, s.accounts, "anna", password, access.ErrWrong)
		if err := s.accounts.Save(s.Context(), before); !errors.Is(err, access.ErrChanged) {
			s.Errorf("a stale form: %v", err)
		}
		after.Disabled, after.Grant = false, access.In(access.Proctor, "h")
		if err := s.accounts.Save(s.Context(), after); err != nil {
			s.Fatal(err)
		}
		wantVerify(s.T, s.accounts, "anna", password, nil)
		unknown := proctor("bert")
		if err := s.accounts.Save(s.Context(), unknown); !errors.Is(err, access.ErrUnknown) {
			s.Errorf("nobody is saved: %v", err)
		}
	})
}

func TestPasswordsEndSessions(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		password := create(s, proctor("anna"), "form")
		first := find(s, "anna")
		epoch, err := s.accounts.SetPassword(s.Context(), first, "another good one")
		if err != nil || epoch == first.Epoch || find(s, "anna").Epoch != epoch {
			s.Fatalf("epoch %q after %q, %v", epoch, first.Epoch, err)
		}
		wantVerify(s.T, s.accounts, "anna", password, access.ErrWrong)
		wantVerify(s.T, s.accounts, "anna", "another good one", nil)
		reset, err := s.accounts.Reset(s.Context(), find(s, "anna"))
		if err != nil {
			s.Fatal(err)
		}
		wantVerify(s.T, s.accounts, "anna", "another good one", access.ErrWrong)
		wantVerify(s.T, s.accounts, "anna", reset, nil)
		before := find(s, "anna").Epoch
		if err := s.accounts.SignOut(s.Context(), "anna"); err != nil || find(s, "anna").Epoch == before {
			s.Errorf("SignOut = %v", err)
		}
		for _, err := range []error{s.accounts.SignOut(s.Context(), "bert"), func() error {
			_, err := s.accounts.Reset(s.Context(), proctor("bert"))
			return err
		}()} {
			if !errors.Is(err, access.ErrUnknown) {
				s.Errorf("nobody: %v", err)
			}
		}
		if _, err := s.accounts.Find(s.Context(), "bert"); !errors.Is(err, access.ErrUnknown) {
			s.Errorf("bert came to be: %v", err)
		}
	})
}

func TestUserNames(t *testing.T) {
	t.Parallel()
	for user, want := range map[string]bool{
		"anna": true, "anna.meyer@hall": true, "王芳": true, "Анна": true, "a": true, "": false, " anna": false, "anna b": false,
		"token:ci": false, "system": false, "Kiosk": false, "admin-token": false, "Admin": false, "a\nb": false, ".": false, "{a}": false,
	} {
		if got := access.ValidUser(user); got != want {
			t.Errorf("ValidUser(%q) = %v, want %v", user, got, want)
		}
	}
}
