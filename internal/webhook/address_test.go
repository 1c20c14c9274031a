package webhook

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

var (
	privateAddresses = []string{
		"127.0.0.1", "127.255.0.9", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255",
		"0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1",
		"203.0.113.1", "192.88.99.1", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1", "fe80::1%lo", "fec0::1", "fc00::1",
		"fd00:ec2::254", "ff02::1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff::1",
		"100::1", "5f00::1",
	}
	publicAddresses = []string{"1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"}
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range privateAddresses {
		if public(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as public", text)
		}
		_, err := dialer(false, nil).DialContext(t.Context(), "tcp", net.JoinHostPort(text, "9"))
		if text == "fe80::1%lo" { // there may be no such interface
			continue
		}
		var no *refusedError
		if !errors.As(err, &no) {
			t.Errorf("%s: dialled, %v", text, err)
		}
	}
	for _, text := range publicAddresses {
		if !public(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as private", text)
		}
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url     string
		private bool
		want    string // part of the error, "" for none
	}{
		{"https://hooks.example/alerts?x=1", false, ""},
		{"https://user:pass@hooks.example", false, ""},
		{"https://[2606:4700::1111]:8443/", false, ""},
		{"http://hooks.example/", false, "--webhook-private"},
		{"http://hooks.example/", true, ""},
		{"http://127.0.0.1:1/", true, ""},
		{"https://127.0.0.1/", false, "not a public address"},
		{"https://[::ffff:10.0.0.1]/", false, "not a public address"},
		{"ftp://hooks.example/", true, "must be https://"},
		{"file:///etc/passwd", true, "must be https://"},
		{"hooks.example", true, "must be https://"},
		{"https://", true, "must be https://"},
		{"https://hooks.example/#x", true, "without a fragment"},
		{"https://user:secret@%zz/", true, "must be https://"},
	} {
		_, err := (&Config{URL: c.url, Private: c.private}).target()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.url, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("the error repeats the address: %v", err)
		}
	}
}

// TestRebinding has a name that leads to a private address when it is dialled:
// whatever it led to before, there is no request.
func TestRebinding(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig("https://hooks.example:" + port + "/alerts")
	c.resolver = answering(net.IPv4(127, 0, 0, 1))
	w := newWebhook(t, c)
	r := w.post(t.Context(), &message{id: "x_1-0", body: []byte("{}")})
	if r.outcome != failed || !strings.Contains(r.reason, "127.0.0.1 is not a public address") || asked.Load() != 0 {
		t.Errorf("outcome %d, %q, %d requests", r.outcome, r.reason, asked.Load())
	}
	// The same name may be used by who allows private addresses.
	c.URL, c.Private = "http://hooks.example:"+port+"/alerts", true
	if r := newWebhook(t, c).post(t.Context(), &message{id: "x_1-0", body: []byte("{}")}); r.outcome != delivered || asked.Load() != 1 {
		t.Errorf("outcome %d, %q, %d requests", r.outcome, r.reason, asked.Load())
	}
}

func TestRedirectsAndProxiesAreNotFollowed(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	t.Setenv("HTTP_PROXY", other.URL)
	t.Setenv("http_proxy", other.URL)
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := testConfig("http://hooks.example:" + port) // proxies are never used for 127.0.0.1
	c.Private, c.resolver = true, answering(net.IPv4(127, 0, 0, 1))
	r := newWebhook(t, c).post(t.Context(), &message{id: "x_1-0", body: []byte("{}")})
	if r.outcome != failed || !strings.Contains(r.reason, "307") || asked.Load() != 0 {
		t.Errorf("outcome %d, %q, %d requests elsewhere", r.outcome, r.reason, asked.Load())
	}
}

// answering is a resolver that knows one IPv4 address for every name.
func answering(ip net.IP) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer func() { _ = there.Close() }()
			for {
				var length uint16
				if binary.Read(there, binary.BigEndian, &length) != nil {
					return
				}
				query := make([]byte, length)
				if _, err := io.ReadFull(there, query); err != nil {
					return
				}
				answer := reply(query, ip)
				if binary.Write(there, binary.BigEndian, uint16(len(answer))) != nil {
					return
				}
				if _, err := there.Write(answer); err != nil {
					return
				}
			}
		}()
		return here, nil
	}}
}

// reply answers a DNS query: with the address if it asks for one of IPv4.
func reply(query []byte, ip net.IP) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, type and class
	answer := append([]byte{}, query[:end]...)
	answer[2], answer[3] = 0x81, 0x80 // an answer without an error
	copy(answer[6:12], make([]byte, 6))
	if query[end-3] == 1 { // type A
		answer[7] = 1
		answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		answer = append(answer, ip.To4()...)
	}
	return answer
}
