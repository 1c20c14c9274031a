package hallredis

import (
	"context"
	"os"
)

// BackupBusyHall is BackupHall as it is where commands come in between.
func (s *Store) BackupBusyHall(ctx context.Context, id string, file *os.File) error {
	_, err := s.backup(ctx, id, "", file, false)
	return err
}
