package live

import (
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// client is one websocket. Its write goroutine alone writes data, its read
// goroutine only notices that the other side is gone.
type client struct {
	hub    *Hub
	holder string // on whose right it watches, "" for nobody's
	conn   *websocket.Conn
	topic  *topic        // set by join
	seen   uint64        // version that was taken last; the hub's lock guards it
	news   chan struct{} // there may be a newer state
	end    chan CloseCode
	gone   chan struct{} // closed when the read goroutine ends

	ending atomic.Bool // the hub ends it, or counted why it did
}

func newClient(h *Hub, conn *websocket.Conn, holder string) *client {
	return &client{
		hub: h, conn: conn, holder: holder,
		news: make(chan struct{}, 1), end: make(chan CloseCode, 1), gone: make(chan struct{}),
	}
}

// wake tells the write goroutine to look for news.
func (c *client) wake() {
	select {
	case c.news <- struct{}{}:
	default: // it has been told
	}
}

// stop ends the client with a code; the first code counts.
func (c *client) stop(code CloseCode) {
	select {
	case c.end <- code:
	default:
	}
}

// read drains the socket until it ends. A page never sends data: one that
// does is ended.
func (c *client) read() {
	defer c.hub.running.Done()
	defer c.hub.leave(c)
	defer close(c.gone)
	defer func() { _ = c.conn.Close() }()
	cfg := c.hub.cfg
	c.conn.SetReadLimit(cfg.ReadLimit)
	alive := func(string) error { return c.conn.SetReadDeadline(time.Now().Add(cfg.PongWait)) }
	c.conn.SetPongHandler(alive)
	if alive("") != nil {
		return
	}
	if _, _, err := c.conn.NextReader(); err != nil {
		if timedOut(err) {
			c.drop(DropSilent)
		}
		return
	}
	c.drop(DropNotAllowed)
	c.stop(CloseNotAllowed)
	_, _, _ = c.conn.NextReader() // until the writer has ended it
}

// write sends news, heartbeats and pings until the client ends.
func (c *client) write() {
	defer c.hub.running.Done()
	defer func() { _ = c.conn.Close() }()
	beat, ping := time.NewTicker(c.hub.cfg.Heartbeat), time.NewTicker(c.hub.cfg.pingEvery())
	defer beat.Stop()
	defer ping.Stop()
	for {
		select {
		case <-c.gone:
			return
		case code := <-c.end:
			c.finish(code)
			return
		case <-c.news:
			if message, ok := c.hub.newest(c); ok && !c.send(websocket.TextMessage, message) {
				return
			}
		case <-beat.C:
			if c.hub.cfg.Beat != nil && !c.send(websocket.TextMessage, c.hub.cfg.Beat()) {
				return
			}
		case <-ping.C:
			if !c.send(websocket.PingMessage, nil) {
				return
			}
		}
	}
}

// send writes one message; false means that the client is lost.
func (c *client) send(kind int, data []byte) bool {
	if c.conn.SetWriteDeadline(time.Now().Add(c.hub.cfg.WriteWait)) != nil {
		return false
	}
	err := c.conn.WriteMessage(kind, data)
	if timedOut(err) {
		c.drop(DropSlow)
	}
	return err == nil
}

// drop counts why the hub ends the client; the first reason counts.
func (c *client) drop(why Drop) {
	if c.ending.CompareAndSwap(false, true) {
		c.hub.drop(why)
	}
}

// finish sends a close and gives the other side a moment to answer it.
func (c *client) finish(code CloseCode) {
	c.ending.Store(true)
	c.sendClose(code)
	if c.conn.SetReadDeadline(time.Now().Add(c.hub.cfg.CloseWait)) == nil {
		<-c.gone
	}
}

func (c *client) sendClose(code CloseCode) {
	message := websocket.FormatCloseMessage(int(code), code.reason())
	_ = c.conn.WriteControl(websocket.CloseMessage, message, time.Now().Add(c.hub.cfg.CloseWait))
}
