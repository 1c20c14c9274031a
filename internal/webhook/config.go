package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// Store is what the webhook needs of hall.Store.
type Store interface {
	Hall(ctx context.Context, id string) (hall.Hall, error)
	HallIDs(ctx context.Context) ([]string, error)
	DayEvents(ctx context.Context, id string, number int, after string, limit int) (hall.DayEvents, error)
	DayNumber(ctx context.Context, id, day string) (int, error)
	Watch(ctx context.Context, changed func(hall.Hint)) error
}

// Positions keeps for all nodes how far the events of each hall were told, and
// whose turn it is.
type Positions interface {
	// Position is that of a hall; zero if there is none yet.
	Position(ctx context.Context, hallID string) (hall.Position, error)
	// Lease gives a hall to a node for a while. If another node has it, wait says
	// how long still; for whoever got it, it is 0.
	Lease(ctx context.Context, hallID, node string, length time.Duration) (at hall.Position, wait time.Duration, err error)
	// Release gives a hall back.
	Release(ctx context.Context, hallID, node string) error
	// Move moves a position if it still is at from, and counts events that were
	// given up; false if it is elsewhere.
	Move(ctx context.Context, hallID string, from, to hall.Position, lost int) (bool, error)
}

// Config is where alerts are told, and how.
type Config struct {
	// URL gets them: https, or http too if Private.
	URL string
	// Secret is what they are signed with: "whsec_" and 24 to 64 bytes in base64.
	// Two with a blank between them sign both, while one takes the place of the other.
	Secret string
	// Private allows addresses that are not public, and http.
	Private bool

	Store     Store
	Positions Positions
	// Encode writes an event as the API does.
	Encode func(*hall.Event) ([]byte, error)
	Now    func() time.Time // the time of the store, as far as this node knows it
	Agent  string           // User-Agent, with the version of the program
	Log    *slog.Logger     // nil drops it
	Sweep  time.Duration    // between two looks at every hall; 0 is that of follow

	resolver *net.Resolver // that of the system if nil
}

// target reads the address. What it says of a wrong one does not repeat it,
// since it may have a secret in it.
func (c *Config) target() (*url.URL, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.Fragment != "":
		return nil, errors.New("the webhook's URL must be https:// and a host, without a fragment")
	case u.Scheme == "http" && !c.Private:
		return nil, errors.New("the webhook's URL must be https://; http:// needs --webhook-private")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the webhook's URL must be https://")
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && !c.Private {
		if err := refused(u.Hostname()); err != nil {
			return nil, fmt.Errorf("the webhook's URL: %w; to allow it say --webhook-private", err)
		}
	}
	return u, nil
}

// shown is an address without what may be secret in it: a user, a path, a query.
func shown(u *url.URL) string { return u.Scheme + "://" + u.Host }
