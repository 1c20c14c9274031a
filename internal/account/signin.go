package account

import (
	"context"

	"github.com/hallcall/hallcall/internal/access"
)

// Verify returns the account of a user whose password is right, else ErrWrong;
// an unknown and a disabled user cost the same time. Too many tries with one
// user or from one address are a *LockedError, with the right password too. An
// outage wraps hall.ErrUnavailable.
func (a *Accounts) Verify(ctx context.Context, user, password, address string) (access.Account, error) {
	if err := a.begin(ctx, user, address); err != nil {
		return access.Account{}, err
	}
	if len(user) > maxUserBytes || len(password) > access.MaxPassword {
		return access.Account{}, access.ErrWrong
	}
	fields, err := a.client.HGetAll(ctx, a.accountKey(user)).Result()
	if err != nil {
		return access.Account{}, failed(ctx, "read account", err)
	}
	right, err := a.hasher.compare(ctx, password, fields[fieldHash])
	if err != nil {
		return access.Account{}, err
	}
	account := accountOf(user, fields)
	if !right || account.Disabled {
		return access.Account{}, access.ErrWrong
	}
	if err := a.succeed(ctx, user, address); err != nil {
		return access.Account{}, err
	}
	if fields[fieldFresh] != "" {
		if err := a.client.HDel(ctx, a.accountKey(user), fieldFresh).Err(); err != nil {
			return access.Account{}, failed(ctx, "write account", err)
		}
	}
	return account, nil
}
