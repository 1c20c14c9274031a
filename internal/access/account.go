package access

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Admin is the user name of the first administrator. It always is one and is
// never disabled, so that there always is somebody who can give rights.
const Admin = "admin"

// Errors of accounts and tokens.
var (
	// ErrWrong says that a user and a password do not belong together, without
	// telling whether there is such a user.
	ErrWrong = errors.New("wrong user or password")
	// ErrUnknown says that there is no such account or token.
	ErrUnknown = errors.New("there is no such account or token")
	// ErrChanged says that an account is not as whoever changes it saw it.
	ErrChanged = errors.New("the account was changed meanwhile")
	// ErrTaken says that another account or token has this name.
	ErrTaken = errors.New("this name is taken")
	// ErrSent says that a form was sent before, and what it made is in use.
	ErrSent = errors.New("this form was sent before")
	// ErrTooMany says that there are as many tokens as there may be.
	ErrTooMany = errors.New("there are too many tokens")
)

// LockedError says that there were too many tries, to sign in or to find a
// number, or too many requests. It is the same for what does not exist.
type LockedError struct {
	Wait time.Duration // until the next try
}

// Error says how long to wait.
func (e *LockedError) Error() string {
	return fmt.Sprintf("too many tries, wait %v", e.Wait)
}

// Seconds is the wait in whole seconds, at least one.
func (e *LockedError) Seconds() int { return max(1, int(math.Ceil(e.Wait.Seconds()))) }

// Account is somebody of the staff.
type Account struct {
	User     string
	Name     string // for people, "" for none
	Grant    Grant
	Disabled bool
	Epoch    string // changes when all sessions of the account end
	Version  int64  // changes with every change
}

// Token is what a program shows that it may do something. The secret itself is
// known to whoever was shown it, and to nobody else.
type Token struct {
	ID    string
	Name  string
	Grant Grant
	By    string    // who made it
	Made  time.Time // when
	Used  time.Time // last use, to some minutes; zero for never
}

// userNames are those that an account can be made with. None has what stands
// in the names of programs and devices.
var userNames = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@-]{0,63}$`)

// reserved are the names under which the program itself acts.
var reserved = []string{"system", "kiosk", "board", "admin-token", "nobody"}

// ValidUser reports whether an account can have this user name.
func ValidUser(user string) bool {
	return userNames.MatchString(user) && !slices.Contains(reserved, strings.ToLower(user)) &&
		(user == Admin || !strings.EqualFold(user, Admin))
}
