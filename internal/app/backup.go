package app

import (
	"context"
	"fmt"
	"os"

	"github.com/hallcall/hallcall/internal/hallfile"
)

// BackupHall writes all of a hall into a new file, which only its owner may read.
// A file that exists is left alone: fs.ErrExist.
func (a *Attached) BackupHall(ctx context.Context, hall, path, program string) (hallfile.Summary, error) {
	var summary hallfile.Summary
	err := hallfile.Create(path, func(file *os.File) (err error) {
		summary, err = a.halls.BackupHall(ctx, hall, program, file)
		return err
	})
	return summary, err
}

// RestoreHall makes the hall of a file, under another id if as is not empty, and
// its figures. It returns the hall's id.
func (a *Attached) RestoreHall(ctx context.Context, path, as string) (id string, summary hallfile.Summary, err error) {
	file, err := hallfile.Open(path)
	if err != nil {
		return "", summary, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	if id, summary, err = a.halls.RestoreHall(ctx, file, as); err != nil {
		return "", summary, fmt.Errorf("%s: %w", path, err)
	}
	if err := a.Metrics.Follow(ctx, id); err != nil {
		return id, summary, fmt.Errorf("hall %s is restored, but its figures are not made yet: %w", id, err)
	}
	return id, summary, nil
}
