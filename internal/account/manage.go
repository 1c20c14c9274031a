package account

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/hallcall/hallcall/internal/access"
)

// maxUserBytes is how long a user name can be.
const maxUserBytes = 256

// Create makes an account with a password that it makes and returns. ErrTaken
// if there is such a user. The same form sent again makes no second account
// but another password, as long as nobody has signed in with the first.
func (a *Accounts) Create(ctx context.Context, account access.Account, form string) (password string, err error) {
	if !access.ValidUser(account.User) || !account.Grant.Whole() {
		return "", errors.New("account: a user name or a grant that cannot be given")
	}
	password = newPassword()
	hash, err := a.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	fields, err := grantFields(account.Grant)
	if err != nil {
		return "", err
	}
	if err := a.list(ctx, account.User); err != nil {
		return "", err
	}
	fields = append(fields, fieldName, account.Name, fieldHash, hash, fieldEpoch, newEpoch(), fieldForm, digest(form), fieldFresh, "1")
	done, err := a.put(ctx, account.User, "none", fields...)
	if err != nil || done {
		return password, err
	}
	return a.createAgain(ctx, account, form)
}

// createAgain answers a form of which only the last answer was seen.
func (a *Accounts) createAgain(ctx context.Context, account access.Account, form string) (password string, err error) {
	there, err := a.client.HGetAll(ctx, a.accountKey(account.User)).Result()
	if err != nil {
		return "", failed(ctx, "read account", err)
	}
	known := accountOf(account.User, there)
	if there[fieldFresh] == "" || there[fieldForm] != digest(form) || !known.Grant.Same(account.Grant) || known.Name != account.Name {
		return "", access.ErrTaken
	}
	return a.renew(ctx, known, fieldFresh, "1")
}

// Save writes name, grant and whether it is disabled, if the account is still
// at its version or as it shall be; else ErrChanged. Sessions of a disabled
// account are over at once.
func (a *Accounts) Save(ctx context.Context, account access.Account) error {
	if account.User == access.Admin || !account.Grant.Whole() {
		return errors.New("account: not one that can be written")
	}
	fields, err := grantFields(account.Grant)
	if err != nil {
		return err
	}
	fields = append(fields, fieldName, account.Name, fieldDisabled, "")
	if account.Disabled {
		fields[len(fields)-1] = "1"
		fields = append(fields, fieldEpoch, newEpoch())
	}
	done, err := a.put(ctx, account.User, strconv.FormatInt(account.Version, 10), fields...)
	if err != nil || done {
		return err
	}
	there, err := a.Find(ctx, account.User)
	if err != nil {
		return err
	}
	if there.Grant.Same(account.Grant) && there.Name == account.Name && there.Disabled == account.Disabled {
		return nil // the same form, sent twice
	}
	return access.ErrChanged
}

// Reset gives an account a password that it makes and returns, and ends its sessions.
func (a *Accounts) Reset(ctx context.Context, account access.Account) (password string, err error) {
	return a.renew(ctx, account)
}

// renew sets a password that it makes, ends sessions and forgets tries.
func (a *Accounts) renew(ctx context.Context, account access.Account, more ...any) (password string, err error) {
	password = newPassword()
	_, err = a.setPassword(ctx, account, password, more...)
	return password, err
}

// SetPassword sets the password of an account and ends its sessions: it returns
// the epoch of those that begin now. The password was looked at by CheckPassword.
func (a *Accounts) SetPassword(ctx context.Context, account access.Account, password string) (epoch string, err error) {
	return a.setPassword(ctx, account, password)
}

func (a *Accounts) setPassword(ctx context.Context, account access.Account, password string, more ...any) (epoch string, err error) {
	hash, err := a.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	epoch = newEpoch()
	fields := append([]any{fieldHash, hash, fieldEpoch, epoch, fieldMade, ""}, more...)
	done, err := a.put(ctx, account.User, "any", fields...)
	if err != nil {
		return "", err
	}
	if !done {
		return "", access.ErrUnknown
	}
	if err := a.tries.Forget(ctx, ofAccount, account.User); err != nil {
		return "", failed(ctx, "forget tries", err)
	}
	return epoch, nil
}

// SignOut ends all sessions of an account.
func (a *Accounts) SignOut(ctx context.Context, user string) error {
	done, err := a.put(ctx, user, "any", fieldEpoch, newEpoch())
	if err == nil && !done {
		return access.ErrUnknown
	}
	return err
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
