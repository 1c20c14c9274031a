package contract_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/e2e/contract"
)

const document = `{
	"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
	"paths": {
		"/api/v1/things/{thing}": {
			"get": {"operationId": "get-thing", "responses": {
				"200": {
					"description": "OK",
					"headers": {"ETag": {"required": true, "schema": {"type": "string", "pattern": "^\".+\"$"}}},
					"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
				},
				"409": {"description": "no", "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
			}},
			"delete": {"operationId": "delete-thing", "responses": {"204": {"description": "gone"}}}
		},
		"/api/v1/things/next": {
			"get": {"operationId": "next-thing", "responses": {"204": {"description": "none"}}}
		}
	},
	"components": {"schemas": {
		"Thing": {
			"type": "object", "additionalProperties": false, "required": ["id", "count"],
			"properties": {"id": {"type": "string"}, "count": {"type": "integer"}, "at": {"type": "string", "format": "date-time"},
				"kind": {"type": "string", "enum": ["a", "b"]}, "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}
		},
		"Problem": {
			"type": "object", "additionalProperties": false, "required": ["status", "code"],
			"properties": {"status": {"type": "integer"}, "code": {"type": "string"}}
		}
	}}
}`

// reply is what the server of a test answers.
type reply struct {
	status           int
	kind, etag, body string
}

var (
	good    = reply{200, "application/json", `"1"`, `{"id": "x", "count": 2, "at": "2026-11-30T00:41:07.250Z", "kind": "a", "parts": [{"id": "y", "count": 1}]}`}
	problem = reply{409, "application/problem+json", "", `{"status": 409, "code": "wrong_state"}`}
	none    = reply{status: 204}
)

// with changes a part of a reply's body.
func (r reply) with(old, changed string) reply {
	r.body = strings.Replace(r.body, old, changed, 1)
	return r
}

func (r reply) as(kind string) reply {
	r.kind = kind
	return r
}

func (r reply) coded(status int) reply {
	r.status = status
	return r
}

// send requests something of a server with this reply and returns what was reported.
func send(t *testing.T, method, path string, r reply) (faults []error, d *contract.Document) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/api/openapi.json" {
			_, _ = io.WriteString(w, document)
			return
		}
		w.Header()["Content-Type"] = nil // no guessing
		if r.kind != "" {
			w.Header().Set("Content-Type", r.kind)
		}
		if r.etag != "" {
			w.Header().Set("ETag", r.etag)
		}
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, r.body)
	}))
	defer server.Close()
	d, err := contract.Fetch(t.Context(), http.DefaultTransport, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &contract.Transport{Base: http.DefaultTransport, Document: d, Report: func(err error) { faults = append(faults, err) }}
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != r.body {
		t.Errorf("the body arrived as %q, %v", body, err)
	}
	return faults, d
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const thing = "/api/v1/things/x%2Fy"
	for name, c := range map[string]struct {
		method, path string
		reply        reply
		fault        string // a part of what is reported, "" for nothing
	}{
		"as described":                {"GET", thing, good, ""},
		"an error as described":       {"GET", thing, problem, ""},
		"nothing, as described":       {"DELETE", thing, none, ""},
		"the operation that is named": {"GET", "/api/v1/things/next", none, ""},
		"of something else":           {"GET", "/healthz", good, ""},

		"another status":          {"GET", thing, good.coded(202), "status is not documented"},
		"of another operation":    {"GET", "/api/v1/things/next", good, "status is not documented"},
		"unknown address":         {"GET", "/api/v1/nothing/x", good, "no operation"},
		"unknown method":          {"POST", thing, good, "no operation"},
		"missing field":           {"GET", thing, good.with(`"count": 2, `, ""), "missing property 'count'"},
		"missing field within":    {"GET", thing, good.with(`, "count": 1`, ""), "missing property 'count'"},
		"surplus field":           {"GET", thing, good.with(`"id"`, `"more": 1, "id"`), "additional properties 'more'"},
		"surplus field within":    {"GET", thing, good.with(`"id": "y"`, `"more": 1, "id": "y"`), "additional properties 'more'"},
		"wrong type":              {"GET", thing, good.with(`"count": 2`, `"count": "2"`), "got string, want integer"},
		"no whole number":         {"GET", thing, good.with(`"count": 2`, `"count": 2.5`), "got number, want integer"},
		"no time":                 {"GET", thing, good.with("T00:41", " 00:41"), "date-time"},
		"none of the values":      {"GET", thing, good.with(`"kind": "a"`, `"kind": "c"`), "value must be one of"},
		"no JSON":                 {"GET", thing, good.with(`{`, ``), "the body"},
		"something behind it":     {"GET", thing, good.with(`}]}`, `}]} {}`), "the body"},
		"no body":                 {"GET", thing, reply{200, good.kind, good.etag, ""}, "the body"},
		"another type":            {"GET", thing, good.as("text/plain"), "text/plain is not documented"},
		"an error as plain JSON":  {"GET", thing, problem.as("application/json"), "application/json is not documented"},
		"no type":                 {"GET", thing, good.as(""), "content type"},
		"missing header":          {"GET", thing, reply{200, good.kind, "", good.body}, "header ETag is missing"},
		"wrong header":            {"GET", thing, reply{200, good.kind, "1", good.body}, "header ETag"},
		"undocumented header":     {"GET", thing, reply{409, problem.kind, `"1"`, problem.body}, "header Etag is not documented"},
		"error without a code":    {"GET", thing, problem.with(`, "code": "wrong_state"`, ""), "missing property 'code'"},
		"error of another status": {"GET", thing, problem.with("409", "404"), "says status 404"},
		"a type for nothing":      {"DELETE", thing, none.as("application/json"), "body is not documented"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, d := send(t, c.method, c.path, c.reply)
			if c.fault == "" {
				if len(faults) > 0 {
					t.Errorf("reported %v", faults)
				}
				return
			}
			if len(faults) != 1 || !strings.Contains(faults[0].Error(), c.fault) {
				t.Errorf("reported %v, want %q", faults, c.fault)
			}
			if missing := d.Missing(); len(missing) != 3 {
				t.Errorf("a wrong answer counts: only %v are missing", missing)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, path string
		reply        reply
		missing      []string
	}{
		"after an error":   {"GET", "/api/v1/things/x", problem, []string{"delete-thing 204", "get-thing 200", "next-thing 204"}},
		"after a success":  {"GET", "/api/v1/things/x", good, []string{"delete-thing 204", "next-thing 204"}},
		"after another":    {"DELETE", "/api/v1/things/next", none, []string{"get-thing 200", "next-thing 204"}},
		"after one so far": {"GET", "/api/v1/things/next", none, []string{"delete-thing 204", "get-thing 200"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, d := send(t, c.method, c.path, c.reply)
			if len(faults) > 0 {
				t.Errorf("reported %v", faults)
			}
			if missing := d.Missing(); !slices.Equal(missing, c.missing) {
				t.Errorf("missing are %v, want %v", missing, c.missing)
			}
		})
	}
}

func TestCutOffAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
	}))
	defer server.Close()
	d, err := contract.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	transport := &contract.Transport{Base: http.DefaultTransport, Document: d, Report: func(err error) { t.Errorf("reported %v", err) }}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/things/x", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err == nil || string(body) != "half" {
		t.Errorf("read %q, %v", body, err)
	}
}

func TestNoDocument(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON":          `{`,
		"no such schema":   strings.Replace(document, `schemas/Thing"}}}`, `schemas/Nothing"}}}`, 1),
		"no schema at all": strings.Replace(document, `{"type": "integer"}, "at"`, `{"type": 7}, "at"`, 1),
	} {
		if _, err := contract.Parse([]byte(text)); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := contract.Fetch(t.Context(), http.DefaultTransport, server.URL); err == nil {
		t.Error("a server without one is taken")
	}
}
