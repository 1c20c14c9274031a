package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
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
		"empty":          {"", false},
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
		"waited for ever":     {"GET", "/halls/h/queue?waitedOver=Inf", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"waited less":         {"GET", "/halls/h/queue?waitedOver=-Infinity", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"waited too long":     {"GET", "/halls/h/queue?waitedOver=1e10", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"waited out of range": {"GET", "/halls/h/queue?waitedOver=1e999", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"waited in words":     {"GET", "/halls/h/queue?waitedOver=long", "", http.StatusUnprocessableEntity, "invalid", "query.waitedOver"},
		"page too large":      {"GET", "/halls?page=99999999999999999999", "", http.StatusUnprocessableEntity, "invalid", "query.page"},
		"bad escape":          {"GET", "/halls/h/candidates?q=%zz", "", http.StatusBadRequest, "malformed", "query"},
		"semicolon":           {"GET", "/halls/h/candidates?q=a;b", "", http.StatusBadRequest, "malformed", "query"},
		"bad escape, command": {"POST", "/halls/h/roster?dryRun=true%", "x", http.StatusBadRequest, "malformed", "query"},
		"query twice":         {"GET", "/halls/h/candidates?state=held&state=waiting", "", http.StatusUnprocessableEntity, "invalid", "query.state"},
		"query's case":        {"GET", "/halls?Page=2", "", http.StatusUnprocessableEntity, "invalid", "query.Page"},
		"query no text":       {"GET", "/halls/h/candidates?q=%ff", "", http.StatusUnprocessableEntity, "invalid", "query.q"},
		"word for a yes":      {"POST", "/halls/h/roster?dryRun=perhaps", "x", http.StatusUnprocessableEntity, "invalid", "query.dryRun"},
		"reason too long":     {"PATCH", "/halls/h/queue/1", `{"class": "vip", "reason": "` + strings.Repeat("字", 201) + `"}`, http.StatusUnprocessableEntity, "invalid", "body.reason"},
		"reason, two lines":   {"PATCH", "/halls/h/queue/1", `{"class": "vip", "reason": "a\nb"}`, http.StatusUnprocessableEntity, "invalid", "body.reason"},
		"message, control":    {"POST", "/halls/h/pause", `{"message": "\u0000"}`, http.StatusUnprocessableEntity, "invalid", "body.message"},
		"field twice":         {"POST", "/halls/h/sittings/s1/recall", `{"recall": 2, "recall": 3}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"field twice, coded":  {"POST", "/halls/h/sittings/s1/recall", `{"recall": 2, "rec\u0061ll": 2}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"unknown field twice": {"PUT", "/halls/h/queue/1", `{"a": [{"b": 1, "b": 1}]}`, http.StatusUnprocessableEntity, "invalid", "body.a[0].b"},
		"field's case":        {"POST", "/halls/h/pause", `{"Message": "x"}`, http.StatusUnprocessableEntity, "invalid", "body.Message"},
		"case and script":     {"POST", "/halls/h/pause", `{"meſſage": "x"}`, http.StatusUnprocessableEntity, "invalid", "body.meſſage"},
		"broken number":       {"POST", "/halls/h/sittings/s1/recall", `{"recall": 2.5}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"number out of range": {"POST", "/halls/h/sittings/s1/recall", `{"recall": 1e999}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"very long number":    {"POST", "/halls/h/sittings/s1/recall", `{"recall": ` + strings.Repeat("9", 400) + `}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"long number":         {"POST", "/halls/h/sittings/s1/recall", `{"recall": 9223372036854775808}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"nothing":             {"POST", "/halls/h/sittings/s1/recall", `{"recall": null}`, http.StatusUnprocessableEntity, "invalid", "body.recall"},
		"more behind it":      {"PUT", "/halls/h/queue/1", `{} x`, http.StatusBadRequest, "malformed", "body"},
		"two documents":       {"PUT", "/halls/h/queue/1", `{}{}`, http.StatusBadRequest, "malformed", "body"},
		"two, for a hall":     {"PUT", "/halls/h", `{}{}`, http.StatusBadRequest, "malformed", "body"},
		"only blanks":         {"PUT", "/halls/h/queue/1", ` `, http.StatusBadRequest, "malformed", "body"},
		"too deep":            {"PUT", "/halls/h/queue/1", strings.Repeat("[", 1<<20), http.StatusBadRequest, "malformed", "body"},
		"no UTF-8":            {"POST", "/halls/h/pause", "{\"message\": \"\xff\"}", http.StatusBadRequest, "malformed", "body"},
		"half a character":    {"POST", "/halls/h/pause", `{"message": "a\ud842b"}`, http.StatusUnprocessableEntity, "invalid", "body.message"},
		"halves, wrong way":   {"POST", "/halls/h/pause", `{"message": "\udfb7\ud842"}`, http.StatusUnprocessableEntity, "invalid", "body.message"},
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
				t.Fatalf("faults %+v, want one at %s", p.Errors, test.location)
			}
			if message := p.Errors[0].Message; regexp.MustCompile(`Go |struct|float64|int64|strconv`).MatchString(message) {
				t.Errorf("the message speaks of the program: %s", message)
			}
		})
	}
	t.Run("empty object", func(t *testing.T) {
		t.Parallel()
		client.do(http.MethodPut, "/halls/h/queue/1", `{}`).is(http.StatusCreated)
	})
	t.Run("numbers and characters", func(t *testing.T) {
		t.Parallel()
		var got any
		client := newClient(t, &fakeStore{
			recall: func(_ string, n int) (hall.Sitting, error) { got = n; return hall.Sitting{}, nil },
			pause:  func(_, _, message string) (hall.Hall, error) { got = message; return hall.Hall{}, nil },
		})
		for body, want := range map[string]any{
			`{"recall": 2}`: 2, `{"recall": 2.0}`: 2, `{"recall":20e-1 }`: 2, "\t{ \"recall\" :\n2E2 } ": 200,
			`{"message": "\ud842\udfb7 \"x\" \\u \\"}`: `𠮷 "x" \u \`, `{"message": "1.0", "room": "a"}`: "1.0", `{"message": "\ufffd"}`: "\ufffd",
		} {
			got = nil
			path := "/halls/h/pause"
			if _, number := want.(int); number {
				path = "/halls/h/sittings/s1/recall"
			}
			client.do(http.MethodPost, path, body).is(http.StatusOK)
			if got != want {
				t.Errorf("%s arrived as %v, want %v", body, got, want)
			}
		}
	})
	t.Run("content types of JSON", func(t *testing.T) {
		t.Parallel()
		for header, status := range map[string]int{
			"application/json": 201, "Application/JSON ; charset=UTF-8": 201, `application/json; charset="utf-8"`: 201, "application/x+json": 201,
			"application/json; charset=gbk": 415, "application/json; charset=utf-16": 415, "application/json; charset": 415, "text/csv": 415, "json": 415,
		} {
			client.with("Content-Type", header).do(http.MethodPut, "/halls/h/queue/1", `{}`).is(status)
		}
		client.with("Content-Type", "text/plain").do(http.MethodPut, "/halls/h/queue/1", "").is(http.StatusCreated)
	})
	t.Run("other content type", func(t *testing.T) {
		t.Parallel()
		client.with("Content-Type", "text/plain").do(http.MethodPut, "/halls/h/queue/1", "x").
			problem(http.StatusUnsupportedMediaType, "unsupported_media_type")
	})
}
