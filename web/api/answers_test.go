package api_test

import (
	"net/http"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// Whatever a client says it accepts, it gets what the description says.
func TestAnswersAreJSON(t *testing.T) {
	t.Parallel()
	client := newClient(t, &fakeStore{
		entry: func(string, string) (hall.Entry, error) { return hall.Entry{}, nil },
		next:  func(string) (*hall.Sitting, error) { return nil, nil }, //nolint:nilnil // nobody waits
	})
	for _, accepts := range []string{"", "*/*", "json", "application/xml", "text/html, */*;q=0.1", "application/cbor", "application/vnd.hall+json"} {
		c := client.with("Accept", accepts)
		if got := c.do(http.MethodGet, "/halls/h/queue/c", "").is(http.StatusOK).Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("accepting %q, it is answered as %q", accepts, got)
		}
		if got := c.do(http.MethodGet, "/halls/h/queue/c?nonsense=1", "").is(http.StatusUnprocessableEntity).Header().Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("accepting %q, an error is answered as %q", accepts, got)
		}
		if got, ok := c.do(http.MethodPost, "/halls/h/queue/next", "").is(http.StatusNoContent).Header()["Content-Type"]; ok {
			t.Errorf("accepting %q, nothing is answered as %q", accepts, got)
		}
	}
}
