package hallfile

import (
	"errors"
	"fmt"
	"io"
)

// What a file may have at most. Nothing that is written comes near.
const (
	maxText     = 64 << 20 // bytes of one text
	maxName     = 1 << 10  // bytes of the name of a key
	maxDocument = 1 << 16  // bytes of the header and of the summary
	maxTexts    = 4 << 10  // in one element
	maxKeys     = 1 << 20

	// The content may be so many times as long as the file, and some more. Halls
	// unfold to about ten times.
	maxUnfolding = 256
	freeLength   = 1 << 20
)

// ErrDamaged says that a file is cut off or was changed.
var ErrDamaged = errors.New("the file is damaged or cut off")

// ErrNoBackup says that a file is something else.
var ErrNoBackup = errors.New("the file is no backup of a hall")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// bounded reads at most so many bytes and fails then; the end of the content
// where more is to come is an error as well.
type bounded struct {
	from io.Reader
	left int64
}

// Read reads.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("unfolds into more than a hall can be")
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.from.Read(p)
	b.left -= int64(n)
	return n, err
}
