package webhook

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

// message is one event on its way.
type message struct {
	id   string // webhook-id: the same however often it is sent
	hall string // "" for an event of the site
	at   time.Time
	body []byte
}

// names of the types that the specification proposes, parts with a full stop between them.
var types = map[hall.EventName]string{
	hall.EventAlertRaised:  "alert.raised",
	hall.EventAlertCleared: "alert.cleared",
}

type hallShape struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// document is the body of a message.
type document struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Timestamp string    `json:"timestamp"` // when it happened
	Data      dataShape `json:"data"`
}

type dataShape struct {
	Hall  *hallShape      `json:"hall,omitempty"` // left out for what is about the whole site
	Event json.RawMessage `json:"event"`
}

// newMessage makes the message of an event, of a hall or of none.
func newMessage(id string, h *hall.Hall, e *hall.Event, encode func(*hall.Event) ([]byte, error)) (message, error) {
	event, err := encode(e)
	if err != nil {
		return message{}, fmt.Errorf("webhook: encode event: %w", err)
	}
	d := document{
		ID: id, Type: types[e.Event], Timestamp: e.At.UTC().Format("2006-01-02T15:04:05.000Z"), Data: dataShape{Event: event},
	}
	m := message{id: id, at: e.At}
	if h != nil {
		d.Data.Hall, m.hall = &hallShape{h.ID, h.Layout.Name}, h.ID
	}
	if m.body, err = json.Marshal(d); err != nil {
		return message{}, fmt.Errorf("webhook: encode message: %w", err)
	}
	return m, nil
}

// messageID is that of an event of a hall. It has letters, digits, "_", "-" and
// "%" only: no full stop, which parts it from the rest of what is signed.
func messageID(hallID, eventID string) string {
	var b strings.Builder
	for i := range len(hallID) {
		switch c := hallID[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String() + "_" + eventID
}
