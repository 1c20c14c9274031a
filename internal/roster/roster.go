// Package roster reads the lists of candidates that other offices send: CSV in
// UTF-8, with the headers, separators and quirks that spreadsheets give it.
package roster

import (
	"fmt"
	"io"

	"github.com/hallcall/hallcall/internal/hall"
)

// Read reads a roster for a hall with this layout. Good rows are returned to
// be taken, the others with the first thing that is wrong with each; total
// counts both, rows without any text are none. A file that cannot be read as a
// roster at all is an *hall.Error with CodeInvalid; an error of r comes back wrapped.
func Read(r io.Reader, layout *hall.Layout) (rows []hall.RosterRow, rejected []hall.RejectedRow, total int, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, 0, fmt.Errorf("read roster: %w", err)
	}
	text, err := decode(data)
	if err != nil {
		return nil, nil, 0, err
	}
	columns, records, err := split(text)
	if err != nil {
		return nil, nil, 0, err
	}
	reader := rowReader{layout: layout, columns: columns, without: columns.without(), seen: map[string]int{}}
	for _, record := range records {
		row, bad := reader.read(record)
		if bad != nil {
			rejected = append(rejected, *bad)
			continue
		}
		rows = append(rows, row)
	}
	return rows, rejected, len(records), nil
}

// invalid is the error for a file that is not a roster.
func invalid(message string, args ...any) error {
	message = fmt.Sprintf(message, args...)
	return &hall.Error{
		Code: hall.CodeInvalid, Message: message,
		Faults: []hall.Fault{{Location: "body", Message: message}},
	}
}
