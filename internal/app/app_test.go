package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "token of the tests"

func needServer(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no redis-server on PATH")
	}
	t.Skip("no redis-server on PATH")
}

// start starts a program that is stopped when the test ends.
func start(t *testing.T, config Config) *App {
	t.Helper()
	config.AdminToken = token
	if config.AdminPassword == "" && config.Out == nil {
		config.AdminPassword = "password of the tests"
	}
	a := New(config)
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, a) })
	return a
}

func stop(t *testing.T, a *App) {
	t.Helper()
	if err := a.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Errorf("Stop: %v", err)
	}
}

// ask sends a request on a connection of its own and returns status and body.
func ask(t *testing.T, a *App, method, path string) (int, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.URL()+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}

func wantStatus(t *testing.T, a *App, method, path string, want int) []byte {
	t.Helper()
	status, body := ask(t, a, method, path)
	if status != want {
		t.Fatalf("%s %s = %d, want %d: %s", method, path, status, want, body)
	}
	return body
}

func TestDataIsKeptOverRestart(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := Config{DataDir: t.TempDir(), Demo: true}
	began := time.Now()
	a := start(t, config)
	t.Logf("first start with the demo hall took %v", time.Since(began))
	body := wantStatus(t, a, http.MethodGet, "/api/v1/halls/demo/candidates?size=1", http.StatusOK)
	var list struct {
		Total int
		Items []struct{ ID string }
	}
	if err := json.Unmarshal(body, &list); err != nil || list.Total != 240 {
		t.Fatalf("demo roster: %s, %v; want 240 people", body, err)
	}
	entry := "/api/v1/halls/demo/queue/" + list.Items[0].ID
	wantStatus(t, a, http.MethodPut, entry, http.StatusCreated)
	before := wantStatus(t, a, http.MethodGet, "/api/v1/halls/demo/events?size=0", http.StatusOK)

	stop(t, a)
	stop(t, a)
	began = time.Now()
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("second start took %v", time.Since(began))
	if err := a.Start(t.Context()); err == nil {
		t.Error("started twice")
	}
	after := wantStatus(t, a, http.MethodGet, "/api/v1/halls/demo/events?size=0", http.StatusOK)
	if !bytes.Equal(before, after) {
		t.Errorf("events before the restart:\n%s\nafter:\n%s", before, after)
	}
	wantStatus(t, a, http.MethodPut, entry, http.StatusOK)
}

func TestPrintsAddressesAndPassword(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	config := Config{Redis: "memory", Demo: true, Out: &out, PublicURL: "https://hall.example/"}
	a := start(t, config)
	if a.URL() != "https://hall.example" {
		t.Errorf("URL() = %q", a.URL())
	}
	for _, line := range []string{
		`(?m)^First start. Sign in as "admin" with the password [a-z2-7-]{29}$`,
		`(?m)^Home +https://hall.example/$`,
		`(?m)^Sign in +https://hall.example/login$`,
		`(?m)^Kiosk +https://hall.example/halls/demo/kiosk$`,
		`(?m)^Board +https://hall.example/halls/demo/board$`,
		`(?m)^Proctor +https://hall.example/halls/demo/proctor$`,
		`(?m)^Monitor +https://hall.example/halls/demo/monitor$`,
	} {
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("no line like %s in:\n%s", line, out.String())
		}
	}
}

func TestMadePasswordIsShownOnce(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	for i, want := range []int{1, 0} {
		var out bytes.Buffer
		a := start(t, Config{DataDir: dir, Out: &out})
		if got := strings.Count(out.String(), "password"); got != want {
			t.Errorf("start %d: password shown %d times, want %d:\n%s", i+1, got, want, out.String())
		}
		stop(t, a)
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() }) // after the subtests
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"address taken":        {Config{Redis: "memory", Addr: taken.Addr().String()}, "address already in use"},
		"no such address":      {Config{Redis: "memory", Addr: "nonsense"}, "listen: "},
		"no Redis":             {Config{Redis: "redis://127.0.0.1:1"}, "does not answer"},
		"certificate only":     {Config{Redis: "memory", TLSCert: "cert.pem"}, "both a certificate and a key"},
		"no such certificate":  {Config{Redis: "memory", TLSCert: "none.pem", TLSKey: "none.pem"}, "no such file"},
		"public URL of a path": {Config{Redis: "memory", PublicURL: "https://example.com/hall"}, "public URL"},
		"with a query":         {Config{Redis: "memory", PublicURL: "https://example.com/?a=b"}, "public URL"},
		"with an empty query":  {Config{Redis: "memory", PublicURL: "https://example.com?"}, "public URL"},
		"with a fragment":      {Config{Redis: "memory", PublicURL: "https://example.com/#a"}, "public URL"},
		"with a user":          {Config{Redis: "memory", PublicURL: "https://user@example.com"}, "public URL"},
		"without a host":       {Config{Redis: "memory", PublicURL: "https://:8080"}, "public URL"},
		"no proxy's address":   {Config{Redis: "memory", TrustedProxies: []string{"10.0.0.0/8", "proxy"}}, `trusted proxy "proxy"`},
		"of another scheme":    {Config{Redis: "memory", PublicURL: "ftp://example.com"}, "public URL"},
		"webhook over http":    {Config{Redis: "memory", WebhookURL: "http://hooks.example/", WebhookSecret: webhookSecret}, "--webhook-private"},
		"private webhook":      {Config{Redis: "memory", WebhookURL: "https://10.0.0.1/", WebhookSecret: webhookSecret}, "--webhook-private"},
		"no webhook secret":    {Config{Redis: "memory", WebhookURL: "https://hooks.example/"}, "needs a secret"},
		"short webhook secret": {Config{Redis: "memory", WebhookURL: "https://hooks.example/", WebhookSecret: "whsec_c2hvcnQ="}, "24 to 64 bytes"},
		"short password":       {Config{Redis: "memory", AdminPassword: "short"}, "at least 10 characters"},
		"common password":      {Config{Redis: "memory", AdminPassword: "password123"}, "first that are guessed"},
		"short token":          {Config{Redis: "memory", AdminToken: "fifteen letters"}, "at least 16 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := New(test.config)
			if err := a.Start(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Start = %v, want %q", err, test.want)
			}
			stop(t, a)
		})
	}
}

func TestStartIsCancelled(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Config{DataDir: dir}).Start(ctx); err == nil {
		t.Error("started though it was cancelled")
	}
	start(t, Config{DataDir: dir}) // the folder is free
}

func TestStartAndStopAtRandom(t *testing.T) {
	t.Parallel()
	needServer(t)
	a := New(Config{DataDir: t.TempDir(), AdminPassword: "password of the tests"})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				_ = a.Start(t.Context())
				_, _ = a.Addr(), a.URL()
				stop(t, a)
			}
		})
	}
	all.Wait()
	start(t, Config{DataDir: t.TempDir()})
}

func TestAttach(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := Config{DataDir: t.TempDir(), Demo: true}
	start(t, config)
	store, err := Attach(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := store.HallIDs(t.Context())
	if err != nil || len(ids) != 1 || ids[0] != "demo" {
		t.Errorf("HallIDs = %v, %v; want demo", ids, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
