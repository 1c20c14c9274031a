package live

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// ErrClosed says that the hub takes no more clients because it was closed.
var ErrClosed = errors.New("live: hub is closed")

// ErrFull says that the hub has as many clients as it may have.
var ErrFull = errors.New("live: too many clients")

// Hub knows who watches which topic and hands out the states.
type Hub struct {
	cfg      Config
	upgrader websocket.Upgrader

	mu      sync.Mutex // never held over I/O or a call out
	topics  map[string]*topic
	groups  map[string]map[string]*topic // the same by group
	clients map[*client]struct{}
	closed  bool
	drops   map[Drop]uint64
	running sync.WaitGroup // the goroutines of the clients
}

// NewHub returns a hub without topics.
func NewHub(cfg Config) *Hub {
	return &Hub{
		cfg:     cfg.withDefaults(),
		topics:  map[string]*topic{},
		groups:  map[string]map[string]*topic{},
		clients: map[*client]struct{}{},
		drops:   map[Drop]uint64{},
		upgrader: websocket.Upgrader{
			ReadBufferSize: 512, WriteBufferSize: 4096, WriteBufferPool: &sync.Pool{},
		},
	}
}

// Serve makes a websocket of a request and sends it the states of a topic, the
// present one first. It returns at once. ErrClosed and ErrFull leave the
// answer to the caller; a bad handshake is answered here. Requests of pages
// from other origins are refused. The holder says on whose right the client
// watches, in words of the caller's; "" for that nobody can take it away.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, topicName, holder string) error {
	if err := h.admits(); err != nil {
		return err
	}
	conn, err := h.upgrader.Upgrade(w, r, nil)
	if err != nil {
		h.cfg.Log.Debug("websocket refused", "error", err) // not the topic: it may have a secret in it
		return nil                                         // answered
	}
	h.serve(newClient(h, conn, holder), topicName)
	return nil
}

// serve starts the goroutines of a client.
func (h *Hub) serve(c *client, topicName string) {
	known, first, err := h.join(c, topicName)
	if err != nil { // closed since: the page comes back later
		c.sendClose(CloseRestart)
		_ = c.conn.Close()
		return
	}
	go c.write()
	go c.read()
	if first {
		h.cfg.Peopled(topicName)
	}
	if !known {
		h.cfg.Watched(topicName)
	}
}

func (h *Hub) admits() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case len(h.clients) >= h.cfg.MaxClients:
		h.drops[DropFull]++
		return ErrFull
	}
	return nil
}

// join makes c watch a topic; known says that the topic has a state, first
// that nobody else watches it.
func (h *Hub) join(c *client, name string) (known, first bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false, false, ErrClosed
	}
	t := h.topics[name]
	if t == nil {
		t = h.add(name)
	}
	c.topic = t
	t.clients[c] = struct{}{}
	h.clients[c] = struct{}{}
	h.running.Add(2)
	if t.version > 0 {
		c.wake()
	}
	return t.version > 0, len(t.clients) == 1, nil
}

// add makes a topic; the lock is held.
func (h *Hub) add(name string) *topic {
	t := newTopic(name)
	h.topics[name] = t
	group := h.cfg.Group(name)
	if h.groups[group] == nil {
		h.groups[group] = map[string]*topic{}
	}
	h.groups[group][name] = t
	return t
}

// remove forgets a topic; the lock is held.
func (h *Hub) remove(name string) {
	delete(h.topics, name)
	group := h.cfg.Group(name)
	delete(h.groups[group], name)
	if len(h.groups[group]) == 0 {
		delete(h.groups, group)
	}
}

// leave forgets a client, and its topic after the last one.
func (h *Hub) leave(c *client) {
	if h.forget(c) {
		h.cfg.Peopled(c.topic.name)
	}
}

// forget reports whether nobody watches the client's topic any more.
func (h *Hub) forget(c *client) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, c)
	delete(c.topic.clients, c)
	if len(c.topic.clients) > 0 || h.topics[c.topic.name] != c.topic {
		return false
	}
	h.remove(c.topic.name)
	return true
}

// Publish makes message the state of a topic and sends it to all who watch
// it. A topic that nobody watches keeps none; a state like the one before is
// not sent again. The bytes must not be changed afterwards.
func (h *Hub) Publish(topicName string, message []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[topicName]
	if t == nil || (t.version > 0 && bytes.Equal(t.message, message)) {
		return
	}
	t.message = message
	t.version++
	t.notify()
}

// newest returns the state of the client's topic if the client has not had it.
func (h *Hub) newest(c *client) ([]byte, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.seen == c.topic.version {
		return nil, false
	}
	c.seen = c.topic.version
	return c.topic.message, true
}

// Topics lists the topics that somebody watches.
func (h *Hub) Topics() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := make([]string, 0, len(h.topics))
	for name := range h.topics {
		names = append(names, name)
	}
	return names
}

// TopicsIn lists the topics of one group that somebody watches.
func (h *Hub) TopicsIn(group string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := make([]string, 0, len(h.groups[group]))
	for name := range h.groups[group] {
		names = append(names, name)
	}
	return names
}

// Holders lists on whose rights clients watch, each once.
func (h *Hub) Holders() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := map[string]bool{"": true}
	var holders []string
	for c := range h.clients {
		if !seen[c.holder] {
			seen[c.holder] = true
			holders = append(holders, c.holder)
		}
	}
	return holders
}

// End ends all clients of a holder with CloseNotAllowed. It does not wait.
func (h *Hub) End(holder string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.clients {
		if c.holder == holder {
			c.stop(CloseNotAllowed)
		}
	}
}

// Clients is how many clients there are.
func (h *Hub) Clients() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients)
}

// Close refuses new clients, asks the present ones to come back later
// (CloseRestart) and waits until they are gone, or cuts them off when ctx ends.
func (h *Hub) Close(ctx context.Context) error {
	for _, c := range h.shut() {
		c.stop(CloseRestart)
	}
	gone := make(chan struct{})
	go func() {
		h.running.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		for _, c := range h.shut() {
			_ = c.conn.Close()
		}
		<-gone
		return ctx.Err()
	}
}

// shut closes the door and returns who is in.
func (h *Hub) shut() []*client {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	clients := make([]*client, 0, len(h.clients))
	for c := range h.clients {
		clients = append(clients, c)
	}
	return clients
}
