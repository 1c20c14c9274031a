package redisd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockPoll is how often a lock that others hold is tried.
const lockPoll = 10 * time.Millisecond

// errHeld says that another process holds a lock.
var errHeld = errors.New("locked")

// holder says who holds a data folder. A file without anybody's lock may still name the last one.
type holder struct {
	PID    int  `json:"pid"`
	Server bool `json:"server"` // a server; otherwise a command that is over soon
	Memory bool `json:"memory"` // a server that has its Redis inside
}

// flock opens a file, made if it is missing, and takes its lock, which lasts
// until every descriptor of this opening is closed. The lock goes with the
// process: nothing is left to clean up after a kill.
func flock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // path of our own folder
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return file, nil
	}
	_ = file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errHeld
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// unlock gives a lock back. Closing the file alone would not do: a process that
// is being started at this moment has a copy of every descriptor until its exec.
func unlock(file *os.File) error {
	return errors.Join(syscall.Flock(int(file.Fd()), syscall.LOCK_UN), file.Close())
}

// acquire takes the lock of the data folder. While a command has it, acquire
// waits; if a server has it, the error is ErrInUse.
func (f folder) acquire(ctx context.Context, as holder) (*os.File, error) {
	for {
		file, err := flock(f.lock())
		if err == nil {
			return sign(file, as)
		}
		if !errors.Is(err, errHeld) {
			return nil, err
		}
		if by := f.heldBy(); by.Server {
			return nil, fmt.Errorf("data folder %s is %w by a server that runs already (process %d)", f.root, ErrInUse, by.PID)
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return nil, fmt.Errorf("data folder %s is used by another command: %w", f.root, context.Cause(ctx))
		}
	}
}

// sign writes into a lock file who holds it.
func sign(file *os.File, by holder) (*os.File, error) {
	text, err := json.Marshal(by)
	if err == nil {
		err = file.Truncate(0)
	}
	if err == nil {
		_, err = file.WriteAt(append(text, '\n'), 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sign lock: %w", err), unlock(file))
	}
	return file, nil
}

// heldBy reads who holds the data folder; the zero holder if that is not written yet.
func (f folder) heldBy() holder {
	var by holder
	text, err := os.ReadFile(f.lock())
	if err != nil || json.Unmarshal(text, &by) != nil {
		return holder{}
	}
	return by
}
