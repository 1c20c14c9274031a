package e2e_test

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/e2e/contract"
)

// refusal is a request that no operation takes.
type refusal struct {
	status int
	query  string
	body   string
	header map[string]string // besides the token; a value "" takes it away
	when   func(contract.Operation) bool
}

var (
	takesBody = func(o contract.Operation) bool { return o.TakesBody }
	takesJSON = func(o contract.Operation) bool { return o.TakesBody && o.ID != "put-roster" }
	changes   = func(o contract.Operation) bool { return o.Method != http.MethodGet }
	always    = func(contract.Operation) bool { return true }
)

// How long a body is that is too long.
const (
	tooMuch       = 10<<20 + 1
	tooMuchRoster = 64<<20 + 1
)

// refusals are the ways in which a request for any operation may be wrong.
var refusals = map[string]refusal{
	"no token":       {status: http.StatusUnauthorized, header: map[string]string{"Authorization": ""}, when: always},
	"wrong token":    {status: http.StatusUnauthorized, header: map[string]string{"Authorization": "Bearer wrong"}, when: always},
	"other site":     {status: http.StatusForbidden, header: map[string]string{"Sec-Fetch-Site": "cross-site"}, when: changes},
	"broken query":   {status: http.StatusBadRequest, query: "?a=%zz", when: always},
	"unknown query":  {status: http.StatusUnprocessableEntity, query: "?nonsense=1", when: always},
	"query twice":    {status: http.StatusUnprocessableEntity, query: "?page=1&page=2", when: always},
	"no JSON":        {status: http.StatusBadRequest, body: `{`, when: takesJSON},
	"unknown field":  {status: http.StatusUnprocessableEntity, body: `{"nonsense": 1}`, when: takesJSON},
	"wrong type":     {status: http.StatusUnprocessableEntity, body: `[]`, when: takesJSON},
	"type of a body": {status: http.StatusUnsupportedMediaType, body: `x`, header: map[string]string{"Content-Type": "image/png"}, when: takesBody},
	"encoding":       {status: http.StatusUnsupportedMediaType, body: `{}`, header: map[string]string{"Content-Type": "application/json; charset=gbk"}, when: takesBody},
	"too long a body": {status: http.StatusRequestEntityTooLarge, body: strings.Repeat(" ", tooMuch), when: func(o contract.Operation) bool {
		return slices.Contains([]string{"put-hall", "leave-queue", "list-halls"}, o.ID) // it takes a while
	}},
	"too long a roster": {status: http.StatusRequestEntityTooLarge, body: strings.Repeat(" ", tooMuchRoster), when: func(o contract.Operation) bool {
		return o.ID == "put-roster"
	}},
	"a key that is none": {status: http.StatusUnprocessableEntity, header: map[string]string{"Idempotency-Key": "\u00e9"}, when: changes},
}

// places are what stands in braces in the path of an operation.
var places = regexp.MustCompile(`\{[a-z]+\}`)

// ask sends a request for an operation to a server, with every place in the
// path filled with the same word, and returns the status.
func (s *server) ask(t *testing.T, o contract.Operation, place string, r refusal) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var body io.Reader = http.NoBody
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	request, err := http.NewRequestWithContext(ctx, o.Method, s.url+places.ReplaceAllString(o.Path, place)+r.query, body)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+adminToken)
	for name, value := range r.header {
		request.Header.Del(name)
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := s.transport(t).RoundTrip(request)
	must(t, err)
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode
}

// TestEveryOperationRefusesAsDocumented sends what is wrong with any request to
// every operation.
func TestEveryOperationRefusesAsDocumented(t *testing.T) {
	t.Parallel()
	s := documented(t)
	for name, r := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, o := range s.document.Operations() {
				if !r.when(o) {
					continue
				}
				if status := s.ask(t, o, "nowhere", r); status != r.status {
					t.Errorf("%s answers %d, want %d", o.ID, status, r.status)
				}
			}
		})
	}
}

// TestEveryOperationKnowsWhatIsNotThere asks every operation for a hall that
// does not exist; one that needs a body says first that there is none.
func TestEveryOperationKnowsWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := documented(t)
	for _, o := range s.document.Operations() {
		want := []int{http.StatusNotFound}
		switch {
		case o.NeedsBody, o.ID == "put-roster":
			want = []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotFound}
		case !strings.Contains(o.Path, "{"):
			want = []int{http.StatusOK}
		}
		if status := s.ask(t, o, "nowhere", refusal{}); !slices.Contains(want, status) {
			t.Errorf("%s answers %d, want %v", o.ID, status, want)
		}
	}
}

// TestEveryOperationSaysThatTheStoreIsGone asks a server without its Redis.
func TestEveryOperationSaysThatTheStoreIsGone(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	s := newServer(t, r.url())
	r.stop(t)
	for _, o := range s.document.Operations() {
		want := []int{http.StatusServiceUnavailable}
		if o.NeedsBody {
			want = append(want, http.StatusBadRequest, http.StatusUnprocessableEntity)
		}
		if status := s.ask(t, o, "somewhere", refusal{}); !slices.Contains(want, status) {
			t.Errorf("%s answers %d, want %v", o.ID, status, want)
		}
	}
	r.start(t)
}
