package app

import (
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestARenewedCertificateIsTaken(t *testing.T) {
	t.Parallel()
	certFile, keyFile, _ := certificate(t)
	otherCert, otherKey, _ := certificate(t)
	kept := &renewable{certFile: certFile, keyFile: keyFile, log: slog.New(slog.DiscardHandler)}
	if err := kept.read(); err != nil {
		t.Fatal(err)
	}
	first := kept.pair.Leaf.Raw
	looks := func(want bool) {
		t.Helper()
		kept.looked = time.Time{} // it is time again
		pair, err := kept.get(&tls.ClientHelloInfo{})
		if err != nil || (string(pair.Leaf.Raw) != string(first)) != want {
			t.Errorf("another certificate: %v, want %v (%v)", err == nil && string(pair.Leaf.Raw) != string(first), want, err)
		}
	}
	move := func(from, to string) {
		t.Helper()
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Minute) // file systems with coarse times
		if err := os.Chtimes(to, later, later); err != nil {
			t.Fatal(err)
		}
	}
	looks(false)
	move(otherCert, certFile)
	looks(false) // the key is that of before
	move(otherKey, keyFile)
	looks(true)
	if err := os.Remove(keyFile); err != nil {
		t.Fatal(err)
	}
	looks(true)
}

func TestBadCertificatesAreToldAtStart(t *testing.T) {
	t.Parallel()
	certFile, keyFile, _ := certificate(t)
	_, otherKey, _ := certificate(t)
	text := filepath.Join(t.TempDir(), "text.pem")
	if err := os.WriteFile(text, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ cert, key, want string }{
		"of another key": {certFile, otherKey, "does not match"},
		"no PEM":         {text, keyFile, "certificate: "},
		"no key":         {certFile, text, "certificate: "},
		"a folder":       {filepath.Dir(text), keyFile, "certificate: "},
	} {
		a := New(Config{Redis: "memory", TLSCert: test.cert, TLSKey: test.key})
		if err := a.Start(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		stop(t, a)
	}
}
