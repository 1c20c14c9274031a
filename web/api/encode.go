package api

import (
	"encoding/json"

	"github.com/hallcall/hallcall/internal/hall"
)

// EncodeEvent writes an event as the list of events does.
func EncodeEvent(e *hall.Event) ([]byte, error) { return json.Marshal(eventShapeOf(e)) }
