package hallfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hallcall/hallcall/internal/hallfile"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "backup")
	good := write(t, entries())
	fill := func(content []byte, fails error) func(*os.File) error {
		return func(file *os.File) error {
			// While it is written nobody else can read it, and it has not its name.
			info, err := file.Stat()
			if err != nil || info.Mode() != 0o600 || filepath.Dir(file.Name()) != dir {
				t.Errorf("%s is %v, %v", file.Name(), info.Mode(), err)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file is there already: %v", err)
			}
			_, err = file.Write(content)
			return errors.Join(err, fails)
		}
	}
	left := func(want ...string) {
		t.Helper()
		there, err := os.ReadDir(dir)
		if err != nil || len(there) != len(want) {
			t.Errorf("there are %v, %v; want %v", there, err, want)
		}
	}
	failure := errors.New("full")
	if err := hallfile.Create(path, fill(good, failure)); !errors.Is(err, failure) {
		t.Errorf("writing failed: %v", err)
	}
	left()
	if err := hallfile.Create(path, fill(good[:100], nil)); !errors.Is(err, hallfile.ErrDamaged) {
		t.Errorf("what was written is not whole: %v", err)
	}
	left()
	if err := hallfile.Create(path, fill(good, nil)); err != nil {
		t.Error(err)
	}
	left("backup")
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || info.Size() != int64(len(good)) {
		t.Errorf("the file is %+v, %v", info, err)
	}
	if err := hallfile.Create(path, fill(good, nil)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
	left("backup")
	// One that came while the file was written.
	path = filepath.Join(dir, "other")
	if err := hallfile.Create(path, func(file *os.File) error {
		_, err := file.Write(good)
		return errors.Join(err, os.WriteFile(path, []byte("mine"), 0o600))
	}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that came: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file that came is %q, %v", text, err)
	}
	left("backup", "other")
	if err := hallfile.Create(filepath.Join(dir, "none", "backup"), fill(good, nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
	if _, err := hallfile.Open(dir); !errors.Is(err, hallfile.ErrNoBackup) {
		t.Errorf("a folder is opened: %v", err)
	}
}
