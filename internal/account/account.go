// Package account keeps the accounts of the staff in Redis: who they are and
// the hashes of their passwords.
package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"github.com/hallcall/hallcall/internal/hall"
)

// Admin is the user name of the first administrator.
const Admin = "admin"

// MaxPassword is the longest password in bytes.
const MaxPassword = 1024

var (
	// ErrWrong says that a user and a password do not belong together, without
	// telling whether there is such a user.
	ErrWrong = errors.New("wrong user or password")
	// ErrPassword says that a password cannot be taken.
	ErrPassword = errors.New("a password must be 8 to 1024 bytes of text")
)

// Account is somebody of the staff.
type Account struct {
	User string
}

// Accounts keeps accounts: a hash each, and a set of all user names.
type Accounts struct {
	client redis.Cmdable
	prefix string
	hasher *hasher
}

// New returns the accounts of the site whose keys begin with prefix.
func New(client redis.Cmdable, prefix string) *Accounts {
	return &Accounts{client: client, prefix: prefix, hasher: newHasher()}
}

func (a *Accounts) listKey() string            { return a.prefix + "accounts" }
func (a *Accounts) accountKey(u string) string { return a.prefix + "account:" + u }

// The fields of an account.
const (
	fieldHash = "hash"
	fieldMade = "made" // there while the password is one that EnsureAdmin made
)

// EnsureAdmin makes the account Admin if there is none, with the given password,
// or, if that is empty, with one it makes and returns: it is known nowhere else.
//
// An account that is there keeps its password, whatever is given, with one
// exception: a password that EnsureAdmin made (and somebody may have failed to
// write down) is replaced by the given one.
func (a *Accounts) EnsureAdmin(ctx context.Context, password string) (made string, err error) {
	if password != "" && !usable(password) {
		return "", ErrPassword
	}
	fields, err := a.client.HGetAll(ctx, a.accountKey(Admin)).Result()
	if err != nil {
		return "", failed(ctx, "read account", err)
	}
	_, madeBefore := fields[fieldMade]
	if fields[fieldHash] != "" && (password == "" || !madeBefore) {
		return "", a.list(ctx, Admin)
	}
	if password == "" {
		made = rand.Text()
	}
	hash, err := a.hasher.hash(password + made)
	if err != nil {
		return "", err
	}
	first, err := a.write(ctx, Admin, fields[fieldHash], hash, made != "")
	if err != nil || !first { // another node was faster
		made = ""
	}
	return made, err
}

// Verify returns the account of a user whose password is right, else ErrWrong;
// an unknown user costs the same time. An outage wraps hall.ErrUnavailable.
func (a *Accounts) Verify(ctx context.Context, user, password string) (Account, error) {
	if len(user) > 4*hall.MaxIDLength || len(password) > MaxPassword {
		return Account{}, ErrWrong
	}
	hash, err := a.client.HGet(ctx, a.accountKey(user), fieldHash).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return Account{}, failed(ctx, "read account", err)
	}
	right, err := a.hasher.compare(ctx, password, hash)
	switch {
	case err != nil:
		return Account{}, err
	case !right:
		return Account{}, ErrWrong
	}
	return Account{User: user}, nil
}

// replaceHash sets a hash if the present one is the expected one.
//
// KEYS: 1 the account
// ARGV: 1 expected hash, empty for none; 2 new hash; 3 "1" if the program made the password
// RETURNS: 1 if it was set, else 0
var replaceHash = redis.NewScript(`
local account = KEYS[1]
local expected, hash, made = ARGV[1], ARGV[2], ARGV[3]
if (redis.call('HGET', account, 'hash') or '') ~= expected then return 0 end
redis.call('HSET', account, 'hash', hash)
if made == '1' then redis.call('HSET', account, 'made', '1') else redis.call('HDEL', account, 'made') end
return 1
`)

// write sets the hash of a user if it is still the expected one, and reports whether it was.
func (a *Accounts) write(ctx context.Context, user, expected, hash string, made bool) (first bool, err error) {
	flag := "0"
	if made {
		flag = "1"
	}
	set, err := replaceHash.Run(ctx, a.client, []string{a.accountKey(user)}, expected, hash, flag).Int()
	if err != nil {
		return false, failed(ctx, "write account", err)
	}
	return set == 1, a.list(ctx, user)
}

// list puts a user into the set of all. It is done anew at every start, since a
// stop between the two steps leaves an account unlisted.
func (a *Accounts) list(ctx context.Context, user string) error {
	if err := a.client.SAdd(ctx, a.listKey(), user).Err(); err != nil {
		return failed(ctx, "list account", err)
	}
	return nil
}

func usable(password string) bool {
	return len(password) >= 8 && len(password) <= MaxPassword && utf8.ValidString(password) &&
		!strings.ContainsAny(password, "\r\n\x00")
}

func failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: %w: %w", what, hall.ErrUnavailable, err)
}
