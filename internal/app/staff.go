package app

import (
	"context"
	"errors"

	"github.com/hallcall/hallcall/internal/account"
	"github.com/hallcall/hallcall/web"
)

// staff shows the accounts to the pages.
type staff struct{ accounts *account.Accounts }

var _ web.Accounts = staff{}

// Verify implements web.Accounts.
func (s staff) Verify(ctx context.Context, user, password string) (web.User, error) {
	a, err := s.accounts.Verify(ctx, user, password)
	if errors.Is(err, account.ErrWrong) {
		return web.User{}, web.ErrWrongLogin
	}
	return web.User{Name: a.User}, err
}
