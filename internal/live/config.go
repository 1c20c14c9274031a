package live

import (
	"log/slog"
	"time"
)

// Config has the limits of a Hub. A field left zero has its default.
type Config struct {
	WriteWait  time.Duration // a write that takes longer ends the client; 5 s
	PongWait   time.Duration // silence of a client for longer ends it; 30 s
	Heartbeat  time.Duration // between two heartbeats; 5 s
	CloseWait  time.Duration // for a client's answer to a close; 1 s
	ReadLimit  int64         // bytes of one message of a client; 512
	MaxClients int           // clients in all; 20000

	// Beat makes the heartbeat, a data message: page scripts cannot see pings.
	// Nil sends none.
	Beat func() []byte
	// Group puts topics together, for TopicsIn. Nil makes one group of all.
	Group func(topic string) string
	// Watched is called when somebody watches a topic that has no state yet,
	// so that one is published.
	Watched func(topic string)
	// Peopled is called when somebody is the first to watch a topic, and when
	// the last one has gone. It must not wait.
	Peopled func(topic string)
	Log     *slog.Logger
}

func (c Config) withDefaults() Config {
	duration := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	duration(&c.WriteWait, 5*time.Second)
	duration(&c.PongWait, 30*time.Second)
	duration(&c.Heartbeat, 5*time.Second)
	duration(&c.CloseWait, time.Second)
	if c.ReadLimit <= 0 {
		c.ReadLimit = 512
	}
	if c.MaxClients <= 0 {
		c.MaxClients = 20000
	}
	if c.Group == nil {
		c.Group = func(string) string { return "" }
	}
	if c.Watched == nil {
		c.Watched = func(string) {}
	}
	if c.Peopled == nil {
		c.Peopled = func(string) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// pingEvery leaves a client three tries to answer within PongWait.
func (c Config) pingEvery() time.Duration { return c.PongWait / 3 }
