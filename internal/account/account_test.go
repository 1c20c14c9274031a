package account_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/account"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/redisd/redistest"
)

func TestMain(m *testing.M) {
	account.CheapHashes()
	os.Exit(redistest.Run(m))
}

// site is where accounts are kept.
type site struct {
	*testing.T

	client   redis.UniversalClient
	accounts *account.Accounts
}

// both runs a test on both kinds of Redis.
func both(t *testing.T, test func(s site)) {
	t.Helper()
	for name, open := range map[string]func(testing.TB) (redis.UniversalClient, string){
		"redis-server": redistest.Client,
		"in-process":   redistest.Memory,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, prefix := open(t)
			test(site{t, client, account.New(client, prefix)})
		})
	}
}

// ensure is EnsureAdmin that must work.
func ensure(t *testing.T, accounts *account.Accounts, password string) (made string) {
	t.Helper()
	made, err := accounts.EnsureAdmin(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func wantVerify(t *testing.T, accounts *account.Accounts, user, password string, want error) {
	t.Helper()
	got, err := accounts.Verify(t.Context(), user, password, "192.0.2.1")
	if !errors.Is(err, want) {
		t.Errorf("Verify(%q, …) = %v, want %v", user, err, want)
	}
	if want == nil && got.User != user {
		t.Errorf("Verify(%q, …) is the account of %q", user, got.User)
	}
}

func TestMadePassword(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		accounts := s.accounts
		made := ensure(s.T, accounts, "")
		if len(made) < 20 {
			s.Fatalf("made password %q is short", made)
		}
		wantVerify(s.T, accounts, access.Admin, made, nil)
		if again := ensure(s.T, accounts, ""); again != "" {
			s.Errorf("second start made another password")
		}
		wantVerify(s.T, accounts, access.Admin, made, nil)
		for _, key := range s.client.Keys(s.Context(), "*account:*").Val() {
			for field, value := range s.client.HGetAll(s.Context(), key).Val() {
				if strings.Contains(value, made) {
					s.Errorf("field %s holds the password", field)
				}
			}
		}
		ensure(s.T, accounts, "given later") // the made one was lost
		wantVerify(s.T, accounts, access.Admin, "given later", nil)
		wantVerify(s.T, accounts, access.Admin, made, access.ErrWrong)
	})
}

func TestGivenPasswordStays(t *testing.T) {
	t.Parallel()
	both(t, func(s site) {
		accounts := s.accounts
		wantVerify(s.T, accounts, access.Admin, "", access.ErrWrong) // the first start is yet to come
		for _, password := range []string{"given first", "given second", ""} {
			if made := ensure(s.T, accounts, password); made != "" {
				s.Errorf("made %q though one was given", made)
			}
		}
		wantVerify(s.T, accounts, access.Admin, "given first", nil)
		for _, wrong := range []string{"given second", "", "given firsT", strings.Repeat("x", 5000)} {
			wantVerify(s.T, accounts, access.Admin, wrong, access.ErrWrong)
		}
		for _, user := range []string{"", "Admin", "nobody", "admin ", "{admin}", strings.Repeat("x", 5000)} {
			wantVerify(s.T, accounts, user, "given first", access.ErrWrong)
		}
	})
}

func TestPasswordsThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	client, prefix := redistest.Memory(t)
	for _, password := range []string{"nine char", "a line\nbreak in it", strings.Repeat("x", 1025), "it is not \xff text"} {
		if _, err := account.New(client, prefix).EnsureAdmin(t.Context(), password); !errors.Is(err, access.ErrPassword) {
			t.Errorf("EnsureAdmin(%q) = %v, want ErrPassword", password, err)
		}
	}
}

func TestTwoNodesStartAtOnce(t *testing.T) {
	t.Parallel()
	client, prefix := redistest.Client(t)
	accounts := account.New(client, prefix)
	made := make([]string, 4)
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() { made[i] = ensure(t, accounts, "") })
	}
	all.Wait()
	one := strings.Join(made, "")
	if len(one) != 29 {
		t.Fatalf("made %q, want exactly one password", made)
	}
	wantVerify(t, accounts, access.Admin, one, nil)
}

func TestOutage(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = client.Close() }()
	accounts := account.New(client, "test:")
	wantVerify(t, accounts, access.Admin, "password", hall.ErrUnavailable)
	if _, err := accounts.EnsureAdmin(t.Context(), ""); !errors.Is(err, hall.ErrUnavailable) {
		t.Errorf("EnsureAdmin = %v, want unavailable", err)
	}
}
