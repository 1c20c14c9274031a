package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hallcall/hallcall/internal/hall"
)

const tooLong = 20 << 20

// serve starts a server with the API on a real connection.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(router(&fakeStore{
		leave:   func(_, _ string, _ hall.Caller) error { return nil },
		checkIn: func(_, _ string, _ hall.Caller) (hall.Entry, bool, error) { return hall.Entry{}, true, nil },
	}))
	t.Cleanup(server.Close)
	return server
}

func dial(t *testing.T, server *httptest.Server) *net.TCPConn {
	t.Helper()
	address, ok := server.Listener.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal("the server does not listen to TCP")
	}
	connection, err := net.DialTCP("tcp", nil, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return connection
}

// sendAll sends a whole request before it reads the answer, as some clients do.
func sendAll(t *testing.T, server *httptest.Server, head string, body io.WriterTo) *http.Response {
	t.Helper()
	connection := dial(t, server)
	if _, err := io.WriteString(connection, head); err != nil {
		t.Fatalf("send the head: %v", err)
	}
	if _, err := body.WriteTo(connection); err != nil {
		t.Fatalf("send the body: %v", err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("read the answer: %v", err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// head is the head of a request with a body of some length, or, below 0, in chunks.
func head(method, path, authorization string, length int, more ...string) string {
	how := fmt.Sprintf("Content-Length: %d", length)
	if length < 0 {
		how = "Transfer-Encoding: chunked"
	}
	lines := append([]string{
		method + " " + path + " HTTP/1.1", "Host: hall", "Content-Type: application/json", how, "Authorization: Bearer " + authorization,
	}, more...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// chunks is a body in one long chunk.
func chunks(length int) *strings.Reader {
	return strings.NewReader(fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", length, strings.Repeat("x", length)))
}

func TestClientsThatSendAllSeeTheAnswer(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const pause, leave = "/api/v1/halls/h/pause", "/api/v1/halls/h/queue/1"
	for name, test := range map[string]struct {
		method, path, token string
		length              int
		chunked             bool
		status              int
	}{
		"too long":            {http.MethodPost, pause, token, tooLong, false, http.StatusRequestEntityTooLarge},
		"too long, in chunks": {http.MethodPost, pause, token, tooLong, true, http.StatusRequestEntityTooLarge},
		"as long as may be":   {http.MethodPut, leave, token, 10 << 20, false, http.StatusBadRequest},
		"none is read":        {http.MethodDelete, leave, token, 5 << 20, false, http.StatusNoContent},
		"none, too long":      {http.MethodDelete, leave, token, tooLong, true, http.StatusRequestEntityTooLarge},
		"wrong token":         {http.MethodPost, pause, "wrong", tooLong, false, http.StatusUnauthorized},
		"unknown address":     {http.MethodPost, "/api/v1/rooms", token, tooLong, false, http.StatusNotFound},
		"wrong method":        {http.MethodPatch, pause, token, tooLong, true, http.StatusMethodNotAllowed},
		"bad query":           {http.MethodPost, pause + "?a;b", token, tooLong, false, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			length, body := test.length, strings.NewReader(strings.Repeat("x", test.length))
			if test.chunked {
				length, body = -1, chunks(test.length)
			}
			response := sendAll(t, server, head(test.method, test.path, test.token, length), body)
			if response.StatusCode != test.status {
				t.Errorf("answered %d, want %d", response.StatusCode, test.status)
			}
		})
	}
}

// What is not sent yet is not waited for: the answer comes at once.
func TestLongBodiesAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for name, request := range map[string]string{
		"a client that asks first": head(http.MethodPost, "/api/v1/halls/h/pause", token, tooLong, "Expect: 100-continue"),
		"much too long":            head(http.MethodPost, "/api/v1/halls/h/pause", token, 1<<30),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response := sendAll(t, server, request, strings.NewReader(""))
			if response.StatusCode != http.StatusRequestEntityTooLarge || response.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("answered %d as %s", response.StatusCode, response.Header.Get("Content-Type"))
			}
		})
	}
}

func TestBodiesThatDoNotComeWhole(t *testing.T) {
	t.Parallel()
	server := serve(t)
	connection := dial(t, server)
	if _, err := io.WriteString(connection, head(http.MethodPut, "/api/v1/halls/h/queue/1", token, 10)+"{}"); err != nil {
		t.Fatal(err)
	}
	if err := connection.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("answered %d", response.StatusCode)
	}
}

// slow is a body of which the rest does not come in time.
type slow struct{ io.Reader }

func (s slow) Read(p []byte) (int, error) {
	if n, err := s.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, &net.OpError{Op: "read", Net: "tcp", Err: timeout{}}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func TestBodiesThatTakeTooLong(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/api/v1/halls/h/queue/1", slow{strings.NewReader("{")})
	request.Header.Set("Authorization", "Bearer "+token)
	recorder := httptest.NewRecorder()
	router(&fakeStore{}).ServeHTTP(recorder, request)
	answer{t: t, request: "PUT", ResponseRecorder: recorder}.problem(http.StatusRequestTimeout, "request_timeout")
}
