package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

// TestCheckInGivesThePhonePage also reads everything else, which must not have it.
func TestCheckInGivesThePhonePage(t *testing.T) {
	t.Parallel()
	client := realHall(t, "")
	client.enrol("x,1", "y,1")
	type entry struct{ Phone string }
	first := decode[entry](client.do(http.MethodPut, "/halls/h/queue/x", "").is(http.StatusCreated)).Phone
	if !regexp.MustCompile(`^/t/[A-Za-z0-9_-]{22,}$`).MatchString(first) {
		t.Fatalf("the phone page is at %q", first)
	}
	if again := decode[entry](client.do(http.MethodPut, "/halls/h/queue/x", "").is(http.StatusOK)).Phone; again != first {
		t.Errorf("the second time it is at %q", again)
	}
	id, secret, ok := hall.ParsePhoneToken(strings.TrimPrefix(first, "/t/"))
	if !ok || id != "h" {
		t.Errorf("the address names hall %q", id)
	}
	if other := decode[entry](client.do(http.MethodPut, "/halls/h/queue/y", "").is(http.StatusCreated)).Phone; other == first {
		t.Error("two candidates have one page")
	}
	for _, path := range []string{
		"/halls/h", "/halls/h/queue", "/halls/h/queue/x", "/halls/h/candidates", "/halls/h/candidates/x", "/halls/h/sittings",
		"/halls/h/machines", "/halls/h/events",
	} {
		if body := client.do(http.MethodGet, path, "").is(http.StatusOK).Body.String(); strings.Contains(body, secret) || strings.Contains(body, `"phone"`) {
			t.Errorf("%s has it: %s", path, body)
		}
	}
}
