package hallfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Create makes a file that nobody else can read: write gets a new one in the
// same folder, which gets its name only once it is written, was read back and is
// on the disk. A file that exists is never overwritten (fs.ErrExist); if
// anything fails, nothing is left behind.
func Create(path string, write func(*os.File) error) (err error) {
	if err := absent(path); err != nil {
		return err
	}
	// Such a file has mode 0600 from the beginning.
	file, err := os.CreateTemp(filepath.Dir(path), ".hallcall-backup-*")
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, file.Close(), remove(file.Name()))
	}()
	if err := write(file); err != nil {
		return err
	}
	if _, err := Check(file); err != nil {
		return fmt.Errorf("reading back what was written: %w", err)
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return name(file.Name(), path)
}

func absent(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// name gives a file its name, which no other file may have, and waits until the
// folder is on the disk as well.
func name(old, path string) error {
	err := os.Link(old, path) // a second name; this never overwrites
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// Some file systems know no second names.
		if err = absent(path); err == nil {
			err = os.Rename(old, path)
		}
	}
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = folder.Sync() // not every file system can
	return folder.Close()
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Open opens a file to read it; a folder or a device is ErrNoBackup.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNoBackup
	}
	return os.Open(path) //nolint:gosec // whoever asks names the file
}

// Read begins to read an open file.
func Read(file *os.File) (*Reader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return NewReader(file, info.Size())
}

// Check reads a whole file and drops what it reads. It returns the reader,
// which knows what is in it.
func Check(file *os.File) (*Reader, error) {
	r, err := Read(file)
	if err != nil {
		return nil, err
	}
	for {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return r, nil
		} else if err != nil {
			return nil, err
		}
	}
}
