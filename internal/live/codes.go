package live

import "github.com/gorilla/websocket"

// CloseCode says why the hub ends a connection, in the numbers of RFC 6455.
// The page script reads the same numbers: it comes back after each of these
// but CloseNotAllowed.
type CloseCode int

// The codes that the hub sends.
const (
	CloseRestart    CloseCode = websocket.CloseServiceRestart  // the server stops or starts again
	CloseNotAllowed CloseCode = websocket.ClosePolicyViolation // the client sends what it may not, or may not watch any more
)

// Reconnects reports whether a client should come back after this code.
func (c CloseCode) Reconnects() bool { return c != CloseNotAllowed }

// reason is the text that goes with a code.
func (c CloseCode) reason() string {
	switch c {
	case CloseRestart:
		return "server restarts"
	case CloseNotAllowed:
		return "not allowed"
	}
	return ""
}
