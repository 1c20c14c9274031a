package webhook

import (
	"math/rand/v2"
	"time"
)

const (
	firstDelay = time.Second      // after the first failure
	lastDelay  = 10 * time.Minute // after many
	// keep is how old an event may get before it is given up.
	keep = 24 * time.Hour
)

// delay is the time until the next attempt after so many failures in a row, at
// least as long as the endpoint asked for. It differs by chance, so that not
// all halls and nodes come at once.
func delay(failures int, asked time.Duration) time.Duration {
	d := lastDelay
	if failures < 20 {
		d = min(firstDelay<<max(failures-1, 0), lastDelay)
	}
	d = max(d, asked)
	return d + rand.N(d/2) //nolint:gosec // no secret
}
