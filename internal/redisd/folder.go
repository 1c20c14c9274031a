package redisd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// The files of a data folder.
const (
	lockName   = "hallcall.lock" // held by the server or command that uses the folder
	redisName  = "redis"         // folder of the child
	socketName = "redis.sock"
	pidName    = "redis.pid"
	aliveName  = "redis.lock" // held by the child itself, as long as it lives
)

// maxSocketPath is the longest path that every system takes for a unix socket.
const maxSocketPath = 100

// folder is where a private child lives.
type folder struct {
	root   string
	socket socket
}

func (f folder) lock() string  { return filepath.Join(f.root, lockName) }
func (f folder) redis() string { return filepath.Join(f.root, redisName) }
func (f folder) pid() string   { return filepath.Join(f.redis(), pidName) }
func (f folder) alive() string { return filepath.Join(f.redis(), aliveName) }

// newFolder makes the data folder if it is missing, for this user only.
func newFolder(path string, log *slog.Logger) (folder, error) {
	if path == "" {
		return folder{}, errors.New("no data folder given")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return folder{}, fmt.Errorf("make data folder: %w", err)
	}
	f, err := findFolder(path)
	if err != nil {
		return folder{}, err
	}
	if err := f.protect(log); err != nil {
		return folder{}, err
	}
	if err := privateDir(f.redis()); err != nil {
		return folder{}, err
	}
	if dir := filepath.Dir(string(f.socket)); dir != f.redis() {
		return f, privateDir(dir)
	}
	return f, nil
}

// findFolder looks at a data folder that must be there. The socket lies in it,
// or, if its path would be too long, in a folder named after it.
func findFolder(path string) (folder, error) {
	root, err := filepath.Abs(path)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return folder{}, fmt.Errorf("data folder: %w", err)
	}
	f := folder{root: root}
	f.socket = socket(filepath.Join(f.redis(), socketName))
	if len(f.socket) > maxSocketPath {
		sum := sha256.Sum256([]byte(root))
		f.socket = socket(filepath.Join(shortTemp(), "hallcall-"+hex.EncodeToString(sum[:8]), socketName))
	}
	return f, nil
}

// shortTemp is the folder for temporary files, if its own path is short.
func shortTemp() string {
	if temp := os.TempDir(); len(temp) <= maxSocketPath/2 {
		return temp
	}
	return "/tmp"
}

// protect takes the data folder from other users. A folder with files of
// others in it (somebody gave /tmp or a home folder) is left as it is: the
// child's own folder in it is protected in any case.
func (f folder) protect(log *slog.Logger) error {
	info, err := os.Stat(f.root)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	entries, err := os.ReadDir(f.root)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != lockName && e.Name() != redisName }) {
		log.Warn("other users can look into the data folder: it has other files in it, so its mode is left alone", "folder", f.root)
		return nil
	}
	if err := os.Chmod(f.root, 0o700); err != nil { //nolint:gosec // a folder needs the x bit
		return fmt.Errorf("protect data folder: %w", err)
	}
	return nil
}

// privateDir makes a folder for this user only. One that is there already, in a
// place where everybody may write, must be of this user and closed to others.
func privateDir(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make folder: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || (ok && int(owner.Uid) != os.Geteuid()) {
		return fmt.Errorf("%s is not a folder of this user", path)
	}
	if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a folder needs the x bit
		return fmt.Errorf("protect folder: %w", err)
	}
	return nil
}
