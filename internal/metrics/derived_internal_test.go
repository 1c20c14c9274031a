package metrics

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestNobodyWithinTheTarget says so, and nothing where nobody was called.
func TestNobodyWithinTheTarget(t *testing.T) {
	t.Parallel()
	h := &hall.Hall{Layout: hall.Layout{Rules: hall.DefaultRules()}}
	waits := derivedBy("waits")
	for want, hash := range map[bool]map[string]string{true: {"count": "1", "millis": "43200000", "43200": "1"}, false: {}} {
		text, err := json.Marshal(waits.value(hash, nil, h))
		if err != nil || strings.Contains(string(text), `"withinTarget":0`) != want {
			t.Errorf("of %v it is %s, %v", hash, text, err)
		}
	}
}
