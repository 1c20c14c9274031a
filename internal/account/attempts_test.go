package account_test

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/account"
)

const right = "the right password"

// try signs in and returns how long to wait, or whether the password was wrong.
func try(s site, accounts *account.Accounts, user, password, address string) (wait time.Duration, err error) {
	s.Helper()
	_, err = accounts.Verify(s.Context(), user, password, address)
	var locked *access.LockedError
	if errors.As(err, &locked) {
		return locked.Wait, err
	}
	return 0, err
}

func TestTooManyTriesWithOneUser(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		ensure(s.T, s.accounts, right)
		now := time.UnixMilli(1_796_000_000_000)
		accounts := s.accounts.At(func() time.Time { return now })
		for _, user := range []string{access.Admin, "nobody"} { // they are not told apart
			for i := range 10 {
				if _, err := try(s, accounts, user, "wrong", "192.0.2."+strconv.Itoa(i)); !errors.Is(err, access.ErrWrong) {
					s.Fatalf("try %d of %s: %v", i+1, user, err)
				}
			}
			var waits []time.Duration
			for i := range 12 {
				wait, err := try(s, accounts, user, right, "198.51.100."+strconv.Itoa(i))
				if wait == 0 {
					s.Fatalf("%s is not locked: %v", user, err)
				}
				waits = append(waits, wait)
				now = now.Add(wait - time.Millisecond)
				if left, _ := try(s, accounts, user, right, "203.0.113.1"); left != time.Millisecond {
					s.Errorf("%s has to wait %v more, want 1 ms", user, left)
				}
				now = now.Add(time.Millisecond)
				if _, err := try(s, accounts, user, "wrong", "203.0.113."+strconv.Itoa(i)); !errors.Is(err, access.ErrWrong) {
					s.Fatalf("after the wait: %v", err)
				}
			}
			if waits[0] != 2*time.Second || waits[1] != 4*time.Second || waits[11] != 15*time.Minute {
				s.Errorf("waits %v, want them doubled from 2 s up to 15 min", waits)
			}
		}
		now = now.Add(15 * time.Minute)
		if _, err := try(s, accounts, access.Admin, right, "192.0.2.1"); err != nil {
			s.Fatalf("the right password after the wait: %v", err)
		}
		if _, err := try(s, accounts, access.Admin, "wrong", "192.0.2.1"); !errors.Is(err, access.ErrWrong) {
			s.Errorf("a success does not reset: %v", err)
		}
	})
}

func TestTooManyTriesFromOneAddress(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		ensure(s.T, s.accounts, right)
		for i := range 60 { // successes do not count
			if _, err := try(s, s.accounts, access.Admin, right, "192.0.2.7"); err != nil {
				s.Fatalf("sign-in %d: %v", i+1, err)
			}
			if i == 2 {
				break // three show it, each costs a hash
			}
		}
		locked := 0
		for i := range 60 {
			if wait, _ := try(s, s.accounts, "user"+strconv.Itoa(i), "", "192.0.2.7"); wait > 0 {
				locked = i
				break
			}
		}
		if locked != 50 {
			s.Errorf("locked after %d tries, want 50", locked)
		}
		if wait, _ := try(s, s.accounts, access.Admin, right, "192.0.2.7"); wait == 0 || wait > 2*time.Second {
			s.Errorf("the address has to wait %v", wait)
		}
		if _, err := try(s, s.accounts, access.Admin, right, "192.0.2.8"); err != nil {
			s.Errorf("another address: %v", err)
		}
	})
}

func TestManyTriesAtOnceAreNoWayAround(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		var looked atomic.Int64
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if _, err := try(s, s.accounts, access.Admin, "wrong", "192.0.2."+strconv.Itoa(i)); errors.Is(err, access.ErrWrong) {
					looked.Add(1)
				}
			})
		}
		all.Wait()
		if looked.Load() != 10 {
			s.Errorf("%d passwords were looked at, want 10", looked.Load())
		}
	})
}
