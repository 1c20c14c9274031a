package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/hall"
)

func TestIDsInPathsAreDecodedOnce(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{
		"plain": "0012", "slash": "a/b", "only a slash": "/", "braces": "{x}", "open brace": "{", "percent": "100%",
		"looks encoded": "%2F", "looks encoded twice": "%252F", "blanks": "  ", "inner blank": "a b", "plus": "a+b",
		"colon and star": ":x*", "question": "a?b#c", "quotes": `"'<&>`, "Chinese": "准考证号", "Russian": "Билет 7",
		"beyond the basic plane": "𠮷", "64 characters": strings.Repeat("字", 64), "a word of the API": "next",
		"dots": "..", "semicolon": "a;b=c", "slash and percent": "50%/{a}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var gotHall, gotCandidate string
			record := func(h, c string) { gotHall, gotCandidate = h, c }
			client := newClient(t, &fakeStore{
				entry: func(h, c string) (hall.Entry, error) { record(h, c); return hall.Entry{}, nil },
				checkIn: func(h, c string, _ hall.Caller) (hall.Entry, bool, error) {
					record(h, c)
					return hall.Entry{}, true, nil
				},
			})
			for encoding, encoded := range map[string]string{"usual": url.PathEscape(id), "every byte": escapeAll(id)} {
				if encoded == ".." {
					continue // clients resolve it
				}
				path := "/halls/" + encoded + "/queue/" + encoded
				for method, status := range map[string]int{http.MethodGet: http.StatusOK, http.MethodPut: http.StatusCreated} {
					gotHall, gotCandidate = "", ""
					client.do(method, path, "").is(status)
					if gotHall != id || gotCandidate != id {
						t.Errorf("%s encoding of %q arrived as %q, %q", encoding, id, gotHall, gotCandidate)
					}
				}
			}
		})
	}
}

// escapeAll percent-encodes every byte.
func escapeAll(id string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(id) {
		b.WriteByte('%')
		b.WriteByte(digits[id[i]>>4])
		b.WriteByte(digits[id[i]&15])
	}
	return b.String()
}

func TestIDsThatCannotBeAreNotFound(t *testing.T) {
	t.Parallel()
	client := newClient(t, &fakeStore{})
	for name, path := range map[string]string{
		"empty hall": "/halls//queue/1", "empty candidate": "/halls/h/queue/", "empty before a command": "/halls/h/queue//hold",
		"not text": "/halls/%FF/queue/1", "half a character": "/halls/h/queue/%E5%87",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method := http.MethodGet
			if strings.HasSuffix(path, "/hold") {
				method = http.MethodPost
			}
			client.do(method, path, "").problem(http.StatusNotFound, "not_found")
		})
	}
}

func TestBadEncodingIsRefused(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(router(&fakeStore{}))
	t.Cleanup(server.Close)
	for _, path := range []string{"/api/v1/halls/%zz", "/api/v1/halls/%2", "/api/v1/halls/h/queue/100%"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.URL.Opaque = "//" + request.URL.Host + path // sent as it is
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s answered %d", path, response.StatusCode)
		}
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	store := &fakeStore{ids: func() ([]string, error) { return nil, nil }}
	for name, test := range map[string]struct {
		header string
		status int
	}{
		"right":         {"Bearer " + token, http.StatusOK},
		"scheme's case": {"bearer " + token, http.StatusOK},
		"missing":       {"", http.StatusUnauthorized},
		"wrong":         {"Bearer x" + token, http.StatusUnauthorized},
		"beginning":     {"Bearer a-token", http.StatusUnauthorized},
		"empty":         {"Bearer ", http.StatusUnauthorized},
		"other scheme":  {"Basic " + token, http.StatusUnauthorized},
		"no scheme":     {token, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := newClient(t, store).with("Authorization", test.header).do(http.MethodGet, "/halls", "").is(test.status)
			if test.status == http.StatusUnauthorized {
				answer.problem(test.status, "unauthorized")
				if !strings.HasPrefix(answer.Header().Get("WWW-Authenticate"), "Bearer") {
					t.Errorf("challenge %q", answer.Header().Get("WWW-Authenticate"))
				}
			}
		})
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key string
		ok  bool
	}{
		"none":           {"", true},
		"usual":          {"8e03978e-40d5-43dd-bc93-6894a57f9324", true},
		"longest":        {strings.Repeat("k", 255), true},
		"too long":       {strings.Repeat("k", 256), false},
		"not printable":  {"a\x01b", false},
		"not ASCII":      {"ключ", false},
		"blanks, braces": {"a b {c}", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got hall.Caller
			client := newClient(t, &fakeStore{
				checkIn: func(_, _ string, by hall.Caller) (hall.Entry, bool, error) { got = by; return hall.Entry{}, true, nil },
				leave:   func(_, _ string, by hall.Caller) error { got = by; return nil },
			}).with("Idempotency-Key", test.key)
			for method, status := range map[string]int{http.MethodPut: http.StatusCreated, http.MethodDelete: http.StatusNoContent} {
				got = hall.Caller{}
				answer := client.do(method, "/halls/h/queue/1", "")
				if !test.ok {
					p := answer.problem(http.StatusUnprocessableEntity, "invalid")
					if len(p.Errors) != 1 || p.Errors[0].Location != "header.Idempotency-Key" {
						t.Errorf("faults %+v", p.Errors)
					}
					continue
				}
				answer.is(status)
				if want := (hall.Caller{By: "admin-token", Key: test.key}); got != want {
					t.Errorf("%s came by %+v, want %+v", method, got, want)
				}
			}
		})
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	client := newClient(t, &fakeStore{checkIn: func(_, _ string, _ hall.Caller) (hall.Entry, bool, error) {
		return hall.Entry{}, true, nil
	}})
	long := `{"message": "` + strings.Repeat("x", 10<<20) + `"}`
	for name, test := range map[string]struct {
		method, path, body string
		status             int
		code               string
		location           string
	}{
		"too long":            {"POST", "/halls/h/pause", long, http.StatusRequestEntityTooLarge, "too_large", ""},
		"too long, none read": {"DELETE", "/halls/h/queue/1", long, http.StatusRequestEntityTooLarge, "too_large", ""},
		"no JSON":             {"PUT", "/halls/h/queue/1", "{", http.StatusBadRequest, "malformed", "body"},
		"unknown field":       {"PUT", "/halls/h/queue/1", `{"colour": "red"}`, http.StatusUnprocessableEntity, "invalid", "body.colour"},
		"missing field":       {"POST", "/halls/h/sittings/s1/recall", `{}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"missing body":        {"POST", "/halls/h/sittings/s1/recall", "", http.StatusBadRequest, "malformed", ""},
		"wrong type":          {"POST", "/halls/h/sittings/s1/recall", `{"recall": "2"}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"out of range":        {"POST", "/halls/h/sittings/s1/recall", `{"recall": 1}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"unknown word":        {"PATCH", "/halls/h/queue/1", `{"class": "king"}`, http.StatusUnprocessableEntity, "invalid", "body.class"},
		"list for an object":  {"POST", "/halls/h/queue/next", `[]`, http.StatusUnprocessableEntity, "invalid", "body"},
		"unknown query":       {"GET", "/halls?sort=id", "", http.StatusUnprocessableEntity, "invalid", "query.sort"},
		"page zero":           {"GET", "/halls?page=0", "", http.StatusUnprocessableEntity, "invalid", "query.page"},
		"size in words":       {"GET", "/halls?size=ten", "", http.StatusUnprocessableEntity, "invalid", "query.size"},
		"huge size":           {"GET", "/halls?size=9223372036854775807", "", http.StatusUnprocessableEntity, "invalid", "query.size"},
		"unknown state":       {"GET", "/halls/h/candidates?state=asleep", "", http.StatusUnprocessableEntity, "invalid", "query.state"},
		"waited NaN":          {"GET", "/halls/h/queue?waitedOver=NaN", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"waited less than 0":  {"GET", "/halls/h/queue?waitedOver=-1", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"no event id":         {"GET", "/halls/h/events?after=yesterday", "", http.StatusUnprocessableEntity, "invalid", "query.after"},
		"unknown address":     {"GET", "/rooms", "", http.StatusNotFound, "not_found", ""},
		"wrong method":        {"DELETE", "/halls", "", http.StatusMethodNotAllowed, "method_not_allowed", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := client.do(test.method, test.path, test.body).problem(test.status, test.code)
			if test.location == "" && len(p.Errors) == 0 {
				return
			}
			if len(p.Errors) != 1 || p.Errors[0].Location != test.location || p.Errors[0].Message == "" {
				t.Errorf("faults %+v, want one at %s", p.Errors, test.location)
			}
		})
	}
	t.Run("empty object", func(t *testing.T) {
		t.Parallel()
		client.do(http.MethodPut, "/halls/h/queue/1", `{}`).is(http.StatusCreated)
	})
	t.Run("other content type", func(t *testing.T) {
		t.Parallel()
		client.with("Content-Type", "text/plain").do(http.MethodPut, "/halls/h/queue/1", "x").
			problem(http.StatusUnsupportedMediaType, "unsupported_media_type")
	})
}
