package account

import (
	"context"

	"github.com/hallcall/hallcall/internal/access"
)

// EnsureAdmin makes the account Admin if there is none, with the given password,
// or, if that is empty, with one it makes and returns: it is known nowhere else.
//
// An account that is there keeps its password, whatever is given, with one
// exception: a password that EnsureAdmin made (and somebody may have failed to
// write down) is replaced by the given one.
func (a *Accounts) EnsureAdmin(ctx context.Context, password string) (made string, err error) {
	if password != "" {
		if err := access.CheckPassword(password); err != nil {
			return "", err
		}
	}
	fields, err := a.client.HGetAll(ctx, a.accountKey(access.Admin)).Result()
	if err != nil {
		return "", failed(ctx, "read account", err)
	}
	if err := a.list(ctx, access.Admin); err != nil {
		return "", err
	}
	_, madeBefore := fields[fieldMade]
	if fields[fieldHash] != "" && (password == "" || !madeBefore) {
		return "", nil
	}
	if password == "" {
		made = newPassword()
	}
	hash, err := a.hasher.hash(ctx, password+made)
	if err != nil {
		return "", err
	}
	first, err := a.writeAdmin(ctx, fields[fieldHash], hash, made != "")
	if err != nil || !first { // another node was faster
		made = ""
	}
	return made, err
}

// writeAdmin sets the hash of Admin if it is still the expected one, and reports whether it was.
func (a *Accounts) writeAdmin(ctx context.Context, expected, hash string, made bool) (first bool, err error) {
	flag := "0"
	if made {
		flag = "1"
	}
	set, err := adminHash.Run(ctx, a.client, []string{a.accountKey(access.Admin)}, expected, hash, flag, newEpoch()).Int()
	if err != nil {
		return false, failed(ctx, "write account", err)
	}
	return set == 1, nil
}
