package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestBackup makes a backup beside a server and restores it beside another one.
func TestBackup(t *testing.T) {
	t.Parallel()
	dir := demo(t)
	file := filepath.Join(t.TempDir(), "demo.backup")
	has := `day \d{4}-\d\d-\d\d-1, open: 240 candidates, \d+ events; closed days: 0\n`
	want(t, 0, `hall demo: `+file+` written\n`+has, ``, "backup", "demo", file, "--data", dir)
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file is %v, %v; want mode 0600", info.Mode(), err)
	}
	want(t, 1, ``, `hallcall: create `+file+`: file already exists\n`, "backup", "demo", file, "--data", dir)
	want(t, 1, ``, `hallcall: There is no such hall.\n`, "backup", "none", file+"2", "--data", dir)
	want(t, 1, ``, `hallcall: .*no such file or directory\n`, "backup", "demo", filepath.Join(dir, "none", "file"), "--data", dir)
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
		t.Errorf("beside the file are left %v, %v", left, err)
	}

	want(t, 1, ``, `hallcall: `+file+`: There is a hall "demo" already.\n`, "restore", file, "--data", dir)
	want(t, 0, `hall demo: restored\n`+has, ``, "restore", file, "--data", t.TempDir())
	want(t, 0, `hall second: restored\n`+has, ``, "restore", file, "--as", "second", "--data", dir)
	want(t, 0, `connection: ok\nhall demo: ok .*\nhall second: ok .*\n`, ``, "doctor", "--data", dir)
	want(t, 1, ``, `hallcall: \S+: The id .*\n`, "restore", file, "--as", strings.Repeat("x", 65), "--data", dir)

	for text, says := range map[string]string{"": "the file is no backup of a hall", "hallcall backup 2\n": `the backup has format "2": .*`, "hallcall backup 1\n": "the file is damaged or cut off: .*"} {
		other := filepath.Join(t.TempDir(), "other")
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want(t, 1, ``, `hallcall: \S+: `+says+`\n`, "restore", other, "--as", "third", "--data", dir)
	}
	want(t, 80, `.*`, `.*no such file.*`, "restore", filepath.Join(dir, "none"), "--data", dir)
}

// TestDayGoesOnElsewhere moves a day from one server to another, each a process of its own.
func TestDayGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	needServer(t)
	from, to, people := t.TempDir(), t.TempDir(), candidates(t)
	half := len(people) / 2
	file := filepath.Join(t.TempDir(), "demo.backup")
	first := launch(t, from)
	before := crowd(t, first, people[:half], true, func(int) {})
	want(t, 0, `hall demo: .* written\n.*`, ``, "backup", "demo", file, "--data", from)
	if err := first.end(t, syscall.SIGTERM); err != nil {
		t.Error(err)
	}

	want(t, 0, `hall demo: restored\n.*`, ``, "restore", file, "--data", to)
	second := launch(t, to)
	for id, ticket := range before.tickets {
		status, again, err := second.checkIn(t.Context(), id)
		if err != nil || status != http.StatusOK || again != ticket {
			t.Errorf("%s had ticket %s, elsewhere: %d %s, %v", id, ticket, status, again, err)
		}
	}
	after := crowd(t, second, people, true, func(int) {})
	wantDistinct(t, after, len(people))
	wantDoctor(t, to)
}
