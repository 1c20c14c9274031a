package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestOutageCodes has the API take every code that there is, show it with the
// machine, and tell it, but not the words, in the event.
func TestOutageCodes(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	type machine struct{ ID, State, Reason, Code string }
	for _, code := range hall.OutageCodes {
		body := fmt.Sprintf(`{"code": %q, "reason": "in words"}`, code)
		got := decode[machine](client.do(http.MethodPost, "/halls/h/machines/a-1/out-of-service", body).is(http.StatusOK))
		if want := (machine{"a-1", "out_of_service", "in words", string(code)}); got != want {
			t.Errorf("it is %+v, want %+v", got, want)
		}
		answer := client.command(http.MethodGet, "/events?size=0", "")
		if text := answer.Body.String(); !strings.Contains(text, fmt.Sprintf(`"reasonCode":%q`, code)) || strings.Contains(text, "in words") {
			t.Errorf("the events of %s are %s", code, text)
		}
		got = decode[machine](client.do(http.MethodPost, "/halls/h/machines/a-1/spare", "").is(http.StatusOK))
		if got.Code != "" {
			t.Errorf("a spare is %+v", got)
		}
	}
	for _, body := range []string{`{"code": "weather"}`, `{"code": "Network"}`, `{"code": ""}`, `{"code": 1}`, `{"code": ["network"]}`} {
		for _, path := range []string{"/machines/a-1/out-of-service", "/sittings/s1/transfer"} {
			p := client.do(http.MethodPost, "/halls/h"+path, body).problem(http.StatusUnprocessableEntity, "invalid")
			if !slices.Equal(p.locations(), []string{"body.code"}) {
				t.Errorf("%s with %s: faults at %q", path, body, p.locations())
			}
		}
	}
	p := client.do(http.MethodPost, "/halls/h/sittings/s1/transfer", `{"code": "power"}`).problem(http.StatusUnprocessableEntity, "invalid")
	if !slices.Equal(p.locations(), []string{"body.code"}) {
		t.Errorf("a code for a machine that stays: faults at %q", p.locations())
	}
}
