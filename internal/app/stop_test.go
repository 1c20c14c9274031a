package app

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// certificate writes a certificate for 127.0.0.1 and its key into files.
func certificate(t *testing.T) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	if err := errors.Join(os.WriteFile(certFile, certPEM, 0o600), os.WriteFile(keyFile, keyPEM, 0o600)); err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(certPEM)
	return certFile, keyFile, roots
}

// logIn signs in as the first administrator and returns the session's cookie.
func logIn(t *testing.T, a *App, client *http.Client, password string) *http.Cookie {
	t.Helper()
	form := url.Values{"user": {"admin"}, "password": {password}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+a.Addr()+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	for _, cookie := range response.Cookies() {
		if response.StatusCode == http.StatusSeeOther {
			return cookie
		}
	}
	t.Fatalf("sign in: %s, cookies %v", response.Status, response.Cookies())
	return nil
}

func TestTLS(t *testing.T) {
	t.Parallel()
	certFile, keyFile, roots := certificate(t)
	a := start(t, Config{Redis: "memory", TLSCert: certFile, TLSKey: keyFile})
	if !strings.HasPrefix(a.URL(), "https://127.0.0.1:") {
		t.Errorf("URL() = %q", a.URL())
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	cookie := logIn(t, a, client, "password of the tests")
	if !cookie.Secure || !cookie.HttpOnly {
		t.Errorf("cookie %v, want Secure and HttpOnly", cookie)
	}
}

// watchBoard opens the websocket of the demo hall's board.
func watchBoard(t *testing.T, a *App) *websocket.Conn {
	t.Helper()
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+a.Addr()+"/halls/demo/live?view=board", nil)
	if err != nil {
		t.Fatalf("websocket: %v (%v)", err, response)
	}
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	if _, _, err := conn.ReadMessage(); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestStopAsksPagesToComeBack(t *testing.T) {
	t.Parallel()
	a := start(t, Config{Redis: "memory", Demo: true})
	closed := make(chan error, 1)
	reader := watchBoard(t, a)
	go func() {
		for {
			if _, _, err := reader.ReadMessage(); err != nil {
				closed <- err
				return
			}
		}
	}()
	watchBoard(t, a) // this one reads no more, and holds nobody up
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := a.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if ctx.Err() != nil {
		t.Error("Stop took more than 10 s")
	}
	if err := <-closed; !websocket.IsCloseError(err, websocket.CloseServiceRestart) {
		t.Errorf("the page was closed with %v, want 1012", err)
	}
}
