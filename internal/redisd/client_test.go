package redisd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallcall/hallcall/internal/redisd"
)

func TestURL(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	open(t, redisd.Config{DataDir: dir})
	config := redisd.Config{URL: "unix://" + filepath.Join(dir, "redis", "redis.sock")}
	r := open(t, config)
	set(t, r)
	beside, err := redisd.Attach(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, beside, "k", "v")
	if err := beside.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestURLThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ url, want string }{
		"not a URL":    {"redis://:secret@[", "cannot be read"},
		"other scheme": {"http://:secret@localhost", "cannot be read"},
		"nobody there": {"redis://:secret@127.0.0.1:1/0", "redis at 127.0.0.1:1: does not answer"},
		"no such path": {"unix://:secret@/nowhere/redis.sock", "redis at /nowhere/redis.sock: does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := redisd.Open(t.Context(), redisd.Config{URL: test.url})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("Open: %v, want %q", err, test.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%q tells the password", err)
			}
		})
	}
}
