package processes_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/hallcall/hallcall/e2e/contract"
)

// client talks to the API of one server.
type client struct {
	*testing.T

	url  string
	http *http.Client
}

func newClient(t *testing.T, url string) *client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 200}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{T: t, url: url, http: &http.Client{Transport: transport, Timeout: 20 * time.Second}}
}

// holdToContract lets the test fail when the API answers otherwise than its
// document says, from now on.
func (c *client) holdToContract() {
	c.Helper()
	document, err := contract.Fetch(c.Context(), c.http.Transport, c.url)
	if err != nil {
		c.Fatal(err)
	}
	c.http.Transport = &contract.Transport{Base: c.http.Transport, Document: document, Report: func(err error) { c.Error(err) }}
}

// try makes a request and returns the status, 0 if no answer came. The answer
// is read into to unless that is nil.
func (c *client) try(method, path string, body, to any) int {
	answer := c.exchange(method, path, nil, body)
	if to != nil && answer.status < 300 && len(answer.body) > 0 {
		if err := json.Unmarshal(answer.body, to); err != nil {
			c.Errorf("%s %s: %v in %s", method, path, err, answer.body)
		}
	}
	return answer.status
}

// answer is a whole answer; its status is 0 if none came.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// exchange makes a request: with JSON, or with CSV if the body is a string.
func (c *client) exchange(method, path string, header map[string]string, body any) answer {
	var reader io.Reader
	if text, isText := body.(string); isText {
		reader = bytes.NewBufferString(text)
	} else if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			c.Error(err)
		}
		reader = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(c.Context(), method, c.url+path, reader)
	if err != nil {
		c.Error(err)
		return answer{}
	}
	request.Header.Set("Authorization", "Bearer "+adminToken)
	request.Header.Set("Content-Type", "application/json")
	if _, isText := body.(string); isText {
		request.Header.Set("Content-Type", "text/csv")
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{} // cut off: the outcome is unknown
	}
	return answer{response.StatusCode, response.Header, read}
}

// must makes a request that has to succeed.
func (c *client) must(method, path string, body, to any) {
	c.Helper()
	if status := c.try(method, path, body, to); status < 200 || status > 299 {
		c.Fatalf("%s %s: %d", method, path, status)
	}
}

// await waits until something holds.
func (c *client) await(what string, holds func() bool) {
	c.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			c.Fatalf("waited in vain for %s", what)
		}
	}
}

// The parts of the API's answers that the tests look at.
type (
	sitting struct {
		ID        string `json:"id"`
		Candidate string `json:"candidate"`
		Ticket    string `json:"ticket"`
		Subject   string `json:"subject"`
		Machine   string `json:"machine"`
		State     string `json:"state"`
		Outcome   string `json:"outcome"`
	}
	candidate struct {
		ID        string   `json:"id"`
		Subjects  []string `json:"subjects"`
		Remaining []string `json:"remaining"`
		State     string   `json:"state"`
		Ticket    string   `json:"ticket"`
	}
	entry struct {
		Candidate string `json:"candidate"`
		Ticket    string `json:"ticket"`
		State     string `json:"state"`
		QueuedAt  string `json:"queuedAt"`
	}
	list[T any] struct {
		Items []T `json:"items"`
		Total int `json:"total"`
	}
)

const api = "/api/v1/halls/"

func (c *client) sittings(hall, state string) []sitting {
	c.Helper()
	var l list[sitting]
	c.must("GET", api+hall+"/sittings?size=0&state="+state, nil, &l)
	return l.Items
}

func (c *client) candidates(hall string) []candidate {
	c.Helper()
	var l list[candidate]
	c.must("GET", api+hall+"/candidates?size=0", nil, &l)
	return l.Items
}

func (c *client) checkIn(hall, id string) (entry, int) {
	var e entry
	status := c.try("PUT", api+hall+"/queue/"+url.PathEscape(id), nil, &e)
	return e, status
}

func (c *client) command(hall, sitting, name string) int {
	return c.try("POST", api+hall+"/sittings/"+sitting+"/"+name, nil, nil)
}

// done counts the candidates in state done.
func (c *client) done(hall string) int {
	c.Helper()
	var l list[candidate]
	c.must("GET", api+hall+"/candidates?size=1&state=done", nil, &l)
	return l.Total
}
