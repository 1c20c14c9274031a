package live

import (
	"errors"
	"maps"
	"net"
)

// Drop says why the hub cut a client off or refused it.
type Drop string

// Why clients are dropped. Those that go by themselves, and those that are
// asked to come back when the hub closes, are not.
const (
	DropSlow       Drop = "slow"        // took a message for longer than WriteWait
	DropSilent     Drop = "silent"      // answered no ping within PongWait
	DropNotAllowed Drop = "not_allowed" // sent what it may not
	DropFull       Drop = "full"        // there were MaxClients
)

// Drops counts the clients dropped since the hub was made; each reason is there.
func (h *Hub) Drops() map[Drop]uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[Drop]uint64{DropSlow: 0, DropSilent: 0, DropNotAllowed: 0, DropFull: 0}
	maps.Copy(all, h.drops)
	return all
}

// drop counts a client that was dropped.
func (h *Hub) drop(why Drop) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drops[why]++
}

// Each tells every topic that somebody watches, with how many do.
func (h *Hub) Each(tell func(topic string, clients int)) {
	h.mu.Lock()
	counts := make(map[string]int, len(h.topics))
	for name, t := range h.topics {
		counts[name] = len(t.clients)
	}
	h.mu.Unlock()
	for name, n := range counts {
		tell(name, n)
	}
}

// timedOut reports whether a read or write ended because its time was over.
func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}
