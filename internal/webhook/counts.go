package webhook

import "sync/atomic"

type counts struct{ delivered, failed, rejected, givenUp atomic.Int64 }

// Counts are what a node did since it was started.
type Counts struct {
	Delivered int64 // alerts that the endpoint took
	Failed    int64 // attempts that will be repeated
	Rejected  int64 // alerts that the endpoint did not take
	GivenUp   int64 // alerts that were not told in time
}

// Counts are what this node did since it was started.
func (w *Webhook) Counts() Counts {
	return Counts{w.counts.delivered.Load(), w.counts.failed.Load(), w.counts.rejected.Load(), w.counts.givenUp.Load()}
}
