package redisd_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/hallcall/hallcall/internal/redisd"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerEnv); dir != "" {
		own(dir)
	}
	goleak.VerifyTestMain(m)
}

// needServer skips a test where there is no redis-server; in CI that is a failure.
func needServer(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		tb.Fatal("no redis-server on PATH")
	}
	tb.Skip("no redis-server on PATH")
}

// open opens a Redis that is closed when the test ends.
func open(t *testing.T, config redisd.Config) *redisd.Redis {
	t.Helper()
	r, err := redisd.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

// set gives "k" the value "v".
func set(t *testing.T, r *redisd.Redis) {
	t.Helper()
	if err := r.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
}

func wantValue(t *testing.T, r *redisd.Redis, key, want string) {
	t.Helper()
	if got, err := r.Client().Get(t.Context(), key).Result(); err != nil || got != want {
		t.Fatalf("Get(%s) = %q, %v; want %q", key, got, err, want)
	}
}

// processOf is the process of the redis-server behind a client; 0 while it does not answer.
func processOf(ctx context.Context, client redis.UniversalClient) int {
	info, err := client.InfoMap(ctx, "server").Result()
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(info["Server"]["process_id"])
	return pid
}

// eventually waits until done says so.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func TestChildKeepsDataOverRestart(t *testing.T) {
	t.Parallel()
	needServer(t)
	config := redisd.Config{DataDir: filepath.Join(t.TempDir(), "new", "data")}
	began := time.Now()
	r := open(t, config)
	t.Logf("started after %v", time.Since(began))
	if w := r.Warning(); w != "" {
		t.Errorf("Warning() = %q, want none", w)
	}
	set(t, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatalf("second Close: %v", err)
	}
	began = time.Now()
	r = open(t, config)
	t.Logf("started again after %v", time.Since(began))
	wantValue(t, r, "k", "v")
}

func TestFilesAreForThisUserOnly(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := open(t, redisd.Config{DataDir: dir})
	set(t, r)
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 8 {
		t.Errorf("saw only %d files", seen)
	}
}

func TestFolderWithOtherFilesIsLeftAlone(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	open(t, redisd.Config{DataDir: dir})
	for path, want := range map[string]fs.FileMode{dir: 0o755, filepath.Join(dir, "redis"): 0o700} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", path, got, want)
		}
	}
}

func TestChildComesBack(t *testing.T) {
	t.Parallel()
	needServer(t)
	r := open(t, redisd.Config{DataDir: t.TempDir()})
	set(t, r)
	last := processOf(t.Context(), r.Client())
	for range 3 {
		if err := syscall.Kill(last, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		var pid int
		eventually(t, "a new child", func() bool {
			pid = processOf(t.Context(), r.Client())
			return pid != 0 && pid != last
		})
		wantValue(t, r, "k", "v")
		last = pid
	}
}

func TestChildHasItsOwnProcessGroup(t *testing.T) {
	t.Parallel()
	needServer(t)
	r := open(t, redisd.Config{DataDir: t.TempDir()})
	pid := processOf(t.Context(), r.Client())
	if group, err := syscall.Getpgid(pid); err != nil || group != pid {
		t.Fatalf("Getpgid(%d) = %d, %v; want itself", pid, group, err)
	}
}

func TestChildIsGoneAfterClose(t *testing.T) {
	t.Parallel()
	needServer(t)
	r := open(t, redisd.Config{DataDir: t.TempDir()})
	pid := processOf(t.Context(), r.Client())
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Fatalf("child %d after Close: %v, want no such process", pid, err)
	}
}

func TestCloseWhileChildIsDead(t *testing.T) {
	t.Parallel()
	needServer(t)
	for range 5 {
		r := open(t, redisd.Config{DataDir: t.TempDir()})
		if err := syscall.Kill(processOf(t.Context(), r.Client()), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSecondServerIsRefused(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	open(t, redisd.Config{DataDir: dir})
	_, err := redisd.Open(t.Context(), redisd.Config{DataDir: dir + "/./"})
	if !errors.Is(err, redisd.ErrInUse) {
		t.Fatalf("second Open: %v, want ErrInUse", err)
	}
	for _, part := range []string{dir, strconv.Itoa(os.Getpid())} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %s", err, part)
		}
	}
}

func TestLongDataPath(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := filepath.Join(t.TempDir(), strings.Repeat("long data path ", 8), `"quoted" {考场}`)
	config := redisd.Config{DataDir: dir}
	r := open(t, config)
	set(t, r)
	beside, err := redisd.Attach(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, beside, "k", "v")
	if err := errors.Join(beside.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, open(t, config), "k", "v")
}

func TestBrokenFile(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir := t.TempDir()
	aof := filepath.Join(dir, "redis", "appendonlydir")
	manifest := filepath.Join(aof, "appendonly.aof.manifest")
	if err := errors.Join(os.MkdirAll(aof, 0o700), os.WriteFile(manifest, []byte("rubbish\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err := redisd.Open(t.Context(), redisd.Config{DataDir: dir})
	if err == nil || !strings.Contains(err.Error(), "redis-server ended: ") {
		t.Fatalf("Open with a broken file: %v", err)
	}
	t.Log(err)
	if err := os.RemoveAll(aof); err != nil {
		t.Fatal(err)
	}
	open(t, redisd.Config{DataDir: dir}) // the folder is free again
}

func TestInProcess(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]redisd.Config{
		"asked for":      {URL: redisd.InProcess},
		"nothing better": {DataDir: t.TempDir(), Program: "no-such-redis-server"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, config)
			if !strings.Contains(r.Warning(), "restart loses the day") {
				t.Errorf("Warning() = %q", r.Warning())
			}
			set(t, r)
			wantValue(t, r, "k", "v")
			if err := r.Client().PExpire(t.Context(), "k", 100*time.Millisecond).Err(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the key expires", func() bool { return r.Client().Exists(t.Context(), "k").Val() == 0 })
			_, err := redisd.Attach(t.Context(), config)
			if err == nil || !strings.Contains(err.Error(), "in the memory of the server") {
				t.Errorf("Attach: %v", err)
			}
		})
	}
}
