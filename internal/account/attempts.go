package account

import (
	"context"
	"time"

	"github.com/hallcall/hallcall/internal/access"
)

// limit says how many tries to sign in are free and how long the next ones wait.
type limit struct {
	kind           string
	free           int
	first, longest time.Duration // waits after the free ones; they double
	kept           time.Duration // without a try they are forgotten after so long
}

// An address may stand for everybody in a building: it has more tries, and
// never waits long.
var (
	ofAccount = limit{kind: "account", free: 10, first: 2 * time.Second, longest: 15 * time.Minute, kept: 2 * time.Hour}
	ofAddress = limit{kind: "address", free: 50, first: 2 * time.Second, longest: time.Minute, kept: 30 * time.Minute}
)

// begin counts a try to sign in; a LockedError if it must wait.
func (a *Accounts) begin(ctx context.Context, user, address string) error {
	if err := a.count(ctx, ofAddress, address); err != nil {
		return err
	}
	err := a.count(ctx, ofAccount, user)
	if err != nil {
		_ = a.giveBack(ctx, address) // no password was looked at
	}
	return err
}

func (a *Accounts) count(ctx context.Context, l limit, of string) error {
	now := int64(0)
	if a.now != nil {
		now = a.now().UnixMilli()
	}
	wait, err := attemptBegin.Run(ctx, a.client, []string{a.triesKey(l.kind, of)},
		l.free, l.first.Milliseconds(), l.longest.Milliseconds(), l.kept.Milliseconds(), now).Int64()
	if err != nil {
		return failed(ctx, "count tries", err)
	}
	if wait > 0 {
		return &access.LockedError{Wait: time.Duration(wait) * time.Millisecond}
	}
	return nil
}

// succeed forgets the tries of an account, and that its address tried once.
func (a *Accounts) succeed(ctx context.Context, user, address string) error {
	if err := a.client.Del(ctx, a.triesKey(ofAccount.kind, user)).Err(); err != nil {
		return failed(ctx, "forget tries", err)
	}
	return a.giveBack(ctx, address)
}

func (a *Accounts) giveBack(ctx context.Context, address string) error {
	if err := attemptBack.Run(ctx, a.client, []string{a.triesKey(ofAddress.kind, address)}).Err(); err != nil {
		return failed(ctx, "forget tries", err)
	}
	return nil
}
