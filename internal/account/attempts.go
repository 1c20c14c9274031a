package account

import (
	"context"
	"time"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/tries"
)

// An address may stand for everybody in a building: it has more tries, and
// never waits long.
var (
	ofAccount = tries.Limit{Kind: "account", Free: 10, First: 2 * time.Second, Longest: 15 * time.Minute, Kept: 2 * time.Hour}
	ofAddress = tries.Limit{Kind: "address", Free: 50, First: 2 * time.Second, Longest: time.Minute, Kept: 30 * time.Minute}
)

// begin counts a try to sign in; a LockedError if it must wait.
func (a *Accounts) begin(ctx context.Context, user, address string) error {
	if err := a.count(ctx, ofAddress, address); err != nil {
		return err
	}
	err := a.count(ctx, ofAccount, user)
	if err != nil {
		_ = a.tries.GiveBack(ctx, ofAddress, address, 1) // no password was looked at
	}
	return err
}

func (a *Accounts) count(ctx context.Context, l tries.Limit, of string) error {
	wait, err := a.tries.Count(ctx, l, of)
	if err != nil {
		return failed(ctx, "count tries", err)
	}
	if wait > 0 {
		return &access.LockedError{Wait: wait}
	}
	return nil
}

// succeed forgets the tries of an account, and that its address tried once.
func (a *Accounts) succeed(ctx context.Context, user, address string) error {
	if err := a.tries.Forget(ctx, ofAccount, user); err != nil {
		return failed(ctx, "forget tries", err)
	}
	if err := a.tries.GiveBack(ctx, ofAddress, address, 1); err != nil {
		return failed(ctx, "forget tries", err)
	}
	return nil
}
