// Package account keeps in Redis who may do something: the accounts of the
// staff with the hashes of their passwords, the tokens of programs, and how
// often somebody tried to sign in.
package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/tries"
)

// Accounts keeps accounts, a hash each, and a set of all user names.
type Accounts struct {
	client redis.Cmdable
	prefix string
	hasher *hasher
	tries  *tries.Tries
}

// New returns the accounts of the site whose keys begin with prefix.
func New(client redis.Cmdable, prefix string) *Accounts {
	return &Accounts{client: client, prefix: prefix, hasher: newHasher(), tries: tries.New(client, prefix)}
}

// At is the same accounts with another clock than that of Redis, for tests.
func (a *Accounts) At(now func() time.Time) *Accounts {
	other := *a
	other.tries = a.tries.At(now)
	return &other
}

func (a *Accounts) listKey() string            { return a.prefix + "accounts" }
func (a *Accounts) accountKey(u string) string { return a.prefix + "account:" + u }
func (a *Accounts) tokensKey() string          { return a.prefix + "tokens" }

// The fields of an account.
const (
	fieldHash     = "hash"
	fieldMade     = "made" // there while the password is one that EnsureAdmin made
	fieldName     = "name"
	fieldRole     = "role"
	fieldHall     = "hall"
	fieldRooms    = "rooms" // as JSON
	fieldDisabled = "disabled"
	fieldEpoch    = "epoch"
	fieldVersion  = "version"
	fieldForm     = "form"  // that made the account
	fieldFresh    = "fresh" // there until the first sign-in
)

// Find returns an account, also a disabled one; ErrUnknown if there is none.
func (a *Accounts) Find(ctx context.Context, user string) (access.Account, error) {
	if len(user) > maxUserBytes {
		return access.Account{}, access.ErrUnknown
	}
	fields, err := a.client.HGetAll(ctx, a.accountKey(user)).Result()
	if err != nil {
		return access.Account{}, failed(ctx, "read account", err)
	}
	if fields[fieldHash] == "" {
		return access.Account{}, access.ErrUnknown
	}
	return accountOf(user, fields), nil
}

// List returns all accounts by user name.
func (a *Accounts) List(ctx context.Context) ([]access.Account, error) {
	users, err := a.client.SMembers(ctx, a.listKey()).Result()
	if err != nil {
		return nil, failed(ctx, "list accounts", err)
	}
	accounts := make([]access.Account, 0, len(users))
	for _, user := range sorted(users) {
		account, err := a.Find(ctx, user)
		if errors.Is(err, access.ErrUnknown) {
			continue // listed, but not written
		}
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, account)
	}
	return accounts, nil
}

func accountOf(user string, fields map[string]string) access.Account {
	account := access.Account{
		User: user, Name: fields[fieldName], Disabled: fields[fieldDisabled] != "", Epoch: fields[fieldEpoch],
		Grant: access.Grant{Role: access.Role(fields[fieldRole]), Hall: fields[fieldHall]},
	}
	account.Version, _ = strconv.ParseInt(fields[fieldVersion], 10, 64) // none is 0
	if rooms := fields[fieldRooms]; rooms != "" {
		if json.Unmarshal([]byte(rooms), &account.Grant.Rooms) != nil {
			account.Grant = access.Grant{} // a grant that cannot be read is none, not one of all rooms
		}
	}
	if user == access.Admin {
		account.Grant, account.Disabled = access.All(), false
	}
	return account
}

// grantFields are the fields of a grant, names and values in turn.
func grantFields(g access.Grant) ([]any, error) {
	rooms := ""
	if len(g.Rooms) > 0 {
		data, err := json.Marshal(g.Rooms)
		if err != nil {
			return nil, fmt.Errorf("rooms: %w", err)
		}
		rooms = string(data)
	}
	return []any{fieldRole, string(g.Role), fieldHall, g.Hall, fieldRooms, rooms}, nil
}

// put writes fields, names and values in turn, if the account is at a version.
func (a *Accounts) put(ctx context.Context, user, version string, fields ...any) (done bool, err error) {
	n, err := accountPut.Run(ctx, a.client, []string{a.accountKey(user)}, append([]any{version}, fields...)...).Int()
	if err != nil {
		return false, failed(ctx, "write account", err)
	}
	return n == 1, nil
}

// list puts a user into the set of all, before the account is written: one
// that is listed and not there does no harm, one that is there unseen would.
func (a *Accounts) list(ctx context.Context, user string) error {
	if err := a.client.SAdd(ctx, a.listKey(), user).Err(); err != nil {
		return failed(ctx, "list account", err)
	}
	return nil
}

func failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
}
