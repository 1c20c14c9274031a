// Package roster reads the lists of candidates that other offices send: text
// with any of the usual separators and encodings, and Excel workbooks, with the
// headers and quirks that spreadsheets give them.
package roster

import (
	"bytes"
	"fmt"
	"io"

	"github.com/hallcall/hallcall/internal/hall"
)

// Limits of a roster.
const (
	// MaxBytes is how long a file may be. The rows that one may have, with long
	// names in UTF-16, are 30 MB.
	MaxBytes = 64 << 20

	maxRows = 200_000
)

// Format is what a file is said to be.
type Format int

// The formats of a roster.
const (
	AnyFormat Format = iota // whatever it is
	Text                    // CSV and the like
	Workbook                // xlsx
)

// Read reads a roster of any format for a hall with this layout; see ReadBytes.
// An error of r comes back wrapped.
func Read(r io.Reader, layout *hall.Layout) (rows []hall.RosterRow, rejected []hall.RejectedRow, total int, err error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, nil, 0, fmt.Errorf("read roster: %w", err)
	}
	return ReadBytes(data, AnyFormat, layout)
}

// ReadBytes reads a roster for a hall with this layout. Good rows are returned
// to be taken, the others with the first thing that is wrong with each; total
// counts both, rows without any text are none. A file that cannot be read as a
// roster at all, or is not of the format that it is said to be, is an
// *hall.Error with CodeInvalid.
func ReadBytes(data []byte, format Format, layout *hall.Layout) (rows []hall.RosterRow, rejected []hall.RejectedRow, total int, err error) {
	r, err := Understand(data, format, layout)
	return r.Rows, r.Rejected, r.Total, err
}

// Understand reads a roster as ReadBytes does, and tells what it was read as.
func Understand(data []byte, format Format, layout *hall.Layout) (Reading, error) {
	if len(data) > MaxBytes {
		return Reading{}, TooLong()
	}
	columns, body, err := open(data, format)
	if err != nil {
		return Reading{}, err
	}
	reader := newRowReader(layout, columns)
	reading := Reading{Understood: columns.understood}
	for {
		record, ok, err := nextFilled(body)
		switch {
		case err != nil:
			return Reading{}, err
		case !ok:
			return reading, nil
		case reading.Total == maxRows:
			return Reading{}, invalid("The file has more than %d rows below its header.", maxRows)
		}
		reading.Total++
		row, bad := reader.read(record)
		if bad != nil {
			reading.Rejected = append(reading.Rejected, *bad)
			continue
		}
		reading.Rows = append(reading.Rows, row)
	}
}

// TooLong is the error for a file that is longer than MaxBytes.
func TooLong() error { return invalid("The file is longer than %d MB.", MaxBytes>>20) }

// open finds out what a file is, and reads up to its header.
func open(data []byte, format Format) (columns, source, error) {
	if err := knownOther(data); err != nil {
		return columns{}, nil, err
	}
	isZip := bytes.HasPrefix(data, []byte(zipSignature))
	switch {
	case isZip && format == Text:
		return columns{}, nil, invalid("This is a spreadsheet file, not text. Send it as what it is, or save it as CSV.")
	case isZip:
		return openWorkbook(data)
	case format == Workbook:
		return columns{}, nil, invalid("The file is not an Excel workbook (xlsx).")
	}
	return openText(data)
}

// invalid is the error for a file that is not a roster.
func invalid(message string, args ...any) error {
	message = fmt.Sprintf(message, args...)
	return &hall.Error{
		Code: hall.CodeInvalid, Message: message,
		Faults: []hall.Fault{{Location: "body", Message: message}},
	}
}
